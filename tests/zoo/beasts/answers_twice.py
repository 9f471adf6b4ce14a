"""Answers every question twice."""

from manners import answer, play, question, sit

sit()
decide = question()
answer(decide)
answer(decide)
play()
