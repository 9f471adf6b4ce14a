"""Test vectors: games question by question, so that an engine in another language can be proven equal to ours.

A vector is a list of lines (spec/vectors/README.md). This module makes ours, and checks anybody's by playing them again
and comparing value by value. Pure except for the built-in bot that chooses most moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import msgspec
from msgspec import Struct, UnsetType

from ..game import RULES, ConfigError, Decision, Game, GameOptions, Result, View, encode, make_options
from ..game.kinds import Move, tag_of
from ..game.options import with_needed_modules
from ..game.registry import MODULES
from ..protocol.about import About, about_of
from .bot_functions import load_builtin_bot
from .playouts import builtin_bot_policy, newgame_for_seat

VECTOR_FORMAT = 1
RANDOM_MOVE_PROBABILITY = 0.35
"""Probability of a random move; greedy makes the others, so that games develop."""
CHOOSING_BOT = "greedy"
MAX_DEALS_TRIED = 40
"""Deals that are tried for a file of a module."""
SHOWN_VALUE_LENGTH = 80
"""Characters of a value, in a difference."""


class VectorHead(Struct, frozen=True, tag="vector", forbid_unknown_fields=True):
    """The options and the deal."""

    format: int
    rules: int
    options: GameOptions
    seed: str


class VectorQuestion(Struct, frozen=True, tag="question"):
    """A position in which a seat has a choice, and its choice."""

    number: int
    """From 1 on."""
    seat: int
    kind: str
    legal: list[Move]
    state: View
    """The state as this seat sees it."""
    index: int
    """The chosen move."""
    about: About | UnsetType = msgspec.UNSET


class VectorResult(Struct, frozen=True, tag="result"):
    result: Result


class VectorError(Exception):
    """A vector that does not follow the rules: the line, from 1 on, and the difference."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


# ---- making


def standard_vector_options() -> dict[str, GameOptions]:
    """The files of spec/vectors, by name."""
    options = {f"base-{players}": make_options(players) for players in (2, 3, 4)}
    options |= {f"solo-{level}": make_options(1, level=level) for level in (1, 2, 3, 4, 5)}
    options |= {
        f"{name}-{players_for_module(name)}": make_options(players_for_module(name), with_needed_modules([name]))
        for name in MODULES
    }
    options["everything-2"] = make_options(2, list(MODULES))
    options["everything-3"] = make_options(3, list(MODULES))
    options["solo-everything"] = make_options(1, [name for name, module in MODULES.items() if 1 in module.players], 3)
    heroes: dict[str, tuple[str, ...]] = {"heroes": ("Ariadne", "Odysseus")}
    options["heroes-who-ask-2"] = make_options(2, with_needed_modules(["heroes"]), draft=heroes)
    options["draft-2"] = make_options(2, draft={"civilizations": ("Sparta", "Arkadia")})
    options["components-2"] = make_options(2, components="[tiles.A07]\npoints = 9\nmin = 1\n")
    return options


def players_for_module(name: str) -> int:
    """Two players, or as many as the module needs."""
    fewest = max(MODULES[need].players.start for need in with_needed_modules([name]))
    return max(2, fewest)


def make_vector(options: GameOptions, seed: str) -> bytes:
    """A whole game; the same options and seed make the same one."""
    game, chance = Game(options, seed), Random(seed)
    policy = builtin_bot_policy(
        load_builtin_bot(CHOOSING_BOT), [newgame_for_seat(options, n) for n in range(options.players)], chance
    )

    def choose_index(decision: Decision) -> int:
        if chance.random() < RANDOM_MOVE_PROBABILITY:
            return int(chance.random() * len(decision.legal))
        return decision.legal.index(policy(game))

    lines: list[object] = [VectorHead(VECTOR_FORMAT, RULES, options, seed)]
    while (decision := game.decision) is not None:
        index = choose_index(decision)
        lines.append(question_line(game, decision, len(lines), index))
        game.choose(decision.legal[index])
    assert game.result is not None
    lines.append(VectorResult(game.result))
    return b"".join(encode(line) + b"\n" for line in lines)


def question_line(game: Game, decision: Decision, number: int, index: int) -> VectorQuestion:
    state = game.view(decision.seat)
    subject = about_of(game.state.agenda[-1])
    return VectorQuestion(number, decision.seat, decision.kind, decision.legal, state, index, subject)


def make_covering_vector(name: str, options: GameOptions) -> bytes:
    """Tries some seeds and returns a game with all moves that the file is about, or with as many as possible."""
    module = MODULES.get(name.rpartition("-")[0])
    wanted = set() if module is None else {tag_of(move) for move in module.moves}
    best, most = b"", -1
    for number in range(1, MAX_DEALS_TRIED + 1):
        vector = make_vector(options, f"vector {name}" if number == 1 else f"vector {name} {number}")
        found = len(wanted & chosen_moves(vector))
        if found > most:
            best, most = vector, found
        if most == len(wanted):
            break
    return best


def chosen_moves(vector: bytes) -> set[str]:
    questions = [line for line in map(json.loads, vector.splitlines()) if line["type"] == "question"]
    return {question["legal"][question["index"]]["type"] for question in questions}


# ---- checking


def check_vector(data: bytes) -> int:
    """Plays it again and returns the number of its questions. VectorError at the first line that does not follow the
    rules."""
    texts = data.split(b"\n")
    if texts.pop() != b"":
        raise VectorError(len(texts) + 1, "the last line does not end with a line feed")
    if not texts:
        raise VectorError(1, "the file is empty")
    game = start_game(texts[0])
    for number, text in enumerate(texts[1:], start=1):
        theirs = read_line(number + 1, text)
        if game.decision is None:
            compare(number + 1, "the result", theirs, VectorResult(final_result(game)))
            if number + 1 < len(texts):
                raise VectorError(number + 2, "the game is over, but another line follows")
            return number - 1
        check_question(game, game.decision, number, theirs)
    raise VectorError(len(texts) + 1, "the vector ends before the game does")


def final_result(game: Game) -> Result:
    assert game.result is not None
    return game.result


def start_game(text: bytes) -> Game:
    try:
        head = msgspec.json.decode(text, type=VectorHead)
        if head.format != VECTOR_FORMAT or head.rules not in range(1, RULES + 1):
            raise VectorError(
                1, f"format {head.format}, rules {head.rules}: {VECTOR_FORMAT} and up to {RULES} are known"
            )
        given = head.options
        options = make_options(given.players, given.modules, given.level, given.draft, given.components)
        return Game(options, head.seed, head.rules)
    except (msgspec.DecodeError, UnicodeDecodeError, ConfigError) as error:
        raise VectorError(1, str(error)) from None


def read_line(number: int, text: bytes) -> dict[str, object]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise VectorError(number, f"not JSON: {error}") from None
    if not isinstance(line, dict):
        raise VectorError(number, "not a JSON object")
    return line


def check_question(game: Game, decision: Decision, number: int, theirs: dict[str, object]) -> None:
    """Checks one question: everything must follow the rules, except for the index, which is a free choice."""
    line, which, index = number + 1, f"question {number}, {decision.kind} of seat {decision.seat}", theirs.get("index")
    chosen = index if type(index) is int and 0 <= index < len(decision.legal) else 0
    compare(line, which, {**theirs, "index": chosen}, question_line(game, decision, number, chosen))
    if index is not chosen:
        raise VectorError(
            line, f"{which}: $.index is {shorten_json(index)}; it should be 0 to {len(decision.legal) - 1}"
        )
    game.choose(decision.legal[chosen])


def compare(line: int, which: str, theirs: dict[str, object], ours: VectorQuestion | VectorResult) -> None:
    problem = next(differences(theirs, json.loads(encode(ours)), "$"), "")
    if problem:
        raise VectorError(line, f"{which}: {problem}")


def differences(theirs: object, ours: object, path: str) -> Iterator[str]:
    """In words, in the order of our fields; types count (`1` is not `true`, nor `1.0`)."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for key in ours:
            if key not in theirs:
                yield f"{path}.{key} is missing; it should be {shorten_json(ours[key])}"
            else:
                yield from differences(theirs[key], ours[key], f"{path}.{key}")
        yield from (f"{path}.{key} is unknown: {shorten_json(theirs[key])}" for key in theirs if key not in ours)
    elif isinstance(theirs, list) and isinstance(ours, list):
        for at, (one, other) in enumerate(zip(theirs, ours, strict=False)):
            yield from differences(one, other, f"{path}[{at}]")
        if len(theirs) != len(ours):
            yield f"{path} has {len(theirs)} entries; it should have {len(ours)}: {shorten_json(ours)}"
    elif type(theirs) is not type(ours) or theirs != ours:
        yield f"{path} is {shorten_json(theirs)}; it should be {shorten_json(ours)}"


def shorten_json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= SHOWN_VALUE_LENGTH else f"{text[:SHOWN_VALUE_LENGTH]} ..."
