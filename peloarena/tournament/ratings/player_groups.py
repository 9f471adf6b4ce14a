"""Which bots can be compared: bots that met, and bots whose results go both ways.

Knows scores between bots; does not know ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .pairs import Comparisons

Bools = NDArray[np.bool_]
PlayerGroup = tuple[int, ...]

_NAMES_SHOWN = 6
_ROUNDING_ERROR = 1e-6
"""Anything below this is rounding, not part of a point."""


def groups_that_met(rows: Comparisons) -> list[PlayerGroup]:
    """Groups linked by games. Between two groups nothing is known."""
    return _connected_groups(_took_points(rows) | _took_points(rows).T)


def groups_linked_both_ways(rows: Comparisons) -> list[PlayerGroup]:
    """Groups linked by points in both directions: only within these does the likelihood have a finite maximum."""
    return _connected_groups(_took_points(rows))


def unbeaten_and_winless(rows: Comparisons) -> tuple[PlayerGroup, PlayerGroup]:
    """Bots that took all points of their games, and bots that took none: nothing bounds their strength above, or
    below."""
    took = _took_points(rows)
    lost_some, won_some = took.any(axis=0), took.any(axis=1)
    unbeaten, winless = np.flatnonzero(~lost_some), np.flatnonzero(~won_some)
    return tuple(int(index) for index in unbeaten), tuple(int(index) for index in winless)


def group_warnings(rows: Comparisons) -> list[str]:
    """What the reader must know before comparing ratings across groups."""
    warnings = []
    islands = groups_that_met(rows)
    if len(islands) > 1:
        warnings.append(
            f"{len(islands)} groups never met: {_groups_text(rows.players, islands)}; "
            "each has mean 1500, and ratings compare only within a group"
        )
    for island in islands:
        parts = [group for group in groups_linked_both_ways(rows) if group[0] in island]
        if len(parts) > 1:
            warnings.append(
                f"results between {_groups_text(rows.players, parts)} go one way only; "
                "the distance between them is held finite by the prior, not measured"
            )
    return warnings


def _took_points(rows: Comparisons) -> Bools:
    """[a, b]: a took something from b, where a tie is half a point."""
    size = len(rows.players)
    took = np.zeros((size, size), dtype=np.bool_)
    upper, lower = rows.upper, rows.lower
    won, lost = rows.score > _ROUNDING_ERROR, rows.weight - rows.score > _ROUNDING_ERROR
    took[upper[won], lower[won]] = True
    took[lower[lost], upper[lost]] = True
    return took


def _connected_groups(links: Bools) -> list[PlayerGroup]:
    """The strongly connected groups, by squaring reachability until it covers every path."""
    reach = links | np.eye(len(links), dtype=np.bool_)
    for _ in range(max(1, len(links).bit_length())):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    both = reach & reach.T
    return sorted({tuple(int(index) for index in np.flatnonzero(row)) for row in both})


def _groups_text(players: Sequence[str], groups: Iterable[PlayerGroup]) -> str:
    return " / ".join(f"[{_names(players, group)}]" for group in list(groups)[:_NAMES_SHOWN])


def _names(players: Sequence[str], group: PlayerGroup) -> str:
    names = [players[index] for index in group[:_NAMES_SHOWN]]
    if len(group) > _NAMES_SHOWN:
        names.append(f"and {len(group) - _NAMES_SHOWN} more")
    return ", ".join(names)
