"""Tegea (Y): a stone for two coins."""

from peloarena.game import Game
from peloarena.game.goods import Goods
from peloarena.game.modules.tegea.shapes import SellStone
from peloarena.game.moves import Skip
from peloarena.game.steps import AfterIncome
from peloarena.testing.states import goods_of, seat, table


def after_income(**goods: int) -> Game:
    """Tegea with these goods, its income just given."""
    return table(seat("Tegea", **goods), seat("Argos"), modules=["tegea"], agenda=[AfterIncome()])


def test_tegea_may_sell_a_stone_for_two_coins() -> None:
    """Y1"""
    game = after_income(stone=3, coin=1)
    assert game.decision is not None
    assert game.decision.legal == [SellStone(), Skip()]
    game.choose(SellStone())
    assert goods_of(game, 0) == Goods(stone=2, coin=3)
    assert game.decision is None


def test_tegea_need_not_sell() -> None:
    """Y1"""
    game = after_income(stone=3)
    game.choose(Skip())
    assert goods_of(game, 0) == Goods(stone=3)


def test_without_a_stone_tegea_is_not_asked() -> None:
    """Y1, P4: luxury does not stand in."""
    game = after_income(lux=9)
    assert game.decision is None
    assert goods_of(game, 0) == Goods(lux=9)
