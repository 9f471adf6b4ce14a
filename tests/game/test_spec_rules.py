"""spec/RULES.md is executable: its deals, ids, moves and tables hold; its examples are in test_spec_examples.

The deals are checked twice: against the engine, and against the page's own description, written down again here
without a line of `peloarena.game.chance`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from peloarena.game import RULES, Game, decode, encode, make_options
from peloarena.game.disasters import DISASTERS
from peloarena.game.kinds import Move, tag_of
from peloarena.game.modules.heroes.shapes import Hero, HeroSeat
from peloarena.game.parts import part
from peloarena.game.registry import MOVES
from peloarena.game.rulebook import full_catalogue
from peloarena.game.solo import Campaign

PAGE = (Path(__file__).parents[2] / "spec" / "RULES.md").read_text(encoding="utf-8")

IDS = """
P1 P2 P3 P4 P5 P6  S1 S2 S3  R1 R2 R2a R2b R2c R2d R2e R3 R4 R4a R4b R5 R6 R7  D1 D2 D3 D4 D5 D6  V1 V2 V3  E1 E2
Z1 Z2 Z3  X1 X2  L1 L2  O1 O2 O3  T1 T2  G1 G2 G3  H1 H2  C1 C2 C3 C4 C5 C6 C7  U1
"""
"""Ids that code, tests and records' readers rely on. Newer modules add theirs to the page only."""


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
        campaign = campaign.with_result(used[-1], score=99, passed=True)
    assert ", ".join(used) in " ".join(PAGE.split())


# --- the page is complete


def test_the_page_names_its_version() -> None:
    """P2: the same choices give the same game by the same version."""
    assert f"This page is version {RULES};" in PAGE


def test_every_rule_id_stands_in_the_page_once() -> None:
    found = re.findall(r"^(?:- )?\*\*([A-Z]\d+[a-z]?)\*\* ", PAGE, re.MULTILINE)
    assert len(found) == len(set(found))
    assert [rule for rule in found if rule in IDS.split()] == IDS.split()


def test_every_chapter_has_a_worked_example_and_a_link() -> None:
    chapters = dict(re.findall(r"^## ([A-Z])  [^\n]*\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
    assert {rule[0] for rule in IDS.split()} | {"M"} <= set(chapters)
    assert re.findall(r"\[([A-Z]) [^\]]+\]\(#[a-z]--", PAGE.partition("\n## Words")[0]) == list(chapters)
    assert [letter for letter, text in chapters.items() if "\n### Example" not in text] == []


def test_every_move_is_shown_as_json_and_decodes() -> None:
    shown = {tag_of(type(decode(text, Move))) for text in moves_shown()}
    missing = [tag_of(kind) for kind in MOVES if tag_of(kind) not in shown]
    assert missing == [], "give each of these an example in spec/RULES.md"


def moves_shown() -> list[str]:
    known = [tag_of(kind) for kind in MOVES]
    found = re.findall(r'`(\{"type":"(\w+)"[^`]*\})`', PAGE)
    return [text for text, tag in found if tag in known and "..." not in text]


def test_the_sacrum_pile_and_the_trade_tiles_are_shuffled_as_described() -> None:
    """T1, U1: over a whole game."""
    game = Game(make_options(2, ["trade", "sacrum"]), "friday-1")
    pile = [chit.split("/")[0] for chit in shuffle_as_written("friday-1", "sacrum", named_copies(SACRUM))]
    trade = [tile for n in (1, 2) for tile in shuffle_as_written("friday-1", "trade", TRADE_TILES, n)]
    events = json.loads(encode(game.opening))
    while game.decision is not None:
        events += json.loads(encode(game.choose(game.decision.legal[-1])))
    assert [event["tile"] for event in events if event["type"] == "trade_tile"] == trade[:8]
    for turn, shown in enumerate((event["chits"] for event in events if event["type"] == "sacrum"), 1):
        top, rest = pile[:2], pile[2:]
        assert shown == top
        pile = rest + shuffle_as_written("friday-1", "sacrum", top, turn + 1)


SACRUM = ["skull", *["blank"] * 4]
TRADE_TILES = [f"K{n}" for n in range(1, 6)]


# --- Heroes and Colonies

COUNTED = (("coin", "coin", "coins"), ("food", "food", "food"), ("pop", "inhabitant", "inhabitants"))


def cells(name: str, chapter: str) -> list[str]:
    """The cells of a line in one of the tables under this heading, without their marks."""
    text = PAGE.partition(f"### {chapter}")[2].partition("\n### ")[0]
    line = text.partition(f"\n| {name} |")[2].splitlines()[0]
    return [cell.replace("[reconstructed]", "").strip() for cell in line.strip("|").split("|")]


def test_the_heroes_are_those_of_the_catalogue() -> None:
    """C6."""
    heroes = full_catalogue().deck("heroes", Hero)
    assert len(heroes) == 10
    for hero in heroes.values():
        start = [(n, one if n == 1 else many) for key, one, many in COUNTED if (n := getattr(hero.start, key))]
        start += [(hero.strength, "strength")] * bool(hero.strength)
        points, starts, _, turned = cells(hero.id, "The heroes")
        assert points == str(hero.points)
        assert starts == ", ".join(f"{n} {word}" for n, word in start)
        assert turned.replace("–", "nothing") == hero.turned.signed_text()


def test_the_colonies_are_those_of_the_catalogue() -> None:
    """C6."""
    boards = [mat for mat in full_catalogue().mats.values() if mat.set == "colonies"]
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


def test_heroes_and_colonies_are_dealt_as_described() -> None:
    """P2, C1."""
    game = Game(make_options(5, ["heroes-and-colonies"]), "friday-1")
    heroes = shuffle_as_written("friday-1", "heroes", list(full_catalogue().cards["heroes"]))
    colonies = shuffle_as_written(
        "friday-1", "colonies", [m.id for m in full_catalogue().mats.values() if m.id != "mat"]
    )
    chits = {"persians_1": 4, "persians_2": 4, "blank": 1} | dict.fromkeys(DISASTERS, 3)
    copies = [f"{kind}/{n}" for kind, count in chits.items() for n in range(1, count + 1)]
    assert [part(seat, HeroSeat).hero for seat in game.state.seats] == heroes[:5]
    assert [seat.mat for seat in game.state.seats] == colonies[:5]
    assert list(game.state.pile) == [c.split("/")[0] for c in shuffle_as_written("friday-1", "chits", copies)]
