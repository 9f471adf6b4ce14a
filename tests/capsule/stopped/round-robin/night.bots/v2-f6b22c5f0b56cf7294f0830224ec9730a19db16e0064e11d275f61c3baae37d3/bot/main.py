"""Leaves in the middle of most games. Which ones follows from the number that the arena gives it for each game."""

import json
import sys

falls = False
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "falls"}), flush=True)
    elif message["type"] == "newgame":
        falls = message["random"] % 4 > 0
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        if falls and message["id"] > 9:
            sys.exit("falls: no more")
        print(json.dumps({"type": "answer", "id": message["id"], "index": 0}), flush=True)
    elif message["type"] == "quit":
        break
