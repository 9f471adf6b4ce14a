"""When supply rounds come, as far as a player can know."""

from __future__ import annotations

from peloarena.game import Game, make_options
from peloarena.narration.supply_forecast import SupplyWindow, supply_line, upcoming_supply_rounds
from peloarena.testing.states import seat, table


def test_both_supply_tiles_lie_somewhere_in_their_stacks() -> None:
    """R1: in round 1 five of the fifteen tiles of A are out; B05 is one of the fifteen after them."""
    game = Game(make_options(2), "friday-1")
    assert upcoming_supply_rounds(game) == [SupplyWindow(4, 6), SupplyWindow(7, 8)]
    when = "Supply rounds: at the start of round 4–6, at the start of round 7–8, and after round 8."
    assert supply_line(game, 0) == f"{when} Now you would need 2 food (you have 0)."


def test_the_last_supply_always_comes() -> None:
    """E1."""
    game = Game(make_options(2), "friday-1")
    while game.decision is not None and game.state.round < 8:
        game.choose(game.decision.legal[-1])
    assert upcoming_supply_rounds(game) == []
    assert supply_line(game, 0).startswith("Supply rounds: after round 8.")


def test_it_tells_no_order_of_a_stack() -> None:
    """P1: every deal says the same before its first bid."""
    assert len({str(upcoming_supply_rounds(Game(make_options(3), f"friday-{n}"))) for n in range(20)}) == 1


def test_marked_buildings_are_needed_for_then() -> None:
    """V2."""
    game = table(seat("Argos", buildings=["A12"], marked=["A12"]), seat("Patras"))
    assert "for 1 marked building" in supply_line(game, 0)
