"""The schedule of a tournament: who plays whom, on which deal, in which seats; and its numbers beforehand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from math import comb
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pure_tournament import PureTournament, config_of, first_wins

from peloarena.tournament.config import Format, Seatings
from peloarena.tournament.entries import RosterRow
from peloarena.tournament.fixtures import Fixture, TableEntries
from peloarena.tournament.pairing import enough_tables, pair_round
from peloarena.tournament.plan_summary import Summary, large_summary, summary
from peloarena.tournament.table_balancing import balanced_roles, balanced_tables


def entry_numbers(bots: int) -> range:
    return range(1, bots + 1)


def tables(bots: int, number: int = 1, **keys: object) -> list[TableEntries]:
    config = config_of(**keys)
    roster = tuple(RosterRow(bot, 1) for bot in entry_numbers(bots))
    return pair_round(config, number, roster, 1 if config.format == "gauntlet" else 0)


def tournament(bots: int, **keys: object) -> list[Fixture]:
    """All games, the earlier entry winning each."""
    return PureTournament(config_of(**keys), bots, first_wins).play_through()


def first_round(bots: int, **keys: object) -> list[Fixture]:
    return PureTournament(config_of(**keys), bots).missing()


def summary_of(bots: int, **keys: object) -> Summary:
    return summary(config_of(**keys), bots)


def pairs_of(games: list[Fixture]) -> Counter[frozenset[int]]:
    return Counter(frozenset(pair) for game in games for pair in combinations(game.entries, 2))


# ---- round-robin


def test_two_player_round_robin_plays_every_pair_in_both_seatings() -> None:
    assert sorted(game.entries for game in first_round(4)) == sorted(permutations(entry_numbers(4), 2))


def test_a_round_is_one_deal_of_all_tables() -> None:
    games = tournament(3, deals=4)
    assert Counter(game.round for game in games) == {1: 6, 2: 6, 3: 6, 4: 6}
    assert all(game.deal == game.round for game in games)


def test_tables_of_k_are_all_subsets_while_few() -> None:
    assert sorted(tables(6, table=4)) == list(combinations(entry_numbers(6), 4))
    assert len(tables(10, table=4)) == 210


def test_more_subsets_than_that_are_balanced_tables() -> None:
    found = tables(11, table=4)
    assert len(found) == enough_tables(11, 4) == 22
    assert set(Counter(bot for table in found for bot in table).values()) == {8}


@pytest.mark.parametrize(("bots", "seats", "wanted"), [(3, 3, 4), (6, 3, 11), (7, 3, 8), (7, 3, 30), (8, 5, 49)])
def test_no_two_tables_of_a_round_have_the_same_bots(bots: int, seats: int, wanted: int) -> None:
    """They had, and their games the same names: the second ones were played, and lost."""
    found = tables(bots, table=seats, tables=wanted)
    assert len(found) == len(set(found)) == min(wanted, comb(bots, seats))
    sits = Counter(bot for table in found for bot in table)
    assert max(sits.values()) - min(sits.values()) <= 1


def test_the_host_may_say_how_many_tables() -> None:
    assert len(tables(6, table=4, tables=7)) == 7
    assert len(tables(6, tables=7)) == 7


@pytest.mark.parametrize(("bots", "seats"), [(11, 4), (13, 3), (16, 5), (20, 4), (24, 8)])
def test_balanced_tables_meet_evenly(bots: int, seats: int) -> None:
    found = tables(bots, table=seats)
    sits = Counter(bot for table in found for bot in table)
    meets = Counter(frozenset(pair) for table in found for pair in combinations(table, 2))
    counts = [meets[frozenset(pair)] for pair in combinations(entry_numbers(bots), 2)]
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
    """Also where the tables of a round do not go into the roster evenly."""
    names = [f"b{number}" for number in range(bots)]
    sits: Counter[str] = Counter(dict.fromkeys(names, 0))
    for number in range(1, rounds + 1):
        found = balanced_tables(names, seats, tables, number)
        if seats > bots:
            assert found == []
            return
        assert len(found) == len(set(found)) == min(tables, comb(bots, seats))
        for table in found:
            assert len(set(table)) == seats
            assert list(table) == sorted(table, key=names.index)
            sits.update(table)
        assert max(sits.values()) - min(sits.values()) <= 1


def test_over_a_tournament_pairs_of_balanced_tables_meet_more_evenly_than_in_a_round() -> None:
    one, all_of_them = summary_of(13, table=4, deals=1).meetings, summary_of(13, table=4, deals=13).meetings
    assert one == (4, 12)
    assert all_of_them is not None
    assert all_of_them[1] - all_of_them[0] < 13


def test_large_rosters_are_scheduled_too() -> None:
    sits = Counter(bot for table in tables(200, table=4, tables=100) for bot in table)
    assert set(sits.values()) == {2}
    assert len(tables(400, format="gauntlet")) == 399


# ---- gauntlet


def test_gauntlet_seats_the_challenger_at_every_table() -> None:
    assert sorted(tables(5, format="gauntlet", table=3)) == [(1, *pair) for pair in combinations([2, 3, 4, 5], 2)]


def test_gauntlet_of_two_plays_everybody_once_a_round() -> None:
    assert tables(4, format="gauntlet") == [(1, 2), (1, 3), (1, 4)]


def test_gauntlet_of_a_large_roster_is_balanced() -> None:
    found = tables(19, format="gauntlet", table=4)
    sits = Counter(bot for table in found for bot in table[1:])
    assert all(table[0] == 1 for table in found)
    assert len(sits) == 18
    assert len(set(sits.values())) == 1


# ---- seatings and deals


def test_rotations_move_everybody_one_seat_further() -> None:
    assert [game.entries for game in first_round(3, table=3)] == [(1, 2, 3), (2, 3, 1), (3, 1, 2)]


def test_one_seating_and_all_seatings() -> None:
    assert [game.entries for game in first_round(3, table=3, seatings="one")] == [(1, 2, 3)]
    games = first_round(4, table=4, seatings="all")
    assert sorted(game.entries for game in games) == sorted(permutations(entry_numbers(4)))


@pytest.mark.parametrize(("table", "bots", "deals"), [(2, 2, 3), (2, 5, 1), (2, 6, 4), (3, 6, 3), (4, 6, 4), (3, 9, 5)])
def test_balanced_plays_every_deal_once_and_everybody_has_every_seat_equally_often(
    table: int, bots: int, deals: int
) -> None:
    games = tournament(bots, table=table, deals=deals, seatings="balanced")
    assert len({game.seed for game in games}) == len(games) == comb(bots, table) * deals
    had = Counter((entry, seat) for game in games for seat, entry in enumerate(game.entries))
    times = [had[entry, seat] for entry in entry_numbers(bots) for seat in range(table)]
    assert max(times) - min(times) <= 1


@pytest.mark.parametrize("format", ["swiss", "knockout"])
def test_balanced_opponents_of_a_match_change_seats_with_every_deal(format: Format) -> None:
    games = tournament(2, format=format, deals=4, rounds=1, seatings="balanced")
    assert [game.entries for game in games[:3]] == [(1, 2), (2, 1), (1, 2)]


def test_every_table_has_deals_of_its_own_and_each_is_played_in_every_seating() -> None:
    deals = Counter(game.seed for game in tournament(4, deals=3))
    assert set(deals.values()) == {2}
    assert len(deals) == 6 * 3


def test_solo_has_the_same_deals_for_everybody() -> None:
    games = tournament(3, format="solo", deals=2, levels=(1, 2))
    deals: dict[tuple[int, int], set[str]] = {}
    for game in games:
        deals.setdefault((game.round, game.level), set()).add(game.seed)
    assert len(deals) == 4
    assert all(len(seeds) == 1 for seeds in deals.values())
    assert len(set.union(*deals.values())) == 4
    assert sorted((game.level, game.seats) for game in games if game.round == 1) == [
        (level, (name,)) for level in (1, 2) for name in ("b1", "b2", "b3")
    ]


def test_names_tell_round_entries_deal_and_seating() -> None:
    assert sorted(game.game for game in tournament(3, deals=2))[-1] == "r02-2.3-d002-s2"
    assert tournament(3, format="solo", deals=1)[-1].game == "r01-l5-e3"


# ---- Swiss and knockout within the schedule


def test_swiss_round_is_a_match_of_all_deals() -> None:
    games = first_round(4, format="swiss", deals=3)
    assert len(games) == 2 * 3 * 2
    assert {frozenset(game.entries) for game in games} == {frozenset({1, 3}), frozenset({2, 4})}


def test_swiss_pairs_winners_with_winners() -> None:
    tournament = PureTournament(config_of(format="swiss", deals=2, rounds=2), 4, first_wins)
    tournament.play_all()
    assert tournament.rounds[1].tables == ((1, 2), (3, 4))


def test_knockout_goes_on_with_the_winners_and_ends_with_two_finals() -> None:
    games = tournament(6, format="knockout", deals=1)
    tables = [{game.entries for game in games if game.round == number and game.seating == 1} for number in (1, 2, 3)]
    assert tables == [{(4, 5), (3, 6)}, {(1, 4), (2, 3)}, {(1, 2), (4, 3)}]


# ---- a pure function

FORMATS: list[Format] = ["round-robin", "gauntlet", "swiss", "knockout", "solo"]


@given(
    st.sampled_from(FORMATS),
    st.integers(2, 9),
    st.integers(1, 3),
    st.integers(2, 4),
    st.sampled_from(get_args(Seatings)),
)
@settings(max_examples=120)
def test_same_inputs_give_the_same_fixtures_and_no_name_comes_twice(
    format: Format, bots: int, deals: int, table: int, seatings: Seatings
) -> None:
    seats = 2 if format in ("swiss", "knockout") else min(table, bots)
    keys = {"format": format, "table": seats, "deals": deals, "seatings": seatings, "rounds": 3}
    games = tournament(bots, **keys)
    assert games == tournament(bots, **keys)
    assert len({game.game for game in games}) == len(games)
    places = [game.place for game in games if game.round == 1]
    every = list(range(1, 1 + len(places)))
    assert places == sorted(set(places)) if format == "knockout" else places == every  # some need not be played
    planned = summary_of(bots, **keys).games
    assert len(games) <= planned if format == "knockout" else len(games) == planned


@given(
    st.sampled_from(["round-robin", "gauntlet"]),
    st.integers(4, 9),
    st.integers(1, 3),
    st.integers(2, 4),
    st.integers(0, 7),
)
@settings(max_examples=60)
def test_summary_counts_what_is_played(format: Format, bots: int, deals: int, table: int, tables: int) -> None:
    keys = {"format": format, "table": table, "deals": deals, "tables": tables}
    games, found = tournament(bots, **keys), summary_of(bots, **keys)
    meets = pairs_of(games)
    counts = [meets[frozenset(pair)] for pair in combinations(entry_numbers(bots), 2)]
    sits = Counter(entry for game in games for entry in game.entries)
    assert (found.rounds, found.games) == (deals, len(games))
    assert found.meetings == (min(counts), max(counts))
    assert found.games_per_bot == (min(sits[bot] for bot in entry_numbers(bots)), max(sits.values()))


@given(
    st.sampled_from(["round-robin", "gauntlet"]),
    st.integers(9, 14),
    st.integers(1, 20),
    st.integers(3, 5),
    st.integers(1, 30),
)
@settings(max_examples=60)
def test_large_tournaments_are_summed_up_as_if_they_were_laid_out(
    format: Format, bots: int, deals: int, table: int, tables: int
) -> None:
    config = config_of(format=format, table=table, deals=deals, tables=tables)
    whole, quick = summary(config, bots), large_summary(config, bots)
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
def test_largest_tournaments_that_a_file_can_ask_for_are_summed_up_at_once(
    format: Format, table: int, tables: int, deals: int
) -> None:
    """500 bots, 100,000 deals: it took minutes, and balanced tables of 500 bots are not even filled here."""
    balanced_roles.cache_clear()
    found = summary_of(500, format=format, table=table, deals=deals, tables=tables, rounds=100_000)
    assert found.games >= 499
    assert balanced_roles.cache_info().misses == 0


@pytest.mark.parametrize("bots", [4, 5, 8, 9])
def test_summary_of_a_swiss_bounds_what_is_played(bots: int) -> None:
    keys = {"format": "swiss", "deals": 2, "rounds": 3}
    games, found = tournament(bots, **keys), summary_of(bots, **keys)
    sits = Counter(entry for game in games for entry in game.entries)
    assert found.games == len(games)
    assert found.games_per_bot == (min(sits.values()), max(sits.values()))
    assert max(pairs_of(games).values()) <= found.meetings[1]


def test_summary_of_a_knockout_bounds_what_is_played() -> None:
    """All matches 3 : 0, of five games each; who plays in the last round had three matches."""
    keys = {"format": "knockout", "deals": 5, "seatings": "one"}
    games, found = tournament(6, **keys), summary_of(6, **keys)
    sits = Counter(entry for game in games for entry in game.entries)
    assert (len(games), found.games) == (6 * 3, 6 * 5)
    assert found.games_per_bot[0] <= min(sits.values())
    assert max(sits.values()) <= found.games_per_bot[1]
