"""Answers with a field that does not exist."""

from manners import answer, play, question, sit

sit()
answer(question(), confidence=1)
play()
