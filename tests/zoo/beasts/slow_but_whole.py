"""Writes its answers byte by byte, but in time."""

from manners import question, sit, write

sit()
while True:
    for byte in b' {"index": 0, "id": %d, "type": "answer"} \r\n' % question()["id"]:
        write(bytes([byte]))
