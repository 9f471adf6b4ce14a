"""Records of older formats: tests/records/ keeps what older versions wrote, and it verifies and replays for ever.

Format 1 was written by the last peloarena before format 2: whole games, early ends, verdicts of several kinds, forgiven
answers, a forfeit, solo games, modules, a host's pieces.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner
from trio.testing import MockClock

from peloarena.cli.main import cli
from peloarena.referee.record import RECORD_FORMAT
from peloarena.referee.record_verification import read_lines, verify_record
from peloarena.testing.scripted import DULL, after, play_scripted

FOLDER = Path(__file__).parents[1] / "records" / "format-1"
OLD = sorted(FOLDER.glob("*.jsonl"))


def test_there_are_old_records_of_many_kinds() -> None:
    text = b"".join(file.read_bytes() for file in OLD)
    assert len(OLD) >= 12
    for words in (b'"late"', b'"illegal"', b'"malformed"', b'"no handshake"', b'"crashed"', b'"forfeit"', b'"dropped"'):
        assert words in text
    for words in (b'"level"', b'"modules"', b'"components"', b'"draft"', b'"finished":false', b'"note"'):
        assert words in text


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_an_old_record_verifies(file: Path) -> None:
    replay = verify_record(file.read_bytes())
    assert replay.header.format == 1
    assert replay.outcome is not None


@pytest.mark.parametrize("file", OLD, ids=lambda file: file.stem)
def test_an_old_record_is_replayed(file: Path) -> None:
    done = CliRunner().invoke(cli, ["replay", str(file)])
    assert (done.exit_code, done.exception) == (0, None)
    assert all(seat.name in done.output for seat in verify_record(file.read_bytes()).header.seats)


def test_the_same_game_differs_from_its_old_record_in_the_header_only() -> None:
    """What is new is left out when empty. (Names and hashes are those of the script, not of files.)"""

    async def play() -> bytes:
        return (await play_scripted(DULL, [after(0.0), after(0.0, index=99)])).record

    new = [plain for _, _, plain in read_lines(trio.run(play, clock=MockClock(autojump_threshold=0)))]
    old = [plain for _, _, plain in read_lines((FOLDER / "one-left.jsonl").read_bytes())]
    assert new[1:-1] == old[1:-1]
    differs = {
        name: (before, now)
        for (name, before), now in zip(json.loads(old[0]).items(), json.loads(new[0]).values(), strict=True)
        if before != now
    }
    assert set(differs) <= {"format", "rules", "software"}
    assert differs["format"] == (1, RECORD_FORMAT)
