"""Answers with the index 10^30."""

from manners import answer, play, question, sit

sit()
answer(question(), index=10**30)
play()
