"""Anonymous tournaments: what bots hear of each other, what the record says, and that others can check it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from sample_tournament import Evening

from peloarena.cli.main import cli
from peloarena.tournament.archive.archive_check import check_archive
from peloarena.tournament.archive.manifest import MANIFEST, ArchiveError, manifest_text

GAME = "r01-1.2-d001-s2"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """A Swiss match on shared deals, of two bots that write down every word they hear."""
    evening = Evening(tmp_path_factory.mktemp("anonymous"))
    for name in ("first", "last"):
        keeps = f"open({str(evening.folder / name) + '.heard'!r}, 'a').write(json.dumps(message) + chr(10))"
        evening.bot(name, newgame=keeps, decide=keeps, gameover=keeps)
    evening.write(anonymous=True, same_deals=True, format="swiss", rounds=1, deals=1, restart="game")
    evening.run("--quiet")
    return evening


def heard(evening: Evening, name: str) -> list[dict[str, object]]:
    """In the games of the tournament: two, after the trials."""
    told = [json.loads(line) for line in (evening.folder / f"{name}.heard").read_text().splitlines()]
    begins = [number for number, message in enumerate(told) if message["type"] == "newgame"]
    return told[begins[-2] :]


@pytest.mark.parametrize("name", ["first", "last"])
def test_bots_hear_numbers_of_seats_and_no_name_ever(evening: Evening, name: str) -> None:
    told = heard(evening, name)
    games = [message for message in told if message["type"] == "newgame"]
    assert [game["seats"] for game in games] == [["seat 0", "seat 1"]] * 2
    assert any(message["type"] == "gameover" for message in told)
    text = json.dumps(told)
    assert '"first"' not in text
    assert '"last"' not in text


@pytest.mark.parametrize("name", ["first", "last"])
def test_trials_are_as_anonymous_as_the_games(evening: Evening, name: str) -> None:
    """They told the names of the roster, so that a bot could know its trial."""
    told = [json.loads(line) for line in (evening.folder / f"{name}.heard").read_text().splitlines()]
    games = [message["seats"] for message in told if message["type"] == "newgame"]
    assert len(games) == 2 + 2
    assert all(seats == ["seat 0", "seat 1"] for seats in games)


def test_record_keeps_the_names_and_says_that_bots_did_not_see_them(evening: Evening) -> None:
    header = json.loads(evening.call("record", GAME).stdout.splitlines()[0])
    assert header["anonymous"] is True
    assert [seat["name"] for seat in header["seats"]] == ["last", "first"]


def test_ask_rebuilds_what_was_told(evening: Evening) -> None:
    record = evening.folder / "game.jsonl"
    record.write_text(evening.call("record", GAME).stdout)
    words = ["ask", str(record), "--all", "--seat", "1", "--json", "--sandbox", "off"]
    newgame = json.loads(CliRunner().invoke(cli, words).stdout.splitlines()[1])
    assert newgame in heard(evening, "first")
    assert newgame["seats"] == ["seat 0", "seat 1"]


def test_archive_holds_and_a_tournament_that_says_otherwise_does_not(evening: Evening, tmp_path: Path) -> None:
    assert evening.call("close").exit_code == 0
    assert evening.call("export", "--to", str(tmp_path / "a"), "--archive").exit_code == 0
    assert check_archive(tmp_path / "a").games == 2
    tournament = tmp_path / "a" / "night.json"
    tournament.write_text(tournament.read_text().replace("anonymous = true", "anonymous = false"))
    files = {str(path.relative_to(tmp_path / "a")): path for path in (tmp_path / "a").rglob("*") if path.is_file()}
    hashes = {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items() if name != MANIFEST}
    files[MANIFEST].write_bytes(manifest_text(hashes))
    with pytest.raises(ArchiveError, match="anonymous is True, but in this tournament it is False"):
        check_archive(tmp_path / "a")
