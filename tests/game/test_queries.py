"""What the layers above ask of a game: it is answered, and the game stays as it was."""

import pytest

from peloarena.game import queries
from peloarena.game.steps import AskBid
from peloarena.testing.states import seat, table

BUILDING = "A14"


@pytest.mark.parametrize(
    ("coins", "takeable"),
    [(4, True), (5, False)],
)
def test_a_building_is_takeable_after_a_bid_that_leaves_a_coin_to_mark_it(coins: int, takeable: bool) -> None:
    """R4a."""
    game = table(seat("Sparta", coin=5), seat("Argos", coin=5), agenda=[AskBid(0)], open=[BUILDING])
    before = game.save()
    assert queries.can_take_after_paying(game, 0, coins, BUILDING) is takeable
    assert game.save() == before


def test_a_building_is_takeable_after_a_bid_that_leaves_its_price() -> None:
    """R4a: with the goods it costs no coin is needed."""
    goods = dict.fromkeys(("wood", "stone", "food"), 9)
    game = table(seat("Sparta", coin=5, **goods), seat("Argos", coin=5), agenda=[AskBid(0)], open=[BUILDING])
    assert game.rules.tiles[BUILDING].cost.coin == 0
    assert queries.can_take_after_paying(game, 0, 5, BUILDING)
