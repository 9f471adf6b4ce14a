"""The live screen of a night: progress, standings, what is being played, results, faults. Fits any terminal."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..game.texts import plural
from ..tournament.config import Night
from ..tournament.night import Ended, News, Paused, RoundBegun, Started, Tried, Voided, game_row_of_report
from ..tournament.rating_text import NO_INTERVAL, error_text
from ..tournament.rounds import Fixture
from ..tournament.rows import GameRow
from ..tournament.standings import night_table, results_of, solo_table
from ..tournament.store import Store
from .common import plain
from .night_view import NightView, fault_texts, result_text, round_text, tried_text, void_text

REFRESH_PER_SECOND = 4
LAST_RESULTS = 8
LAST_FAULTS = 5
FRAME = 2
"""Lines that a panel's frame takes."""
FEW = 3
"""Each panel may have this many lines before any gets more."""
NAME = 1
"""The column of the standings that is aligned to the left."""
RATE_EVERY = 2.0
"""Seconds at least between two computations of the ratings ..."""
RATE_SHARE = 0.05
"""... which never use more than this share of the time."""


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
        self.rows[news.fixture.game] = game_row_of_report(0, news.fixture, report, played)
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
            str(row.place),
            plain(row.player),
            f"{row.rating:.0f}",
            interval_cell(row.error),
            plural(row.games, "game"),
            plural(row.faults, "fault") if row.faults else "",
        )
        for row in night_table(games).ratings
    ]


def interval_cell(error: float | None) -> str:
    told = error_text(error)
    return told if told == NO_INTERVAL else f"± {told}"


def solo_cells(games: Sequence[GameRow]) -> list[tuple[str, ...]]:
    names = list(dict.fromkeys(row.fixture.seats[0] for row in games))
    return [
        (
            str(row.place),
            plain(row.player),
            "" if row.mean_score is None else f"{row.mean_score:.2f}",
            f"{row.passed} passed",
            plural(row.games, "game"),
            plural(row.faults, "fault") if row.faults else "",
        )
        for row in solo_table(names, games)
    ]


class LiveView(NightView):
    """On the terminal's alternate screen, so that the final table is all that stays.

    Rich draws it in a thread of its own, so what is drawn is changed and read under a lock.
    """

    def __init__(self, out: Console, night: Night, store: Store) -> None:
        self.night = night
        self.out = out
        self.total = 0
        self.round = ""
        self.playing: dict[str, tuple[Fixture, float]] = {}
        self.results: deque[str] = deque(maxlen=LAST_RESULTS)
        self.faults: deque[str] = deque(maxlen=LAST_FAULTS)
        self.pause = ""
        self.done = len(store.names())
        self.played = 0
        self.started = time.monotonic()
        self.standings = LiveTable(store.games())
        self.lock = threading.Lock()
        self.live = Live(console=out, refresh_per_second=REFRESH_PER_SECOND, get_renderable=self.screen, screen=True)

    def __enter__(self) -> LiveView:
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
                self.round, self.done, self.total = round_text(news), news.done, news.total
            case Started():
                self.playing[news.fixture.game] = (news.fixture, time.monotonic())
            case Ended():
                self.ended(news)
            case Voided():
                self.faults.append(void_text(news))
                if news.given_up:
                    self.playing.pop(news.fixture.game, None)
            case Tried():
                self.results.append(tried_text(news))
            case Paused():
                self.pause = f"PAUSED {plain(news.reason)}" if news.on else ""

    def ended(self, news: Ended) -> None:
        self.done += 1
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
        """What fits on this number of lines: a few of each first, then standings, then results."""
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
            f"  {self.night.config.format}, {self.round}  ",
            (self.pause, "bold red"),
            overflow="ellipsis",
            no_wrap=True,
        )

    def progress(self) -> RenderableType:
        row = Table.grid(padding=(0, 1), expand=True)
        row.add_column(ratio=1)
        row.add_column(no_wrap=True)
        bar = ProgressBar(total=max(1, self.total), completed=self.done)
        row.add_row(bar, f"{self.done}/{self.total}  {self.eta()}")
        return row

    def eta(self) -> str:
        missing = self.total - self.done
        if not self.played or missing <= 0:
            return ""
        left = (time.monotonic() - self.started) / self.played * missing
        return f"{int(left // 3600)}:{int(left // 60) % 60:02}:{int(left) % 60:02} left"


def panel(title: str, body: Sequence[str], style: str) -> Panel:
    text = Text("\n".join(body) or "–", style=style, no_wrap=True, overflow="ellipsis")
    return Panel(text, title=title, title_align="left")


def aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Lines in columns: names to the left, numbers to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(padded(column, row[column], width) for column, width in enumerate(widths)) for row in rows]


def padded(column: int, cell: str, width: int) -> str:
    """By the cells that a terminal gives it, which are not its characters: 漢 takes two."""
    space = " " * (width - cell_len(cell))
    return cell + space if column == NAME else space + cell


def share_out(wanted: Mapping[str, int], lines: int) -> dict[str, int]:
    """Lines for each: one at least, then up to a few in their order, then the first takes what it wants of the rest."""
    shares = dict.fromkeys(wanted, 1)
    left = lines - len(shares)
    for most in (FEW, max(wanted.values(), default=0)):
        for name, wish in wanted.items():
            more = max(0, min(wish, most) - shares[name])
            given = min(more, max(0, left))
            shares[name] += given
            left -= given
    return shares


def cut(body: list[str], lines: int) -> list[str]:
    """The first of them; the last line tells how many more there are."""
    if len(body) <= lines:
        return body
    return body[:lines] if lines < FEW else [*body[: lines - 1], f"... and {len(body) - lines + 1} more"]
