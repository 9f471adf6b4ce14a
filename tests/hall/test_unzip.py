"""Zip files of strangers: good ones come out as they were packed; all others are refused in a line, within limits."""

from __future__ import annotations

import contextlib
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zips import (
    DEVICE,
    LINK,
    PIPE,
    bomb,
    by_method,
    claiming,
    encrypted,
    overlapping,
    with_count,
    zipped,
)

from peloarena.game import ConfigError
from peloarena.web import unzip as unzipping
from peloarena.web.unzip import MOST_FILES, unzip

BOT = (("bot/main.py", b"print()\n", 0o100755), ("bot/sub/data.txt", b"x" * 500))


def unpacked(folder: Path, data: bytes) -> dict[str, bytes]:
    file, target = folder / "bot.zip", folder / "out"
    file.write_bytes(data)
    target.mkdir()
    unzip(file, target)
    return {str(one.relative_to(target)): one.read_bytes() for one in sorted(target.rglob("*")) if one.is_file()}


def test_a_folder_comes_out_as_it_was_packed(tmp_path: Path) -> None:
    files = unpacked(tmp_path, zipped(*BOT, ("__MACOSX/bot/._main.py", b"litter")))
    assert files == {"main.py": b"print()\n", "sub/data.txt": b"x" * 500}
    assert os.access(tmp_path / "out" / "main.py", os.X_OK)
    assert not os.access(tmp_path / "out" / "sub" / "data.txt", os.X_OK)
    (tmp_path / "again").mkdir()
    came = unzip(tmp_path / "bot.zip", tmp_path / "again")
    assert (came.size, came.folder) == (508, "bot")


def test_files_without_a_folder_do_as_well(tmp_path: Path) -> None:
    assert set(unpacked(tmp_path, zipped(("main.py", b""), ("lib/a.py", b"")))) == {"main.py", "lib/a.py"}


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "bomb": (lambda: bomb(20), "more than 100 times its size"),
    "overlapping": (lambda: overlapping(1900), "not a whole zip file|more than 100 times its size"),
    "2,001 files": (lambda: zipped(*((f"f{n}", b"") for n in range(MOST_FILES + 1))), "2,001 files: at most 2,000"),
    "many folders": (lambda: zipped(*((f"f{n}/", b"") for n in range(2 * MOST_FILES + 1))), "more than 2000 files"),
    "absolute": (lambda: zipped(("/etc/passwd", b"x")), "an absolute path"),
    "drive": (lambda: zipped(("c:/x", b"x")), "an absolute path"),
    "backslash": (lambda: zipped(("a\\..\\b", b"x")), "no name for a file"),
    "above": (lambda: zipped(("bot/../../x", b"x")), "leads out of the folder"),
    "dot": (lambda: zipped(("./x", b"x")), "leads out of the folder"),
    "twice": (lambda: zipped(("a", b"1"), ("b", b""), ("a", b"2")), "it is there twice"),
    "case": (lambda: zipped(("Main.py", b"1"), ("main.py", b"2")), "it is there twice, as 'Main.py'"),
    "case of a folder": (lambda: zipped(("Lib/a", b"1"), ("lib/b", b"2")), "it is there twice, as 'Lib'"),
    "composed": (lambda: zipped(("caf\u00e9", b"1"), ("cafe\u0301", b"2")), "it is there twice"),
    "file and folder": (lambda: zipped(("a", b"1"), ("a/b", b"2")), "a file and a folder at once"),
    "link": (lambda: zipped(("a", b"/etc/passwd", LINK)), "links and devices are not taken"),
    "device": (lambda: zipped(("a", b"", DEVICE)), "links and devices are not taken"),
    "pipe": (lambda: zipped(("a", b"", PIPE)), "links and devices are not taken"),
    "folder that is a file": (lambda: zipped(("a", b"x", 0o040755)), "a file and a folder at once"),
    "control": (lambda: zipped(("a\x1b[2J", b"x")), "no name for a file"),
    "nul": (lambda: zipped(("a\0b", b"x")), "no name for a file"),
    "turned": (lambda: zipped(("a\u202egpj", b"x")), "no name for a file"),
    "long": (lambda: zipped(("a" * 300, b"x")), "its name is too long"),
    "deep": (lambda: zipped(("d/" * 70 + "x", b"x")), "its name is too long"),
    "encrypted": (lambda: encrypted(zipped(("a", b"x" * 50))), "encrypted"),
    "lzma": (lambda: by_method(zipped(("a", b"x" * 50)), 14), "packed in a way that is not taken"),
    "unknown method": (lambda: by_method(zipped(("a", b"x" * 50)), 99), "packed in a way that is not taken"),
    "says less": (lambda: claiming(zipped(("a", b"x" * 5000)), 10), "not a whole zip file"),
    "says more": (
        lambda: claiming(zipped(("a", b"x" * 5000)), 2**31),
        "not as long|not a whole zip file",
    ),
    "too long a list": (lambda: with_count(zipped(("a", b"x")), 60000), "more than 2000 files"),
    "truncated": (lambda: zipped(*BOT)[:-30], "it has no end"),
    "beginning only": (lambda: zipped(*BOT)[:60], "it has no end"),
    "middle missing": (lambda: zipped(*BOT)[:40] + zipped(*BOT)[70:], "not a whole zip file"),
    "nothing": (lambda: b"", "it has no end"),
    "no zip": (lambda: b"GIF89a" * 100, "it has no end"),
    "empty": (lambda: zipped(), "no file is in it"),
    "only litter": (lambda: zipped(("__MACOSX/a", b"x")), "no file is in it"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_zip_is_refused_and_writes_nothing_outside(tmp_path: Path, name: str) -> None:
    make, reason = HOSTILE[name]
    data = make()
    with pytest.raises(ConfigError, match=reason):
        unpacked(tmp_path, data)
    assert {one.name for one in tmp_path.iterdir()} <= {"bot.zip", "out"}
    written = sum(one.lstat().st_size for one in (tmp_path / "out").rglob("*") if not one.is_dir())
    assert written <= 100 * len(data), "what came out was counted, not what was claimed"
    assert not any(one.is_symlink() for one in (tmp_path / "out").rglob("*"))


def test_no_more_than_a_bot_may_have_comes_out_of_any_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PELOARENA_FOLDER_MIB", "1")
    noise = random.Random(1).randbytes(2 << 20)
    with pytest.raises(ConfigError, match="or 1 MiB"):
        unpacked(tmp_path, zipped(("a", noise)))


def test_a_zip_larger_than_the_limit_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unzipping, "LARGEST_ZIP", 100)
    with pytest.raises(ConfigError, match="larger than 0 MiB"):
        unpacked(tmp_path, zipped(*BOT))


@settings(max_examples=60)
@given(st.data())
def test_any_bytes_as_a_zip_give_files_or_a_config_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    good = bytearray(zipped(*BOT))
    for _ in range(data.draw(st.integers(1, 6))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.mktemp("zip")
    with contextlib.suppress(ConfigError):
        unpacked(folder, bytes(good))
    assert {one.name for one in folder.iterdir()} <= {"bot.zip", "out"}
