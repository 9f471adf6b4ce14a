"""Every field of an archive is changed, one at a time, with right hashes: that is refused, or the host's own word.

spec/ARCHIVE.md names what is. The archives are those of tests/capsule: a Swiss with a redraw, and a ladder.
"""

from __future__ import annotations

import copy
import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from peloarena.game.json_codec import encode_indented
from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.archive.manifest import MANIFEST, SIGNATURE, ArchiveError, manifest_text
from peloarena.tournament.config import parse_config
from peloarena.tournament.entries import BenchTracker, Roster
from peloarena.tournament.fixtures import seatings_of
from peloarena.tournament.pairing import pair_round

HERE = Path(__file__).parents[1]
ARCHIVES = HERE / "capsule" / "archives"
PAGE = (HERE.parent / "spec" / "ARCHIVE.md").read_text()
UNPLAYED_ENTRY = "house-greedy"
"""Of the ladder: it fills seats, and never had to."""

PLANNED = ("entries.json", "night.json", "orders.json", "rounds.json")
"""Files in which a ladder differs from a Swiss."""

Path_ = tuple[str | int, ...]


def host_word() -> set[str]:
    """`FILE.FIELD` of the table in spec/ARCHIVE.md."""
    table = PAGE.partition("### The host's own word")[2].partition("\n\nA time may")[0]
    found: set[str] = set()
    files: list[str] = []
    for row in re.findall(r"^\|(.*)\|(.*)\|.*\|$", table, re.MULTILINE):
        files = re.findall(r"`(\w+\.json)`", row[0]) or files
        found |= {f"{file}.{field}" for file in files for field in re.findall(r"`(\w+)`", row[1])}
    return found


@pytest.fixture(params=["swiss", "ladder"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    shutil.copytree(ARCHIVES / request.param, folder)
    (folder / SIGNATURE).unlink()
    return folder


def reseal(folder: Path) -> None:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    hashes = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in names if name != MANIFEST}
    (folder / MANIFEST).write_bytes(manifest_text(hashes))


def holds(folder: Path) -> bool:
    reseal(folder)
    try:
        check_archive(folder)
    except ArchiveError:
        return False
    return True


def places(value: Any, above: Path_ = ()) -> Iterator[Path_]:
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    for key in keys:
        yield (*above, key)
        yield from places(value[key], (*above, key))


def first_of_each_kind(value: Any) -> Iterator[Path_]:
    """One place for each field, however many rows have it: in the first row that has something there."""
    kinds: dict[Path_, Path_] = {}
    for place in places(value):
        kind = tuple("" if isinstance(part, int) else part for part in place)
        if kind not in kinds or not at(value, kinds[kind]):
            kinds[kind] = place
    yield from kinds.values()


def at(value: Any, place: Path_) -> Any:
    for part in place:
        value = value[part]
    return value


def changes(value: Any, place: Path_) -> Iterator[Any]:
    """The whole file with another value there, without the key, or with a key more."""
    now = at(value, place)
    others: list[Any] = []
    match now:
        case bool():
            others = [not now]
        case int():
            others = [now + 1, 0] if now else [1]
        case float():
            others = [now + 10_000, now - 10_000]
        case str():
            others = [f"{now}x", ""] if now else ["x"]
        case None:
            others = [0.5, "x"]
        case list() if now:
            others = [now[:-1]]
        case dict():
            others = [{**now, "further": 1}]
    for other in others:
        changed = copy.deepcopy(value)
        at(changed, place[:-1])[place[-1]] = other
        yield changed
    if isinstance(place[-1], str):
        changed = copy.deepcopy(value)
        del at(changed, place[:-1])[place[-1]]
        yield changed


def test_a_change_of_any_field_is_refused_or_it_is_the_hosts_own_word(archive: Path) -> None:
    held, tried = set(), 0
    is_ladder = "ladder" in json.loads((archive / "night.json").read_bytes())["file"]
    for path in sorted(archive.glob("*.json")):
        if path.name == MANIFEST or (is_ladder and path.name not in PLANNED):
            continue
        before = path.read_bytes()
        value = json.loads(before)
        for place in first_of_each_kind(value):
            if path.name == "entries.json" and value[int(place[0])]["name"] == UNPLAYED_ENTRY:
                continue
            for changed in changes(value, place):
                path.write_text(encode_indented(changed))
                tried += 1
                if holds(archive):
                    held.add(f"{path.name}.{place[-1]}")
        path.write_bytes(before)
    assert tried > 100
    assert held <= host_word()
    assert holds(archive)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"name":', '"name": "another",\n  "name":'),  # of two keys some readers take the first, some the last
        ('"name": ', '"name":'),
        ("  ", "\t"),
        ("null", "null "),
        ("\n}\n", "\n}"),
        ("\n}\n", "\n}\n\n"),
        ("o", "\\u006f"),
    ],
)
def test_each_file_is_written_in_one_way_only(archive: Path, old: str, new: str) -> None:
    path = archive / "night.json"
    text = path.read_text()
    assert old in text or old == "null"
    path.write_text(text.replace(old, new, 1))
    if path.read_text() != text:
        reseal(archive)
        with pytest.raises(ArchiveError, match=r"night\.json: line \d+ is not written as"):
            check_archive(archive)


def test_a_key_that_stands_twice_in_the_timing_of_a_record_is_refused(archive: Path) -> None:
    path = sorted((archive / "records").iterdir())[0]
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"timing":{"seconds":' in line)
    lines[place] = lines[place].replace(b'"timing":{', b'"timing":{"seconds":0.5,')
    above = b"".join(lines[:-1])
    end = json.loads(lines[-1]) | {"file": hashlib.sha256(above).hexdigest()}
    path.write_bytes(above + json.dumps(end, separators=(",", ":")).encode() + b"\n")
    reseal(archive)
    with pytest.raises(ArchiveError, match=f"line {place + 1}: `timing` is not written as peloarena writes it"):
        check_archive(archive)


# ---- the work


def invented(folder: Path, count: int, given_up: bool) -> None:
    """Rounds that nobody played, at the end of a round-robin; `given_up`: because the machine could not."""
    tournament, plan, voids = (
        json.loads((folder / f"{name}.json").read_bytes()) for name in ("night", "rounds", "voids")
    )
    tournament["file"] = re.sub(r"deals = [0-9]+", "deals = 9999", tournament["file"])
    rounds = plan["rounds"] = [one for one in plan["rounds"] if one["stage"] == "main"]
    games = [game for game in json.loads((folder / "games.json").read_bytes()) if game["stage"] == "main"]
    last, main, missing = rounds[-1], len(rounds), []
    config = parse_config(tournament["file"], "file")
    seatings = range(1, 1 + len(seatings_of(config.seatings, (1, 2))))
    roster = msgspec.convert(last["roster"], Roster)
    for number in range(main + 1, main + count + 1):
        tables = pair_round(config, number, roster)
        of_this_one = {"id": number, "number": number, "tables": tables, "deals": [number]}
        rounds.append({**last, **of_this_one, "unplayed": list(missing)})
        if given_up:
            pairs = [sorted(table) for table in tables]
            names = [f"r{number:02}-{a}.{b}-d{number:03}-s{seat}" for a, b in pairs for seat in seatings]
            closed = tournament["closed_at"]
            voids += [{"game": name, "reason": "no room", "origin": "machine", "at": closed} for name in names]
            missing += names
            rounds[-1]["voids"] = len(voids) - len(names)
    voids = [{**void, "fixture": None, "record": ""} if "record" not in void else void for void in voids]
    for path in (folder / "records").glob("c*"):
        path.unlink()
    for name, value in (("night", tournament), ("rounds", plan), ("voids", voids), ("games", games)):
        (folder / f"{name}.json").write_text(encode_indented(value))
    reseal(folder)


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each main round was counted: the work of deciding what follows."""
    found: Counter[int] = Counter()
    add = BenchTracker.add_round

    def counted(bench: BenchTracker, number: int, *others: Any) -> None:
        found[number] += 1
        add(bench, number, *others)

    monkeypatch.setattr(BenchTracker, "add_round", counted)
    return found


@pytest.mark.parametrize("archive", ["round-robin"], indirect=True)
def test_four_thousand_rounds_that_nobody_played_are_refused_at_the_second(archive: Path, folds: Counter[int]) -> None:
    invented(archive, 4000, given_up=False)
    with pytest.raises(ArchiveError, match=r"rounds\[\d\]: it began before r0\d-.* was played"):
        check_archive(archive)
    assert max(folds) < 10


@pytest.mark.parametrize("archive", ["round-robin"], indirect=True)
def test_the_work_grows_with_the_rounds_that_the_machine_spoiled_and_not_with_their_square(
    archive: Path, folds: Counter[int]
) -> None:
    """The host says that it did; what comes of it is that the table does not hold."""
    invented(archive, 200, given_up=True)
    with pytest.raises(ArchiveError, match="table"):
        check_archive(archive)
    assert max(folds) > 200
    assert max(folds.values()) < 10
