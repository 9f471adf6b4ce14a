"""One game at one terminal: shows, asks, explains. The engine decides what is legal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct
from rich.console import Console

from ...game import Decision
from ...game.kinds import Event, Move
from ...game.moves import Bid
from ...game.registry import KINDS
from ...telling.account import player_lines
from ...telling.choices import Choice, ChoiceFacts, choice_facts, choices_of
from ...telling.consequences import bid_question, consequence, explanation
from ...telling.position import position_of
from ...telling.supply import supply_line
from ..account import print_line
from ..common import read_answer, safe
from ..tables import bare_table
from .board import offers_of, show_board
from .ending import show_result
from .opponents import Opponent
from .recording import Host

YOU = 0
"""The person's seat; the civilizations decide who starts."""
LISTED_AMOUNTS = 9
"""Up to this number, amounts are listed with their consequences; of more, only the first and the last."""
EXPLAINS = ("?", "h", "help")
LONGEST_NUMBER = 6
SHOWN_INPUT = 20


class Left(Exception):
    """The person leaves the table."""


class Asked(Struct, frozen=True):
    """A decision for the person, with its choices as they are answered and as they are shown."""

    decision: Decision
    choices: list[Choice]
    facts: list[ChoiceFacts]


class Session:
    """One game at one terminal."""

    def __init__(
        self,
        out: Console,
        host: Host,
        others: Mapping[int, Opponent],
        again: str,
        keep: Callable[[Host], Path],
    ) -> None:
        self.out = out
        self.host = host
        self.game = game = host.game
        self.others = others
        self.keep = keep
        """Saves the record of the game."""
        self.decided = False
        """Whether the person has made a decision."""
        self.again = again
        """The command that deals this game again."""
        self.names = game.names()
        self.news: list[Event] = list(game.opening)
        self.shown: tuple[int, str] = (0, "")
        """The round and kind of the decision for which the board was last shown."""

    def play(self) -> None:
        self.greet()
        try:
            while (decision := self.game.decision) is not None:
                self.news += self.host.play(decision, self.answer(decision))  # answering prints the old news
                self.decided = self.decided or decision.seat == YOU
            self.tell_news()
            show_result(self.out, self.game, self.names, YOU)
            self.close()
        except Left:
            self.close("You leave the game.")
        except EOFError:
            self.close("End of input: the game is unfinished.")
        except KeyboardInterrupt:
            self.close("Interrupted: the game is unfinished.")
            raise
        finally:
            self.out.print(f"The same deal again: {safe(self.again)}", style="dim", soft_wrap=True)

    def close(self, why: str = "") -> None:
        """Save the record and print its path; `why`: the reason if the game ends early."""
        if why:
            self.out.print(f"\n{why}")
        if not self.decided:
            self.out.print("Nothing is recorded: you made no decision.")
            return
        far = f" (up to round {self.game.state.round})" if why else ""
        self.out.print(f"Record{far}: {safe(str(self.keep(self.host)))}", soft_wrap=True)

    def greet(self) -> None:
        civilization = self.game.seat(YOU).civilization
        self.out.print(f"You play [bold]{safe(civilization)}[/bold]. Answer with a number; ? explains, q leaves.")

    # -- one decision

    def answer(self, decision: Decision) -> Move:
        if decision.seat != YOU:
            return self.others[decision.seat].choose(self.game, decision.seat)
        choices = choices_of(decision.legal)
        asked = Asked(decision, choices, choice_facts(self.game, self.names, choices))
        self.present(asked)
        return self.ask(asked)

    def present(self, asked: Asked) -> None:
        """Show the board, unless it was just shown for such a decision; then the question and the choices."""
        self.tell_news()
        here = (self.game.state.round, asked.decision.kind)
        if self.shown != here or offers_of(asked.facts):
            self.board(asked)
        self.shown = here
        self.question(asked)

    def tell_news(self) -> None:
        self.out.print()
        for line in player_lines(self.news, YOU, self.names):
            print_line(self.out, line, headings=("round", "supply"))
        self.news = []

    def board(self, asked: Asked) -> None:
        position = position_of(self.game, self.names, YOU)
        title = f"Round {position.round} of {position.rounds}" if position.round else "Set-up"
        self.out.rule(f"[bold]{title}", style="dim", align="left")
        show_board(self.out, position, YOU, offers_of(asked.facts))
        self.out.print(safe(supply_line(self.game, YOU)), style="dim")
        self.out.print()

    def question(self, asked: Asked) -> None:
        """The question, and the choices that the board does not show."""
        self.out.print(f"[bold]{safe(KINDS[asked.decision.kind])}[/bold]")
        if len(asked.choices) == 1:
            return
        table = bare_table()
        table.show_header = False
        table.add_column(justify="right", style="bold cyan", no_wrap=True)
        table.add_column()
        table.add_column(style="dim")
        for choice in asked.facts:
            if not choice.tile:
                table.add_row(str(choice.number), safe(choice.text), safe(choice.consequence))
        self.out.print(table)

    def ask(self, asked: Asked) -> Move:
        while True:
            choice = asked.choices[0] if len(asked.choices) == 1 else self.ask_choice(asked)
            if not choice.amount:
                return choice.first
            move = self.ask_amount(asked, choice)
            if move is not None:
                return move

    def ask_choice(self, asked: Asked) -> Choice:
        while True:
            text = self.read(f"1–{len(asked.choices)}")
            if text in EXPLAINS:
                self.explain(asked)
                continue
            number = number_in(text)
            if number is not None and 1 <= number <= len(asked.choices):
                return asked.choices[number - 1]
            self.refuse(text, 1, len(asked.choices))

    def ask_amount(self, asked: Asked, choice: Choice) -> Move | None:
        """None: back to the choices, if there are others."""
        amounts, can_go_back = choice.amounts(), len(asked.choices) > 1
        self.tell_amounts(choice)
        back = ", b goes back" if can_go_back else ""
        while True:
            text = self.read(f"{choice.amount.replace('_', ' ')} {amounts[0]}–{amounts[-1]}{back}")
            if text == "b" and can_go_back:
                return None
            if text in EXPLAINS:
                self.explain(asked)
                self.tell_amounts(choice)
                continue
            number = number_in(text)
            if number in amounts:
                return choice.moves[amounts.index(number)]
            self.refuse(text, amounts[0], amounts[-1])

    def refuse(self, text: str, lowest: int, highest: int) -> None:
        wrong = safe(repr(text[:SHOWN_INPUT])) if text else "nothing"
        self.out.print(f"{wrong}: a number from {lowest} to {highest}, ? or q", style="red")

    def tell_amounts(self, choice: Choice) -> None:
        if isinstance(choice.first, Bid):
            self.out.print(safe(bid_question(self.game, self.names, YOU, choice.first)))
            return
        moves = choice.moves if len(choice.moves) <= LISTED_AMOUNTS else (choice.moves[0], choice.moves[-1])
        for move in moves:
            self.out.print(f"  {safe(self.names.text(move))}: [dim]{safe(consequence(self.game, move))}[/dim]")

    def explain(self, asked: Asked) -> None:
        self.out.print()
        self.board(asked)
        self.out.print(explanation(self.game, YOU, asked.decision.kind), style="italic")
        self.question(asked)

    # -- reading

    def read(self, what: str) -> str:
        """Read a line from the person; `q` leaves after a question."""
        while (text := self.line(f"{what}>")) in ("q", "quit"):
            if self.line("Leave the game? y/n>").lower() in ("y", "yes"):
                raise Left
        return text

    def line(self, prompt: str) -> str:
        return read_answer(self.out, prompt)


def number_in(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= LONGEST_NUMBER else None
