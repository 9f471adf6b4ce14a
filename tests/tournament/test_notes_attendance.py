"""Who does not play, and why, as a host reads it during the tournament."""

from __future__ import annotations

import pytest

from peloarena.tournament.config import Format, TournamentConfig
from peloarena.tournament.deals import DealSource
from peloarena.tournament.entries import Entry, RosterRow, Version, VersionState
from peloarena.tournament.fixtures import Round, TableEntries
from peloarena.tournament.host_actions import HostAction
from peloarena.tournament.notes import attendance_notes
from peloarena.tournament.tournament_state import TournamentState

ENTRIES = [Entry(number, name) for number, name in enumerate("abcd", 1)]
READY = [Version(number, 1, f"v2-{number}", state="ready") for number in range(1, 5)]
ROSTER = tuple(RosterRow(number, 1) for number in range(1, 5))
PAIRS: tuple[TableEntries, ...] = ((1, 2), (3, 4))


def round_of(
    tables: tuple[TableEntries, ...] = PAIRS,
    roster: tuple[RosterRow, ...] = ROSTER,
    number: int = 1,
    host_actions: int = 0,
) -> Round:
    return Round(number, "main", number, tables, (number,), roster, host_actions)


def told(
    round: Round | None,
    *,
    versions: list[Version] = READY,
    host_actions: tuple[tuple[str, str], ...] = (),
    format: Format = "round-robin",
) -> list[tuple[str, str]]:
    given = [
        HostAction(number, kind, name, "its author asked", 0.0) for number, (kind, name) in enumerate(host_actions, 1)
    ]
    config = TournamentConfig("Test", ["a"], format=format, rounds=6)
    state = TournamentState(config, DealSource(b"s"), ENTRIES, versions, [round] if round else [], (), given)
    return [(state.names[note.entry], note.text) for note in attendance_notes(state, round)]


def test_nothing_is_told_of_a_roster_that_plays() -> None:
    assert told(round_of()) == []
    assert told(None) == []


def test_bot_that_never_passed_is_left_out_with_its_problem() -> None:
    versions = [*READY[:3], Version(4, 1, "", state="refused", problem="no bot there")]
    assert told(round_of(((1, 2),), ROSTER[:3]), versions=versions)[0] == ("d", "not admitted: no bot there")


def test_withdrawn_removed_and_benched_are_told_with_the_reason() -> None:
    roster = (*ROSTER[:2], RosterRow(3, 1, "benched after round 1: 5 verdicts in a row"), ROSTER[3])
    assert told(round_of(roster=roster), host_actions=(("withdraw", "a"), ("remove", "b"))) == [
        ("a", "withdrawn: its author asked"),
        ("b", "its author asked"),
        ("c", "benched after round 1: 5 verdicts in a row"),
    ]


def test_readmitted_bot_is_said_to_come_back() -> None:
    roster = (*ROSTER[:2], RosterRow(3, 1, "benched after round 1: 5 verdicts in a row"), ROSTER[3])
    assert told(round_of(roster=roster), host_actions=(("readmit", "c"),)) == [
        ("c", "benched, plays again from the next round on")
    ]


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("queued", "v2 waits to be tried; v1 plays on"),
        ("building", "v2 is being built; v1 plays on"),
        ("trying", "v2 is being tried; v1 plays on"),
        ("refused", "v2 refused: it crashed; v1 plays on"),
        ("ready", "v2 plays from the next round on"),
    ],
)
def test_new_version_is_told_until_it_plays(state: VersionState, text: str) -> None:
    versions = [READY[0], Version(1, 2, "v2-9", state=state, problem="it crashed"), *READY[1:]]
    assert told(round_of(), versions=versions) == [("a", text)]
    if state == "ready":
        assert told(round_of(roster=(RosterRow(1, 2), *ROSTER[1:])), versions=versions) == []


def test_latecomer_waits_for_the_next_round_unless_it_is_too_late() -> None:
    first = round_of(((1, 2),), ROSTER[:2])
    assert told(first)[0] == ("c", "plays from the next round on")
    assert told(first, format="knockout")[0] == ("c", "came too late")
    assert told(round_of(((1, 2),), ROSTER[:2], number=2), format="swiss")[0] == ("c", "plays from the next round on")
    assert told(round_of(((1, 2),), ROSTER[:2], number=3), format="swiss")[0] == ("c", "came too late")


def test_who_sits_at_no_table_has_a_bye() -> None:
    roster = (*ROSTER[:3], RosterRow(4, 1, "withdrawn by the host: tired"))
    assert told(round_of(((1, 2),), roster), format="swiss") == [
        ("d", "withdrawn by the host: tired"),
        ("c", "bye"),
    ]


def test_who_lost_in_a_bracket_has_no_bye() -> None:
    assert ("c", "bye") in told(round_of(((1, 2),)), format="knockout")
    assert told(round_of(((1, 2),), number=2), format="knockout") == []
