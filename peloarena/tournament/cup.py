"""A cup: who meets whom, who advances, who gets which rank. Pure: seeds and the matches of its rounds in, a cup out.

More points win a match; if it is tied after all extra deals, the greater sum of score differences wins, then the better
seed. The losers of the semi-finals play for third place in the same round as the final.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from .brackets import adjacent_pairs, bracket_depth, seed_bracket
from .matches import Match


class BracketPairing(Struct, frozen=True):
    """A position in the bracket where two meet."""

    sides: tuple[int | None, int | None]
    """None: nobody (a bye), or not known yet."""
    match: Match | None
    """None: it has not begun, or is not needed."""
    winner: int | None

    @property
    def loser(self) -> int | None:
        if self.winner is None or None in self.sides:
            return None
        return next(entry for entry in self.sides if entry != self.winner)

    @property
    def tie_break(self) -> str:
        """What decided it, if not points."""
        return "" if self.match is None or self.winner is None else tie_break_of(self.match)


class Cup(Struct, frozen=True):
    rounds: tuple[tuple[BracketPairing, ...], ...]
    """The last one is the final."""
    third_place: BracketPairing | None = None
    """The match for third place; None if there is none, or not yet."""

    @property
    def champion(self) -> int | None:
        return self.rounds[-1][0].winner


def build_cup(seeds: Sequence[int], matches: Mapping[int, Sequence[Match]]) -> Cup:
    """`matches`: by round, for rounds that began."""
    alive: list[int | None] = seed_bracket(seeds)
    rounds = []
    for number in range(1, bracket_depth(len(seeds)) + 1):
        ties = tuple(_make_pairing(sides, number, seeds, matches) for sides in adjacent_pairs(alive))
        rounds.append(ties)
        alive = [tie.winner for tie in ties]
    losers = _semi_final_losers(rounds)
    third = _make_pairing(losers, len(rounds), seeds, matches) if None not in losers else None
    return Cup(tuple(rounds), third if third and third.match else None)


def _make_pairing(
    sides: tuple[int | None, int | None],
    round_number: int,
    seeds: Sequence[int],
    matches: Mapping[int, Sequence[Match]],
) -> BracketPairing:
    one, two = sides
    if one is None or two is None:
        present = one if one is not None else two
        return BracketPairing(
            sides, None, present if round_number == 1 else None
        )  # in later rounds the opponent is not known yet
    match = next((match for match in matches.get(round_number, ()) if set(match.entries) == {one, two}), None)
    return BracketPairing(sides, match, winner_of(match, seeds) if match is not None and match.is_over else None)


def _semi_final_losers(rounds: Sequence[Sequence[BracketPairing]]) -> tuple[int | None, int | None]:
    if len(rounds) < 2:
        return None, None
    one, two = rounds[-2]
    return one.loser, two.loser


def winner_of(match: Match, seeds: Sequence[int]) -> int:
    def merit(entry: int) -> tuple[int, int, int]:
        margin = match.score_difference if entry == match.entries[0] else -match.score_difference
        return match.half_points_of(entry), margin, -seeds.index(entry)

    return max(match.entries, key=merit)


def tie_break_of(match: Match) -> str:
    """How a finished match was decided, if not by points; in words."""
    if match.half_points[0] != match.half_points[1]:
        return ""
    return "score difference" if match.score_difference else "seed"


def cup_pairs(
    seeds: Sequence[int], round_number: int, matches: Mapping[int, Sequence[Match]], with_third_place: bool
) -> list[tuple[int, int]]:
    """The matches of a round. An entry without an opponent advances without a match."""
    rounds = build_cup(seeds, matches).rounds
    pairs = [tie.sides for tie in rounds[round_number - 1]]
    if with_third_place and round_number == len(rounds):
        pairs.append(_semi_final_losers(rounds))
    return [(one, two) for one, two in pairs if one is not None and two is not None]


def cup_ranks(cup: Cup) -> dict[int, int]:
    """Entries eliminated in the same round share a rank; those still in share the best remaining one."""
    ranks = {entry: 1 for tie in cup.rounds[0] for entry in tie.sides if entry is not None}
    for left, ties in enumerate(reversed(cup.rounds)):
        ranks |= {tie.loser: 1 + 2**left for tie in ties if tie.loser is not None}
    if cup.third_place is not None and cup.third_place.loser is not None:
        ranks[cup.third_place.loser] = 4
    return ranks


def played_pairings(cup: Cup, round_number: int) -> Iterator[BracketPairing]:
    """The pairings of a round that have a match, third place last."""
    yield from (tie for tie in cup.rounds[round_number - 1] if None not in tie.sides)
    if cup.third_place is not None and round_number == len(cup.rounds):
        yield cup.third_place
