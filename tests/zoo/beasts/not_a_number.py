"""Answers with the index NaN."""

from manners import answer, play, question, sit

sit()
answer(question(), index=float("nan"))
play()
