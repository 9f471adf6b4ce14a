"""A good bot that takes 60 ms for each answer without using the CPU."""

import time

from manners import answer, question, sit

sit()
while True:
    decide = question()
    time.sleep(0.06)
    answer(decide)
