"""Answers once, then ends with an error."""

import os

from manners import answer, question, sit

sit()
answer(question())
os._exit(4)
