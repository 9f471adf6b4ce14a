"""A good bot that takes 800 ms for each of its first five answers, without using the CPU."""

import time

from manners import answer, play, question, sit

sit()
for _ in range(5):
    decide = question()
    time.sleep(0.8)
    answer(decide)
play()
