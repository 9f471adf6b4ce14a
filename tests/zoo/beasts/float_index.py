"""Answers with the index 0.5."""

from manners import answer, play, question, sit

sit()
answer(question(), index=0.5)
play()
