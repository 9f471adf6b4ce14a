"""One game at one terminal: shows, asks, explains. The engine decides what is legal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from rich.console import Console

from ...game import Decision, Game
from ...game.kinds import Event, Move
from ...game.moves import Bid, MoveBid
from ...game.registry import KINDS
from ...game.stock import most_coins
from ..common import safe
from .board import Offered, event_lines, new_table, show_board
from .choices import EXPLANATIONS, Choice, choices_of, consequence, lost_after, luxury_note, warnings
from .ending import show_result
from .opponents import Opponent

YOU = 0
"""The person's seat; who begins is a matter of the civilizations."""
LISTED_AMOUNTS = 9
"""Up to this number, amounts are listed with their consequences; of more, only the first and the last."""
LONGEST_NUMBER = 6
SHOWN_INPUT = 20


class Left(Exception):
    """The person leaves the table."""


class Session:
    """One game at one terminal."""

    def __init__(
        self,
        out: Console,
        game: Game,
        others: Mapping[int, Opponent],
        seed: str,
        hear: Callable[[list[Event]], None] | None = None,
    ) -> None:
        self.out = out
        self.game = game
        self.others = others
        self.hear = hear
        """Told what happens, too."""
        self.seed = seed
        self.names = game.names()
        self.news: list[Event] = list(game.opening)
        self.shown: tuple[int, str] = (0, "")
        """The round and kind of the decision the board was last shown for."""

    def play(self) -> None:
        self.greet()
        try:
            while (decision := self.game.decision) is not None:
                happened = self.game.choose(self.answer(decision))  # answering tells the old news
                self.news += happened
                if self.hear is not None:
                    self.hear(happened)
        except (EOFError, Left) as why:
            left = "You leave the game." if isinstance(why, Left) else "The input ended: the game stays unfinished."
            self.out.print(f"\n{left}")
        else:
            self.tell_news()
            show_result(self.out, self.game, YOU)
        self.out.print(f"The same deal again: {safe(self.again())}", style="dim", soft_wrap=True)

    def greet(self) -> None:
        civilization = self.game.seat(YOU).civilization
        self.out.print(f"You play [bold]{safe(civilization)}[/bold]. Answer with a number; ? explains, q leaves.")

    def again(self) -> str:
        options = self.game.options
        words = ["peloarena play", f"--players {options.players}"]
        words += [f"--level {options.level}"] if options.level else []
        words += [f"--with {','.join(options.modules)}"] if options.modules else []
        seed = self.seed if self.seed.replace("-", "").isalnum() else "'" + self.seed.replace("'", "'\\''") + "'"
        return " ".join([*words, f"--seed {seed}"])

    # -- one decision

    def answer(self, decision: Decision) -> Move:
        if decision.seat != YOU:
            return self.others[decision.seat].choose(self.game, decision.seat)
        choices = choices_of(decision.legal)
        self.present(decision, choices)
        return self.ask(decision, choices)

    def present(self, decision: Decision, choices: list[Choice]) -> None:
        """The board, unless it was shown for such a decision just before; then the question and the choices."""
        self.tell_news()
        if self.shown != (self.game.state.round, decision.kind) or offered(self.game, choices):
            self.board(choices)
        self.shown = (self.game.state.round, decision.kind)
        self.question(decision, choices)

    def tell_news(self) -> None:
        self.out.print()
        for line in event_lines(self.news, YOU, self.names):
            self.out.print(line)
        self.news = []

    def board(self, choices: list[Choice]) -> None:
        round_of = f"Round {self.game.state.round} of {self.game.rules.rounds}"
        self.out.rule(f"[bold]{round_of if self.game.state.round else 'Set-up'}", style="dim", align="left")
        show_board(self.out, self.game, YOU, self.names, offered(self.game, choices))
        self.out.print()

    def question(self, decision: Decision, choices: list[Choice]) -> None:
        self.out.print(f"[bold]{safe(KINDS[decision.kind])}[/bold]")
        if len(choices) == 1:
            return
        listed = offered(self.game, choices)
        table = new_table()
        table.show_header = False
        table.add_column(justify="right", style="bold cyan", no_wrap=True)
        table.add_column()
        table.add_column(style="dim")
        for number, choice in enumerate(choices, 1):
            if not in_display(choice) or getattr(choice.first, "tile", "") not in listed:
                table.add_row(str(number), safe(self.label(choice)), safe(self.consequence(choice)))
        self.out.print(table)

    def label(self, choice: Choice) -> str:
        """The text of the move; of several amounts, the range."""
        text = self.names.text(choice.first)
        return f"{text} … {choice.amounts()[-1]}" if choice.amount else text

    def consequence(self, choice: Choice) -> str:
        return "how many comes next" if choice.amount else consequence(self.game, choice.first)

    def ask(self, decision: Decision, choices: list[Choice]) -> Move:
        while True:
            choice = choices[0] if len(choices) == 1 else self.ask_choice(decision, choices)
            if not choice.amount:
                return choice.first
            move = self.ask_amount(decision, choice, choices)
            if move is not None:
                return move

    def ask_choice(self, decision: Decision, choices: list[Choice]) -> Choice:
        while True:
            text = self.read(f"1–{len(choices)}")
            if text == "?":
                self.explain(decision, choices)
                continue
            number = number_in(text)
            if number is not None and 1 <= number <= len(choices):
                return choices[number - 1]
            self.refuse(text, 1, len(choices))

    def ask_amount(self, decision: Decision, choice: Choice, choices: list[Choice]) -> Move | None:
        """None: back to the choices, if there are others."""
        amounts, can_go_back = choice.amounts(), len(choices) > 1
        self.tell_amounts(choice)
        back = ", b goes back" if can_go_back else ""
        while True:
            text = self.read(f"{choice.amount.replace('_', ' ')} {amounts[0]}–{amounts[-1]}{back}")
            if text == "b" and can_go_back:
                return None
            if text == "?":
                self.explain(decision, choices)
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
            self.out.print(safe(self.bid_text(choice.first)))
            return
        moves = choice.moves if len(choice.moves) <= LISTED_AMOUNTS else (choice.moves[0], choice.moves[-1])
        for move in moves:
            self.out.print(f"  {safe(self.names.text(move))}: [dim]{safe(consequence(self.game, move))}[/dim]")

    def bid_text(self, bid: Bid) -> str:
        own = self.game.seat(YOU).coin
        told = [f"How many coins on {self.names.tile(bid.tile)}? At least {bid.coins}; you have {own}."]
        if most_coins(self.game, YOU) > own:
            told.append(f"Beyond them: {luxury_note(self.game, YOU)}")
        return " ".join(told + warnings(self.game, YOU, bid.tile))

    def explain(self, decision: Decision, choices: list[Choice]) -> None:
        self.out.print()
        self.board(choices)
        told = [EXPLANATIONS.get(decision.kind, ""), luxury_note(self.game, YOU)]
        self.out.print(" ".join(text for text in told if text), style="italic")
        self.question(decision, choices)

    # -- reading

    def read(self, what: str) -> str:
        """A line from the person; `q` leaves after a question."""
        while (text := self.line(f"{what}> ")) in ("q", "quit"):
            if self.line("Leave the game? y/n> ").lower() in ("y", "yes"):
                raise Left
        return text

    def line(self, prompt: str) -> str:
        text = self.out.input(f"[cyan]{prompt}[/cyan]").strip()
        if not sys.stdin.isatty():
            self.out.print(safe(text))  # nobody sees what a pipe types
        return text


def number_in(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= LONGEST_NUMBER else None


def in_display(choice: Choice) -> bool:
    return isinstance(choice.first, Bid | MoveBid)


def offered(game: Game, choices: list[Choice]) -> dict[str, Offered]:
    """The tiles on display that can be chosen by their number."""
    found: dict[str, Offered] = {}
    for number, choice in enumerate(choices, 1):
        move = choice.first
        if isinstance(move, Bid):
            found[move.tile] = Offered(number, coins_text(choice, move), bid_warning(game, move))
        elif isinstance(move, MoveBid):
            found[move.tile] = Offered(number, "move")
    return found


def coins_text(choice: Choice, bid: Bid) -> str:
    return f"{bid.coins}–{choice.amounts()[-1]}" if choice.amount else str(bid.coins)


def bid_warning(game: Game, bid: Bid) -> str:
    if not lost_after(game, YOU, bid):
        return ""
    return f"{bid.coins} coins for it leave you nothing to pay or mark it: you would lose it"
