"""spec/RULES.md is executable: its deals, ids, moves and worked examples hold.

The deals are checked twice: against the engine, and against the page's own description, written down again here
without a line of `peloarena.game.chance`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from peloarena.game import ConfigError, Game, decode, encode, make_options
from peloarena.game.disasters import DISASTERS
from peloarena.game.holdings import refresh
from peloarena.game.kinds import Event, Move, Step
from peloarena.game.modules.goats import Herd
from peloarena.game.modules.heroes import Hero, HeroSeat
from peloarena.game.modules.persians.attacks import Attack
from peloarena.game.modules.persians.strength import StrengthSeat
from peloarena.game.modules.sacrum import AskSacrifice
from peloarena.game.modules.trade import AskTrade, TradeTable
from peloarena.game.registry import KINDS, MODULES, MOVES, catalogue, rules_for
from peloarena.game.solo import Campaign
from peloarena.game.state import Marker, State, part, put_part, tag_of
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

IDS = """
P1 P2 P3 P4 P5 P6  S1 S2 S3  R1 R2 R2a R2b R2c R2d R2e R3 R4 R4a R4b R5 R6 R7  D1 D2 D3 D4 D5 D6  V1 V2 V3  E1 E2
Z1 Z2 Z3  X1 X2  L1 L2  O1 O2 O3  T1 T2  G1 G2 G3  H1 H2  C1 C2 C3 C4 C5 C6 C7  U1
"""
CHAPTERS = "PSRDVEZXLOTGHCUM"


class Deal(msgspec.Struct, forbid_unknown_fields=True):
    """A test vector of the chapter "Chance"."""

    seed: str
    options: dict[str, object]
    civilizations: list[str]
    order: list[int]
    chits: list[str]
    stack_a: list[str] = msgspec.field(name="stack A")
    stack_b: list[str] = msgspec.field(name="stack B")
    stack_c: list[str] = msgspec.field(name="stack C")
    stack_d: list[str] = msgspec.field(name="stack D", default_factory=list)
    sea: list[str] = []

    def game(self) -> Game:
        return Game(make_options(**self.options), self.seed)  # type: ignore[arg-type]


DEALS = [msgspec.json.decode(block, type=Deal) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


# --- the page's own words, once more


def shuffle_as_written(seed: str, deck: str, cards: list[str], n: int = 1) -> list[str]:
    a = sorted(cards, key=lambda card: card.encode("ascii"))
    hashed = words(f"{seed}\n{deck}\n{n}\n".encode("ascii"))
    for i in range(len(a) - 1, 0, -1):
        m = i + 1
        w = next(hashed)
        while w >= 2**32 - 2**32 % m:
            w = next(hashed)
        a[i], a[w % m] = a[w % m], a[i]
    return a


def words(prefix: bytes) -> Iterator[int]:
    counter = 0
    while True:
        digest = hashlib.sha256(prefix + str(counter).encode()).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        counter += 1


def named_copies(faces: list[str]) -> list[str]:
    return [f"{face}/{n}" for face in set(faces) for n in range(1, faces.count(face) + 1)]


BASE_CIVILIZATIONS = ["Messene", "Patras", "Arkadia", "Korinth", "Sparta", "Pylos", "Argos"]
HELLAS_CIVILIZATIONS = ["Syrakus", "Delphi", "Thebes"]


def test_the_page_has_three_deals() -> None:
    assert [(deal.seed, deal.options) for deal in DEALS] == [
        ("friday-1", {"players": 2}),
        ("friday-2", {"players": 4, "modules": ["hellas", "sea"]}),
        ("friday-3", {"players": 1, "level": 3}),
    ]


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal.seed)
def test_the_description_of_chance_gives_the_deals(deal: Deal) -> None:
    """P2, S1, S2, O1."""
    civilizations = BASE_CIVILIZATIONS + (HELLAS_CIVILIZATIONS if deal.stack_d else [])
    assert shuffle_as_written(deal.seed, "civilizations", civilizations)[: len(deal.order)] == deal.civilizations
    for letter, stack in zip("ABCD", (deal.stack_a, deal.stack_b, deal.stack_c, deal.stack_d), strict=True):
        assert shuffle_as_written(deal.seed, f"stack {letter}", stack) == stack
    chits = shuffle_as_written(deal.seed, "chits", named_copies(deal.chits))
    assert [chit.split("/")[0] for chit in chits] == deal.chits
    if deal.sea:
        tiles = [f"S{n}" for n in range(1, 9)]
        assert shuffle_as_written(deal.seed, "sea", tiles)[: len(deal.order)] == deal.sea


@pytest.mark.parametrize("deal", DEALS, ids=lambda deal: deal.seed)
def test_the_engine_gives_the_deals(deal: Deal) -> None:
    """P2, S1, S2, O1."""
    game = deal.game()
    state = game.state
    assert [seat.civilization for seat in state.seats] == deal.civilizations
    assert list(state.order) == deal.order
    drawn = [*state.open, *state.conquest, *state.deck]
    assert drawn == deal.stack_a + deal.stack_b + deal.stack_c + deal.stack_d
    assert list(state.pile) == deal.chits
    table = json.loads(encode(state.parts)).get("sea_table", {"tiles": []})
    assert table["tiles"] == deal.sea


def test_the_shuffle_worked_out_in_the_page_is_right() -> None:
    """P2: digest, words and every line of the table."""
    digest = hashlib.sha256(b"friday-1\ncivilizations\n1\n0").hexdigest()
    assert " ".join(digest[i : i + 8] for i in range(0, 64, 8)) in PAGE
    cards = sorted(BASE_CIVILIZATIONS)
    hashed = words(b"friday-1\ncivilizations\n1\n")
    for i in range(6, 0, -1):
        w = next(hashed)
        cards[i], cards[w % (i + 1)] = cards[w % (i + 1)], cards[i]
        assert f"| {i} | {w} | {w % (i + 1)} | {' '.join(cards)} |" in PAGE


def test_campaign_seeds_and_civilizations_are_as_described() -> None:
    """P2, Z3."""
    used: list[str] = []
    campaign = Campaign(make_options(1, level=1), "friday-3")
    for level in range(1, 6):
        options, seed = campaign.next_game(sorted(BASE_CIVILIZATIONS))
        assert seed == f"friday-3/{level}"
        shuffled = shuffle_as_written(seed, "civilizations", BASE_CIVILIZATIONS)
        used.append(next(name for name in shuffled if name not in used))
        assert options.draft["civilizations"] == (used[-1],)
        campaign = campaign.after(used[-1], score=99, passed=True)
    assert ", ".join(used) in " ".join(PAGE.split())


# --- the page is complete


def test_every_rule_id_stands_in_the_page_once() -> None:
    found = re.findall(r"^(?:- )?\*\*([A-Z]\d+[a-z]?)\*\* ", PAGE, re.MULTILINE)
    assert found == IDS.split()


def test_every_chapter_has_a_worked_example() -> None:
    chapters = dict(re.findall(r"^## ([A-Z])  [^\n]*\n(.*?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
    assert "".join(chapters) == CHAPTERS
    assert [letter for letter, text in chapters.items() if "\n### Example" not in text] == []


def test_every_move_is_shown_as_json_and_decodes() -> None:
    shown = {tag_of(type(decode(text, Move))) for text in moves_shown()}
    missing = [tag_of(kind) for kind in MOVES if tag_of(kind) not in shown]
    assert missing == [], "give each of these an example in spec/RULES.md"


def moves_shown() -> list[str]:
    known = [tag_of(kind) for kind in MOVES]
    found = re.findall(r'`(\{"type":"(\w+)"[^`]*\})`', PAGE)
    return [text for text, tag in found if tag in known and "..." not in text]


def test_every_kind_of_decision_stands_in_the_table() -> None:
    table = PAGE.partition("## Decisions at a glance")[2].partition("\n## ")[0]
    assert [kind for kind in KINDS if f"| `{kind}` |" not in table] == []


# --- the worked examples


def at(game: Game, *agenda: Step, **goods: object) -> Game:
    """The game with this pending only, seat 0 changed."""
    state: State = game.state
    for name, value in goods.items():
        setattr(state.seats[0], name, value)
    refresh(game, 0)
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
    refresh(game, 0)
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
    game = DEALS[2].game()
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
    game = DEALS[1].game()
    assert game.decision is not None
    assert game.decision.seat == 2
    assert legal(game) == ['{"type":"buy_sea","tile":"S1"}', '{"type":"skip"}']
    events = play(game, '{"type":"buy_sea","tile":"S1"}')
    assert {"type": "chose", "seat": 2, "kind": "bid", "move": {"type": "pass"}, "forced": True} in events
    assert game.decision.seat == 1


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


GOATS = [("wood", 2), ("stone", 0), ("food", 0)]


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


def test_the_sacrum_pile_and_the_trade_tiles_are_shuffled_as_described() -> None:
    """T1, U1: over a whole game."""
    game = Game(make_options(2, ["trade", "sacrum"]), "friday-1")
    pile = [chit.split("/")[0] for chit in shuffle_as_written("friday-1", "sacrum", named_copies(SACRUM))]
    trade = [tile for n in (1, 2) for tile in shuffle_as_written("friday-1", "trade", TRADE_TILES, n)]
    events = told(game.opening)
    while game.decision is not None:
        events += told(game.choose(game.decision.legal[-1]))
    assert [event["tile"] for event in events if event["type"] == "trade_tile"] == trade[:8]
    for turn, shown in enumerate((event["chits"] for event in events if event["type"] == "sacrum"), 1):
        top, rest = pile[:2], pile[2:]
        assert shown == top
        pile = rest + shuffle_as_written("friday-1", "sacrum", top, turn + 1)


SACRUM = ["skull", *["blank"] * 4]
TRADE_TILES = [f"K{n}" for n in range(1, 6)]


# --- Heroes and Colonies

FIGHT = ["heroes", "persians"]
COUNTED = (("coin", "coin", "coins"), ("food", "food", "food"), ("pop", "inhabitant", "inhabitants"))


def cells(name: str, chapter: str) -> list[str]:
    """The cells of a line in one of the tables under this heading, without their marks."""
    text = PAGE.partition(f"### {chapter}")[2].partition("\n### ")[0]
    line = text.partition(f"\n| {name} |")[2].splitlines()[0]
    return [cell.replace("[reconstructed]", "").strip() for cell in line.strip("|").split("|")]


def test_the_heroes_are_those_of_the_catalogue() -> None:
    """C6."""
    heroes = catalogue().deck("heroes", Hero)
    assert len(heroes) == 10
    for hero in heroes.values():
        start = [(n, one if n == 1 else many) for key, one, many in COUNTED if (n := getattr(hero.start, key))]
        start += [(hero.strength, "strength")] * bool(hero.strength)
        points, starts, _, turned = cells(hero.id, "The heroes")
        assert points == str(hero.points)
        assert starts == ", ".join(f"{n} {word}" for n, word in start)
        assert turned.replace("–", "nothing") == hero.turned.signed()


def test_the_colonies_are_those_of_the_catalogue() -> None:
    """C6."""
    boards = [mat for mat in catalogue().mats.values() if mat.set == "colonies"]
    assert len(boards) == 9
    for board in boards:
        storage = board.storage
        rows = [f"{coins} + {luxury}" if luxury else f"{coins}" for _, coins, luxury in board.income]
        assert [start for start, _, _ in board.income] == [0, 3, 5, 8, 11, 14, 17, 20]
        rates = [str(board.coins_per_point), str(board.points_per_inhabitant)]
        assert cells(board.id, "The colonies") == [
            f"{storage.wood} / {storage.stone} / {storage.food}",
            *rows,
            *rates,
        ]


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


def test_heroes_and_colonies_are_dealt_as_described() -> None:
    """P2, C1."""
    game = Game(make_options(5, ["heroes-and-colonies"]), "friday-1")
    heroes = shuffle_as_written("friday-1", "heroes", list(catalogue().cards["heroes"]))
    colonies = shuffle_as_written("friday-1", "colonies", [m.id for m in catalogue().mats.values() if m.id != "mat"])
    chits = {"persians_1": 4, "persians_2": 4, "blank": 1} | dict.fromkeys(DISASTERS, 3)
    copies = [f"{kind}/{n}" for kind, count in chits.items() for n in range(1, count + 1)]
    assert [part(seat, HeroSeat).hero for seat in game.state.seats] == heroes[:5]
    assert [seat.mat for seat in game.state.seats] == colonies[:5]
    assert list(game.state.pile) == [c.split("/")[0] for c in shuffle_as_written("friday-1", "chits", copies)]


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


def test_the_table_of_modules_is_that_of_the_registry() -> None:
    """M."""
    table = PAGE.partition("## M  ")[2].partition("\n- ")[0]
    for module in MODULES.values():
        line = table.partition(f"\n| `{module.name}` |")[2].splitlines()[0]
        needs, players, solo, _ = (cell.strip() for cell in line.strip("|").split("|"))
        assert set(re.findall(r"\w+", needs)) == set(module.needs)
        assert players == f"{module.players.start}–{module.players.stop - 1}"
        assert solo == ("yes" if 1 in module.players else "no")
