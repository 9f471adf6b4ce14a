"""Ignores every signal that can be ignored, and does not leave at quit."""

import signal
import sys
import time

from manners import answer, read, say

for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
    if number < 32:
        signal.signal(number, signal.SIG_IGN)
while (message := read())["type"] != "quit":
    if message["type"] == "decide":
        answer(message)
    elif message["type"] in ("hello", "newgame"):
        say(**{"hello": {"type": "hello", "name": "beast"}, "newgame": {"type": "ready"}}[message["type"]])
sys.stdin.close()
while True:
    time.sleep(60)
