"""Makes a move that another seat could make."""

from manners import play, question, say, sit

sit()
say(type="answer", id=question()["id"], move={"type": "offer_swap", "deck": "civilizations", "seat": 2, "coins": 1})
play()
