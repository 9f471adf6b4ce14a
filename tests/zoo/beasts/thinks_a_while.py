"""A good bot that takes 150 ms for each of its first eight answers, without using the CPU."""

import time

from manners import answer, play, question, sit

sit()
for _ in range(8):
    decide = question()
    time.sleep(0.15)
    answer(decide)
play()
