"""When supply rounds come, as far as anybody at the table can know, and what a seat will need then."""

from __future__ import annotations

from msgspec import Struct

from ..game import Game
from ..game.queries import food_needed, prices
from ..game.texts import plural


class SupplyWindow(Struct, frozen=True):
    """A supply round that is still to come: with the reveal of one of these rounds."""

    first: int
    last: int


def upcoming_supply_rounds(game: Game) -> list[SupplyWindow]:
    """R1, E1: a supply tile is anywhere in its stack; stacks are drawn in order, and the last supply is final.

    Computed from the view: nobody may know the order within a stack.
    """
    rules, per = game.rules, game.rules.tiles_per_round
    windows, above = [], 0
    for _, tiles in sorted(game.view(0).stacks.items()):
        if not rules.supply_tiles.isdisjoint(tiles):
            rounds = [game.state.round + 1 + index // per for index in (above, above + len(tiles) - 1)]
            windows.append(SupplyWindow(*(min(number, rules.rounds) for number in rounds)))
        above += len(tiles)
    return windows


def supply_line(game: Game, seat: int) -> str:
    """`Supply rounds: at the start of round 3–5, and after round 8. Now you would need 6 food (you have 2).`"""
    times = [f"at the start of round {one.first}{_last_round_suffix(one)}, " for one in upcoming_supply_rounds(game)]
    when = "".join([*times, f"{'and ' if times else ''}after round {game.rules.rounds}"])
    needed, own = food_needed(game, seat), game.seat(seat)
    due = [prices(game, seat, mark.tile)[0].goods.text() for mark in own.marks]
    building = f", and {'; '.join(due)} for {plural(len(due), 'marked building')}" if due else ""
    return f"Supply rounds: {when}. Now you would need {needed} food (you have {own.food}){building}."


def _last_round_suffix(supply: SupplyWindow) -> str:
    return f"–{supply.last}" if supply.last > supply.first else ""
