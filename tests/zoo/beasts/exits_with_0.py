"""Leaves with status 0 while it is asked."""

from manners import question, sit

sit()
question()
