"""The worked examples of spec/RULES.md, chapter by chapter, played on the engine."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from peloarena.game import ConfigError, Game, decode, encode, make_options
from peloarena.game.holdings import refresh_sums
from peloarena.game.kinds import Event, Move, Step
from peloarena.game.modules.goats.shapes import Herd
from peloarena.game.modules.heroes.shapes import HeroSeat
from peloarena.game.modules.persians.shapes import Attack, StrengthSeat
from peloarena.game.modules.sacrum.shapes import AskSacrifice
from peloarena.game.modules.sea.shapes import SeaSeat
from peloarena.game.modules.trade.shapes import AskTrade, TradeTable
from peloarena.game.parts import part, put_part
from peloarena.game.rulebook import rules_for
from peloarena.game.state import Marker, State
from peloarena.game.steps import (
    AfterIncome,
    AskBuild,
    DrawChits,
    EndSupply,
    GiveIncome,
    GiveIncomes,
    Score,
    StrikeSeat,
    SupplySeat,
)

PAGE = (Path(__file__).parents[2] / "spec" / "RULES.md").read_text(encoding="utf-8")
FIGHT = ["heroes", "persians"]
GOATS = [("wood", 2), ("stone", 0), ("food", 0)]


def at(game: Game, *agenda: Step, **goods: object) -> Game:
    """The game with this pending only, seat 0 changed."""
    state: State = game.state
    for name, value in goods.items():
        setattr(state.seats[0], name, value)
    refresh_sums(game, 0)
    state.agenda = list(reversed(agenda))
    return Game.from_state(game.options, state)


def two() -> Game:
    return Game(make_options(2), "friday-1")


def play(game: Game, *moves: str) -> list[dict[str, object]]:
    """Choose these moves, given as JSON; what happened."""
    events: list[Event] = []
    for move in moves:
        events += game.choose(decode(move, Move))
    return told(events)


def told(events: list[Event]) -> list[dict[str, object]]:
    decoded: list[dict[str, object]] = json.loads(encode(events))
    return decoded


def legal(game: Game) -> list[str]:
    assert game.decision is not None
    return [encode(move).decode() for move in game.decision.legal]


def bids(tile: str, *coins: int) -> list[str]:
    return [f'{{"type":"bid","tile":"{tile}","coins":{n}}}' for n in coins]


def stock(seat: int, why: str, **change: int) -> dict[str, object]:
    return {"type": "stock", "seat": seat, "why": why, "change": change}


PASS = '{"type":"pass"}'
SKIP = '{"type":"skip"}'


def test_example_p_luxury_and_storage() -> None:
    """P5, P6."""
    rich = at(two(), AskBuild(0, "B15"), stone=3, coin=2, lux=4)
    assert legal(rich) == ['{"type":"pay","tile":"B15"}', '{"type":"mark","tile":"B15"}']
    assert stock(0, "build", stone=-3, lux=-4) in play(rich, '{"type":"pay","tile":"B15"}')
    poor = at(two(), AskBuild(0, "B15"), stone=3, coin=2, lux=3)
    assert told(poor.events)[0]["forced"] is True
    assert stock(0, "mark", coin=-1) in told(poor.events)
    full = at(two(), GiveIncome(0), civilization="Messene", lands=("A01",), stone=9)
    assert stock(0, "income", stone=1, food=2, coin=1, lux=2) in told(full.events)


def test_example_s_the_deal_of_friday_1() -> None:
    """S1."""
    game = two()
    assert [seat.civilization for seat in game.state.seats] == ["Argos", "Patras"]
    assert game.state.order == (1, 0)
    assert stock(0, "start", coin=5, pop=2) in told(game.opening)
    assert stock(1, "start", coin=7, pop=1) in told(game.opening)


def test_example_r_the_first_round_of_friday_1() -> None:
    """R1–R7."""
    game = two()
    assert (game.state.open, game.state.conquest) == (("A01", "A07"), ("A10", "A02", "A11"))
    patras = bids("A01", *range(3, 8)) + bids("A07", *range(2, 8)) + bids("A10", 5) + bids("A02", 6)
    assert legal(game) == [*patras, PASS]
    play(game, *bids("A07", 4))
    assert legal(game) == [*bids("A01", 3, 4, 5), *bids("A07", 5), *bids("A10", 5), *bids("A11", 5), PASS]
    play(game, *bids("A07", 5))
    assert legal(game) == ['{"type":"move_bid","tile":"A01"}', '{"type":"withdraw"}']
    assert play(game, '{"type":"move_bid","tile":"A01"}')[1:10] == [
        {"type": "discarded", "tiles": ["A10", "A02", "A11"]},
        {"type": "ordered", "order": [0, 1]},
        {"type": "placed", "seat": 0, "tile": "A07"},
        {"type": "placed", "seat": 1, "tile": "A01"},
        stock(0, "once", pop=2),
        stock(0, "income", wood=4, stone=1, coin=2),
        stock(1, "income", wood=1, stone=3, food=1, coin=1),
        {"type": "chit", "kind": "plague"},
        {"type": "chit", "kind": "plague"},
    ]


def test_example_r_half_a_coin() -> None:
    """R2a."""
    game = two()
    game.state.seats[0].buildings = ("A13",)
    refresh_sums(game, 0)
    play(game, *bids("A07", 4))
    assert bids("A07", 4)[0] in legal(game)


def test_example_d_an_earthquake() -> None:
    """D1, D3, D4, D6."""
    owned = ("A14", "A12", "B12")
    quake = StrikeSeat("earthquake", 0)
    game = at(two(), quake, buildings=owned, marks=(Marker("B12", 1),), wood=2, stone=1, lux=4)
    assert legal(game) == ['{"type":"keep","tile":"A14"}', '{"type":"lose","tile":"A14"}']
    events = play(game, '{"type":"keep","tile":"A14"}', '{"type":"keep","tile":"A12"}')
    assert [event for event in events if event["type"] == "stock"] == [
        stock(0, "earthquake", wood=-1, stone=-1),
        stock(0, "earthquake", wood=-1, lux=-2),
        stock(0, "mark returned", coin=1),
    ]
    assert game.state.seats[0].buildings == ("A14", "A12")
    thirds = at(two(), StrikeSeat("drought", 0), StrikeSeat("plague", 0), food=7, pop=10)
    assert told(thirds.events) == [stock(0, "drought", food=-3), stock(0, "plague", pop=-4)]


def test_example_v_feeding_and_completing() -> None:
    """V1, V2."""
    quarry = {"buildings": ("B13",), "marks": (Marker("B13", 1),)}
    game = at(two(), SupplySeat(0, final=False), pop=9, food=5, lux=5, wood=2, stone=2, **quarry)
    assert legal(game) == [f'{{"type":"feed","inhabitants":{n}}}' for n in range(3)]
    assert stock(0, "feed", pop=-3, lux=-2) in play(game, '{"type":"feed","inhabitants":1}')
    assert legal(game) == ['{"type":"complete","tile":"B13"}', '{"type":"lose","tile":"B13"}']
    events = play(game, '{"type":"complete","tile":"B13"}')
    assert events[1] == stock(0, "complete", wood=-2, stone=-2)
    assert events[3] == stock(0, "mark returned", coin=1)


def test_example_e_two_scores() -> None:
    """E2."""
    game = two()
    other = game.state.seats[1]
    other.lands, other.buildings, other.coin, other.pop = ("B09",), ("A13", "C10", "B03"), 5, 9
    game = at(game, Score(), lands=("A01", "A03", "B10"), buildings=("C07", "C08"), coin=8, pop=6)
    assert game.result is not None
    totals = [(seat.prestige, seat.population, seat.score, seat.rank) for seat in game.result.seats]
    assert totals == [(25, 18, 18, 2), (21, 27, 21, 1)]


def test_example_z_level_3_of_friday_3() -> None:
    """Z1, Z2."""
    game = Game(make_options(1, level=3), "friday-3")
    play(game, *['{"type":"extra_income","resource":"food"}'] * 2)
    offered = [("A10", 2), ("A13", 3), ("A08", 3), ("A14", 4), ("A09", 5)]
    assert legal(game) == [bids(tile, coins)[0] for tile, coins in offered] + [PASS]
    events = play(game, *bids("A14", 4))
    assert stock(0, "mark", coin=-1) in events
    assert stock(0, "income", wood=1, food=4, coin=1) in events


def test_example_x_open_and_conquest_tiles() -> None:
    """X1, X2: the lines of the table for the sets that the registry knows."""
    for line, modules in (("base (T = 5)", []), ("one set (T = 6)", ["goats"]), ("both (T = 7)", ["goats", "sacrum"])):
        cells = [cell.strip() for cell in PAGE.partition(f"| {line} |")[2].splitlines()[0].strip("|").split("|")]
        for players, cell in enumerate(cells, 2):
            if cell == "–":
                with pytest.raises(ConfigError, match="players"):
                    make_options(players, modules)
            else:
                rules = rules_for(make_options(players, modules))
                assert f"{rules.open_tiles} + {rules.tiles_per_round - rules.open_tiles}" == cell


@pytest.mark.parametrize(("luxury", "score"), [(19, 12), (20, 19)])
def test_example_l_the_oracle(luxury: int, score: int) -> None:
    """L2."""
    game = Game(make_options(2, ["hellas"]), "friday-1")
    game = at(game, Score(), buildings=("D01", "D03", "C08"), coin=9, pop=4, lux=luxury)
    assert game.result is not None
    seat = game.result.seats[0]
    assert (seat.prestige, seat.population, seat.score) == (19, 12, score)


def test_example_o_the_sea_of_friday_2() -> None:
    """O2, P4."""
    game = Game(make_options(4, ["hellas", "sea"]), "friday-2")
    assert game.decision is not None
    assert game.decision.seat == 2
    assert legal(game) == ['{"type":"buy_sea","tile":"S1"}', '{"type":"skip"}']
    events = play(game, '{"type":"buy_sea","tile":"S1"}')
    assert {"type": "chose", "seat": 2, "kind": "bid", "move": {"type": "pass"}, "forced": True} in events
    assert game.decision.seat == 1


@pytest.mark.parametrize(("mat", "food"), [("Naxos", 0), ("Salamis", 2)])
def test_example_o_two_sea_tiles_at_the_meal(mat: str, food: int) -> None:
    """O3, V1."""
    game = Game(make_options(2, ["sea", "colonies"]), "friday-1")
    put_part(game.state.seats[0], SeaSeat(("S1", "S2")))
    game = at(game, SupplySeat(0, final=False), mat=mat, pop=5, food=3)
    assert (game.state.seats[0].pop, game.state.seats[0].food) == (5, food)


def test_example_t_wood_for_food() -> None:
    """T2, P6."""
    game = Game(make_options(2, ["trade"]), "friday-1")
    put_part(game.state, TradeTable("K1"))
    game = at(game, AskTrade(0), wood=2, stone=1, food=12)
    stone = '{"type":"trade","give":"stone","given":1,"get":"food","got":1}'
    wood = [f'{{"type":"trade","give":"wood","given":{n},"get":"food","got":{n}}}' for n in (1, 2)]
    assert legal(game) == [*wood, stone, SKIP]
    assert stock(0, "trade", wood=-2, food=1, lux=1) in play(game, wood[1])
    assert legal(game) == [stone, SKIP]


def test_example_g_a_herd_of_five() -> None:
    """G1, G2."""
    game = Game(make_options(2, ["goats"]), "friday-1")
    put_part(game.state.seats[0], Herd(3))
    game = at(game, GiveIncomes(), AfterIncome(), buildings=("A22",), taken="A22")
    assert {"type": "herd", "seat": 0, "goats": 5} in told(game.events)
    assert legal(game) == [f'{{"type":"exchange","resource":"wood","goats":{n}}}' for n in range(6)]
    events = play(game, *(f'{{"type":"exchange","resource":"{r}","goats":{n}}}' for r, n in GOATS))
    assert [event for event in events if event["type"] == "stock"] == [
        stock(0, "goats", wood=2),
        stock(0, "goats", coin=3),
    ]
    assert part(game.state.seats[0], Herd).goats == 0


def test_example_h_the_aid_for_a_conquest_tile() -> None:
    """H1, H2."""
    game = Game(make_options(2, ["athens"]), "friday-1")
    assert legal(game)[-2:] == ['{"type":"take_aid","tile":"A02"}', PASS]
    play(game, '{"type":"take_aid","tile":"A02"}')
    assert game.state.seats[1].coin == 7
    assert [move for move in legal(game) if "A02" in move or "aid" in move] == []
    events = play(game, *bids("A01", 3))
    assert {"type": "ordered", "order": [0, 1]} in events
    events = play(game, PASS)
    assert {"type": "chose", "seat": 1, "kind": "bid", "move": {"type": "pass"}, "forced": True} in events
    assert {"type": "aid_returned", "seat": 1} in events
    assert any("take_aid" in move for move in legal(game))


def test_example_u_the_skull_shows() -> None:
    """U1, P5."""
    game = Game(make_options(2, ["hellas", "sacrum"]), "friday-1")
    game = at(game, AskSacrifice(0), Score(), pop=5, coin=2, lux=3)
    assert legal(game) == [f'{{"type":"sacrifice","inhabitants":{n}}}' for n in (1, 2, 3)] + [SKIP]
    treasury = at(game.clone(), AskSacrifice(0), Score(), buildings=("D31",))
    for one, points in ((game, 4), (treasury, 6)):
        assert stock(0, "sacrifice", coin=-2, pop=-2) in play(one, '{"type":"sacrifice","inhabitants":2}')
        assert one.result is not None
        assert one.result.seats[0].population == 3 * 3 + points


def fighters(*heroes: str, modules: Sequence[str] = FIGHT, colonies: tuple[str, ...] = ()) -> Game:
    draft = {"heroes": heroes} | ({"colonies": colonies} if colonies else {})
    return Game(make_options(len(heroes), modules, draft=draft), "friday-1")


def set_strengths(game: Game, *strengths: int) -> None:
    for seat, strength in zip(game.state.seats, strengths, strict=True):
        put_part(seat, StrengthSeat(strength))


def strengths(game: Game) -> list[int]:
    return [part(seat, StrengthSeat).strength for seat in game.state.seats]


def test_example_c_no_two_chits_of_a_kind_in_a_row() -> None:
    """C1."""
    game = fighters("Penelope", "Helen")
    game.state.pile = ("plague", "plague", "tempest", "tempest", "blank", "drought")
    game = at(game, DrawChits())
    assert game.state.chits == {"plague": 1, "tempest": 1, "blank": 1}
    assert game.state.pile == ("drought", "plague", "tempest")


@pytest.mark.parametrize(("third", "after"), [(2, [3, 2, 1]), (1, [3, 2, 0]), (0, [7, 4, 0])])
def test_example_c_the_persians_attack(third: int, after: list[int]) -> None:
    """C3: 12 against 13, 12 and 11."""
    game = fighters("Achilles", "Andromeda", "Penelope")
    game.state.chits = {"persians_1": 2, "persians_2": 1}
    set_strengths(game, 7, 4, third)
    game = at(game, Attack("first_attack"))
    repelled = third > 0
    told_so = {"type": "attack", "persians": 12, "defence": 11 + third, "repelled": repelled}
    assert told_so in told(game.events)
    assert strengths(game) == after
    assert [part(seat, HeroSeat).turned for seat in game.state.seats] == [not repelled] * 3


def test_example_c_a_conflict() -> None:
    """C4."""
    game = fighters("Achilles", "Andromeda", "Penelope")
    game.state.order = (2, 0, 1)
    set_strengths(game, 5, 3, 5)
    game = at(game, EndSupply(final=False))
    assert told(game.events)[0] == {"type": "conflict", "strong": 2, "weak": 1, "cloverleaves": 1, "inhabitants": 1}
    assert strengths(game) == [5, 3, 2]


def test_example_c_strength_for_a_street() -> None:
    """C2, C6."""
    game = at(fighters("Achilles", "Helen"), AskBuild(0, "A14"), wood=1, stone=2, coin=1)
    play(game, '{"type":"pay","tile":"A14"}')
    assert legal(game) == ['{"type":"strengthen","tile":"A14"}', SKIP]
    events = play(game, '{"type":"strengthen","tile":"A14"}')
    assert stock(0, "strength", wood=-1, stone=-1) in events
    assert strengths(game) == [11, 1]


@pytest.mark.parametrize(("way", "paid"), [("less wood", {"stone": -2}), ("less stone", {"wood": -2})])
def test_example_c_daedalus_and_the_quarry(way: str, paid: dict[str, int]) -> None:
    """C6."""
    game = at(fighters("Daedalus", "Helen"), AskBuild(0, "B13"), wood=2, stone=2)
    assert stock(0, "build", **paid) in play(game, f'{{"type":"pay","tile":"B13","way":"{way}"}}')


def test_example_c_a_negotiation() -> None:
    """C7."""
    game = Game(make_options(2, ["heroes-and-colonies", "negotiation"]), "friday-1")
    assert [seat.civilization for seat in game.state.seats] == ["Sikyon", "Argos"]
    assert [seat.mat for seat in game.state.seats] == ["Miletus", "Naukratis"]
    assert [part(seat, HeroSeat).hero for seat in game.state.seats] == ["Penelope", "Helen"]
    assert [(seat.coin, seat.pop) for seat in game.state.seats] == [(9, 0), (5, 0)]
    play(game, '{"type":"offer_swap","deck":"colonies","seat":0,"coins":2}', '{"type":"accept"}')
    assert [(seat.coin, seat.mat) for seat in game.state.seats] == [(11, "Naukratis"), (3, "Miletus")]
    events = play(game, SKIP, SKIP, SKIP)
    assert stock(1, "start", coin=5, pop=4) in events
    assert strengths(game)[1] == 1


def test_example_c_a_score() -> None:
    """C5."""
    game = fighters("Penelope", "Helen", modules=["heroes-and-colonies"], colonies=("Byzantium", "Naxos"))
    put_part(game.state.seats[0], StrengthSeat(strength=0, cloverleaves=3, mercenaries=2))
    game = at(game, Score(), lands=("A01",), buildings=("C01", "C07", "C08"), coin=9, pop=6)
    assert game.result is not None
    seat = game.result.seats[0]
    assert (seat.prestige, seat.population, seat.score) == (31, 30, 30)


def test_example_m_two_players_with_three_modules() -> None:
    """M."""
    rules = rules_for(make_options(2, ["trade", "goats", "sacrum"]))
    assert (rules.open_tiles, rules.tiles_per_round) == (2, 7)
    with pytest.raises(ConfigError, match="needs persians"):
        make_options(2, ["heroes"])
