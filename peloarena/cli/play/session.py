"""One game at one terminal: shows, asks, explains. The engine decides what is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct
from rich.console import Console

from ...game import Decision
from ...game.kinds import Event, Move
from ...game.moves import Bid
from ...game.registry import DECISION_TEXTS
from ...narration.choices import Choice, ChoiceFacts, choice_facts, group_into_choices
from ...narration.consequences import bid_question, consequence_text, explanation
from ...narration.event_lines import player_lines
from ...narration.position import position_of
from ...narration.supply_forecast import supply_line
from ..common import read_answer, safe
from ..narration_printer import print_line
from ..terminal_tables import table_without_columns
from .board import offers_of, show_board
from .final_scores import show_result
from .opponents import Opponent
from .recording import RecordedGame

PERSON_SEAT = 0
"""The person's seat; the civilizations decide who starts."""
MAX_LISTED_AMOUNTS = 9
"""Up to this number, amounts are listed with their consequences; of more, only the first and the last."""
HELP_WORDS = ("?", "h", "help")
MAX_ANSWER_DIGITS = 6
MAX_SHOWN_INPUT_CHARS = 20


class PersonLeft(Exception):
    """The person leaves the table."""


class PersonQuestion(Struct, frozen=True):
    """A decision for the person, with its choices as they are answered and as they are shown."""

    decision: Decision
    choices: list[Choice]
    facts: list[ChoiceFacts]


class Session:
    """One game at one terminal."""

    def __init__(
        self,
        out: Console,
        recorded_game: RecordedGame,
        opponents: Mapping[int, Opponent],
        same_deal_command: str,
        save_record: Callable[[RecordedGame], Path],
    ) -> None:
        self.out = out
        self.recorded_game = recorded_game
        self.game = game = recorded_game.game
        self.opponents = opponents
        self.save_record = save_record
        """Saves the record of the game."""
        self.has_decided = False
        """Whether the person has made a decision."""
        self.same_deal_command = same_deal_command
        """The command that deals this game again."""
        self.names = game.names()
        self.news: list[Event] = list(game.opening)
        self.last_shown: tuple[int, str] = (0, "")
        """The round and kind of the decision for which the board was last shown."""

    def play(self) -> None:
        self.greet()
        try:
            while (decision := self.game.decision) is not None:
                self.news += self.recorded_game.play(decision, self.answer(decision))  # answering prints the old news
                self.has_decided = self.has_decided or decision.seat == PERSON_SEAT
            self.print_news()
            show_result(self.out, self.game, self.names, PERSON_SEAT)
            self.close()
        except PersonLeft:
            self.close("You leave the game.")
        except EOFError:
            self.close("End of input: the game is unfinished.")
        except KeyboardInterrupt:
            self.close("Interrupted: the game is unfinished.")
            raise
        finally:
            self.out.print(f"The same deal again: {safe(self.same_deal_command)}", style="dim", soft_wrap=True)

    def close(self, why: str = "") -> None:
        """Save the record and print its path; `why`: the reason if the game ends early."""
        if why:
            self.out.print(f"\n{why}")
        if not self.has_decided:
            self.out.print("Nothing is recorded: you made no decision.")
            return
        progress = f" (up to round {self.game.state.round})" if why else ""
        self.out.print(f"Record{progress}: {safe(str(self.save_record(self.recorded_game)))}", soft_wrap=True)

    def greet(self) -> None:
        civilization = self.game.seat(PERSON_SEAT).civilization
        self.out.print(f"You play [bold]{safe(civilization)}[/bold]. Answer with a number; ? explains, q leaves.")

    # -- one decision

    def answer(self, decision: Decision) -> Move:
        if decision.seat != PERSON_SEAT:
            return self.opponents[decision.seat].choose(self.game, decision.seat)
        choices = group_into_choices(decision.legal)
        question = PersonQuestion(decision, choices, choice_facts(self.game, self.names, choices))
        self.present(question)
        return self.ask_move(question)

    def present(self, question: PersonQuestion) -> None:
        """Show the board, unless it was just shown for such a decision; then the question and the choices."""
        self.print_news()
        here = (self.game.state.round, question.decision.kind)
        if self.last_shown != here or offers_of(question.facts):
            self.print_board(question)
        self.last_shown = here
        self.print_question(question)

    def print_news(self) -> None:
        self.out.print()
        for line in player_lines(self.news, PERSON_SEAT, self.names):
            print_line(self.out, line, headings=("round", "supply"))
        self.news = []

    def print_board(self, question: PersonQuestion) -> None:
        position = position_of(self.game, self.names, PERSON_SEAT)
        title = f"Round {position.round} of {position.rounds}" if position.round else "Set-up"
        self.out.rule(f"[bold]{title}", style="dim", align="left")
        show_board(self.out, position, PERSON_SEAT, offers_of(question.facts))
        self.out.print(safe(supply_line(self.game, PERSON_SEAT)), style="dim")
        self.out.print()

    def print_question(self, question: PersonQuestion) -> None:
        """The question, and the choices that the board does not show."""
        self.out.print(f"[bold]{safe(DECISION_TEXTS[question.decision.kind])}[/bold]")
        if len(question.choices) == 1:
            return
        table = table_without_columns()
        table.show_header = False
        table.add_column(justify="right", style="bold cyan", no_wrap=True)
        table.add_column()
        table.add_column(style="dim")
        for choice in question.facts:
            if not choice.tile:
                table.add_row(str(choice.number), safe(choice.text), safe(choice.consequence))
        self.out.print(table)

    def ask_move(self, question: PersonQuestion) -> Move:
        while True:
            choice = question.choices[0] if len(question.choices) == 1 else self.ask_choice(question)
            if not choice.amount_field:
                return choice.first_move
            move = self.ask_amount(question, choice)
            if move is not None:
                return move

    def ask_choice(self, question: PersonQuestion) -> Choice:
        while True:
            text = self.read_or_leave(f"1–{len(question.choices)}")
            if text in HELP_WORDS:
                self.explain(question)
                continue
            number = parse_answer_number(text)
            if number is not None and 1 <= number <= len(question.choices):
                return question.choices[number - 1]
            self.reject_answer(text, 1, len(question.choices))

    def ask_amount(self, question: PersonQuestion, choice: Choice) -> Move | None:
        """None: back to the choices, if there are others."""
        amounts, can_go_back = choice.amounts(), len(question.choices) > 1
        self.print_amounts(choice)
        back = ", b goes back" if can_go_back else ""
        while True:
            text = self.read_or_leave(f"{choice.amount_field.replace('_', ' ')} {amounts[0]}–{amounts[-1]}{back}")
            if text == "b" and can_go_back:
                return None
            if text in HELP_WORDS:
                self.explain(question)
                self.print_amounts(choice)
                continue
            number = parse_answer_number(text)
            if number in amounts:
                return choice.moves[amounts.index(number)]
            self.reject_answer(text, amounts[0], amounts[-1])

    def reject_answer(self, text: str, lowest: int, highest: int) -> None:
        wrong = safe(repr(text[:MAX_SHOWN_INPUT_CHARS])) if text else "nothing"
        self.out.print(f"{wrong}: enter a number from {lowest} to {highest}, ? or q", style="red")

    def print_amounts(self, choice: Choice) -> None:
        if isinstance(choice.first_move, Bid):
            self.out.print(safe(bid_question(self.game, self.names, PERSON_SEAT, choice.first_move)))
            return
        moves = choice.moves if len(choice.moves) <= MAX_LISTED_AMOUNTS else (choice.moves[0], choice.moves[-1])
        for move in moves:
            self.out.print(f"  {safe(self.names.text(move))}: [dim]{safe(consequence_text(self.game, move))}[/dim]")

    def explain(self, question: PersonQuestion) -> None:
        self.out.print()
        self.print_board(question)
        self.out.print(explanation(self.game, PERSON_SEAT, question.decision.kind), style="italic")
        self.print_question(question)

    # -- reading

    def read_or_leave(self, what: str) -> str:
        """Read a line from the person; `q` leaves after a question."""
        while (text := self.read_line(f"{what}>")) in ("q", "quit"):
            if self.read_line("Leave the game? y/n>").lower() in ("y", "yes"):
                raise PersonLeft
        return text

    def read_line(self, prompt: str) -> str:
        return read_answer(self.out, prompt)


def parse_answer_number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= MAX_ANSWER_DIGITS else None
