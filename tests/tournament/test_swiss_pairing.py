"""Swiss pairing: against an exhaustive search, and by hand."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from peloarena.tournament.swiss_pairing import Candidate, Pairing, swiss_pairing

TOURNAMENTS = 3_000
Way = tuple[list[tuple[int, int]], int | None]
"""Pairs of places in the ranking, and the place that has the bye."""


def candidates(*scores: int, excused: dict[int, int] | None = None) -> list[Candidate]:
    """Entries 1, 2, 3 ... in the order of the table."""
    return [Candidate(n, score, (excused or {}).get(n, 0)) for n, score in enumerate(scores, 1)]


def met(*pairs: tuple[int, int]) -> Counter[frozenset[int]]:
    return Counter(map(frozenset, pairs))


# ---- by hand


def test_upper_half_of_a_group_meets_its_lower_half() -> None:
    assert swiss_pairing(candidates(0, 0, 0, 0, 0, 0), met()).tables == ((1, 4), (2, 5), (3, 6))


def test_groups_are_paired_within_themselves() -> None:
    assert swiss_pairing(candidates(4, 4, 2, 2, 0, 0), met()).tables == ((1, 2), (3, 4), (5, 6))


def test_odd_group_sends_its_lowest_down_to_the_highest_of_the_next() -> None:
    assert swiss_pairing(candidates(4, 4, 4, 2, 2, 2), met()).tables == ((1, 2), (3, 4), (5, 6))


def test_who_met_is_not_paired_again_even_if_that_makes_floats() -> None:
    assert swiss_pairing(candidates(4, 4, 2, 2), met((1, 2), (3, 4))).tables == ((1, 3), (2, 4))


def test_one_float_of_two_groups_is_better_than_two_of_one() -> None:
    """Leaders 1 and 2 have met: both go down by one group, no further."""
    pairing = swiss_pairing(candidates(6, 6, 4, 4, 2, 2), met((1, 2)))
    assert pairing.tables == ((1, 3), (2, 4), (5, 6))


def test_bye_goes_to_the_lowest_of_the_lowest_group() -> None:
    assert swiss_pairing(candidates(4, 2, 2, 2, 0), met()) == Pairing(((1, 2), (3, 4)), 5)
    assert swiss_pairing(candidates(0, 0, 0), met()).bye == 3


def test_nobody_has_a_second_bye_or_one_after_a_win_by_forfeit() -> None:
    assert swiss_pairing(candidates(2, 2, 0, excused={3: 1}), met()).bye == 2
    assert swiss_pairing(candidates(2, 2, 0, excused={2: 1, 3: 1}), met()).bye == 1


def test_bye_moves_up_rather_than_that_two_meet_again() -> None:
    assert swiss_pairing(candidates(2, 2, 0), met((1, 2))) == Pairing(((1, 3),), 2)


def test_second_bye_is_worse_than_a_rematch() -> None:
    assert swiss_pairing(candidates(4, 2, 2, excused={1: 1, 2: 1}), met((1, 2))) == Pairing(((1, 2),), 3)


def test_when_all_have_met_those_who_met_least_meet_again() -> None:
    every = met((1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4), (1, 3), (2, 4))
    assert swiss_pairing(candidates(0, 0, 0, 0), every).tables in (((1, 4), (2, 3)), ((1, 2), (3, 4)))


def test_one_alone_has_a_bye_and_nobody_nothing() -> None:
    assert swiss_pairing(candidates(2), met()) == Pairing((), 1)
    assert swiss_pairing([], met()) == Pairing(())


def test_five_hundred_are_paired_within_seconds() -> None:
    roster = [Candidate(n, 8 - n // 60) for n in range(501)]
    pairing = swiss_pairing(roster, Counter({frozenset((n, n + 1)): 1 for n in range(0, 500, 3)}))
    assert sorted([n for pair in pairing.tables for n in pair] + [pairing.bye or 0]) == list(range(501))
    assert pairing.bye == 500


# ---- against an exhaustive search, which shares nothing but the list of what matters


def all_ways(places: list[int]) -> Iterator[Way]:
    if len(places) % 2:
        for bye in places:
            for pairs, _ in all_ways([place for place in places if place != bye]):
                yield pairs, bye
    elif not places:
        yield [], None
    else:
        first, *others = places
        for partner in others:
            for pairs, _ in all_ways([place for place in others if place != partner]):
                yield [(first, partner), *pairs], None


def judged(way: Way, roster: list[Candidate], meetings: Counter[frozenset[int]]) -> tuple[int, ...]:
    pairs, bye = way
    found = [0] * 7
    if bye is not None:
        found[0], found[2], found[5] = roster[bye].excused, roster[bye].score, len(roster) - 1 - bye
    for a, b in pairs:
        one, two = roster[a], roster[b]
        found[1] += meetings[frozenset((one.entry, two.entry))]
        if one.score != two.score:
            found[3] += 1
            found[4] += (one.score - two.score) ** 2
            found[6] += (abs(a - b) - 1) ** 2
        else:
            found[6] += (abs(a - b) - sum(other.score == one.score for other in roster) // 2) ** 2
    return tuple(found)


def way_of(pairing: Pairing, roster: list[Candidate]) -> Way:
    place = {one.entry: n for n, one in enumerate(roster)}
    return [(place[a], place[b]) for a, b in pairing.tables], None if pairing.bye is None else place[pairing.bye]


def random_tournament(seed: int) -> None:
    """Results at random; now and then somebody does not come."""
    rng = random.Random(seed)
    count, rounds = rng.randint(2, 8), rng.randint(1, 6)
    score, excused = Counter(dict.fromkeys(range(count), 0)), Counter(dict.fromkeys(range(count), 0))
    meetings: Counter[frozenset[int]] = Counter()
    for _ in range(rounds):
        there = [n for n in range(count) if rng.random() > 0.05]
        order = sorted(there, key=lambda n: (-score[n], rng.random()))
        roster = [Candidate(n, score[n], excused[n]) for n in order]
        pairing = swiss_pairing(roster, meetings)
        best = min((judged(way, roster, meetings) for way in all_ways(list(range(len(roster))))), default=())
        assert judged(way_of(pairing, roster), roster, meetings) == (best or (0,) * 7), (seed, roster, meetings)
        assert sorted([n for pair in pairing.tables for n in pair] + [n for n in (pairing.bye,) if n is not None]) == (
            sorted(there)
        )
        for a, b in pairing.tables:
            meetings[frozenset((a, b))] += 1
            came = rng.random() > 0.05
            excused[a] += not came
            won = rng.choice((0, 1, 2)) if came else 2
            score[a] += won
            score[b] += 2 - won
        if pairing.bye is not None:
            excused[pairing.bye] += 1
            score[pairing.bye] += 2


@pytest.mark.parametrize("part", range(4))
def test_no_exhaustive_search_finds_a_better_round_in_thousands_of_random_tournaments(part: int) -> None:
    for seed in range(part, TOURNAMENTS, 4):
        random_tournament(seed)


# ---- whole seasons


@pytest.mark.parametrize(("count", "rounds"), [(8, 5), (9, 5), (11, 5), (16, 7), (40, 9), (41, 9)])
def test_whole_seasons_have_no_rematch_and_no_second_bye(count: int, rounds: int) -> None:
    """The better number always wins."""
    score, excused = Counter(dict.fromkeys(range(count), 0)), Counter(dict.fromkeys(range(count), 0))
    meetings: Counter[frozenset[int]] = Counter()
    for _ in range(rounds):
        roster = [Candidate(n, score[n], excused[n]) for n in sorted(range(count), key=lambda n: (-score[n], n))]
        pairing = swiss_pairing(roster, meetings)
        meetings.update(map(frozenset, pairing.tables))
        for pair in pairing.tables:
            score[min(pair)] += 2
        if pairing.bye is not None:
            excused[pairing.bye] += 1
            score[pairing.bye] += 2
    assert max(meetings.values()) == 1
    assert max(excused.values()) <= 1
    assert score.most_common(1)[0][0] == 0
