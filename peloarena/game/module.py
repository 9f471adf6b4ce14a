"""What a module is: a manifest that the registry reads. The base game itself is told to the engine in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar, cast

from .hooks import Hooks
from .kinds import Ask, Component, Event, Move, Part, Step
from .meetings import Meetings

if TYPE_CHECKING:
    from .flow import Flow
    from .pieces import Catalogue
    from .texts import Names

StepHandler = Callable[["Flow", Step], None]
Lister = Callable[["Flow", Ask], list[Move]]
Refusal = Callable[["Flow", Ask, Move], str]
MoveHandler = Callable[["Flow", Step, Move], None]
Text = Callable[[object, "Names"], str]
Deck = Callable[["Catalogue"], Iterable[str]]
"""The names of the cards of a deck, in any order."""
PartView = Callable[[Part], Part]
PartGuess = Callable[[Part, Callable[[int], int]], Part]

S = TypeVar("S", bound=Step)
A = TypeVar("A", bound=Ask)
M = TypeVar("M", bound=Move)
P = TypeVar("P", bound=Part)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Explained:
    """What people are told of a question. The tables of spec/ are made of it (`make pages`)."""

    text: str
    """One line for whoever is asked."""
    when: str
    """When one is asked."""
    rule: str
    """The rule ids: `R2, Z1`."""
    examples: tuple[Move, ...]
    """One move of each type that it offers; each is offered in some game (a test looks for it)."""
    about: dict[str, str] = field(default_factory=dict)
    """What the fields of the asking step tell, but for the seat."""


@dataclass(frozen=True, slots=True)
class Question:
    """What an asking step asks: the kind of the decision, how to list its options, and what else is known of it."""

    kind: str
    options: Lister
    explained: Explained
    refusal: Refusal | None = None
    """Why a move is not among the options, and what would be; "" for moves it has nothing to say about."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Moves that a module adds to a question of the base game, told as `Explained` tells a question."""

    kind: str
    when: str
    rule: str
    examples: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Disaster:
    """What a kind of disaster does to an unprotected seat, and whether that would cost the seat anything."""

    strike: Callable[[Flow, int], None]
    harms: Callable[[Flow, int], bool]


@dataclass(frozen=True, slots=True)
class Hidden:
    """How a part that holds a secret is shown (`view`) and guessed again from what is shown (`guess`)."""

    view: PartView
    guess: PartGuess


@dataclass(frozen=True, slots=True)
class Module:
    """One line of the table M, and what the module brings."""

    name: str
    summary: str
    brings: str = "–"
    """The last column of table M: what it brings besides its rules."""
    needs: tuple[str, ...] = ()
    """Modules without which it makes no sense; they are asked for, never added in silence."""
    players: range = range(1, 9)
    sets: tuple[str, ...] = ()
    """Its data files."""
    cards: dict[str, type[Component]] = field(default_factory=dict)
    decks: dict[str, Deck] = field(default_factory=dict)
    """What it deals, and a draft (S3) may fix: the names in each deck."""
    steps: dict[type[Step], StepHandler] = field(default_factory=dict)
    questions: dict[type[Ask], Question] = field(default_factory=dict)
    joins: tuple[Joined, ...] = ()
    """What it adds to questions that are not its own."""
    moves: dict[type[Move], MoveHandler] = field(default_factory=dict)
    events: tuple[type[Event], ...] = ()
    parts: tuple[type[Part], ...] = ()
    hidden: dict[type[Part], Hidden] = field(default_factory=dict)
    disasters: dict[str, Disaster] = field(default_factory=dict)
    texts: dict[type, Text] = field(default_factory=dict)
    hooks: Hooks = field(default_factory=Hooks)
    """What it gives the base game."""
    meetings: Meetings = field(default_factory=Meetings)
    """What it gives other modules."""

    @property
    def kinds(self) -> dict[str, str]:
        """One line of text for each kind of decision it asks."""
        return {question.kind: question.explained.text for question in self.questions.values()}


def does(step: type[S], handler: Callable[[Flow, S], None]) -> dict[type[Step], StepHandler]:
    """An entry of `steps`, typed."""
    return {step: cast(StepHandler, handler)}


def asks(
    step: type[A],
    kind: str,
    options: Callable[[Flow, A], list[Move]],
    explained: Explained,
    refusal: Callable[[Flow, A, Move], str] | None = None,
) -> dict[type[Ask], Question]:
    """An entry of `questions`, typed."""
    return {step: Question(kind, cast(Lister, options), explained, cast(Refusal | None, refusal))}


def plays(move: type[M], handler: Callable[[Flow, S, M], None]) -> dict[type[Move], MoveHandler]:
    """An entry of `moves`, typed."""
    return {move: cast(MoveHandler, handler)}


def says(kind: type[T], text: Callable[[T, Names], str]) -> dict[type, Text]:
    """An entry of `texts`, typed."""
    return {kind: cast(Text, text)}


def hides(
    part: type[P], view: Callable[[P], P], guess: Callable[[P, Callable[[int], int]], P]
) -> dict[type[Part], Hidden]:
    """An entry of `hidden`, typed."""
    return {part: Hidden(cast(PartView, view), cast(PartGuess, guess))}


__all__ = ["Disaster", "Explained", "Hidden", "Joined", "Module", "Question", "asks", "does", "hides", "plays", "says"]
