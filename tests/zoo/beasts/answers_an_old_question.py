"""Answers its second question with the first one's id."""

from manners import answer, play, question, sit

sit()
first = question()
answer(first)
question()
answer(first)
play()
