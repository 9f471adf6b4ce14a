"""Zip files of strangers: good ones come out as they were packed; all others are refused in a line, within limits."""

from __future__ import annotations

import contextlib
import os
import random
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from zips import BOT_FILES, HOSTILE, zipped, zipped_with_comment

from peloarena.game import ConfigError
from peloarena.web import unzip as unzipping
from peloarena.web.unzip import unzip

MOST_CPU_SECONDS = 1.0


def unpacked(folder: Path, data: bytes) -> dict[str, bytes]:
    file, target = folder / "bot.zip", folder / "out"
    file.write_bytes(data)
    target.mkdir()
    unzip(file, target)
    return {str(one.relative_to(target)): one.read_bytes() for one in sorted(target.rglob("*")) if one.is_file()}


def test_a_folder_comes_out_as_it_was_packed(tmp_path: Path) -> None:
    files = unpacked(tmp_path, zipped(*BOT_FILES, ("__MACOSX/bot/._main.py", b"litter")))
    assert files == {"main.py": b"print()\n", "sub/data.txt": b"x" * 500}
    assert os.access(tmp_path / "out" / "main.py", os.X_OK)
    assert not os.access(tmp_path / "out" / "sub" / "data.txt", os.X_OK)
    (tmp_path / "again").mkdir()
    came = unzip(tmp_path / "bot.zip", tmp_path / "again")
    assert (came.size, came.folder) == (508, "bot")


def test_files_without_a_folder_do_as_well(tmp_path: Path) -> None:
    assert set(unpacked(tmp_path, zipped(("main.py", b""), ("lib/a.py", b"")))) == {"main.py", "lib/a.py"}


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


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_zip_takes_little_time_of_a_core(tmp_path: Path, name: str) -> None:
    """700,000 entries took ten seconds. CPU time: how busy the machine is does not count."""
    data = HOSTILE[name][0]()
    began = time.process_time()
    with pytest.raises(ConfigError):
        unpacked(tmp_path, data)
    assert time.process_time() - began < MOST_CPU_SECONDS


def test_a_zip_with_a_long_comment_does_as_well(tmp_path: Path) -> None:
    assert set(unpacked(tmp_path, zipped_with_comment(b"x" * 65_535))) == {"main.py", "sub/data.txt"}


def test_no_more_than_a_bot_may_have_comes_out_of_any_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PELOARENA_FOLDER_MIB", "1")
    noise = random.Random(1).randbytes(2 << 20)
    with pytest.raises(ConfigError, match="or to more than 1 MiB"):
        unpacked(tmp_path, zipped(("a", noise)))


def test_a_zip_larger_than_the_limit_is_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unzipping, "MAX_ZIP_BYTES", 100)
    with pytest.raises(ConfigError, match="larger than 0 MiB"):
        unpacked(tmp_path, zipped(*BOT_FILES))


@settings(max_examples=60)
@given(st.data())
def test_any_bytes_as_a_zip_give_files_or_a_config_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    good = bytearray(zipped(*BOT_FILES))
    for _ in range(data.draw(st.integers(1, 6))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    folder = tmp_path_factory.mktemp("zip")
    with contextlib.suppress(ConfigError):
        unpacked(folder, bytes(good))
    assert {one.name for one in folder.iterdir()} <= {"bot.zip", "out"}
