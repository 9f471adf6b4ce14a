"""Forms as browsers send them, in pieces of any size; and bytes that are none."""

from __future__ import annotations

import pytest

from peloarena.web.form_parser import FormError, FormParser

KIND = "multipart/form-data; boundary=----Web-1"
MARK = b"------Web-1"
FILE = bytes(range(256)) * 8 + b"\r\n------Web-\r\n--\r\n"
WHOLE = (
    MARK
    + b'\r\nContent-Disposition: form-data; name="token"\r\n\r\nsecret\r\n'
    + MARK
    + b'\r\nContent-Disposition: form-data; name="zip"; filename="my name.zip"\r\nContent-Type: x/zip\r\n\r\n'
    + FILE
    + b"\r\n"
    + MARK
    + b"--\r\n"
)


@pytest.mark.parametrize("step", [1, 2, 3, 17, 1000, 10**6])
def test_fields_and_file_come_out_however_they_are_cut(step: int) -> None:
    form = FormParser(KIND)
    came = b"".join(form.feed(WHOLE[at : at + step]) for at in range(0, len(WHOLE), step))
    assert (form.fields, came, form.is_over) == ({"token": "secret"}, FILE, True)


@pytest.mark.parametrize(
    "data",
    [
        b"no mark" * 20,
        MARK + b"\r\nX: y\r\n\r\nvalue\r\n" + MARK,
        MARK + b"\r\nContent-Disposition: form-data\r\n\r\n",
        MARK + b"\r\n" + b"X: y\r\n" * 1000,
        MARK + b'\r\nContent-Disposition: form-data; name="token"\r\n\r\n' + b"x" * 2000,
        (MARK + b'\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n') * 12,
        MARK + b"what follows is no head",
    ],
)
def test_what_is_no_form_is_refused_within_limits(data: bytes) -> None:
    with pytest.raises(FormError):
        FormParser(KIND).feed(data)


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=", f"{KIND}{'x' * 100}"])
def test_a_form_without_a_boundary_is_none(kind: str) -> None:
    with pytest.raises(FormError):
        FormParser(kind)
