"""The scheduler of a tournament that changes: random changes against a model that shares no code with it."""

from __future__ import annotations

from collections import Counter

import pytest
from changing_kinds import KINDS, keys_of, many, model_of
from hypothesis import given
from hypothesis import strategies as st
from pure_tournament import PureTournament, config_of

from peloarena.tournament.fixtures import PlayedGame
from peloarena.tournament.game_selection import first_rounds_of_entries, games_with_points, is_seat_counted
from peloarena.tournament.scheduler import last_swiss_entry_round, roster_of_next_round

MOST_ENTRIES = 12


# ---- any changes, against the model

CHANGES = ("enter", "good", "bad", "crashing", "withdraw", "readmit", "remove", "restore")
steps = st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 11), st.integers(0, 30)), min_size=1, max_size=12)


class Both:
    """The tournament and the model, changed and played in step; the model checks every game."""

    def __init__(self, kind: str, entries: int, deals: int) -> None:
        self.tournament = PureTournament(config_of(**keys_of(kind, deals)))
        self.model = model_of(kind, deals)
        for _ in range(entries):
            self.change("enter", 0)

    def change(self, kind: str, which: int) -> None:
        tournament, model = self.tournament, self.model
        number = 1 + which % max(1, len(tournament.state.entries))
        if kind == "enter":
            if len(tournament.state.entries) < MOST_ENTRIES:
                model.ready[tournament.enter()] = 1
        elif kind in ("good", "bad", "crashing"):
            version_number = tournament.hand_in(number, good=kind != "bad", crashes=kind == "crashing")
            if kind != "bad":
                model.ready[number] = version_number
            if kind == "crashing":
                model.crashing.add((number, version_number))
        else:
            tournament.host_action(kind, number)
            changed = model.withdrawn if kind in ("withdraw", "readmit") else model.removed
            changed.add(number) if kind in ("withdraw", "remove") else changed.discard(number)
            if kind == "readmit":
                model.back[number] = len(model.begun)

    def play(self, games: int) -> None:
        for _ in range(games):
            left = self.tournament.missing()
            assert self.model.begin() == bool(left)
            if not left:
                return
            assert {fixture.game for fixture in left} == set(self.model.due)
            fixture = left[0]
            game = self.tournament.play(fixture)
            versions = zip(fixture.entries, fixture.editions, strict=True)
            seats = [(entry, version_number, entry in game.absent) for entry, version_number in versions]
            assert (fixture.seed, seats) == self.model.played(fixture.game)


@many(150)
@given(kind=st.sampled_from(list(KINDS)), entries=st.integers(2, 5), deals=st.integers(1, 3), changes=steps)
def test_whatever_changes_no_game_is_played_twice_and_each_is_the_one_that_was_due(
    kind: str, entries: int, deals: int, changes: list[tuple[str, int, int]]
) -> None:
    both = Both(kind, entries, deals)
    for kind, which, games in changes:
        both.play(games)
        before = dict(both.tournament.state.played)
        both.change(kind, which)
        both.play(1)
        assert before.items() <= both.tournament.state.played.items()
    both.play(10**6)
    assert max(Counter(both.tournament.log).values(), default=1) == 1


@many(60)
@given(kind=st.sampled_from(list(KINDS)), entries=st.integers(2, 5), deals=st.integers(1, 3), changes=steps)
def test_tournament_that_is_stopped_after_every_change_goes_on_as_one_that_was_not(
    kind: str, entries: int, deals: int, changes: list[tuple[str, int, int]]
) -> None:
    whole, cut = Both(kind, entries, deals), Both(kind, entries, deals)
    for kind, which, games in changes:
        for both in (whole, cut):
            both.play(games)
            if both is cut:
                both.tournament.begin_again()
            both.change(kind, which)
    for both in (whole, cut):
        both.play(10**6)
    assert cut.tournament.log == whole.tournament.log
    assert cut.tournament.state.played == whole.tournament.state.played


@many(60)
@given(kind=st.sampled_from(list(KINDS)), entries=st.integers(2, 5), deals=st.integers(1, 3), changes=steps)
def test_forecast_is_what_is_then_played(
    kind: str, entries: int, deals: int, changes: list[tuple[str, int, int]]
) -> None:
    """If nobody is benched meanwhile: verdicts cannot be foreseen."""
    both = Both(kind, entries, deals)
    for kind, which, games in changes:
        both.play(games)
        both.change("good" if kind == "crashing" else kind, which)
    forecast, done = both.tournament.state.remaining_games(), len(both.tournament.log)
    both.play(10**6)
    assert len(both.tournament.log) - done == forecast


@many(100)
@given(kind=st.sampled_from(list(KINDS)), entries=st.integers(2, 5), deals=st.integers(1, 3), changes=steps)
def test_at_the_end_all_who_are_there_have_met_equally_often_in_each_seat(
    kind: str, entries: int, deals: int, changes: list[tuple[str, int, int]]
) -> None:
    """But for those whose catch-up was itself cut by a withdrawal: a deal is caught up once."""
    both = Both(kind, entries, deals)
    for kind, which, games in changes:
        both.play(games)
        both.change(kind, which)
    both.play(10**6)
    roster = next_roster(both.tournament)
    counted = games_with_points(both.tournament.finished())
    met = Counter((game.fixture.round, game.fixture.deal, game.fixture.entries) for game in counted)
    for table in both.model.tables(dict.fromkeys(roster, (1, False))):
        for turn in range(len(table)):
            seats = table[turn:] + table[:turn]
            for number in range(1, deals + 1):
                for deal in both.model.levels or (number,):
                    assert met[number, deal, seats] == 1


def next_roster(tournament: PureTournament) -> list[int]:
    return [row.entry for row in roster_of_next_round(tournament.state.scheduling_facts(), []) if not row.absent]


# ---- late entries, by format


def played_by(tournament: PureTournament, number: int, stage: str) -> list[str]:
    return [g.fixture.game for g in tournament.finished() if number in g.fixture.entries and g.fixture.stage == stage]


def test_late_entry_plays_from_the_next_round_and_catches_up_after_the_last() -> None:
    tournament = PureTournament(config_of(deals=3), 2)
    tournament.play_all(1)
    late = tournament.enter()
    tournament.play_all()
    assert [round.stage for round in tournament.rounds] == ["main", "main", "main", "catch-up"]
    assert tournament.rounds[0].tables == ((1, 2),)
    assert sorted(tournament.rounds[3].tables) == [(1, 3), (2, 3)]
    assert sorted(played_by(tournament, late, "catch-up")) == [
        "c01-1.3-d001-s1",
        "c01-1.3-d001-s2",
        "c01-2.3-d001-s1",
        "c01-2.3-d001-s2",
    ]


def test_entry_during_the_catch_up_is_caught_up_too() -> None:
    tournament = PureTournament(config_of(deals=1), 2)
    tournament.play_all(1)
    tournament.enter()
    tournament.play_all(3)  # the second game of round 1, then two of the catch-up
    tournament.enter()
    tournament.play_all()
    assert len(games_with_points(tournament.finished())) == 12
    assert [(round.stage, round.number, len(round.tables)) for round in tournament.rounds] == [
        ("main", 1, 1),
        ("catch-up", 1, 2),
        ("catch-up", 1, 3),
    ]


def test_solo_latecomer_plays_all_levels_of_all_rounds() -> None:
    tournament = PureTournament(config_of(format="solo", deals=2, levels=(1, 3)), 2)
    tournament.play_all(5)
    late = tournament.enter()
    tournament.play_all()
    assert played_by(tournament, late, "main") == []
    assert played_by(tournament, late, "catch-up") == ["c01-l1-e3", "c01-l3-e3", "c02-l1-e3", "c02-l3-e3"]
    assert len({game.fixture.seed for game in tournament.finished() if game.fixture.stage == "main"}) == 4


def test_gauntlet_latecomer_meets_the_challenger_only() -> None:
    tournament = PureTournament(config_of(format="gauntlet", challenger="b2", deals=2), 3)
    tournament.play_all(1)
    late = tournament.enter()
    tournament.play_all()
    assert all(2 in game.fixture.entries for game in tournament.finished())
    assert played_by(tournament, late, "catch-up") == ["c01-2.4-d001-s1", "c01-2.4-d001-s2"]


def test_latecomer_at_chosen_tables_gets_new_ones_until_it_has_the_median() -> None:
    tournament = PureTournament(config_of(table=3, tables=4, deals=4), 6)
    tournament.play_all(25)
    late = tournament.enter()
    tournament.play_all()
    deals = Counter(n for game in tournament.finished() if game.fixture.seating == 1 for n in counted_for(game))
    assert deals[late] == sorted(deals[n] for n in range(1, 8))[3]
    assert max(deals.values()) - min(deals.values()) <= 2
    caught = [game.fixture for game in tournament.finished() if game.fixture.stage == "catch-up"]
    assert caught
    assert all(fixture.points_for == late for fixture in caught)


def counted_for(game: PlayedGame) -> list[int]:
    return [n for seat, n in enumerate(game.fixture.entries) if is_seat_counted(game.fixture, seat)]


@pytest.mark.parametrize("entries", [3, 4])
def test_two_latecomers_in_a_tiny_roster_of_chosen_tables_both_catch_up(entries: int) -> None:
    tournament = PureTournament(config_of(table=3, tables=2, deals=3), entries)
    tournament.play_all(7)
    tournament.enter()
    tournament.enter()
    tournament.play_all()
    assert tournament.missing() == []


def test_swiss_takes_entries_until_half_of_its_rounds_and_never_catches_up() -> None:
    tournament = PureTournament(config_of(format="swiss", deals=1, rounds=5), 4)
    while len(tournament.rounds) < 2:
        tournament.play_all(1)
    tournament.enter()
    while len(tournament.rounds) < 4:
        tournament.play_all(1)
    too_late = tournament.enter()
    tournament.play_all()
    assert [[row.entry for row in round.roster] for round in tournament.rounds] == [[1, 2, 3, 4]] * 2 + [
        [1, 2, 3, 4, 5]
    ] * 3
    assert {round.stage for round in tournament.rounds} == {"main"}
    assert played_by(tournament, too_late, "main") == []


def test_swiss_passes_over_who_is_withdrawn() -> None:
    tournament = PureTournament(config_of(format="swiss", deals=1, rounds=3), 4)
    tournament.host_action("withdraw", 2)
    tournament.play_all()
    assert all(2 not in table for round in tournament.rounds for table in round.tables)


def test_knockout_keeps_its_bracket_and_takes_a_new_version_between_matches() -> None:
    tournament = PureTournament(config_of(format="knockout", deals=1), 4)
    tournament.play_all(1)
    tournament.enter()
    tournament.host_action("remove", 1)
    tournament.hand_in(2)
    tournament.play_all()
    assert [[row.entry for row in round.roster] for round in tournament.rounds] == [[1, 2, 3, 4]] * 2
    assert {n for round in tournament.rounds for table in round.tables for n in table} == {1, 2, 3, 4}
    assert [row.edition for row in tournament.rounds[1].roster] == [1, 2, 1, 1]
    assert tournament.rounds[1].roster[0].absent == "no longer in the tournament file"


@pytest.mark.parametrize(("rounds", "latest"), [(1, 1), (2, 1), (5, 3), (6, 3)])
def test_latest_swiss_entry(rounds: int, latest: int) -> None:
    assert last_swiss_entry_round(rounds) == latest


# ---- bench and withdrawal


def test_benched_bot_returns_with_its_next_version_and_its_forfeits_count_no_more() -> None:
    tournament = PureTournament(config_of(deals=3, bench_after=2))
    tournament.enter()
    tournament.enter(crashes=True)
    tournament.play_all(3)  # round 1, then one forfeit
    assert tournament.rounds[1].roster[1].absent == "benched after round 1: 2 verdicts in a row"
    tournament.hand_in(2)
    tournament.play_all()
    assert [round.stage for round in tournament.rounds] == ["main", "main", "main", "catch-up"]
    assert all(not game.absent for game in games_with_points(tournament.finished()))


def test_readmitted_bot_plays_again_and_is_benched_only_by_a_new_row_of_verdicts() -> None:
    tournament = PureTournament(config_of(deals=5, bench_after=3))
    tournament.enter()
    tournament.enter(crashes=True)
    tournament.play_all(5)  # two rounds, four verdicts, then a forfeit
    tournament.host_action("readmit", 2)
    tournament.play_all()
    absences = [bool(round.roster[1].absent) for round in tournament.rounds]
    assert absences == [False, False, True, False, False]


def test_bot_withdrawn_in_a_round_forfeits_the_rest_of_it_and_catches_up_when_readmitted() -> None:
    tournament = PureTournament(config_of(deals=2), 3)
    tournament.play_all(2)
    tournament.host_action("withdraw", 1)
    tournament.play_all(5)
    tournament.host_action("readmit", 1)
    tournament.play_all()
    counted = games_with_points(tournament.finished())
    assert all(not game.absent for game in counted)
    assert len(counted) == 12


def test_without_catch_up_the_tournament_ends_with_the_last_round() -> None:
    tournament = PureTournament(config_of(deals=1, catch_up=False), 2)
    tournament.play_all(1)
    tournament.enter()
    tournament.play_all()
    assert [round.stage for round in tournament.rounds] == ["main"]
    assert first_rounds_of_entries(tournament.rounds) == {1: 1, 2: 1}
