"""Solo (Z): buying instead of bidding, levels, the campaign."""

import pytest

from peloarena.game import ConfigError, Game, make_options
from peloarena.game.events import Placed
from peloarena.game.goods import Goods
from peloarena.game.moves import Bid, ExtraIncome, Pass
from peloarena.game.rulebook import rules_for
from peloarena.game.solo import Campaign
from peloarena.game.steps import AskBid, EndBidding, GiveIncomes, Score, TakeTiles
from peloarena.testing.states import goods_of, happened, seat, table


def test_solo_buys_a_tile_for_its_minimum_or_passes() -> None:
    """Z1"""
    game = table(seat(coin=9), open=["A01", "A07", "C08"], agenda=[AskBid(0), EndBidding(), TakeTiles()])
    assert game.decision is not None
    assert game.decision.legal == [Bid("A01", 3), Bid("A07", 2), Bid("C08", 8), Pass()]
    events = game.choose(Bid("A01", 3))
    assert happened(events, Placed) == [Placed(0, "A01")]
    assert goods_of(game, 0) == Goods(coin=6)
    assert game.state.box == ("A07", "C08")


def test_solo_passes_for_three_coins() -> None:
    """Z1"""
    game = table(seat(coin=9), open=["A01"], agenda=[AskBid(0)])
    game.choose(Pass())
    assert goods_of(game, 0) == Goods(coin=12)


def test_luxury_helps_to_buy() -> None:
    """Z1, P5"""
    game = table(seat(coin=1, lux=5), open=["A01"], agenda=[AskBid(0)])
    game.choose(Bid("A01", 3))
    assert goods_of(game, 0) == Goods(lux=1)


def test_a_conquest_tile_costs_three_more_in_solo_too() -> None:
    """Z1, Z2"""
    game = table(seat(coin=9), level=5, open=["A07"], conquest=["A01", "C08"], agenda=[AskBid(0)])
    assert game.decision is not None
    assert game.decision.legal == [Bid("A07", 2), Bid("A01", 6), Pass()]


def test_a_tile_that_costs_inhabitants_is_closed_in_solo_too() -> None:
    """Z1, R2e"""
    game = table(seat(coin=9, pop=1), open=["A11", "A07"], agenda=[AskBid(0)])
    assert game.decision is not None
    assert game.decision.legal == [Bid("A07", 2), Pass()]


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_the_display_of_each_level(level: int) -> None:
    """Z1, Z2: 5, 4 + 1, 3 + 2, 2 + 3, 1 + 4."""
    game = Game(make_options(1, level=level), "x")
    while game.decision and game.decision.kind == "extra_income":
        game.choose(game.decision.legal[0])
    assert (len(game.state.open), len(game.state.conquest)) == (6 - level, level - 1)


def test_the_civilization_is_drawn_or_given() -> None:
    """Z1"""
    drawn = {Game(make_options(1), str(seed)).state.seats[0].civilization for seed in range(40)}
    assert len(drawn) > 3
    given = Game(make_options(1, draft={"civilizations": ("Pylos",)}), "x")
    assert given.state.seats[0].civilization == "Pylos"


@pytest.mark.parametrize(("level", "extra"), [(1, 0), (2, 1), (3, 2), (4, 3), (5, 3)])
def test_each_level_has_its_extra_incomes_chosen_at_the_start(level: int, extra: int) -> None:
    """Z2: each wood, stone or food."""
    game = Game(make_options(1, level=level), "x")
    asked = 0
    while game.decision and game.decision.kind == "extra_income":
        assert game.decision.legal == [ExtraIncome("wood"), ExtraIncome("stone"), ExtraIncome("food")]
        game.choose(ExtraIncome("stone"))
        asked += 1
    assert asked == extra
    assert game.state.seats[0].extra_income == ("stone",) * extra
    assert game.state.round == 1


def test_extra_income_comes_every_round_and_may_repeat() -> None:
    """Z2 [ruling]"""
    game = table(seat("Sparta", extra_income=["food", "food", "wood"]), level=4, agenda=[GiveIncomes(), GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=4, food=4, coin=2)


@pytest.mark.parametrize(("level", "target"), [(1, 24), (2, 28), (3, 32), (4, 35), (5, 35)])
def test_each_level_has_its_target(level: int, target: int) -> None:
    """Z2"""
    for points, passed in ((target - 1, False), (target, True)):
        result = table(seat(coin=3 * points, pop=20), level=level, agenda=[Score()]).result
        assert result is not None
        assert (result.level, result.target, result.passed) == (level, target, passed)
        assert result.seats[0].score == points


@pytest.mark.parametrize(("level", "target"), [(1, 28), (2, 32), (3, 36), (4, 39), (5, 40)])
def test_hellas_asks_for_more(level: int, target: int) -> None:
    """Z3 [reconstructed]"""
    for points, passed in ((target - 1, False), (target, True)):
        result = table(seat(coin=3 * points, pop=20), modules=["hellas"], level=level, agenda=[Score()]).result
        assert result is not None
        assert (result.target, result.passed) == (target, passed)


def test_a_campaign_plays_five_levels_each_with_a_new_civilization() -> None:
    """Z3"""
    campaign = Campaign(make_options(1), "night")
    civilizations = sorted(rules_for(make_options(1)).civilizations)
    levels, used, seeds = [], [], []
    while not campaign.is_over:
        options, seed = campaign.next_game(civilizations)
        game = Game(options, seed)
        levels.append(options.level)
        seeds.append(seed)
        used.append(game.state.seats[0].civilization)
        campaign = campaign.with_result(used[-1], 40, passed=True)
    assert levels == [1, 2, 3, 4, 5]
    assert len(set(used)) == 5
    assert seeds == [f"night/{level}" for level in levels]
    assert campaign.scores == (40,) * 5


def test_a_campaign_ends_at_the_first_level_missed() -> None:
    """Z3"""
    campaign = (
        Campaign(make_options(1), "night").with_result("Sparta", 30, passed=True).with_result("Argos", 10, passed=False)
    )
    assert campaign.is_over
    with pytest.raises(ConfigError, match="over"):
        campaign.next_game(["Pylos"])


def test_a_campaign_goes_on_with_its_modules() -> None:
    """Z3"""
    campaign = Campaign(make_options(1, ["hellas"]), "night").with_result("Sparta", 30, passed=True)
    options, _ = campaign.next_game(["Sparta", "Delphi"])
    assert (options.level, options.modules, options.draft) == (2, ("hellas",), {"civilizations": ("Delphi",)})


def test_a_campaign_begins_with_the_civilization_that_its_options_fix() -> None:
    """Z1, Z3"""
    options = make_options(1, draft={"civilizations": ("Sparta",)})
    campaign = Campaign(options, "night")
    first, _ = campaign.next_game(["Argos", "Sparta"])
    second, _ = campaign.with_result("Sparta", 30, passed=True).next_game(["Argos", "Sparta"])
    assert first.draft == {"civilizations": ("Sparta",)}
    assert second.draft == {"civilizations": ("Argos",)}


def test_a_campaign_refuses_a_seed_without_room_for_its_levels() -> None:
    """P2: level n is dealt as if /n were appended."""
    options, seed = Campaign(make_options(1), "x" * 98).next_game(["Sparta"])
    assert Game(options, seed).decision is not None
    with pytest.raises(ConfigError, match="at most 98 characters in a campaign"):
        Campaign(make_options(1), "x" * 99)
