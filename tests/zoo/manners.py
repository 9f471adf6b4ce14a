"""How to behave, for beasts that misbehave only later. Lies beside each of them when it is started."""

import json
import os
import sys


def read():
    line = sys.stdin.buffer.readline()
    if not line:
        os._exit(0)
    return json.loads(line)


def write(data):
    while data:
        data = data[os.write(1, data) :]


def say(**message):
    write(json.dumps(message).encode() + b"\n")


def arrive():
    """The handshake."""
    read()
    say(type="hello", name="beast")


def sit():
    """Until a game is on."""
    arrive()
    read()
    say(type="ready")


def question():
    """The next question; games begin, end, and the process with them, on the way."""
    while (message := read())["type"] != "decide":
        if message["type"] == "newgame":
            say(type="ready")
        elif message["type"] == "quit":
            os._exit(0)
    return message


def answer(decide, **fields):
    say(**{"type": "answer", "id": decide["id"], "index": 0, **fields})


def play(note=""):
    """Behaves for ever; says its note with the first answer."""
    while True:
        answer(question(), **({"note": note[:500]} if note else {}))
        note = ""


def targets():
    """What the host laid out to be found, for beasts that try to break out."""
    with open("targets.json") as file:
        return json.load(file)


def look(path):
    """The beginning of a file."""
    with open(path, "rb") as file:
        return file.read(100)


def refuse():
    raise OSError


def tried(**attempts):
    """Each attempt by its name: `refused`, or what it got, as one note."""
    found = []
    for name, attempt in attempts.items():
        try:
            found.append(f"{name}: got {attempt()!r}"[:120])
        except OSError:
            found.append(f"{name}: refused")
    return "; ".join(found)


def sandboxed():
    """What follows is done in a sandbox only, never on the host."""
    if os.getcwd() != "/bot":
        os._exit(99)
