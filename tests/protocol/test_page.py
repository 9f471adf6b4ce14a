"""spec/PROTOCOL.md is executable: its examples decode, its tables are the code's, nothing is missing."""

from __future__ import annotations

import json
import tomllib
from typing import get_args

import msgspec
import pytest
from msgspec import UNSET
from protocol_page import between, blocks, code, field_tables, page, rows

from peloarena.game import Game, View, decode, make_options
from peloarena.game.kinds import Move, tag_of
from peloarena.game.moves import Bid
from peloarena.game.pieces import Catalogue, Civilization, Mat, Tile
from peloarena.game.registry import EVENTS, PARTS
from peloarena.game.shapes import Result, SeatResult
from peloarena.game.state import Marker, Offer, Seat
from peloarena.protocol import FAULTS, codec
from peloarena.protocol.dialogue import ACT_TRANSITIONS, RECEIVE_TRANSITIONS, SEND_TRANSITIONS, Phase, RefereeAct
from peloarena.protocol.lines import MAX_LINE_BYTES
from peloarena.protocol.messages import (
    PROTOCOL_VERSION,
    Answer,
    Decide,
    FromBot,
    TableOptions,
    TimeLimits,
    ToBot,
)
from peloarena.referee.bot_finder import MAX_LIMITS, Manifest
from peloarena.referee.sandbox.limits import Limits
from peloarena.referee.start_commands import DEFAULT_COMMANDS

PAGE = page("PROTOCOL.md")
BLOCKS = blocks(PAGE)
EXPLAINED = (
    *get_args(ToBot),
    *get_args(FromBot),
    *(TableOptions, TimeLimits, Result, SeatResult),
    *(View, Seat, Offer, Marker, Catalogue, Tile, Civilization, Mat, Manifest, Limits),
)


def tags(union: object) -> set[str]:
    return {tag_of(kind) for kind in get_args(union)}


# ---- examples


@pytest.mark.parametrize(("marker", "language", "content"), BLOCKS)
def test_every_example_decodes_as_what_it_claims_to_be(marker: str, language: str, content: str) -> None:
    if marker == "to bot":
        kind = {tag_of(kind): kind for kind in get_args(ToBot)}[json.loads(content)["type"]]
        message = decode(content, kind)
        assert json.loads(codec.encode(message)) == json.loads(content), "with all fields that the referee sends"
    elif marker == "from bot":
        codec.decode(content.encode())
    elif marker == "Seat":
        decode(content, Seat)
    else:
        assert (marker, language) == ("toml: Manifest", "toml"), "every example says what it is"
        msgspec.convert(tomllib.loads(content), Manifest)


def test_every_message_has_an_example() -> None:
    shown = {(marker, json.loads(content)["type"]) for marker, _, content in BLOCKS if marker in ("to bot", "from bot")}
    assert shown == {("to bot", t) for t in tags(ToBot)} | {("from bot", t) for t in tags(FromBot)}


def test_the_question_of_the_page_is_asked_in_that_game() -> None:
    """The example `decide` is what the referee sends in the game of RULES.md."""
    examples = [decode(c, Decide) for m, _, c in BLOCKS if m == "to bot" and json.loads(c)["type"] == "decide"]
    game = Game(make_options(2), "friday-1")
    events = [*game.opening, *game.choose(Bid("A07", 4))]
    assert game.decision is not None
    tiles = tuple(game.rules.tiles[tile] for tile in game.state.open + game.state.conquest)
    legal = game.decision.legal
    assert examples[0] == Decide(2, "bid", legal, 30000, UNSET, game.view(0), tiles)
    assert examples[1] == Decide(2, "bid", legal, 30000, events=events)
    events = game.choose(Bid("A07", 5))
    assert examples[2] == Decide(3, "move_bid", game.decision.legal, 30000, {"coins": 4}, events=events)


# ---- tables


@pytest.mark.parametrize("kind", EXPLAINED, ids=lambda kind: kind.__name__)
def test_every_field_is_explained(kind: type[msgspec.Struct]) -> None:
    assert sorted(field_tables(PAGE)[kind.__name__]) == sorted(kind.__struct_fields__)


def test_the_life_of_a_bot_is_the_table_of_the_dialogue() -> None:
    sends = [[a.name, f"→ `{tag_of(m)}`", b.name] for (a, m), b in SEND_TRANSITIONS.items()]
    receives = [[a.name, f"← `{tag_of(m)}`", b.name] for (a, m), b in RECEIVE_TRANSITIONS.items()]
    order = [*(phase.name for phase in Phase), "any"]
    in_order = sorted(sends + receives + acts(), key=lambda row: order.index(row[0]))
    assert rows(between(PAGE, "dialogue")) == in_order


def acts() -> list[list[str]]:
    """What the referee does without a word; one row for what it can do in any state."""
    found = []
    for act in RefereeAct:
        ways = {phase: following for (phase, done), following in ACT_TRANSITIONS.items() if done is act}
        everywhere = set(ways) == set(Phase) and len(set(ways.values())) == 1
        before = ["any"] if everywhere else [phase.name for phase in ways]
        found += [
            [name, f"– {act.value}", following.name] for name, following in zip(before, ways.values(), strict=False)
        ]
    return found


def test_moves_of_the_page_can_be_answered() -> None:
    for _, _, move, _ in rows(between(PAGE, "decisions")):
        answer = codec.decode(b'{"type":"answer","id":1,"move":' + code(move)[0].encode() + b"}")
        assert isinstance(answer, Answer)
        assert isinstance(answer.move, dict)
        assert codec.parse_move(answer.move) == decode(code(move)[0], Move)


def test_every_event_is_there_with_its_fields() -> None:
    shown = {row[0].strip("`"): tuple(code(row[1])) for row in rows(between(PAGE, "events"))}
    assert shown == {tag_of(kind): kind.__struct_fields__ for kind in EVENTS}  # type: ignore[attr-defined]


def test_every_part_is_there_with_its_fields() -> None:
    shown = {row[0].strip("`"): set(code(row[2])) for row in rows(between(PAGE, "parts"))}
    assert shown == {tag_of(kind): set(kind.__struct_fields__) for kind in PARTS}  # type: ignore[attr-defined]


def test_the_numbers_of_the_page_are_the_codes() -> None:
    assert f"{MAX_LINE_BYTES:,} bytes" in PAGE
    assert f"version of this page: {PROTOCOL_VERSION}." in PAGE
    assert ", ".join(f"`{name}`" for name in DEFAULT_COMMANDS) in " ".join(PAGE.split())
    names = Limits.__struct_fields__
    limits = {row[0].strip("`"): row[1:3] for row in rows(PAGE) if row[0].strip("`") in names}
    assert limits == {name: [str(getattr(Limits(), name)), str(getattr(MAX_LIMITS, name))] for name in names}


def test_every_verdict_is_explained() -> None:
    assert {row[0].strip("`") for row in rows(PAGE)} >= set(FAULTS)
