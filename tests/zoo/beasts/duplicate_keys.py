"""Answers with two indexes under one key."""

from manners import play, question, sit, write

sit()
write(b'{"type":"answer","id":%d,"index":0,"index":1}\n' % question()["id"])
play()
