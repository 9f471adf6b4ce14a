"""Files that a person wrote: what is wrong with one is told in a line that names it."""

from pathlib import Path

import pytest

from peloarena.game import ConfigError
from peloarena.referee.text_files import read_text


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"ok\xff")
    for path, problem in [
        (str(tmp_path / "none"), "No such file or directory"),
        (str(tmp_path), "Is a directory"),
        ("a\0b", "embedded null byte"),
        (str(binary), "not UTF-8 text (byte 2)"),
    ]:
        with pytest.raises(ConfigError) as refused:
            read_text(path, "components")
        assert str(refused.value) == f"components {path!r}: {problem}"


def test_a_file_may_be_as_large_as_its_limit_and_no_larger(tmp_path: Path) -> None:
    large = tmp_path / "large"
    large.write_bytes(b"#" * 11)
    assert read_text(large, "components", max_bytes=11) == "#" * 11
    with pytest.raises(ConfigError, match="larger than 0 KiB"):
        read_text(large, "components", max_bytes=10)
