"""Writes bytes that are no UTF-8."""

from manners import play, question, sit, write

sit()
write(b'{"type":"answer","id":%d,"index":0,"note":"\xff\xfe\xc0"}\n' % question()["id"])
play()
