"""What a night looks like while it runs: a live screen in a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..tournament.config import Night
from ..tournament.night import Ended, News, Paused, RoundBegun, Started, Voided
from ..tournament.rows import GameRow
from ..tournament.schedule import Fixture, Plan, summary
from ..tournament.standings import night_table, results_of, solo_table
from ..tournament.store import Store
from .common import plain

REFRESH_PER_SECOND = 4
LAST_RESULTS = 8
LAST_FAULTS = 5
FRAME = 2
"""Lines that a panel's frame takes."""
FEW = 3
"""So many lines of everything are shown before anything gets more."""
NAME = 1
"""The column of the standings that is aligned to the left."""
RATE_EVERY = 2.0
"""Ratings are computed anew at most so often (seconds) ..."""
RATE_SHARE = 0.05
"""... and never use more than this share of the time."""


def result_text(news: Ended) -> str:
    """`r01-t001-d001-s1  1. greedy 24, 2. random 6`."""
    outcome = news.report.outcome
    order = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    parts = [f"{outcome.ranks[s]}. {plain(news.fixture.seats[s])} {score_text(news, s)}".rstrip() for s in order]
    return f"{news.fixture.game}  {', '.join(parts)}"


def score_text(news: Ended, seat: int) -> str:
    report = news.report
    if any(verdict.seat == seat and verdict.fault == "forfeit" for verdict in report.verdicts):
        return "forfeit"
    score = report.outcome.scores[seat]
    return "out" if report.outcome.out[seat] else "" if score is None else str(score)


def fault_texts(news: Ended) -> list[str]:
    return [
        f"{plain(news.fixture.seats[v.seat])}: {v.fault}{' (forgiven)' if v.forgiven else ''} in {news.fixture.game}: "
        f"{plain(v.reason)}"
        for v in news.report.verdicts
        if v.fault != "forfeit"
    ]


def void_text(news: Voided) -> str:
    end = "given up" if news.given_up else "played again"
    return plain(f"{news.fixture.game} is void and {end}: {news.reason}")


class NightView:
    """Shows nothing."""

    def __enter__(self) -> NightView:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def tell(self, news: News) -> None:
        pass


def night_view_of(out: Console, night: Night, plan: Plan, store: Store) -> NightView:
    return TerminalView(out, night, plan, store) if out.is_terminal else PlainView(plan, store)


class PlainView(NightView):
    """A line for each game."""

    def __init__(self, plan: Plan, store: Store) -> None:
        self.total = summary(plan).games
        self.done = store.names()
        self._tellers: dict[type[News], Callable[[Any], None]] = {
            RoundBegun: self.round_begun,
            Ended: self.ended,
            Voided: self.voided,
            Paused: self.paused,
        }

    def tell(self, news: News) -> None:
        teller = self._tellers.get(type(news))
        if teller is not None:
            teller(news)

    def round_begun(self, news: RoundBegun) -> None:
        click.echo(f"round {news.number}: {news.missing} of {news.games} games to play")

    def ended(self, news: Ended) -> None:
        self.done.add(news.fixture.game)
        click.echo(f"{len(self.done)}/{self.total} {result_text(news)}")
        for text in fault_texts(news):
            click.echo(f"  {text}")

    def voided(self, news: Voided) -> None:
        click.echo(f"  {void_text(news)}")

    def paused(self, news: Paused) -> None:
        click.echo(plain(f"{'paused' if news.on else 'going on'} {news.reason}".strip()))


class LiveTable:
    """The table so far. Each game is added once; rated anew now and then, for that takes longer the more there are."""

    def __init__(self, games: Sequence[GameRow]) -> None:
        self.rows = {row.fixture.game: row for row in games}
        self.lines: list[tuple[str, ...]] = []
        self.rated_at = float("-inf")
        self.cost = 0.0
        self.rate()

    def add(self, news: Ended) -> None:
        report = news.report
        played = not any(verdict.fault == "forfeit" for verdict in report.verdicts)
        self.rows[news.fixture.game] = GameRow(
            news.fixture, played, report.outcome, report.verdicts, (), report.stats, time.time()
        )
        if time.monotonic() - self.rated_at >= max(RATE_EVERY, self.cost / RATE_SHARE):
            self.rate()

    def rate(self) -> None:
        start = time.monotonic()
        games = list(self.rows.values())
        solo = any(len(row.fixture.seats) == 1 for row in games[:1])
        self.lines = solo_cells(games) if solo else rating_cells(games)
        self.rated_at = time.monotonic()
        self.cost = self.rated_at - start


def rating_cells(games: Sequence[GameRow]) -> list[tuple[str, ...]]:
    if not results_of(games):
        return []
    return [
        (
            plain(row.player),
            f"{row.rating:.0f}",
            "n/a" if row.error is None else f"± {row.error:.0f}",
            f"{row.games} games",
            f"{row.faults} faults" if row.faults else "",
        )
        for row in night_table(games).ratings
    ]


def solo_cells(games: Sequence[GameRow]) -> list[tuple[str, ...]]:
    names = list(dict.fromkeys(row.fixture.seats[0] for row in games))
    return [
        (
            plain(row.player),
            "" if row.mean_score is None else f"{row.mean_score:.2f}",
            f"{row.passed} passed",
            f"{row.games} games",
            f"{row.faults} faults" if row.faults else "",
        )
        for row in solo_table(names, games)
    ]


class TerminalView(NightView):
    """A live screen: progress with the time left, standings, what is being played, last results, faults.

    Rich draws it in a thread of its own, so what is drawn is changed and read under a lock.
    """

    def __init__(self, out: Console, night: Night, plan: Plan, store: Store) -> None:
        self.night = night
        self.out = out
        self.total = summary(plan).games
        self.round = 0
        self.playing: dict[str, tuple[Fixture, float]] = {}
        self.results: deque[str] = deque(maxlen=LAST_RESULTS)
        self.faults: deque[str] = deque(maxlen=LAST_FAULTS)
        self.pause = ""
        self.done = store.names()
        self.played = 0
        self.started = time.monotonic()
        self.standings = LiveTable(store.games())
        self.lock = threading.Lock()
        self.live = Live(console=out, refresh_per_second=REFRESH_PER_SECOND, get_renderable=self.screen, transient=True)

    def __enter__(self) -> TerminalView:
        self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.live.stop()

    def tell(self, news: News) -> None:
        with self.lock:
            self.change(news)

    def change(self, news: News) -> None:
        match news:
            case RoundBegun():
                self.round = news.number
            case Started():
                self.playing[news.fixture.game] = (news.fixture, time.monotonic())
            case Ended():
                self.ended(news)
            case Voided():
                self.faults.append(void_text(news))
                if news.given_up:
                    self.playing.pop(news.fixture.game, None)
            case Paused():
                self.pause = f"PAUSED {plain(news.reason)}" if news.on else ""

    def ended(self, news: Ended) -> None:
        self.done.add(news.fixture.game)
        self.played += 1
        self.playing.pop(news.fixture.game, None)
        self.results.append(result_text(news))
        self.faults.extend(fault_texts(news))
        self.standings.add(news)

    # ---- the screen

    def screen(self) -> RenderableType:
        with self.lock:
            parts: list[RenderableType] = [self.head(), self.progress()]
            parts += [panel(title, body, style) for title, body, style in self.panels(self.out.height - len(parts) - 1)]
            return Group(*parts)

    def panels(self, lines: int) -> list[tuple[str, list[str], str]]:
        """What fits on so many lines: a few of each first, then standings, then results."""
        now = time.monotonic()
        playing = [
            f"{fixture.game}  {', '.join(map(plain, fixture.seats))}  {now - since:.0f} s"
            for fixture, since in self.playing.values()
        ]
        table = aligned(self.standings.lines)
        found = {"standings": table, "being played": playing, "last results": list(self.results)[::-1]}
        if self.faults:
            found["faults"] = list(self.faults)[::-1]
        shares = share_out({name: len(body) for name, body in found.items()}, lines - FRAME * len(found))
        found["standings"] = cut(table, shares["standings"])
        return [(name, body[: shares[name]], "red" if name == "faults" else "") for name, body in found.items()]

    def head(self) -> Text:
        return Text.assemble(
            (plain(self.night.config.name), "bold"),
            f"  {self.night.config.format}, round {self.round}  ",
            (self.pause, "bold red"),
            overflow="ellipsis",
            no_wrap=True,
        )

    def progress(self) -> RenderableType:
        row = Table.grid(padding=(0, 1), expand=True)
        row.add_column(ratio=1)
        row.add_column(no_wrap=True)
        done = len(self.done)
        row.add_row(ProgressBar(total=max(1, self.total), completed=done), f"{done}/{self.total}  {self.eta()}")
        return row

    def eta(self) -> str:
        missing = self.total - len(self.done)
        if not self.played or missing <= 0:
            return ""
        left = (time.monotonic() - self.started) / self.played * missing
        return f"{int(left // 3600)}:{int(left // 60) % 60:02}:{int(left) % 60:02} left"


def panel(title: str, body: Sequence[str], style: str) -> Panel:
    text = Text("\n".join(body) or "–", style=style, no_wrap=True, overflow="ellipsis")
    return Panel(text, title=title, title_align="left")


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Numbered lines in columns: names to the left, numbers to the right."""
    numbered = [(str(place), *row) for place, row in enumerate(rows, 1)]
    widths = [max(map(cell_len, column)) for column in zip(*numbered, strict=True)]
    return [
        "  ".join(
            " " * (width - cell_len(cell)) * (place != NAME) + cell + " " * (width - cell_len(cell)) * (place == NAME)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in numbered
    ]


def share_out(wanted: Mapping[str, int], lines: int) -> dict[str, int]:
    """So many lines for each: a line in turn until all are content or none is left; each has one at least."""
    shares = dict.fromkeys(wanted, 1)
    left = lines - len(shares)
    for weight in (FEW, max(wanted.values(), default=0)):
        for name, most in wanted.items():
            more = max(0, min(most, weight) - shares[name])
            shares[name] += max(0, min(more, left))
            left -= max(0, min(more, left))
    return shares


def cut(body: list[str], lines: int) -> list[str]:
    """The first of them; the last line tells how many there are more."""
    if len(body) <= lines:
        return body
    return body[:lines] if lines < FEW else [*body[: lines - 1], f"... and {len(body) - lines + 1} more"]
