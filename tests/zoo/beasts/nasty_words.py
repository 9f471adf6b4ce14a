"""Calls itself and notes things that steer terminals, browsers and eyes."""

import sys

from manners import answer, question, read, say

NASTY = "\x1b[31mred\x07 \u202egnp.exe \x9b2J <script>alert(1)</script> [bold]x[/bold] [/] \u2066\x00\u200b end"
read()
say(type="hello", name=NASTY[:80], version="\x1b]0;owned\x07")
sys.stderr.write(NASTY * 3 + "\n")
sys.stderr.flush()
while True:
    answer(question(), note=NASTY)
