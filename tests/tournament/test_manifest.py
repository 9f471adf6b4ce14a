"""MANIFEST.json: what is listed is there and fits, what is there is listed, and nothing leads out of the folder."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
from pathlib import Path

import pytest

from peloarena.game import ConfigError
from peloarena.tournament.archive.manifest import (
    MANIFEST,
    ArchiveError,
    ArchiveFolder,
    is_archive,
    manifest_text,
    write_with_manifest,
)

FILES = {"night.json": b"{}\n", "records/r01-1.2-d001-s1.jsonl": b"one\n", "records/r01-1.2-d001-s2.jsonl": b"two\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_with_manifest(tmp_path / "a", FILES.items())
    return tmp_path / "a"


def damage(folder: Path) -> tuple[str, str]:
    with pytest.raises(ArchiveError) as found:
        ArchiveFolder(folder).check_files()
    return found.value.location, found.value.problem


def relist(folder: Path, **changes: str) -> None:
    """As somebody would who knows the format."""
    files = json.loads((folder / MANIFEST).read_text())["files"]
    (folder / MANIFEST).write_bytes(manifest_text({**files, **changes}))


def test_an_untouched_folder_holds(folder: Path) -> None:
    sealed = ArchiveFolder(folder)
    sealed.check_files()
    assert sealed.names == sorted(FILES)
    assert {name: sealed.read(name) for name in sealed.names} == FILES
    assert is_archive(folder)


def test_the_list_is_written_in_one_way(folder: Path) -> None:
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(FILES.items())}
    assert (folder / MANIFEST).read_text() == json.dumps({"format": 1, "files": hashes}, indent=2) + "\n"


def test_a_folder_without_the_list_is_no_archive(folder: Path) -> None:
    (folder / MANIFEST).unlink()
    assert not is_archive(folder)
    assert damage(folder) == (MANIFEST, "No such file or directory")


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_changed_byte_is_found_at_its_file(folder: Path, name: str) -> None:
    content = bytearray(FILES[name])
    place = random.Random(name).randrange(len(content))
    content[place] ^= 1
    (folder / name).write_bytes(content)
    assert damage(folder) == (name, "was changed: its SHA-256 is not the one in MANIFEST.json")


def test_every_changed_byte_of_the_list_is_found(folder: Path) -> None:
    text = (folder / MANIFEST).read_bytes()
    for place in range(len(text)):
        for bit in (1, 32):
            (folder / MANIFEST).write_bytes(text[:place] + bytes([text[place] ^ bit]) + text[place + 1 :])
            damage(folder)


def test_a_removed_file_is_found(folder: Path) -> None:
    (folder / "records/r01-1.2-d001-s2.jsonl").unlink()
    assert damage(folder) == ("records/r01-1.2-d001-s2.jsonl", "is missing: MANIFEST.json lists it")


@pytest.mark.parametrize("name", ["more.json", "records/r09.jsonl", "other/x.json", ".hidden"])
def test_an_added_file_is_found(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"")
    assert damage(folder) == (name, "does not belong to the archive: MANIFEST.json does not list it")


def test_an_added_folder_is_found(folder: Path) -> None:
    (folder / "records" / "deep").mkdir()
    assert damage(folder)[0] == "records/"


def test_a_link_is_no_file_wherever_it_leads(folder: Path, tmp_path: Path) -> None:
    for name in ("night.json", "records"):
        outside = tmp_path / f"outside-{Path(name).name}"
        os.rename(folder / name, outside)
        os.symlink(outside, folder / name)
        assert damage(folder) == (name, "is a link: an archive holds files only")
        os.unlink(folder / name)
        os.rename(outside, folder / name)
    ArchiveFolder(folder).check_files()


def test_a_pipe_is_no_file_and_nobody_waits_for_it(folder: Path) -> None:
    (folder / "night.json").unlink()
    os.mkfifo(folder / "night.json")
    assert damage(folder) == ("night.json", "is not a file")
    shutil.rmtree(folder / "records")
    (folder / MANIFEST).unlink()
    os.mkfifo(folder / MANIFEST)
    assert damage(folder) == (MANIFEST, "is not a file")


@pytest.mark.parametrize(
    "name", ["../night.json", "/etc/passwd", "a/b/c", "", ".", "..", "a//b", "a\\b", "MANIFEST.json"]
)
def test_no_name_leads_out_of_the_folder(folder: Path, name: str) -> None:
    relist(folder, **{name: "0" * 64})
    place, problem = damage(folder)
    assert place == MANIFEST
    assert "not a valid name for a file of an archive" in problem


def test_a_list_is_refused_that_is_written_otherwise(folder: Path) -> None:
    files = json.loads((folder / MANIFEST).read_text())["files"]
    for text in (
        json.dumps({"format": 1, "files": files}) + "\n",
        json.dumps({"format": 1, "files": dict(reversed(files.items()))}, indent=2) + "\n",
        json.dumps({"format": 1, "files": files}, indent=2),
        json.dumps({"files": files, "format": 1}, indent=2) + "\n",
    ):
        (folder / MANIFEST).write_text(text)
        assert damage(folder) == (MANIFEST, "is not in the exact form that spec/ARCHIVE.md requires")


def test_another_format_is_named(folder: Path) -> None:
    (folder / MANIFEST).write_text('{"format":2,"files":{}}')
    assert damage(folder) == (MANIFEST, "format 2; this peloarena knows format 1")


def test_junk_is_no_list(folder: Path) -> None:
    for junk in (b"", b"[]", b"\xff", b"[" * 100_000, b'{"format":1}', b'{"format":1,"files":{"a":"b"}}'):
        (folder / MANIFEST).write_bytes(junk)
        assert damage(folder)[0] == MANIFEST


def test_never_more_is_read_than_a_file_may_be_long(folder: Path) -> None:
    with pytest.raises(ArchiveError, match=r"night\.json: is larger than 0 KiB"):
        ArchiveFolder(folder).read("night.json", largest=2)


def test_an_archive_is_written_into_a_folder_of_its_own(folder: Path) -> None:
    with pytest.raises(ConfigError, match="is not empty"):
        write_with_manifest(folder, [])
