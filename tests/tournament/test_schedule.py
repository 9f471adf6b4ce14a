"""The schedule: a pure function of the file and earlier results. Who plays whom, on which deal, in which seats."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from peloarena.tournament.balanced import balanced_roles, balanced_tables
from peloarena.tournament.config import Format, Seatings
from peloarena.tournament.plan_summary import large_summary, summary
from peloarena.tournament.schedule import (
    Fixture,
    Plan,
    PlayedGame,
    enough_tables,
    fixtures,
    rounds_of,
    schedule_order,
    tables_of,
)


def plan(
    bots: int,
    format: Format = "round-robin",
    table: int = 2,
    deals: int = 1,
    seatings: Seatings = "rotations",
    *,
    rounds: int = 5,
    tables: int = 0,
    levels: tuple[int, ...] = (1, 2),
) -> Plan:
    names = tuple(f"b{number}" for number in range(bots))
    return Plan(format, names, table, deals, seatings, "seed", rounds, names[0], tables, levels)


def first_wins(fixture: Fixture) -> PlayedGame:
    """Whoever comes earlier in the file wins."""
    order = sorted(fixture.seats, key=lambda name: int(name[1:]))
    return PlayedGame(fixture, tuple(1 + order.index(name) for name in fixture.seats))


def night(made: Plan) -> list[Fixture]:
    """All games, the better seed winning each."""
    played: list[PlayedGame] = []
    for number in range(1, rounds_of(made) + 1):
        played += [first_wins(fixture) for fixture in fixtures(made, number, played)]
    return [result.fixture for result in played]


def pairs_of(games: list[Fixture]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pair) for game in games for pair in combinations(game.seats, 2))


# ---- round-robin


def test_two_player_round_robin_plays_every_pair_in_both_seatings() -> None:
    games = fixtures(plan(4), 1, [])
    assert sorted(game.seats for game in games) == sorted(permutations(["b0", "b1", "b2", "b3"], 2))


def test_a_round_is_one_deal_of_all_tables() -> None:
    made = plan(3, deals=4)
    assert rounds_of(made) == 4
    assert [len(fixtures(made, number, [])) for number in range(1, 5)] == [6] * 4


def test_tables_of_k_are_all_subsets_while_few() -> None:
    assert tables_of(plan(6, table=4), 1, []) == list(combinations(plan(6).bots, 4))
    assert len(tables_of(plan(10, table=4), 1, [])) == 210


def test_more_subsets_than_that_are_balanced_tables() -> None:
    tables = tables_of(plan(11, table=4), 1, [])
    assert len(tables) == enough_tables(11, 4) == 22
    assert set(Counter(bot for table in tables for bot in table).values()) == {8}


def test_the_host_may_say_how_many_tables() -> None:
    assert len(tables_of(plan(6, table=4, tables=7), 1, [])) == 7
    assert len(tables_of(plan(6, tables=7), 1, [])) == 7


@pytest.mark.parametrize(("bots", "seats"), [(11, 4), (13, 3), (16, 5), (20, 4), (24, 8)])
def test_balanced_tables_meet_evenly(bots: int, seats: int) -> None:
    tables = tables_of(plan(bots, table=seats), 1, [])
    sits = Counter(bot for table in tables for bot in table)
    meets = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
    counts = [meets[frozenset(pair)] for pair in combinations(plan(bots).bots, 2)]
    assert len(sits) == bots
    assert max(sits.values()) - min(sits.values()) == 0
    assert max(counts) - min(counts) <= 3
    fair = sum(counts) / len(counts)
    assert sum((count - fair) ** 2 for count in counts) / len(counts) < 0.6


@given(st.integers(2, 14), st.integers(2, 8), st.integers(1, 25), st.integers(1, 12))
@settings(max_examples=150)
def test_games_per_bot_stay_within_one_table_over_any_number_of_rounds(
    bots: int, seats: int, tables: int, rounds: int
) -> None:
    """Also where the tables of a round do not go into the field evenly."""
    names = [f"b{number}" for number in range(bots)]
    sits: Counter[str] = Counter(dict.fromkeys(names, 0))
    for number in range(1, rounds + 1):
        found = balanced_tables(names, seats, tables, number)
        if seats > bots:
            assert found == []
            return
        assert len(found) == tables
        for table in found:
            assert len(set(table)) == seats
            assert list(table) == sorted(table, key=names.index)
            sits.update(table)
        assert max(sits.values()) - min(sits.values()) <= 1


def test_over_a_night_pairs_of_balanced_tables_meet_more_evenly_than_in_a_round() -> None:
    one, all_of_them = summary(plan(13, table=4, deals=1)).meetings, summary(plan(13, table=4, deals=13)).meetings
    assert one == (4, 12)
    assert all_of_them is not None
    assert all_of_them[1] - all_of_them[0] < 13


def test_large_fields_are_scheduled_too() -> None:
    tables = tables_of(plan(200, table=4, tables=100), 1, [])
    sits = Counter(bot for table in tables for bot in table)
    assert set(sits.values()) == {2}
    assert len(tables_of(plan(400, "gauntlet"), 1, [])) == 399


# ---- gauntlet


def test_gauntlet_seats_the_challenger_at_every_table() -> None:
    tables = tables_of(plan(5, "gauntlet", table=3), 1, [])
    assert tables == [("b0", *pair) for pair in combinations(["b1", "b2", "b3", "b4"], 2)]


def test_gauntlet_of_two_plays_everybody_once_a_round() -> None:
    assert tables_of(plan(4, "gauntlet"), 1, []) == [("b0", "b1"), ("b0", "b2"), ("b0", "b3")]


def test_gauntlet_of_a_large_field_is_balanced() -> None:
    tables = tables_of(plan(19, "gauntlet", table=4), 1, [])
    sits = Counter(bot for table in tables for bot in table[1:])
    assert all(table[0] == "b0" for table in tables)
    assert len(sits) == 18
    assert len(set(sits.values())) == 1


# ---- seatings and deals


def test_rotations_move_everybody_one_seat_further() -> None:
    games = fixtures(plan(3, table=3), 1, [])
    assert [game.seats for game in games] == [("b0", "b1", "b2"), ("b1", "b2", "b0"), ("b2", "b0", "b1")]


def test_one_seating_and_all_seatings() -> None:
    assert [game.seats for game in fixtures(plan(3, table=3, seatings="one"), 1, [])] == [("b0", "b1", "b2")]
    games = fixtures(plan(4, table=4, seatings="all"), 1, [])
    assert sorted(game.seats for game in games) == sorted(permutations(plan(4).bots))


def test_every_table_has_deals_of_its_own_and_each_is_played_in_every_seating() -> None:
    games = night(plan(4, deals=3))
    deals = Counter(game.seed for game in games)
    assert set(deals.values()) == {2}
    assert len(deals) == 6 * 3


def test_solo_has_the_same_deals_for_everybody() -> None:
    made = plan(3, "solo", deals=2)
    for number in (1, 2):
        games = fixtures(made, number, [])
        assert len({game.seed for game in games}) == 1
        assert sorted((game.level, game.seats) for game in games) == [(n, (b,)) for n in (1, 2) for b in made.bots]
    assert fixtures(made, 1, [])[0].seed != fixtures(made, 2, [])[0].seed


def test_names_tell_round_table_deal_and_seating() -> None:
    assert fixtures(plan(3, deals=2), 2, [])[-1].game == "r02-t003-d002-s2"
    assert fixtures(plan(3, "solo"), 1, [])[-1].game == "r01-l2-003"


# ---- Swiss and knockout within the schedule


def test_swiss_round_is_a_match_of_all_deals() -> None:
    games = fixtures(plan(4, "swiss", deals=3), 1, [])
    assert len(games) == 2 * 3 * 2
    assert {frozenset(game.seats) for game in games} == {frozenset({"b0", "b1"}), frozenset({"b2", "b3"})}


def test_swiss_pairs_by_games_and_not_by_matches_won() -> None:
    """b1 lost its match narrowly, b3 clearly: the rating knows."""
    made = plan(4, "swiss", deals=2)
    ranks = {("b0", "b1"): [(1, 2), (1, 2), (2, 1), (1, 2)], ("b2", "b3"): [(1, 2)] * 4}
    played = []
    for pair, results in ranks.items():
        games = [game for game in fixtures(made, 1, []) if set(game.seats) == set(pair)]
        for game, ranked in zip(games, results, strict=True):
            played.append(PlayedGame(game, ranked if game.seats == pair else ranked[::-1]))
    assert tables_of(made, 2, played) == [("b2", "b0"), ("b1", "b3")]


def test_knockout_goes_on_with_the_winners() -> None:
    made = plan(6, "knockout")
    games = night(made)
    assert rounds_of(made) == 3
    assert [len({game.table for game in games if game.round == number}) for number in (1, 2, 3)] == [2, 2, 1]
    assert {name for game in games if game.round == 3 for name in game.seats} == {"b0", "b1"}


# ---- a pure function

FORMATS: list[Format] = ["round-robin", "gauntlet", "swiss", "knockout", "solo"]


@given(
    st.sampled_from(FORMATS),
    st.integers(2, 9),
    st.integers(1, 3),
    st.integers(2, 4),
    st.sampled_from(["rotations", "one", "all"]),
)
@settings(max_examples=120)
def test_same_inputs_give_the_same_fixtures_and_no_name_comes_twice(
    format: Format, bots: int, deals: int, table: int, seatings: Seatings
) -> None:
    seats = 2 if format in ("swiss", "knockout") else min(table, bots)
    made = plan(bots, format, seats, deals, seatings, rounds=3)
    games = night(made)
    assert games == night(plan(bots, format, seats, deals, seatings, rounds=3))
    assert len({game.game for game in games}) == len(games)
    assert [game.game for game in games] == sorted((game.game for game in games), key=schedule_order)
    assert len(games) == summary(made).games


@given(
    st.sampled_from(["round-robin", "gauntlet"]),
    st.integers(4, 9),
    st.integers(1, 3),
    st.integers(2, 4),
    st.integers(0, 7),
)
@settings(max_examples=60)
def test_summary_counts_what_is_played(format: Format, bots: int, deals: int, table: int, tables: int) -> None:
    made = plan(bots, format, table, deals, tables=tables)
    games = night(made)
    found = summary(made)
    meets = pairs_of(games)
    counts = [meets[frozenset(pair)] for pair in combinations(made.bots, 2)]
    sits = Counter(name for game in games for name in game.seats)
    assert (found.rounds, found.games) == (deals, len(games))
    assert found.meetings == (min(counts), max(counts))
    assert found.games_per_bot == (min(sits[bot] for bot in made.bots), max(sits.values()))


@given(
    st.sampled_from(["round-robin", "gauntlet"]),
    st.integers(9, 14),
    st.integers(1, 20),
    st.integers(3, 5),
    st.integers(1, 30),
)
@settings(max_examples=60)
def test_large_nights_are_summed_up_as_if_they_were_laid_out(
    format: Format, bots: int, deals: int, table: int, tables: int
) -> None:
    made = plan(bots, format, table, deals, tables=tables)
    whole, quick = summary(made), large_summary(made)
    assert (quick.rounds, quick.games, quick.tables) == (whole.rounds, whole.games, whole.tables)
    assert quick.games_per_bot == whole.games_per_bot


LARGEST: list[tuple[Format, int, int]] = [
    ("round-robin", 3, 0),
    ("round-robin", 8, 0),
    ("round-robin", 4, 100_000),
    ("gauntlet", 4, 0),
    ("swiss", 2, 0),
    ("knockout", 2, 0),
    ("solo", 1, 0),
]


@pytest.mark.parametrize(("format", "table", "tables"), LARGEST)
@pytest.mark.parametrize("deals", [1, 100_000])
def test_largest_nights_that_a_file_can_ask_for_are_summed_up_at_once(
    format: Format, table: int, tables: int, deals: int
) -> None:
    """500 bots, 100,000 deals: it took minutes, and balanced tables of 500 bots are not even filled here."""
    balanced_roles.cache_clear()
    found = summary(plan(500, format, table, deals, tables=tables, rounds=100_000))
    assert found.games >= 499
    assert balanced_roles.cache_info().misses == 0


@pytest.mark.parametrize("bots", [4, 5, 8, 9])
def test_summary_of_a_swiss_bounds_what_is_played(bots: int) -> None:
    made = plan(bots, "swiss", deals=2, rounds=3)
    games = night(made)
    found = summary(made)
    sits = Counter(name for game in games for name in game.seats)
    assert found.games == len(games)
    assert found.games_per_bot == (min(sits.values()), max(sits.values()))
    assert max(pairs_of(games).values()) <= found.meetings[1]


def test_summary_of_a_knockout_bounds_what_is_played() -> None:
    made = plan(6, "knockout", deals=2)
    games = night(made)
    sits = Counter(name for game in games for name in game.seats)
    found = summary(made)
    assert found.games == len(games) == 5 * 4
    assert found.games_per_bot[0] <= min(sits.values())
    assert max(sits.values()) <= found.games_per_bot[1]


def test_table_1000_comes_after_table_999() -> None:
    names = [game.game for game in fixtures(plan(46), 1, [])]
    assert "t1000" in names[2 * 999]
    assert sorted(names, key=schedule_order) == names
    assert sorted(names) != names
