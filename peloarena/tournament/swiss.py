"""Swiss pairing: by the current rating, no rematch while one can be avoided. Pure and deterministic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .ratings import GameResult, rate

MOST_STEPS = 20_000
"""The search for pairs without a rematch gives up after so many steps and takes the nearest ratings."""

PairResults = Mapping[tuple[int, int], Mapping[str, float]]


def swiss_pairs(bots: Sequence[str], results: PairResults) -> list[tuple[str, ...]]:
    """Pairs of the next round, the strongest first; with an odd field one bot alone (a bye) at the end."""
    ranking = current_order(bots, results)
    met = {frozenset(points) for points in results.values()}
    bye: list[tuple[str, ...]] = []
    if len(ranking) % 2:
        alone = bye_for(ranking, results)
        ranking.remove(alone)
        bye = [(alone,)]
    found = Search(met).pairs(tuple(ranking))
    return [*(found or list(zip(ranking[::2], ranking[1::2], strict=True))), *bye]


def current_order(bots: Sequence[str], results: PairResults) -> list[str]:
    """By rating; before the first round, and among equals, as in the file."""
    games = [
        GameResult(f"{number}.{place}", tuple(points), ranks_of(points), f"{number}.{place}")
        for (number, place), points in results.items()
    ]
    if not games:
        return list(bots)
    rating = {row.player: row.rating for row in rate(games).players}
    return sorted(bots, key=lambda bot: -rating.get(bot, 1500.0))


def ranks_of(points: Mapping[str, float]) -> tuple[int, ...]:
    return tuple(1 + sum(other > mine for other in points.values()) for mine in points.values())


def bye_for(ranking: Sequence[str], results: PairResults) -> str:
    """The lowest who has played most: who sat out before has played less."""
    played = {bot: sum(bot in points for points in results.values()) for bot in ranking}
    return max(reversed(ranking), key=lambda bot: played[bot])


class Search:
    """Pairs the first free bot with the nearest one it has not met, going back where that leads nowhere."""

    def __init__(self, met: set[frozenset[str]]) -> None:
        self.met = met
        self.steps = 0

    def pairs(self, free: tuple[str, ...]) -> list[tuple[str, ...]] | None:
        if not free:
            return []
        self.steps += 1
        if self.steps > MOST_STEPS:
            return None
        first, rest = free[0], free[1:]
        for place, second in enumerate(rest):
            if frozenset((first, second)) not in self.met:
                others = self.pairs(rest[:place] + rest[place + 1 :])
                if others is not None:
                    return [(first, second), *others]
        return None
