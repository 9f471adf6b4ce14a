"""A streaming parser of multipart/form-data: fields are read whole, the file in pieces.

Knows the format and its limits; knows no tournaments. The bytes are untrusted: anything malformed is a FormError.
"""

from __future__ import annotations

import re

LARGEST_HEAD = 4096
LARGEST_FIELD = 1000
MAX_PARTS = 10
BOUNDARY = re.compile(r'boundary="?([0-9A-Za-z\'()+_,./:=? -]{1,70})"?\s*$')
FIELD_HEADER = re.compile(rb'^content-disposition:\s*form-data;.*?\bname="([^"\r\n]{1,50})"([^\r\n]*)', re.I | re.M)


class FormError(Exception):
    """The data is not a form as browsers send it."""


class FormParser:
    def __init__(self, content_type: str) -> None:
        match = BOUNDARY.search(content_type)
        if match is None:
            raise FormError("its content type has no boundary")
        self._boundary = b"\r\n--" + match[1].encode()
        self._buffer = b"\r\n"  # so that the first boundary looks like the others
        self._inside_part = False
        """Inside a part; False before the first part."""
        self._after_boundary = False
        self._name = ""
        self._is_file = False
        self._parts = 0
        self._field = b""
        self.is_over = False
        self.fields: dict[str, str] = {}

    def feed(self, data: bytes) -> bytes:
        """Feed data; returns the bytes of the file in it."""
        self._buffer += data
        file_data = b""
        while not self.is_over:
            before = len(self._buffer)
            if self._after_boundary:
                self._begin_part()
            else:
                file_data += self._read_body()
            if len(self._buffer) == before or (not self._after_boundary and len(self._buffer) < len(self._boundary)):
                break
        return file_data

    def _read_body(self) -> bytes:
        at = self._buffer.find(self._boundary)
        end = at if at >= 0 else max(0, len(self._buffer) - len(self._boundary) + 1)
        content = self._buffer[:end]
        self._buffer = self._buffer[end + len(self._boundary) :] if at >= 0 else self._buffer[end:]
        if content and not self._inside_part:
            raise FormError("unexpected data before the first part")
        if self._inside_part and not self._is_file:
            self._field += content
            if len(self._field) > LARGEST_FIELD:
                raise FormError(f"{self._name} is too long")
        if at >= 0:
            self._end_part()
        return content if self._is_file and self._inside_part else b""

    def _end_part(self) -> None:
        if self._inside_part and not self._is_file:
            self.fields[self._name] = self._field.decode("utf-8", "replace").strip()
        self._after_boundary = True

    def _begin_part(self) -> None:
        """A boundary is followed by the end of the form or by the head of another part."""
        if self._buffer.startswith(b"--"):
            self.is_over = True
            return
        head, blank, rest = self._buffer.partition(b"\r\n\r\n")
        if len(head) > LARGEST_HEAD or (len(head) > 1 and not head.startswith(b"\r\n")):
            raise FormError("a part has no header, or a header that is too long")
        if not blank:
            return
        match = FIELD_HEADER.search(head)
        self._parts += 1
        if match is None or self._parts > MAX_PARTS:
            raise FormError(f"a part has no header, or there are more than {MAX_PARTS} parts")
        self._name, self._is_file = match[1].decode("utf-8", "replace"), b"filename=" in match[2]
        self._field, self._buffer = b"", rest
        self._after_boundary, self._inside_part = False, True
