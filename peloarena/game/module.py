"""What a module is: a manifest that the registry reads. The base game describes itself to the engine in the same
way."""

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
OptionLister = Callable[["Flow", Ask], list[Move]]
RefusalText = Callable[["Flow", Ask, Move], str]
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
    """The explanation of a question for people. `make pages` makes the tables of spec/ from it."""

    text: str
    """One line for the asked player."""
    when: str
    """When the question is asked."""
    rule: str
    """The rule ids: `R2, Z1`."""
    examples: tuple[Move, ...]
    """One move of each type that it offers; each is offered in some game (a test looks for it)."""
    about: dict[str, str] = field(default_factory=dict)
    """What the fields of the asking step mean, except for the seat."""


@dataclass(frozen=True, slots=True)
class Question:
    """What an asking step asks: the kind of the decision, how to list its options, and what else is known about it."""

    kind: str
    options: OptionLister
    explained: Explained
    refusal: RefusalText | None = None
    """Why a move is not among the options, and which would be; "" for moves that it cannot explain."""


@dataclass(frozen=True, slots=True)
class AddedMoves:
    """Moves that a module adds to a question of the base game, explained as `Explained` does for a question."""

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
class HiddenPart:
    """How to show a part that holds a secret (`view`) and guess it again from what is shown (`guess`)."""

    view: PartView
    guess: PartGuess


@dataclass(frozen=True, slots=True)
class Module:
    """One line of the table M, and what the module brings."""

    name: str
    summary: str
    brings: str = "–"
    """The last column of table M: what it brings in addition to its rules."""
    needs: tuple[str, ...] = ()
    """Modules without which it makes no sense; the user must choose them, they are never added silently."""
    players: range = range(1, 9)
    sets: tuple[str, ...] = ()
    """Its data files."""
    cards: dict[str, type[Component]] = field(default_factory=dict)
    decks: dict[str, Deck] = field(default_factory=dict)
    """What it deals, and a draft (S3) may fix: the names in each deck."""
    steps: dict[type[Step], StepHandler] = field(default_factory=dict)
    questions: dict[type[Ask], Question] = field(default_factory=dict)
    added_moves: tuple[AddedMoves, ...] = ()
    """What it adds to questions of others."""
    moves: dict[type[Move], MoveHandler] = field(default_factory=dict)
    events: tuple[type[Event], ...] = ()
    parts: tuple[type[Part], ...] = ()
    hidden: dict[type[Part], HiddenPart] = field(default_factory=dict)
    disasters: dict[str, Disaster] = field(default_factory=dict)
    texts: dict[type, Text] = field(default_factory=dict)
    hooks: Hooks = field(default_factory=Hooks)
    """Its contribution to the base game."""
    meetings: Meetings = field(default_factory=Meetings)
    """Its contribution to other modules."""

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
    return {step: Question(kind, cast(OptionLister, options), explained, cast(RefusalText | None, refusal))}


def plays(move: type[M], handler: Callable[[Flow, S, M], None]) -> dict[type[Move], MoveHandler]:
    """An entry of `moves`, typed."""
    return {move: cast(MoveHandler, handler)}


def says(kind: type[T], text: Callable[[T, Names], str]) -> dict[type, Text]:
    """An entry of `texts`, typed."""
    return {kind: cast(Text, text)}


def hides(
    part: type[P], view: Callable[[P], P], guess: Callable[[P, Callable[[int], int]], P]
) -> dict[type[Part], HiddenPart]:
    """An entry of `hidden`, typed."""
    return {part: HiddenPart(cast(PartView, view), cast(PartGuess, guess))}


__all__ = [
    "AddedMoves",
    "Disaster",
    "Explained",
    "HiddenPart",
    "Module",
    "Question",
    "asks",
    "does",
    "hides",
    "plays",
    "says",
]
