"""`peloarena play`: a person at the table. Shows, asks, explains; the engine decides what is legal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import click
from rich.console import Console

from peloarena.cli.board import Offered, event_lines, new_table, show_board
from peloarena.cli.choices import EXPLANATIONS, Choice, choices_of, consequence, lost_after, luxury_note, warnings
from peloarena.cli.common import components_option, console, modules_option, safe, seed_option
from peloarena.cli.opponents import OPPONENTS, Opponent, is_path, make_opponent, opponent_names
from peloarena.game import Decision, Game, GameOptions, make_options
from peloarena.game.kinds import Event, Move
from peloarena.game.moves import Bid, MoveBid
from peloarena.game.registry import KINDS
from peloarena.game.scoring import Result, SeatResult, tally_of
from peloarena.game.stock import most_coins

YOU = 0
"""The person's seat; who begins is a matter of the civilizations."""
LISTED_AMOUNTS = 9
"""So many amounts are listed with their consequences; of more, the first and the last."""
LONGEST_NUMBER = 6
SHOWN_INPUT = 20


@click.command(name="play")
@click.option("--players", default=2, show_default=True, metavar="N", help="Seats at the table; 1 is the solo game.")
@click.option("--level", default=0, metavar="1..5", help="Solo: the level to play.")
@click.option(
    "--opponents",
    default="careful",
    show_default=True,
    metavar="NAME,...",
    help=f"Seat by seat: {', '.join(OPPONENTS)}, or the path of a bot. The last one takes the seats that are left.",
)
@modules_option
@components_option
@seed_option
def command(players: int, level: int, opponents: str, modules: tuple[str, ...], components: str, seed: str) -> None:
    """Play against the machine in this terminal.

    Answer with a number; ? explains the decision, q leaves the game.

    \b
    Examples:
      peloarena play
      peloarena play --players 4 --with hellas,sea
      peloarena play --players 1 --level 2
      peloarena play --seed friday-1 --opponents random
      peloarena play --players 3 --opponents bots/planner,bots/greedy
    """
    options = make_options(players, modules, level, components=components)
    names = opponent_names(opponents, players)
    paths = {seat: name for seat, name in names.items() if is_path(name)}
    others = {seat: make_opponent(name, seed, seat) for seat, name in names.items() if seat not in paths}
    if paths and players > 1:
        play_with_bots(options, seed, paths, others)
    else:
        Session(console(), Game(options, seed), others, seed).play()


def play_with_bots(options: GameOptions, seed: str, paths: dict[int, str], others: dict[int, Opponent]) -> None:
    """Trio and the referee are imported for this alone: a game without bots starts at once."""
    from peloarena.cli.bot_opponents import BotRoom
    from peloarena.referee.arena import ready_bots
    from peloarena.referee.verdict import Verdict

    out = console()

    def tell(name: str, verdict: Verdict) -> None:
        out.print(f"[red]{safe(name)} is out ({verdict.fault}): {safe(verdict.reason)}[/]; a caretaker plays on.")

    bots = dict(zip(paths, ready_bots(list(paths.values()), "auto"), strict=True))
    with BotRoom(options, seed, bots, "auto", tell) as room:
        out.print("Against " + ", ".join(f"{safe(bot.name)} (seat {seat})" for seat, bot in bots.items()) + ".")
        Session(out, room.game, {**others, **room.opponents}, seed, room.hear).play()


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
            show_result(self.out, self.game)
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


# -- the end ----------------------------------------------------------------------------------------------------------


def show_result(out: Console, game: Game) -> None:
    """Scores with both totals taken apart."""
    result = game.result
    assert result is not None
    out.rule("[bold]The end", style="dim", align="left")
    table = new_table()
    for heading in ("rank", "seat", "score", "prestige", "population", "luxury"):
        table.add_column(heading, justify="left" if heading in ("seat", "prestige", "population") else "right")
    for number in sorted(range(len(result.seats)), key=lambda n: result.seats[n].rank):
        table.add_row(*result_row(game, result, number), style="bold" if number == YOU else None)
    out.print(table)
    out.print(verdict(game, result))


def result_row(game: Game, result: Result, number: int) -> list[str]:
    seat = result.seats[number]
    name = safe(game.seat(number).civilization) + (" (you)" if number == YOU else "")
    prestige, population = prestige_text(game, seat, number), population_text(game, seat, number)
    return [str(seat.rank), name, str(seat.score), prestige, population, str(seat.luxury)]


def prestige_text(game: Game, seat: SeatResult, number: int) -> str:
    """`21 = 18 of tiles + 3 of 11 coins`."""
    tally = tally_of(game, number)
    coins = tally.coins // tally.coins_per_point
    known = f"{tally.points} of tiles + {coins} of {tally.coins} coins"
    return f"{seat.prestige} = {known}{extra(seat.prestige, tally.points + coins)}"


def population_text(game: Game, seat: SeatResult, number: int) -> str:
    tally = tally_of(game, number)
    people = tally.inhabitants * tally.points_per_inhabitant
    return f"{seat.population} = {tally.inhabitants} × {tally.points_per_inhabitant}{extra(seat.population, people)}"


def extra(total: int, known: int) -> str:
    """What modules added."""
    return f" + {total - known}" if total > known else ""


def verdict(game: Game, result: Result) -> str:
    own = result.seats[YOU]
    higher = own.score > min(own.prestige, own.population)
    which = "higher of your totals (the Oracle speaks for you)" if higher else "lower of your totals"
    told = f"The {which} is your score: {own.score}. "
    if result.level:
        passed = "passed" if result.passed else "missed"
        return told + f"Level {result.level} asks for {result.target}: {passed}."
    if own.rank > 1:
        return told + "Ties go to the other total, then to luxury. Better luck next time."
    shared = sum(seat.rank == 1 for seat in result.seats) > 1
    return told + ("You share the first place." if shared else "You win.")
