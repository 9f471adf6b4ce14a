"""Compares exports and archives with those of 38049c6: exactly, but for times and the last digits of ratings."""

from __future__ import annotations

import json
import re
from pathlib import Path

NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
RATED = ("ratings", "standings", "table.json")
"""Files with ratings: sums of many numbers, whose last digits are the machine's."""
LAST_DIGITS = 1e-6
ROUNDED = 0.0101
"""An archive has two digits of a rating, and the last may differ by one (spec/ARCHIVE.md)."""
OF_THE_RUN = {"at", "committed_at", "word_at", "closed_at", "software", "timing", "evidence"}
"""Fields that two runs of the same tournament may have otherwise."""
OF_THE_VERSION = {"format"}
"""In the header of a record: a tournament that goes on under a newer version has records of both."""


def check_same(found: Path, expected: Path) -> None:
    """Two folders have the same files."""
    names = {str(file.relative_to(expected)) for file in expected.rglob("*") if file.is_file()}
    assert {str(file.relative_to(found)) for file in found.rglob("*") if file.is_file()} == names
    for name in sorted(names):
        mine, old = (folder.joinpath(name).read_bytes().decode() for folder in (found, expected))
        check_text(name, mine, old, LAST_DIGITS if any(word in name for word in RATED) else 0.0)


def check_text(name: str, found: str, expected: str, tolerance: float) -> None:
    mine, old = found.splitlines(keepends=True), expected.splitlines(keepends=True)
    for number, (new, was) in enumerate(zip(mine, old, strict=False), 1):
        assert is_alike(new, was, tolerance), f"{name}, line {number}: {new!r} instead of {was!r}"
    assert len(mine) == len(old), f"{name}: {len(mine)} lines instead of {len(old)}"


def is_alike(found: str, expected: str, tolerance: float) -> bool:
    """The same text; where it has decimal fractions, they may differ by the tolerance."""
    if found == expected or not tolerance:
        return found == expected
    pairs = zip(NUMBER.findall(found), NUMBER.findall(expected), strict=False)
    close = all(abs(float(one) - float(other)) <= tolerance for one, other in pairs)
    return close and NUMBER.split(found) == NUMBER.split(expected)


def check_archive(found: Path, expected: Path) -> None:
    """Two archives are of the same tournament, played alike."""
    mine, old = timeless(found), timeless(expected)
    assert mine.keys() == old.keys()
    for name in sorted(mine):
        check_text(name, mine[name], old[name], ROUNDED if name == "table.json" else 0.0)


def timeless(archive: Path) -> dict[str, str]:
    """The files of an archive, without what differs between two runs of the same tournament. Lists of hashes do."""
    files = [file for file in archive.rglob("*") if file.is_file() and not file.name.startswith("MANIFEST")]
    return {str(file.relative_to(archive)): without_times(file) for file in files}


def without_times(file: Path) -> str:
    if file.suffix == ".json":
        return json.dumps(without(json.loads(file.read_bytes())), indent=1)
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    return "".join(f"{json.dumps(without(line))}\n" for line in lines if line["type"] != "end")  # its digests


def without(value: object) -> object:
    if isinstance(value, dict):
        unsure = {"reason"} if "fault" in value else set()  # of a verdict: it may tell of time, or of an exit status
        unsure |= OF_THE_VERSION if value.get("type") == "header" else set()
        return {key: without(one) for key, one in value.items() if key not in OF_THE_RUN | unsure}
    return [without(one) for one in value] if isinstance(value, list) else value
