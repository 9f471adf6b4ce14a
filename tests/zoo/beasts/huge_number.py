"""Answers with a number of 10,000 digits."""

from manners import play, question, sit, write

sit()
write(b'{"type":"answer","id":%d,"index":%s}\n' % (question()["id"], b"9" * 10_000))
play()
