"""The engine: Game runs the agenda until a seat must decide. Short, and never changed for a module."""

from __future__ import annotations

from typing import Protocol

from .chance import check_seed
from .errors import RulesError
from .events import Chose
from .flow import Flow
from .json_codec import decode, encode
from .kinds import Ask, Event, Move, Step
from .registry import TEXTS
from .rulebook import rules_for
from .rules import RULES, Rules
from .scoring import result_of
from .shapes import Decision, GameOptions, Result, View
from .state import State
from .steps import Begin
from .texts import Names
from .view import guess_state, live_view_of, view_of

LISTED_MOVES = 8
"""How many of the legal moves a refusal names."""


class Game(Flow):
    """A game in progress. `decision` is the open question, None at the end; `choose` answers and returns what
    happened."""

    __slots__ = ("decision", "opening")

    decision: Decision | None
    opening: list[Event]
    """What happened before the first decision."""

    def __init_subclass__(cls) -> None:
        """Refused, whether pure or compiled: compiled rules would call the methods of Game, not the subclass's."""
        if getattr(cls, "__module__") != __name__:  # noqa: B009 - mypyc knows no attributes of classes
            raise TypeError(f"{cls.__qualname__}: a Game cannot be subclassed; let yours hold a game and call it")

    def __init__(self, options: GameOptions, seed: str, version: int = RULES) -> None:
        """`version`: of the rules; an old record needs the version it was played by."""
        super().__init__(options, rules_for(options, version), State(check_seed(seed), [], [Begin()]))
        self.decision = None
        self.advance()
        self.opening = self.events

    @staticmethod
    def from_state(options: GameOptions, state: State) -> Game:
        """Continues from a state, which this game then owns."""
        game = _ContinuedGame(options, rules_for(options), state, None, [])
        game.advance()
        return game

    def choose(self, move: Move) -> list[Event]:
        """Plays a legal move; for any other raises RulesError and changes nothing."""
        decision = self.decision
        if decision is None:
            raise RulesError("the game is over: nothing to decide")
        # The referee has looked up the move before, to judge the bot; but searches, `play` and tests choose without a
        # referee, and only listed moves are ever played. Leaving this out gained no measurable time.
        if move not in decision.legal:
            raise RulesError(self.refusal_text(decision, move))
        self.events = [Chose(decision.seat, decision.kind, move)]
        self.decision = None
        self.rules.moves[type(move)](self, self.state.agenda.pop(), move)
        self.advance()
        return self.events

    def play(self, step: Step, decision: Decision, move: Move) -> None:
        """Carries out a move of this decision, whose step is off the agenda."""
        self.events.append(Chose(decision.seat, decision.kind, move, len(decision.legal) == 1))
        self.rules.moves[type(move)](self, step, move)

    def advance(self) -> None:
        """Runs the agenda until a seat has a real choice."""
        agenda, steps = self.state.agenda, self.rules.steps
        while agenda:
            step = agenda.pop()
            handler = steps.get(type(step))
            if handler is not None:
                handler(self, step)
            else:
                assert isinstance(step, Ask)
                if self.ask(step):
                    return

    def ask(self, step: Ask) -> bool:
        """Whether the seat has a real choice; plays and reports a single option (P4)."""
        agenda = self.state.agenda
        agenda.append(step)  # pending while its options are listed, and until it is answered
        question = self.rules.questions[type(step)]
        legal = question.options(self, step)
        decision = Decision(step.seat, question.kind, legal)
        if len(legal) > 1:
            self.decision = decision
            return True
        agenda.pop()
        self.play(step, decision, legal[0])
        return False

    def refusal_text(self, decision: Decision, move: Move) -> str:
        """The question's own explanation, if it has one for this move; else what would be legal."""
        step = self.state.agenda[-1]
        assert isinstance(step, Ask)
        question = self.rules.questions[type(step)]
        said = question.refusal(self, step, move) if question.refusal else ""
        return said or self.legal_moves_text(decision, move)

    def legal_moves_text(self, decision: Decision, move: Move) -> str:
        """The refusal for any decision: the answer, and the first of the legal moves."""
        names = self.names()
        listed = "; ".join(names.text(legal) for legal in decision.legal[:LISTED_MOVES])
        more = f" ... ({len(decision.legal)} in all)" if len(decision.legal) > LISTED_MOVES else ""
        said = names.text(move) if type(move) in names.texts else f"{move!r}"
        return f"{said}: not among the moves of this {decision.kind} decision: {listed}{more}"

    def clone(self) -> Game:
        """An independent game in the same position."""
        return _ContinuedGame(self.options, self.rules, self.state.clone(), self.decision, self.opening)

    def __deepcopy__(self, memo: dict[int, object]) -> Game:
        """`copy.deepcopy` is `clone`: options, rules and decision never change, so they are shared."""
        return self.clone()

    @property
    def result(self) -> Result | None:
        """The final result; None while the game is on."""
        return None if self.state.agenda else result_of(self)

    def standing(self) -> Result:
        """The result if the game were scored now."""
        return result_of(self)

    def view(self, seat: int) -> View:
        return view_of(self.rules, self.state, seat)

    def glance(self, seat: int) -> View:
        """A view that is valid until the next move, which changes the seats in it. It is cheaper: nothing is copied."""
        return live_view_of(self.rules, self.state, seat)

    def save(self) -> bytes:
        """The state as JSON, at any point."""
        return encode(self.state)

    @staticmethod
    def load(options: GameOptions, text: bytes | str) -> Game:
        return Game.from_state(options, decode(text, State))

    def names(self, seats: list[str] | None = None) -> Names:
        """Texts for moves and events; seats are called by their civilizations unless named."""
        return Names(seats or [seat.civilization for seat in self.state.seats], self.rules.catalogue, TEXTS)


class _ContinuedGame(Game):
    """A game that does not start from the beginning: a clone, or one made from a state.

    A separate class because it is constructed differently, and `Game.__new__` cannot be compiled. It assigns field by
    field: a search clones more often than it does anything else.
    """

    __slots__ = ()

    def __init__(
        self, options: GameOptions, rules: Rules, state: State, decision: Decision | None, opening: list[Event]
    ) -> None:
        self.options = options
        self.rules = rules
        self.state = state
        self.events = []
        self.decision = decision
        self.opening = opening


class RandomSource(Protocol):
    """A random source of the caller, such as random.Random."""

    def randrange(self, stop: int, /) -> int: ...


def determinize(options: GameOptions, view: View, random: RandomSource) -> Game:
    """A game in a random full state that fits what the seat of this view can see."""
    return Game.from_state(options, guess_state(rules_for(options), view, random.randrange))
