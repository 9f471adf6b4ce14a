"""Principles (P): what is secret, what is chance, what is a decision, how luxury and storage work."""

import random

import msgspec
import pytest

from peloarena.game import Game, RulesError, determinize, encode, make_options
from peloarena.game.chance import shuffled
from peloarena.game.events import Chose, Placed, Stock
from peloarena.game.goods import Goods
from peloarena.game.kinds import Move, tag_of
from peloarena.game.module import Module
from peloarena.game.moves import Bid, Complete, Feed, Keep, Lose, Mark, MoveBid, Pass, Pay, Skip, TakeAny
from peloarena.game.registry import MODULES
from peloarena.game.solo import Campaign
from peloarena.game.state import Offer
from peloarena.game.steps import (
    AskBid,
    AskBuild,
    AskComplete,
    AskFeed,
    AskKeep,
    DrawChits,
    GiveGoods,
    GiveIncomes,
    StartRound,
    TakeTiles,
)
from peloarena.testing.states import goods_of, happened, seat, table


def test_the_view_shows_neither_the_order_of_the_tiles_nor_of_the_chits() -> None:
    """P1"""
    one = table(seat(coin=5), seat(), open=["A01"], deck=["A02", "A03"], pile=["plague", "blank"], agenda=[AskBid(0)])
    other = table(seat(coin=5), seat(), open=["A01"], deck=["A03", "A02"], pile=["blank", "plague"], agenda=[AskBid(0)])
    assert one.state != other.state
    assert one.view(0) == other.view(0)
    assert one.view(0).stacks == {"A": ("A02", "A03")}
    assert one.view(0).pile == {"blank": 1, "plague": 1}


def test_a_chit_seen_by_all_is_shown_with_its_place() -> None:
    """P1"""
    game = table(seat(coin=5), seat(), open=["A01"], pile=["plague", "blank", "drought"], agenda=[AskBid(0)])
    game.state.pile_known = 1
    assert game.view(1).pile == {"blank": 1, "plague": 1}
    assert game.view(1).pile_bottom == ("drought",)


def test_every_seat_sees_the_stock_of_every_other() -> None:
    """P1"""
    game = table(seat(coin=5), seat(wood=7, lux=3), open=["A01"], agenda=[AskBid(0)])
    assert game.view(0).seats[1].wood == 7
    assert game.view(0).seats == game.view(1).seats
    assert (game.view(0).you, game.view(1).you) == (0, 1)


def test_guesses_at_what_is_hidden_differ_and_keep_what_is_known() -> None:
    """P1"""
    game = Game(make_options(2), "guess")
    game.state.pile_known = 2
    guesses = [determinize(game.options, game.view(0), random.Random(n)).state for n in range(20)]
    assert len({guess.deck for guess in guesses}) == 20
    assert len({guess.pile for guess in guesses}) == 20
    assert {guess.pile[-2:] for guess in guesses} == {game.state.pile[-2:]}
    assert {sorted_in_stacks(guess.deck) for guess in guesses} == {sorted_in_stacks(game.state.deck)}


def sorted_in_stacks(deck: tuple[str, ...]) -> str:
    """Ten A left, then fifteen B, then ten C, each sorted."""
    return " ".join([*sorted(deck[:10]), *sorted(deck[10:25]), *sorted(deck[25:])])


@pytest.mark.parametrize("module", [module for module in MODULES.values() if module.hidden], ids=lambda m: m.name)
def test_guesses_differ_in_what_a_module_hides(module: Module) -> None:
    """P1"""
    game = Game(make_options(2, [module.name]), "guess")
    for kind in module.hidden:
        name = tag_of(kind)
        guesses = [determinize(game.options, game.view(0), random.Random(n)).state.parts[name] for n in range(20)]
        assert len({encode(guess) for guess in guesses}) > 3


def test_a_glance_is_the_view_until_the_next_move() -> None:
    game = Game(make_options(2), "glance")
    kept, glance = game.view(0), game.glance(0)
    assert glance == kept
    assert all(seen is seat for seen, seat in zip(glance.seats, game.state.seats, strict=True)), "nothing is copied"
    before = encode(kept)
    while game.decision is not None:
        game.choose(game.decision.legal[0])
    assert encode(kept) == before, "a view may be kept"


def test_the_seed_is_not_in_the_view() -> None:
    """P1, P2"""
    game = Game(make_options(3, ["hellas", "sea"]), "very-secret-seed")
    assert b"very-secret-seed" not in encode(game.view(0))


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    """P2"""
    options = make_options(4)
    assert Game(options, "a").save() == Game(options, "a").save()
    assert Game(options, "a").save() != Game(options, "b").save()


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_the_order_of_the_stacks_depends_neither_on_players_nor_on_modules(players: int) -> None:
    """P2"""
    lone = Game(make_options(5), "deal").state
    game = Game(make_options(players, ["hellas", "sea"]), "deal").state
    assert (game.open + game.conquest + game.deck)[:40] == lone.open + lone.conquest + lone.deck


def test_a_level_of_a_campaign_is_dealt_with_its_number_appended_to_the_seed() -> None:
    """P2, Z3"""
    campaign = Campaign(make_options(1), "friday")
    civilizations = ["Argos", "Sparta", "Pylos"]
    options, seed = campaign.next_game(civilizations)
    assert seed == "friday/1"
    assert options.draft["civilizations"] == shuffled("friday/1", "civilizations", civilizations)[:1]


def test_all_take_their_tiles_before_anyone_gets_one_time_income() -> None:
    """P3, R4, R5"""
    game = table(
        seat(),
        seat(),
        open=["A06", "A07"],
        offers=[Offer("A06", 0, 3), Offer("A07", 1, 2)],
        agenda=[TakeTiles()],
    )
    kinds = [type(event) for event in game.events]
    assert kinds == [Placed, Placed, Stock, Stock]


def test_those_who_act_at_the_same_time_act_in_turn_order() -> None:
    """P3"""
    game = table(seat("Argos"), seat("Sparta"), seat("Pylos"), order=[2, 0, 1], agenda=[GiveIncomes()])
    assert [event.seat for event in happened(game.events, Stock)] == [2, 0, 1]


def test_a_step_is_finished_by_all_before_the_next_begins() -> None:
    """P3: a choice of the first seat holds up the chits, not only its own income."""
    game = table(seat(buildings=["A15"]), seat(), pile=["blank", "blank"], agenda=[GiveIncomes(), DrawChits()])
    assert game.decision is not None
    assert game.decision.kind == "any_income"
    assert goods_of(game, 1) == Goods()
    assert len(game.state.pile) == 2


def test_a_decision_with_one_option_is_played_and_reported() -> None:
    """P4"""
    game = table(seat(coin=0), seat(), open=["A01"], agenda=[AskBid(0)])
    assert game.decision is None
    assert happened(game.events, Chose) == [Chose(0, "bid", Pass(), forced=True)]
    assert goods_of(game, 0) == Goods(coin=3)


def test_a_choice_with_several_parts_is_asked_one_part_at_a_time() -> None:
    """P4: two "any" icons are two decisions."""
    game = table(seat("Sparta", buildings=["A15", "B15"]), seat(), agenda=[GiveIncomes()])
    everything: list[Move] = [TakeAny("wood"), TakeAny("stone"), TakeAny("food"), TakeAny("coin")]
    for resource in ("stone", "coin"):
        assert game.decision is not None
        assert game.decision.legal == everything
        game.choose(TakeAny(resource))
    assert goods_of(game, 0) == Goods(wood=1, stone=1, coin=1 + 1)


REFUSED: list[Move] = [
    Bid("A01", 2),
    Bid("A01", 9),
    Bid("A01", -1),
    Bid("A02", 5),
    Bid("A02", 7),
    Bid("A11", 3),
    Bid("Z99", 3),
    MoveBid("A01"),
    Skip(),
    Pay("A12"),
    Mark(""),
    Feed(-1),
    Lose("A01"),
]


@pytest.mark.parametrize("move", REFUSED, ids=repr)
def test_a_move_that_is_not_listed_is_refused_and_nothing_changes(move: Move) -> None:
    """P4"""
    game = table(seat(coin=6, pop=1), seat(), open=["A01", "A11"], conquest=["A02"], agenda=[AskBid(0)])
    before, decision = game.save(), game.decision
    with pytest.raises(RulesError):
        game.choose(move)
    assert game.save() == before
    assert game.decision == decision


@pytest.mark.parametrize("thing", [None, "pass", 3, AskBid(0), {"type": "pass"}])
def test_what_is_no_move_at_all_is_refused(thing: object) -> None:
    """P4"""
    game = table(seat(coin=6), seat(), open=["A01"], agenda=[AskBid(0)])
    before = game.save()
    with pytest.raises(RulesError):
        game.choose(thing)  # type: ignore[arg-type]
    assert game.save() == before


def test_a_refused_bid_says_what_would_be_right() -> None:
    """P4, R2a"""
    game = table(
        seat(coin=6), seat(), open=["A01", "A11"], conquest=["A02"], offers=[Offer("A01", 1, 4)], agenda=[AskBid(0)]
    )
    said = {
        Bid("A01", 4): "bid 4 on A01: at least 5 (seat 1 bids 4)",
        Bid("A01", 7): "bid 7 on A01: the seat has 6 coins, 6 with luxury",
        Bid("A02", 5): "bid 5 on A02: exactly 6",
        Bid("A11", 2): "bid 2 on A11: it costs 2 inhabitants, the seat has 0",
        Bid("A09", 2): "bid 2 on A09: not on display; there are A01, A11, A02",
    }
    for move, words in said.items():
        with pytest.raises(RulesError) as refusal:
            game.choose(move)
        assert str(refusal.value) == words


def test_nothing_can_be_chosen_when_the_game_is_over() -> None:
    """P4"""
    game = table(seat(), seat())
    with pytest.raises(RulesError, match="over"):
        game.choose(Pass())


def test_luxury_stands_in_two_for_one_only_for_what_is_missing() -> None:
    """P5: Port costs 3 stone and 1 wood; 1 stone is there."""
    game = table(seat(wood=2, stone=1, coin=1, lux=5), seat(), agenda=[AskBuild(0, "A15")])
    game.choose(Pay("A15"))
    assert goods_of(game, 0) == Goods(wood=1, coin=1, lux=1)


def test_luxury_is_not_touched_while_the_own_stock_suffices() -> None:
    """P5"""
    game = table(seat(wood=2, coin=1, lux=9), seat(), agenda=[AskBuild(0, "A12")])
    game.choose(Pay("A12"))
    assert goods_of(game, 0) == Goods(coin=1, lux=9)


def test_one_luxury_stands_for_nothing() -> None:
    """P5: one stone short with one luxury: only the mark is left."""
    game = table(seat(coin=2, lux=1), seat(), agenda=[AskBuild(0, "A14")])
    assert happened(game.events, Chose) == [Chose(0, "build", Mark("A14"), forced=True)]
    assert goods_of(game, 0) == Goods(coin=1, lux=1)


def test_luxury_pays_in_every_payment_a_rule_asks_for() -> None:
    """P5: bids, buildings, completing, feeding, disasters."""
    poor = seat("Messene", lux=20, pop=2, buildings=["A12"], lands=["A01"], marked=["A12"])
    game = table(
        poor,
        seat(),
        open=["A10"],
        agenda=[
            AskBid(0),
            AskBuild(0, "A14"),
            AskComplete(0, "A12"),
            AskFeed(0, 1),
            AskKeep(0, "earthquake", "A12"),
            AskKeep(0, "tempest", "A01"),
        ],
    )
    spent = []
    for move in (Bid("A10", 2), Pay("A14"), Complete("A12"), Feed(1), Keep("A12"), Keep("A01")):
        before = game.state.seats[0].lux
        game.choose(move)
        spent.append(before - game.state.seats[0].lux)
    assert spent == [4, 2, 4, 2, 4, 2]  # at last the coin of the mark pays for itself


def test_a_coin_bought_with_luxury_is_a_coin_from_then_on() -> None:
    """P5, R4a, V2: a mark paid with luxury returns as a coin."""
    game = table(seat(lux=2), seat(), agenda=[AskBuild(0, "A12"), AskComplete(0, "A12")])
    assert goods_of(game, 0) == Goods(coin=1)
    assert game.state.box == ("A12",)


def test_eight_wood_and_four_more_make_ten_and_two_luxury() -> None:
    """P6: the example of the rules; Sparta and a forest produce 4 wood."""
    game = table(seat("Sparta", wood=8, lands=["A07"]), seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=10, lux=2, coin=1)


@pytest.mark.parametrize(
    ("land", "resource", "holds"), [("A07", "wood", 10), ("A01", "stone", 10), ("A05", "food", 13)]
)
def test_each_storehouse_has_its_size_and_the_rest_becomes_luxury(land: str, resource: str, holds: int) -> None:
    """P6"""
    full = msgspec.structs.replace(seat("Arkadia", lands=[land]), **{resource: holds - 1})
    game = table(full, seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(**{resource: holds}, lux=2, coin=1, pop=1)


def test_one_time_income_above_the_storage_becomes_luxury() -> None:
    """P6: Granary gives 3 food."""
    game = table(seat(food=12), seat(), offers=[Offer("B12", 0, 2)], open=["B12"], agenda=[TakeTiles()])
    assert goods_of(game, 0) == Goods(food=12)  # neither 3 wood nor a coin: lost
    game = table(seat(food=12, wood=3), seat(), offers=[Offer("B12", 0, 2)], open=["B12"], agenda=[TakeTiles()])
    assert goods_of(game, 0) == Goods(food=13, lux=2)


def test_starting_goods_above_the_storage_become_luxury() -> None:
    """P6: with storehouses made small, Sparta's 4 wood do not fit."""
    small = "[mats.mat]\nstorage = { wood = 3, stone = 3, food = 3 }"
    game = table(seat("Sparta"), seat(), components=small, agenda=[GiveGoods(0)])
    assert goods_of(game, 0) == Goods(wood=3, lux=1, coin=7, pop=3)


def test_coins_luxury_and_inhabitants_have_no_upper_limit() -> None:
    """P6"""
    rich = seat("Arkadia", coin=200, pop=60, lux=300)
    game = table(rich, seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(coin=205, pop=61, lux=306)


def test_a_loss_stops_at_nothing() -> None:
    """P6, D5"""
    game = table(seat(lux=4), seat(), pile=["decline", "blank"], chits={"decline": 2}, agenda=[DrawChits()])
    assert goods_of(game, 0) == Goods()


def test_a_saved_game_goes_on_where_it_stood() -> None:
    """P2"""
    game = Game(make_options(2, ["sea"]), "saved")
    twin = Game.load(game.options, game.save())
    assert twin.state == game.state
    assert twin.decision == game.decision


def test_a_new_round_forgets_what_was_done_in_the_last() -> None:
    """P3"""
    game = table(
        seat(coin=9, bidding="bid", taken="A01"),
        seat(),
        open=[],
        deck=["A02", "A03", "A04", "A05", "A06"],
        agenda=[StartRound()],
    )
    assert game.state.round == 2
    assert (game.state.seats[0].bidding, game.state.seats[0].taken) == ("", "")


def test_a_clone_and_its_original_go_their_own_ways() -> None:
    """P2"""
    game = table(seat(coin=6), seat(coin=6), open=["A01", "A07"], agenda=[AskBid(0), AskBid(1)])
    before, twin = game.save(), game.clone()
    twin.choose(Bid("A01", 4))
    assert game.save() == before
    game.choose(Pass())
    assert (goods_of(game, 0), goods_of(twin, 0)) == (Goods(coin=9), Goods(coin=2))
    assert (game.state.offers, twin.state.offers) == ((), (Offer("A01", 0, 4),))
