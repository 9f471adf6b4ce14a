"""A record as JSON for the board and the replay page: every decision with its position and its narration.

The engine plays the record here; the browser only draws. The narration is that of `peloarena replay`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..game import Game
from ..game.events import Struck, SupplyStarted
from ..game.json_codec import encode
from ..game.kinds import Event
from ..game.texts import Names
from ..narration.choices import choice_facts, group_into_choices
from ..narration.event_lines import StyledLine, is_notable, onlooker_lines, onlooker_names
from ..narration.game_result import FinalSeat, final_seats
from ..narration.position import Position, position_of
from ..referee.plain_text import to_plain_text
from ..referee.replay import Frame, Replay, read_replay
from ..referee.verdict import Verdict

MAX_CHOICES = 60
"""Alternatives that are listed; any more are only counted."""
DECIDED_BY_TEXTS = {"bot": "", "caretaker": "by the caretaker", "record": "in the record that this game continues"}


class SeatJson(Struct, frozen=True):
    name: str
    civilization: str
    version: str
    author: str
    kind: str


class ChoiceJson(Struct, frozen=True, omit_defaults=True):
    text: str
    chosen: bool = False


class FrameJson(Struct, frozen=True, omit_defaults=True):
    """A decision: the position before it, the move, and its result."""

    number: int
    round: int
    seat: int
    asks: str
    position: Position
    chosen: str
    legal: int
    choices: tuple[ChoiceJson, ...]
    told: tuple[StyledLine, ...]
    by: str = ""
    note: str = ""
    seconds: float | None = None
    cpu: float | None = None
    bank: float | None = None
    verdicts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """`disaster`, `supply`, `loss`, `verdict`: shown on the scrubber; the keys n and p jump to them."""


class ReplayJson(Struct, frozen=True):
    game: str
    seats: tuple[SeatJson, ...]
    modules: tuple[str, ...]
    rounds: int
    software: str
    opening: tuple[StyledLine, ...]
    frames: tuple[FrameJson, ...]
    end: Position
    last_verdicts: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int | None, ...]
    finals: tuple[FinalSeat, ...]
    """Both totals broken down, if the game was played to its end."""
    places: str
    seed: str
    digest: str


def encode_replay(data: bytes, game: str) -> bytes:
    """RecordError names the first line that is wrong."""
    return encode(replay_json_of(read_replay(data), game))


def replay_json_of(replay: Replay, game: str) -> ReplayJson:
    seats = tuple(map(to_plain_text, replay.names))
    header, end = replay.header, replay.final_game
    games = [*(frame.game for frame in replay.frames), end]
    frames = tuple(frame_json_of(frame, games[index + 1], seats) for index, frame in enumerate(replay.frames))
    names = onlooker_names(end, seats)
    return ReplayJson(
        game=game,
        seats=tuple(
            SeatJson(name, seat.civilization, to_plain_text(info.version), to_plain_text(info.author), info.kind)
            for name, seat, info in zip(seats, end.state.seats, header.seats, strict=True)
        ),
        modules=tuple(header.options.modules),
        rounds=end.rules.rounds,
        software=to_plain_text(header.software),
        opening=tuple(onlooker_lines(games[0], replay.opening, seats)),
        frames=frames,
        end=position_of(end, names),
        last_verdicts=verdict_texts(replay.last_verdicts, seats),
        ranks=replay.outcome.ranks,
        scores=replay.outcome.scores,
        finals=tuple(final_seats(end, names)) if end.result is not None else (),
        places=ranks_text(replay.outcome.ranks, seats),
        seed=to_plain_text(header.seed),
        digest=replay.digest,
    )


def frame_json_of(frame: Frame, after: Game, seats: Sequence[str]) -> FrameJson:
    line, timing, game = frame.line, frame.timing, frame.game
    assert game.decision is not None
    names = onlooker_names(game, seats)
    position = position_of(game, names, None)
    return FrameJson(
        number=line.id,
        round=position.round,
        seat=line.seat,
        asks=position.asked.text if position.asked else "",
        position=position,
        chosen=names.text(line.move),
        legal=len(game.decision.legal),
        choices=choices_json_of(frame, names),
        told=tuple(onlooker_lines(after, line.events, seats)),
        by=DECIDED_BY_TEXTS[line.by],
        note=to_plain_text(line.note),
        seconds=None if timing is None else timing.seconds,
        cpu=None if timing is None else timing.cpu,
        bank=None if timing is None else timing.bank,
        verdicts=verdict_texts(frame.verdicts, seats),
        marks=highlights_of(line.events, frame.verdicts),
    )


def choices_json_of(frame: Frame, names: Names) -> tuple[ChoiceJson, ...]:
    assert frame.game.decision is not None
    choices = group_into_choices(frame.game.decision.legal)
    facts = choice_facts(frame.game, names, choices)
    every = [
        ChoiceJson(fact.text, frame.line.move in choice.moves) for choice, fact in zip(choices, facts, strict=True)
    ]
    return tuple(one for index, one in enumerate(every) if one.chosen or index < MAX_CHOICES)


def verdict_texts(verdicts: Sequence[Verdict], seats: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{seats[verdict.seat]}: {verdict.fault}: {to_plain_text(verdict.reason)}" for verdict in verdicts)


def highlights_of(events: Sequence[Event], verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    found = ["verdict"] if verdicts else []
    found += ["disaster"] if any(isinstance(event, Struck) for event in events) else []
    found += ["supply"] if any(isinstance(event, SupplyStarted) for event in events) else []
    others = [event for event in events if is_notable(event) and not isinstance(event, Struck | SupplyStarted)]
    return tuple(found + (["loss"] if others else []))


def ranks_text(ranks: Sequence[int], seats: Sequence[str]) -> str:
    by_rank = sorted(zip(ranks, seats, strict=True), key=lambda pair: pair[0])
    return ", ".join(f"{rank}. {name}" for rank, name in by_rank)
