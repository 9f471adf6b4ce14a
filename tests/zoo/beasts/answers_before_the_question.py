"""Answers before it is asked."""

from manners import play, say, sit

sit()
say(type="answer", id=1, index=0)
play()
