"""Floods stderr while it plays on."""

import os

from manners import answer, question, sit

sit()
while True:
    decide = question()
    os.write(2, b"noise " * 100_000)
    answer(decide)
