"""Floods stderr and never answers."""

import os

from manners import question, sit

sit()
question()
while True:
    os.write(2, b"noise " * 10_000)
