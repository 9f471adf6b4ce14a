"""A record as JSON for the board and the replay page: every decision with its position and its narration.

The engine plays the record here; the browser only draws. The narration is that of `peloarena replay`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..game import Game
from ..game.codec import encode
from ..game.events import Struck, SupplyStarted
from ..game.kinds import Event
from ..game.texts import Names
from ..referee.film import Film, Frame, read_film
from ..referee.plain_text import plain
from ..referee.verdict import Verdict
from ..telling.account import Line, account_lines, is_notable, onlooker_names
from ..telling.choices import choice_facts, choices_of
from ..telling.ending import FinalSeat, final_seats
from ..telling.position import Position, position_of

MOST_CHOICES = 60
"""Alternatives that are listed; any more are only counted."""
BY = {"bot": "", "caretaker": "by the caretaker", "record": "in the record that this game continues"}


class FilmSeat(Struct, frozen=True):
    name: str
    civilization: str
    version: str
    author: str
    kind: str


class FilmChoice(Struct, frozen=True, omit_defaults=True):
    text: str
    chosen: bool = False


class FilmFrame(Struct, frozen=True, omit_defaults=True):
    """A decision: the position before it, the move, and its result."""

    number: int
    round: int
    seat: int
    asks: str
    position: Position
    chosen: str
    legal: int
    choices: tuple[FilmChoice, ...]
    told: tuple[Line, ...]
    by: str = ""
    note: str = ""
    seconds: float | None = None
    cpu: float | None = None
    bank: float | None = None
    verdicts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    """`disaster`, `supply`, `loss`, `verdict`: shown on the scrubber; the keys n and p jump to them."""


class FilmJson(Struct, frozen=True):
    game: str
    seats: tuple[FilmSeat, ...]
    modules: tuple[str, ...]
    rounds: int
    software: str
    opening: tuple[Line, ...]
    frames: tuple[FilmFrame, ...]
    end: Position
    last_verdicts: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int | None, ...]
    finals: tuple[FinalSeat, ...]
    """Both totals broken down, if the game was played to its end."""
    places: str
    seed: str
    digest: str


def film_json(data: bytes, game: str) -> bytes:
    """RecordError names the first line that is wrong."""
    return encode(film_facts(read_film(data), game))


def film_facts(film: Film, game: str) -> FilmJson:
    seats = tuple(map(plain, film.names))
    header, end = film.header, film.end
    games = [*(frame.game for frame in film.frames), end]
    frames = tuple(frame_facts(frame, games[place + 1], seats) for place, frame in enumerate(film.frames))
    called = onlooker_names(end, seats)
    return FilmJson(
        game=game,
        seats=tuple(
            FilmSeat(name, seat.civilization, plain(info.version), plain(info.author), info.kind)
            for name, seat, info in zip(seats, end.state.seats, header.seats, strict=True)
        ),
        modules=tuple(header.options.modules),
        rounds=end.rules.rounds,
        software=plain(header.software),
        opening=tuple(account_lines(games[0], film.opening, seats)),
        frames=frames,
        end=position_of(end, called),
        last_verdicts=verdict_texts(film.last_verdicts, seats),
        ranks=film.outcome.ranks,
        scores=film.outcome.scores,
        finals=tuple(final_seats(end, called)) if end.result is not None else (),
        places=places_told(film.outcome.ranks, seats),
        seed=plain(header.seed),
        digest=film.digest,
    )


def frame_facts(frame: Frame, after: Game, seats: Sequence[str]) -> FilmFrame:
    line, timing, game = frame.line, frame.timing, frame.game
    assert game.decision is not None
    names = onlooker_names(game, seats)
    position = position_of(game, names, None)
    return FilmFrame(
        number=line.id,
        round=position.round,
        seat=line.seat,
        asks=position.asked.text if position.asked else "",
        position=position,
        chosen=names.text(line.move),
        legal=len(game.decision.legal),
        choices=film_choices(frame, names),
        told=tuple(account_lines(after, line.events, seats)),
        by=BY[line.by],
        note=plain(line.note),
        seconds=None if timing is None else timing.seconds,
        cpu=None if timing is None else timing.cpu,
        bank=None if timing is None else timing.bank,
        verdicts=verdict_texts(frame.verdicts, seats),
        marks=marks_of(line.events, frame.verdicts),
    )


def film_choices(frame: Frame, names: Names) -> tuple[FilmChoice, ...]:
    assert frame.game.decision is not None
    choices = choices_of(frame.game.decision.legal)
    facts = choice_facts(frame.game, names, choices)
    every = [
        FilmChoice(fact.text, frame.line.move in choice.moves) for choice, fact in zip(choices, facts, strict=True)
    ]
    return tuple(one for place, one in enumerate(every) if one.chosen or place < MOST_CHOICES)


def verdict_texts(verdicts: Sequence[Verdict], seats: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{seats[verdict.seat]}: {verdict.fault}: {plain(verdict.reason)}" for verdict in verdicts)


def marks_of(events: Sequence[Event], verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    found = ["verdict"] if verdicts else []
    found += ["disaster"] if any(isinstance(event, Struck) for event in events) else []
    found += ["supply"] if any(isinstance(event, SupplyStarted) for event in events) else []
    others = [event for event in events if is_notable(event) and not isinstance(event, Struck | SupplyStarted)]
    return tuple(found + (["loss"] if others else []))


def places_told(ranks: Sequence[int], seats: Sequence[str]) -> str:
    placed = sorted(zip(ranks, seats, strict=True), key=lambda pair: pair[0])
    return ", ".join(f"{rank}. {name}" for rank, name in placed)
