"""Writes a key that is no UTF-8."""

from manners import play, question, sit, write

sit()
write(b'{"type":"answer","id":%d,"index":0,"\xff":1}\n' % question()["id"])
play()
