"""Which deal a ladder plays next: newcomers, the cap, hopeless pairs, balance, built-in bots. Whatever happened
before."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from peloarena.tournament.entries import BotVersion
from peloarena.tournament.ladder.choice import LadderRules, NextDeal, choose_next_deal, max_games
from peloarena.tournament.ladder.strengths import ELO_PER_LOG_ODD, strengths
from peloarena.tournament.ladder.tallies import Tallies

NAMES = {number: f"b{number}" for number in range(1, 40)}
BUILT_IN_BOTS: list[BotVersion] = [(30 + number, 1) for number in range(1, 8)]


def roster_of(count: int) -> list[BotVersion]:
    return [(number, 1) for number in range(1, count + 1)]


def results(tallies: Tallies, one: int, other: int, won: int, lost: int) -> None:
    """Of games between two entries, the lower one first."""
    pair = ((one, 1), (other, 1))
    tallies.played[pair] += won + lost
    tallies.halves[pair] += 2 * won
    for version in pair:
        tallies.games[version] += won + lost


def chosen(count: int, tallies: Tallies, rules: LadderRules | None = None) -> NextDeal:
    found = choose_next_deal(roster_of(count), BUILT_IN_BOTS, tallies, rules or LadderRules(), NAMES)
    assert found is not None
    return found


def even_tallies(count: int, each: int = 20) -> Tallies:
    """Everybody played everybody; the lower number wins three of four."""
    tallies = Tallies()
    for one, other in combinations(range(1, count + 1), 2):
        results(tallies, one, other, 3 * each // 4, each // 4)
    return tallies


def test_newcomer_plays_first_and_the_reason_says_so() -> None:
    tallies = even_tallies(4)
    found = choose_next_deal([*roster_of(4), (5, 1)], BUILT_IN_BOTS, tallies, LadderRules(), NAMES)
    assert found is not None
    assert 5 in found.table
    assert found.reason == "b5 is new: 0 of 12 games"


def test_new_version_of_an_entry_is_a_newcomer() -> None:
    found = choose_next_deal([(1, 1), (2, 2), (3, 1), (4, 1)], BUILT_IN_BOTS, even_tallies(4), LadderRules(), NAMES)
    assert found is not None
    assert found.reason == "b2 is new: 0 of 12 games"


def test_newcomers_have_their_games_before_anybody_else_plays_on() -> None:
    tallies = even_tallies(6)
    players = roster_of(9)
    before = dict(tallies.games)
    for _ in range(3 * 12 // 2):
        found = choose_next_deal(players, BUILT_IN_BOTS, tallies, LadderRules(), NAMES)
        assert found is not None
        assert set(found.table) & {7, 8, 9}
        results(tallies, *sorted(found.table), won=1, lost=1)
        if all(tallies.games[number, 1] >= 12 for number in (7, 8, 9)):
            break
    assert all(tallies.games[number, 1] >= 12 for number in (7, 8, 9))
    assert all(tallies.games[player] - before[player] <= 36 for player in roster_of(6))


def test_what_is_known_is_not_asked_again_but_what_is_not() -> None:
    """1 and 2 are as good as equal, 3 is far behind, and all have had the same number of games."""
    tallies = Tallies()
    results(tallies, 1, 2, 20, 20)
    results(tallies, 1, 3, 39, 1)
    results(tallies, 2, 3, 39, 1)
    found = chosen(3, tallies)
    assert sorted(found.table) == [1, 2]
    assert found.reason.startswith("tells most about b1 and b2, places 1 and 2: 0 ± ")


def test_bot_that_loses_everything_is_left_alone() -> None:
    """By uncertainty alone it would get half of all games: nothing is known of it but that it is weak."""
    tallies = even_tallies(6)
    results(tallies, 1, 7, 12, 0)
    had = 0
    for _ in range(100):
        table = sorted(chosen(7, tallies).table)
        had += 7 in table
        results(tallies, *table, *((2, 0) if 7 in table else (1, 1)))
    assert had <= 8


def test_two_equal_bots_do_not_swallow_the_ladder() -> None:
    chance = random.Random(1)
    tallies = Tallies()
    strong = {1: 100.0, 2: 50.0, 3: 0.0, 4: 0.0, 5: -50.0, 6: -100.0}
    for _ in range(600):
        one, other = sorted(chosen(6, tallies).table)
        wins = sum(chance.random() < 1 / (1 + 10 ** ((strong[other] - strong[one]) / 400)) for _ in range(2))
        results(tallies, one, other, wins, 2 - wins)
    assert max(tallies.games.values()) <= 2 * median(tallies.games.values()) + 2


def test_games_that_are_chosen_and_not_played_count_already() -> None:
    """Two places at work must not choose the same deal twice for want of its result."""
    tallies = even_tallies(4)
    first = chosen(4, tallies)
    versions = [(entry, 1) for entry in sorted(first.table)]
    for _ in range(40):
        tallies.games.update(versions)
        tallies.planned[versions[0], versions[1]] += 1
    assert sorted(chosen(4, tallies).table) != sorted(first.table)


def test_who_is_alone_plays_against_built_in_bots() -> None:
    found = chosen(1, Tallies())
    assert sorted(found.table) == [1, 31]
    assert found.reason == "only b1 can play now: the house fills the table"


def test_table_of_four_with_three_entries_has_one_built_in_bot() -> None:
    assert sorted(chosen(3, Tallies(), LadderRules(seats=4, games=4)).table) == [1, 2, 3, 31]


def test_bots_of_one_author_are_kept_apart_where_the_roster_allows_it() -> None:
    tallies, rules = Tallies(), LadderRules(seats=3, games=3, newcomer_games=0, games_cap=100.0)
    authors = {1: "blue", 2: "blue", 3: "blue", 4: "red"}
    for _ in range(30):
        found = choose_next_deal(roster_of(6), BUILT_IN_BOTS, tallies, rules, NAMES, authors=authors)
        assert found is not None
        assert len({1, 2, 3} & set(found.table)) <= 1
        for entry in found.table:
            tallies.games[entry, 1] += 3
    small = choose_next_deal(roster_of(3), BUILT_IN_BOTS, tallies, rules, NAMES, authors=authors)
    assert small is not None
    assert sorted(small.table) == [1, 2, 3]


def test_nobody_means_no_choice() -> None:
    assert choose_next_deal([], BUILT_IN_BOTS, Tallies(), LadderRules(), NAMES) is None


def test_seats_of_a_single_seating_are_shared() -> None:
    tallies = Tallies()
    rules = LadderRules(seats=3, games=1)
    for _ in range(90):
        table = chosen(4, tallies, rules).table
        for seat, entry in enumerate(table):
            tallies.seats[entry, seat] += 1
            tallies.games[entry, 1] += 1
    for entry in range(1, 5):
        taken = [tallies.seats[entry, seat] for seat in range(3)]
        assert max(taken) - min(taken) <= 3


@pytest.mark.parametrize(("count", "share"), [(3, 0.75), (4, 0.5), (6, 1 / 3), (12, 1 / 3)])
def test_nobody_meets_one_opponent_in_more_than_a_share_of_its_games(count: int, share: float) -> None:
    tallies = Tallies()
    for _ in range(30 * count):
        results(tallies, *sorted(chosen(count, tallies).table), won=1, lost=1)
    for one, other in combinations(roster_of(count), 2):
        assert tallies.games_between(one, other) <= share * min(tallies.games[one], tallies.games[other]) + 2


@pytest.mark.parametrize("count", [65, 120])
def test_large_roster_is_chosen_from_as_well(count: int) -> None:
    found = chosen(count, Tallies())
    assert len(set(found.table)) == 2


def test_strengths_are_those_of_the_results() -> None:
    """A thousand games at 3 : 1 are 191 Elo, less what the prior takes."""
    tallies = Tallies()
    results(tallies, 1, 2, 750, 250)
    theta = strengths(roster_of(2), tallies).theta
    assert ELO_PER_LOG_ODD * float(theta[0] - theta[1]) == pytest.approx(190.85, abs=1.0)


fields = st.integers(2, 9)
pasts = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(0, 30), st.integers(0, 30)), max_size=25)


def past(count: int, rows: Sequence[tuple[int, int, int, int]]) -> Tallies:
    tallies = Tallies()
    for one, other, won, lost in rows:
        low, high = sorted((1 + one % count, 1 + other % count))
        if low != high and won + lost:
            results(tallies, low, high, won, lost)
    return tallies


@settings(max_examples=150, deadline=None)
@given(count=fields, rows=pasts, seats=st.integers(2, 4), least=st.integers(0, 20), cap=st.floats(1.5, 4.0))
def test_whatever_happened_the_choice_keeps_the_caps_and_serves_newcomers(
    count: int, rows: Sequence[tuple[int, int, int, int]], seats: int, least: int, cap: float
) -> None:
    tallies, rules = past(count, rows), LadderRules(seats, seats, least, cap)
    players = roster_of(count)
    found = chosen(count, tallies, rules)
    assert len(set(found.table)) == seats
    assert chosen(count, tallies.copy(), rules) == found  # pure
    if count < seats:
        assert set(range(1, count + 1)) < set(found.table)
        return
    assert set(found.table) <= set(range(1, count + 1))
    most = max_games(players, tallies, rules)
    below = [player for player in players if tallies.games[player] + rules.games <= most]
    if len(below) >= seats:
        assert {(entry, 1) for entry in found.table} <= set(below)
    fewest = min(tallies.games[player] for player in players)
    if fewest < least:
        assert fewest in [tallies.games[entry, 1] for entry in found.table]
