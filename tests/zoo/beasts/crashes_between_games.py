"""Plays a game, then ends with an error."""

import os

from manners import answer, read, say

while (message := read())["type"] != "gameover":
    if message["type"] == "hello":
        say(type="hello", name="beast")
    elif message["type"] == "newgame":
        say(type="ready")
    else:
        answer(message)
os._exit(5)
