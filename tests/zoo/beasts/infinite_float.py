"""Answers with the index 1e400."""

from manners import play, question, sit, write

sit()
write(b'{"type":"answer","id":%d,"index":1e400}\n' % question()["id"])
play()
