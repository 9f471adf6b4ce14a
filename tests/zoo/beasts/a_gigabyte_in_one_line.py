"""Writes an answer with a note of a gigabyte."""

from manners import question, sit, write

sit()
write(b'{"type":"answer","id":%d,"index":0,"note":"' % question()["id"])
for _ in range(16_384):
    write(b"x" * 65_536)
write(b'"}\n')
