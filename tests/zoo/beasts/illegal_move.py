"""Bids 1000 coins for a tile that does not exist."""

from manners import play, question, say, sit

sit()
say(type="answer", id=question()["id"], move={"type": "bid", "tile": "no such tile", "coins": 1000})
play()
