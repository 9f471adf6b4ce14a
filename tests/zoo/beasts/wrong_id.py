"""Answers a question that was never asked."""

from manners import answer, play, question, sit

sit()
answer(question(), id=4711)
play()
