"""Results of a Swiss by round, as symbols: `+3` beat the bot in line 3, `=5` drew with it, `-2` lost to it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .ranking import StandingsLine
from .swiss_score import MATCH_DRAWN, MATCH_WON, RoundResult

RESULT_SYMBOLS = {MATCH_WON: "+", MATCH_DRAWN: "=", 0: "-"}
LEGEND = "+3: beat the bot in line 3, = drew, - lost, f by forfeit, ? being played; bye: a match won; ·: did not play"


def round_cells(line: StandingsLine, lines: Sequence[StandingsLine]) -> list[str]:
    """A cell for each round."""
    numbers = {other.entry: number for number, other in enumerate(lines, 1)}
    return [sign_of(result, numbers) for result in line.swiss.results] if line.swiss else []


def sign_of(result: RoundResult, numbers: Mapping[int, int]) -> str:
    match result.kind:
        case "bye":
            return "bye"
        case "absent":
            return "·"
    assert result.opponent is not None
    number = numbers.get(result.opponent, 0)
    if result.kind == "open":
        return f"?{number}"
    return f"{RESULT_SYMBOLS[result.score]}{number}{'f' if result.kind == 'walkover' else ''}"
