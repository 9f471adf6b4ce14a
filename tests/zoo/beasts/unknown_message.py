"""Says a message that does not exist."""

from manners import play, question, say, sit

sit()
question()
say(type="resign")
play()
