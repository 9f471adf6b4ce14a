"""Sea (O): sea tiles, bought before the bidding."""

import pytest

from peloarena.game import Game, Seat, make_options
from peloarena.game.events import Placed
from peloarena.game.goods import Goods
from peloarena.game.kinds import Move
from peloarena.game.modules.sea.shapes import AskSea, BuySea, SeaLaid, SeaSeat, SeaTable
from peloarena.game.moves import Pass, Skip
from peloarena.game.parts import part
from peloarena.game.steps import DrawChits, Score, StartBidding, SupplyRound
from peloarena.testing.states import goods_of, happened, seat, table


def offered(*tiles: str, buyer: Seat, modules: tuple[str, ...] = ("sea",)) -> Game:
    return table(buyer, seat(), modules=modules, parts=[SeaTable(tiles)], agenda=[AskSea(0)])


def legal(game: Game) -> list[Move]:
    assert game.decision is not None
    return game.decision.legal


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_as_many_sea_tiles_as_players_lie_open(players: int) -> None:
    """O1"""
    game = Game(make_options(players, ["sea"]), "x")
    laid = part(game.state, SeaTable).tiles
    assert len(set(laid)) == players
    assert happened(game.opening, SeaLaid) == [SeaLaid(laid)]
    assert b"sea_table" in game.save()


def test_the_sea_tiles_are_drawn() -> None:
    """O1"""
    drawn = {
        tile for seed in range(30) for tile in part(Game(make_options(2, ["sea"]), str(seed)).state, SeaTable).tiles
    }
    assert drawn == {"S1", "S2", "S3", "S4", "S5", "S6"}


def test_sea_tiles_are_bought_in_turn_order_before_anyone_bids() -> None:
    """O2 [ruling]"""
    game = table(
        seat(coin=9),
        seat(coin=9),
        modules=["sea"],
        order=[1, 0],
        open=["A01", "A02"],
        parts=[SeaTable(("S1", "S5"))],
        agenda=[StartBidding()],
    )
    asked = []
    for _ in range(4):
        assert game.decision is not None
        asked.append((game.decision.seat, game.decision.kind))
        game.choose(game.decision.legal[-1])
    assert asked == [(1, "buy_sea"), (0, "buy_sea"), (1, "bid"), (0, "bid")]


def test_a_player_buys_at_most_one_before_each_bidding() -> None:
    """O2"""
    game = table(
        seat(coin=40),
        seat(),
        modules=["sea"],
        open=["A01"],
        parts=[SeaTable(("S1", "S5", "S6"))],
        agenda=[StartBidding()],
    )
    game.choose(BuySea("S1"))
    assert game.decision is not None
    assert game.decision.kind == "bid"


def test_several_may_be_bought_over_the_game() -> None:
    """O2"""
    game = table(
        seat(coin=20),
        seat(),
        modules=["sea"],
        parts=[SeaTable(("S1", "S5", "S6"))],
        agenda=[StartBidding(), StartBidding()],
    )
    game.choose(BuySea("S1"))
    game.choose(BuySea("S6"))
    assert part(game.state.seats[0], SeaSeat).tiles == ("S1", "S6")
    assert part(game.state, SeaTable).tiles == ("S5",)


COSTS = {
    "S1": Goods(coin=7),
    "S2": Goods(stone=6, wood=2),
    "S3": Goods(wood=6),
    "S4": Goods(stone=4),
    "S5": Goods(coin=5),
    "S6": Goods(coin=6),
    "S7": Goods(lux=12),
    "S8": Goods(coin=3, food=3),
}
ONCE = {"S2": 4, "S3": 3, "S4": 2, "S7": 2, "S8": 1}
POINTS = {"S1": 5, "S5": 3, "S6": 4, "S7": 4, "S8": 3}


@pytest.mark.parametrize("tile", COSTS)
def test_a_sea_tile_costs_its_full_price_and_gives_its_inhabitants_at_once(tile: str) -> None:
    """O2, O3"""
    purse = dict(COSTS[tile].items())
    game = offered(tile, buyer=seat(**purse), modules=("hellas", "sea"))  # type: ignore[arg-type]
    assert legal(game) == [BuySea(tile), Skip()]
    events = game.choose(BuySea(tile))
    assert goods_of(game, 0) == Goods(pop=ONCE.get(tile, 0))
    assert happened(events, Placed) == [Placed(0, tile)]


@pytest.mark.parametrize("tile", COSTS)
def test_a_sea_tile_cannot_be_marked_or_bought_with_less(tile: str) -> None:
    """O2"""
    resource, amount = next((name, n) for name, n in COSTS[tile].items() if n)
    purse = dict((COSTS[tile] - Goods(**{resource: 1})).items())
    game = offered(tile, buyer=seat(**purse), modules=("hellas", "sea"))  # type: ignore[arg-type]
    assert amount > 0
    assert game.decision is None
    assert part(game.state.seats[0], SeaSeat).tiles == ()


def test_luxury_stands_in_for_what_is_missing() -> None:
    """O2, P5: 5 of 7 coins, 4 luxury."""
    game = offered("S1", buyer=seat(coin=5, lux=5))
    game.choose(BuySea("S1"))
    assert goods_of(game, 0) == Goods(lux=1)


def test_nothing_stands_in_for_luxury() -> None:
    """O2, P5"""
    game = offered("S7", "S1", buyer=seat(wood=9, stone=9, food=9, coin=9, lux=11), modules=("hellas", "sea"))
    assert legal(game) == [BuySea("S1"), Skip()]


def test_a_player_need_not_buy() -> None:
    """O2"""
    game = offered("S1", buyer=seat(coin=9))
    game.choose(Skip())
    assert goods_of(game, 0) == Goods(coin=9)
    assert part(game.state, SeaTable).tiles == ("S1",)


@pytest.mark.parametrize("tile", COSTS)
def test_the_points_of_a_sea_tile_count_at_the_end(tile: str) -> None:
    """O3"""
    game = table(seat(pop=10, parts=[SeaSeat((tile,))]), seat(), modules=["hellas", "sea"], agenda=[Score()])
    assert game.result is not None
    assert game.result.seats[0].prestige == POINTS.get(tile, 0)


@pytest.mark.parametrize("kind", ["earthquake", "tempest"])
def test_no_disaster_hits_a_sea_tile(kind: str) -> None:
    """O3"""
    game = table(
        seat(wood=9, stone=9, food=9, coin=9, parts=[SeaSeat(("S1", "S2"))]),
        seat(),
        modules=["sea"],
        pile=[kind, "blank"],
        chits={kind: 2},
        agenda=[DrawChits()],
    )
    assert game.decision is None
    assert goods_of(game, 0) == Goods(wood=9, stone=9, food=9, coin=9)
    assert part(game.state.seats[0], SeaSeat).tiles == ("S1", "S2")


@pytest.mark.parametrize("final", [False, True])
@pytest.mark.parametrize(
    ("pop", "food", "after"),
    [(5, 9, Goods(food=6, pop=5)), (5, 1, Goods(pop=3)), (1, 4, Goods(food=4, pop=1)), (2, 0, Goods(pop=2))],
)
def test_each_sea_tile_feeds_an_inhabitant_before_the_food(pop: int, food: int, after: Goods, final: bool) -> None:
    """O3, V1: two sea tiles."""
    mine = seat(pop=pop, food=food, parts=[SeaSeat(("S1", "S2"))])
    game = table(mine, seat(), modules=["sea"], agenda=[SupplyRound(final)])
    assert goods_of(game, 0) == after


@pytest.mark.parametrize(
    ("pop", "food", "after"),
    [(5, 3, Goods(food=2, pop=5)), (4, 0, Goods(pop=4)), (3, 1, Goods(food=1, pop=3)), (7, 1, Goods(pop=6))],
)
def test_a_sea_tile_is_a_food_so_in_salamis_it_feeds_two(pop: int, food: int, after: Goods) -> None:
    """O3, V1: two sea tiles."""
    mine = seat(mat="Salamis", pop=pop, food=food, parts=[SeaSeat(("S1", "S2"))])
    game = table(mine, seat(mat="Naxos"), modules=["sea", "colonies"], agenda=[SupplyRound(final=False)])
    assert goods_of(game, 0) == after


def test_the_food_of_a_sea_tile_cannot_be_stored() -> None:
    """O3: for feeding only."""
    mine = seat(mat="Salamis", pop=1, food=4, parts=[SeaSeat(("S1", "S2"))])
    game = table(mine, seat(mat="Naxos"), modules=["sea", "colonies"], agenda=[SupplyRound(final=False)])
    assert goods_of(game, 0) == Goods(food=4, pop=1)


def test_a_sea_tile_of_another_player_feeds_nobody_here() -> None:
    """O3"""
    game = table(seat(pop=1), seat(pop=1, parts=[SeaSeat(("S1",))]), modules=["sea"], agenda=[SupplyRound(final=False)])
    assert (goods_of(game, 0), goods_of(game, 1)) == (Goods(), Goods(pop=1))


def test_who_bought_a_sea_tile_bids_as_well() -> None:
    """O2"""
    game = table(
        seat(coin=7), seat(), modules=["sea"], open=["A01"], parts=[SeaTable(("S1",))], agenda=[StartBidding()]
    )
    events = game.choose(BuySea("S1"))
    assert game.state.seats[0].bidding == "passed"  # no coin is left: the pass is played
    assert any(getattr(event, "move", None) == Pass() for event in events)
