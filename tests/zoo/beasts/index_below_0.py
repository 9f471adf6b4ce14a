"""Answers with the index -1."""

from manners import answer, play, question, sit

sit()
answer(question(), index=-1)
play()
