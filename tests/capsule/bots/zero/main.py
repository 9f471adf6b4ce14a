"""A bot whose moves follow from its number and the question alone: the same deal is always the same game."""

import json
import sys

step = int(sys.argv[1])
for line in iter(sys.stdin.readline, ""):
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "name": "steps"}), flush=True)
    elif message["type"] == "newgame":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        index = step * message["id"] % len(message["legal"])
        print(json.dumps({"type": "answer", "id": message["id"], "index": index}), flush=True)
    elif message["type"] == "quit":
        break
