"""Swiss and cups that change while they are played: whatever happens, a tournament that is stopped after every step
ends as one that was not, and no promise of its format is broken."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from pure_tournament import PureTournament, config_of

from peloarena.tournament.fixtures import Fixture
from peloarena.tournament.swiss_score import byes_of

Script = list[tuple[int, str, int]]
"""After so many games this happens to that entry."""
KINDS = ["enter", "good", "bad", "crashing", "withdraw", "readmit", "remove", "restore"]
scripts = st.lists(st.tuples(st.integers(0, 9), st.sampled_from(KINDS), st.integers(0, 9)), max_size=8)
SWISS = {"format": "swiss", "deals": 1, "rounds": 4, "bench_after": 2}
CUP = {"format": "knockout", "deals": 2, "extra_deals": 2, "bench_after": 2}


def ranks(fixture: Fixture) -> tuple[int, ...]:
    """Wins, losses and ties that look like chance, and hang on the game alone."""
    chance = sum(map(ord, fixture.game)) % 5
    return ((1, 2), (2, 1), (1, 1), (1, 2), (2, 1))[chance]


def change(tournament: PureTournament, kind: str, which: int) -> None:
    number = 1 + which % len(tournament.state.entries)
    if kind == "enter":
        tournament.enter()
    elif kind in ("good", "bad", "crashing"):
        tournament.hand_in(number, good=kind != "bad", crashes=kind == "crashing")
    else:
        tournament.host_action(kind, number)


def evening(keys: dict[str, object], entries: int, script: Script, *, stopped: bool) -> PureTournament:
    tournament = PureTournament(config_of(**keys), entries, ranks)
    for games, kind, which in script:
        for _ in range(games):
            tournament.play_all(1)
            if stopped:
                tournament.begin_again()
        change(tournament, kind, which)
    tournament.play_all()
    return tournament


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([SWISS, CUP]), st.integers(2, 7), scripts)
def test_tournament_that_is_stopped_after_every_game_ends_as_one_that_was_not(
    keys: dict[str, object], entries: int, script: Script
) -> None:
    stopped, whole = (evening(keys, entries, script, stopped=stop) for stop in (True, False))
    assert stopped.rounds == whole.rounds
    assert stopped.log == whole.log
    assert len(set(whole.log)) == len(whole.log), "a game was played twice"
    assert stopped.finished() == whole.finished()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), scripts)
def test_swiss_pairs_everybody_who_is_there_once_and_byes_come_round(entries: int, script: Script) -> None:
    tournament = evening(SWISS, entries, script, stopped=False)
    assert [round.number for round in tournament.rounds] == [1, 2, 3, 4]
    byes: Counter[int] = Counter()
    for round in tournament.rounds:
        seated = Counter(entry for table in round.tables for entry in table)
        there = {row.entry for row in round.roster if not row.absent}
        byes.update(byes_of(round))
        assert set(seated) | set(byes_of(round)) == there
        assert len(byes_of(round)) == len(there) % 2
        assert set(seated.values()) <= {1}
        if byes_of(round) and byes[byes_of(round)[0]] > 1:  # a second one: only where all others had one, or as good
            first, rest = byes_of(round)[0], [n for n in there if n != byes_of(round)[0]]
            assert all(byes[n] >= byes[first] - 1 for n in rest if n not in walkovers(tournament))


def walkovers(tournament: PureTournament) -> set[int]:
    """Who won a match without playing is not given a bye either."""
    found = set()
    for round in tournament.rounds:
        for match in tournament.state.matches(round):
            if match.walkover:
                found |= {entry for entry in match.entries if match.half_points_of(entry)}
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), scripts)
def test_cup_loses_one_in_every_match_and_plays_only_what_is_due(entries: int, script: Script) -> None:
    tournament = evening(CUP, entries, script, stopped=False)
    roster = {row.entry for row in tournament.rounds[0].roster}
    assert tournament.state.cup().champion in (roster or {None})
    assert sum(len(round.tables) for round in tournament.rounds) == max(0, len(roster) - 1) + (len(roster) >= 4)
    for round in tournament.rounds:
        for match in tournament.state.matches(round):
            assert match.is_over
            played = {
                game.fixture.deal
                for game in tournament.state.finished_games(round)
                if set(game.fixture.entries) == {*match.entries}
            }
            assert played == set(match.possible_deals)
