"""Records of older rules verify for ever: the game is played as the rules were read when it was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from peloarena.game import RULES
from peloarena.referee.record_verification import RecordError, verify_record
from peloarena.testing.scripted import DULL, play_scripted

OLD = Path(__file__).parents[1] / "records" / "format-1" / "sea-tile-in-salamis.jsonl"
"""Written by a peloarena of rules 1; that it verifies, test_old_records sees."""


def test_a_game_of_rules_1_is_not_one_of_rules_2() -> None:
    """O3: in this game a sea tile of Salamis fed one inhabitant, and by the rules of today it feeds two."""
    assert verify_record(OLD.read_bytes()).game.rules.version == 1
    with pytest.raises(RecordError, match="these events do not follow from the move"):
        verify_record(OLD.read_bytes().replace(b'"rules":1', b'"rules":2', 1))


@pytest.mark.parametrize("rules", [b"0", b"-1", b"9"])
def test_rules_that_nobody_knows_are_refused(rules: bytes) -> None:
    with pytest.raises(RecordError, match=f"line 1: rules version {rules.decode()}; .* rules versions 1 to {RULES}"):
        verify_record(OLD.read_bytes().replace(b'"rules":1', b'"rules":' + rules, 1))


@pytest.mark.trio
async def test_new_records_are_of_the_rules_of_today() -> None:
    report = await play_scripted(DULL, DULL)
    assert f'"rules":{RULES},'.encode() in report.record.splitlines()[0]
    assert verify_record(report.record).game.rules.version == RULES
