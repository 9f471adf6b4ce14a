"""The live screen of a tournament, in `run` and in `watch`, from its store and its heartbeat.

This module decides what is shown; `live_screen` draws it and `live_table` makes the standings.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from itertools import islice
from pathlib import Path

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from ..game import ConfigError
from ..game.texts import plural
from ..tournament.following import Follower, Seen
from ..tournament.night_news import DiskNews, News
from ..tournament.pace import seconds_between_games
from ..tournament.pulse import ClusterNow, GameOn, NodeOn, Pulse, pulse_of
from ..tournament.rounds import Fixture, Round
from .common import plain
from .live_screen import Picture, Section, drawn
from .live_table import LiveTable
from .night_table import cup_texts
from .night_view import NightView, fault_texts, result_text, round_text, stored_void_text

LAST = 60
"""Results and faults that are kept for a tall terminal."""
DRAW_EVERY = 0.25
"""Seconds between two looks into the store, and drawings."""
PACE_GAMES = 100
"""Maximum of recent games from which the time left is estimated."""


class LiveNight:
    """The content of the screen, as of the last look."""

    def __init__(self, path: Path, goes_on: str = "", of_pages: Collection[str] = ()) -> None:
        """`goes_on`: the command to suggest when no runner is active; if empty, this process is the runner. `of_pages`:
        see `night_view_of`."""
        self.path = path
        self.of_pages = of_pages
        self.goes_on = goes_on
        self.follower = Follower(path)
        self.seen: Seen | None = None
        self.pulse: Pulse | None = None
        self.table = LiveTable()
        self.disk = ""
        """The disk's problem while this run waits for space."""

    def look(self) -> Seen | None:
        """Read and return what is new in the store."""
        new = self.follower.look()
        self.pulse = pulse_of(self.path)
        self.seen = new or self.seen
        if self.seen is not None:
            self.table.update(self.seen)
        return new

    def is_over(self) -> bool:
        """Nothing is left to play and the runner is gone, or the host has closed the tournament."""
        seen = self.seen
        return seen is not None and (seen.closed or (not more_to_come(seen) and self.pulse is None))

    def drawn(self, width: int, height: int) -> Text:
        return drawn(self.picture(), width, height)

    def headline(self) -> str:
        """`Friday: round-robin, round 3 of 10`."""
        picture = self.picture()
        return f"{picture.title}: {picture.about} {picture.alarm}".rstrip()

    def picture(self) -> Picture:
        return self.nothing_yet() if self.seen is None else self.picture_of(self.seen)

    def nothing_yet(self) -> Picture:
        doing = "bots are being tried" if self.pulse is not None else "the tournament has not started yet"
        return Picture(plain(self.path.stem), doing, "", 0, 0, "", self.table.standings, "", ())

    def picture_of(self, seen: Seen) -> Picture:
        first = seen.round is None or seen.round.id == 1 or seen.endless
        return Picture(
            title=plain(seen.config.name),
            about=where_it_is(seen),
            alarm=plain(self.alarm(seen)),
            done=len(seen.games),
            total=0 if seen.endless else len(seen.games) + seen.to_come,
            left=time_left(seen) if self.is_playing() and seen.pause is None and not seen.endless else "",
            standings=self.table.standings,
            moved="" if first else ", ▲▼ since the round started",
            sections=tuple(self.sections(seen)),
        )

    def is_playing(self) -> bool:
        """Whether a runner plays and waits for no machine: otherwise nobody can say how long it will take."""
        return self.pulse is not None and not (self.pulse.cluster and self.pulse.cluster.waits_for)

    def alarm(self, seen: Seen) -> str:
        if self.disk:
            return f"WAITS FOR THE DISK: {self.disk}"
        if not more_to_come(seen):
            return "all games are played"
        if self.goes_on and self.pulse is None:
            return f"NO RUNNER: {self.goes_on}"
        if self.pulse is not None and (silent := self.pulse.silent_for(time.time())):
            return f"NO NEWS from the tournament for {silent:.0f} s"
        if seen.pause is not None:
            return f"PAUSED {seen.pause.reason}"
        if self.pulse is not None and self.pulse.cluster is not None and self.pulse.cluster.waits_for:
            return f"WAITS FOR {self.pulse.cluster.waits_for}"
        return f"pause after this round {seen.pause_asked.reason}" if seen.pause_asked is not None else ""

    def sections(self, seen: Seen) -> list[Section]:
        rows = list(islice(reversed(seen.games.values()), LAST))
        found = [self.playing_section(seen)]
        if lines := tuple(self.of_pages):
            found.append(Section("the pages report", tuple(map(plain, reversed(lines))), "red", endless=True))
        if self.pulse is not None and self.pulse.cluster is not None:
            found += cluster_sections(self.pulse.cluster)
        if seen.cup is not None:
            found.append(Section("the cup", tuple(cup_texts(seen.cup, seen.names)), "none"))
        if seen.notes:
            found.append(Section("not playing, byes and versions", tuple(note_texts(seen)), "yellow"))
        if seen.chosen:
            reasons = tuple(chosen_text(round, seen.names) for round in seen.chosen)
            found.append(Section("chosen last, and why", reasons, endless=True))
        results = tuple(f"{clock(row.at)}  {result_text(row)}" for row in rows)
        found.append(Section("last results", results, beside=True, endless=True))
        if faults := last_faults(seen):
            found.append(Section("faults and void games", tuple(faults), "red", endless=True))
        return found

    def playing_section(self, seen: Seen) -> Section:
        """Games of less than a second end before a heartbeat reports them: then the next games are shown."""
        following = tuple(map(game_text, seen.missing[: seen.config.places()]))
        if self.pulse is None:
            return Section("to be played", following, beside=True)
        if not self.pulse.at:
            return Section("being played", ("bots are being tried",), beside=True)
        playing = tuple(on_texts(self.pulse, seen, time.time()))
        return Section("being played", playing or tuple(f"next: {text}" for text in following), beside=True)


class LiveView(NightView):
    """The view of `run`: on the terminal's alternate screen, so that only the final table stays.

    A separate thread looks and draws, so that the runner waits for neither.
    """

    has_screen = True

    def __init__(self, out: Console, path: Path, of_pages: Collection[str] = ()) -> None:
        self.out = out
        self.night = LiveNight(path, of_pages=of_pages)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, name="live view", daemon=True)
        self._problem: ConfigError | None = None

    def __enter__(self) -> LiveView:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        if self._problem is not None:  # a screen that fails must not end the tournament
            self.out.print(f"the live view ended early: {plain(str(self._problem))}", markup=False)

    def tell(self, news: News) -> None:
        """All other news comes from the store."""
        if isinstance(news, DiskNews):
            self.night.disk = news.problem

    def _show(self) -> None:
        try:
            with shown(self.out, self.drawn) as live:
                while not self._ended.wait(DRAW_EVERY):
                    self.night.look()
                    live.refresh()
        except ConfigError as error:
            self._problem = error
        finally:
            self.night.follower.close()

    def drawn(self) -> Text:
        return self.night.drawn(self.out.width, self.out.height)


def shown(out: Console, draw: Callable[[], RenderableType]) -> Live:
    """The caller refreshes it."""
    return Live(console=out, auto_refresh=False, get_renderable=draw, screen=True)


# ---- words


def where_it_is(seen: Seen) -> str:
    """`round-robin, round 3 of 10`."""
    if seen.round is None:
        return f"{seen.config.format}, no round has started"
    if seen.endless:
        return f"{seen.config.format}, deal {seen.round.id}"
    of = f" of {seen.rounds}" if seen.round.stage in ("main", "finish") else ""
    return f"{seen.config.format}, {round_text(seen.round.stage, seen.round.number)}{of}"


def more_to_come(seen: Seen) -> bool:
    return seen.endless or bool(seen.to_come)


def note_texts(seen: Seen) -> list[str]:
    """One note each; byes together."""
    texts = [plain(f"{seen.names[note.entry]}: {note.text}") for note in seen.notes if note.kind != "bye"]
    byes = [plain(seen.names[note.entry]) for note in seen.notes if note.kind == "bye"]
    return [*texts, *([f"bye: {', '.join(byes)}"] if byes else [])]


def last_faults(seen: Seen) -> list[str]:
    """The newest first, including void games."""
    dated = [(void.at, stored_void_text(void)) for void in seen.voids[-LAST:]]
    for row in reversed(seen.games.values()):
        dated += [(row.at, text) for text in fault_texts(row)]
        if len(dated) > 2 * LAST:
            break
    newest = sorted(dated, key=lambda fault: -fault[0])[:LAST]
    return [f"{clock(at)}  {text}" for at, text in newest]


def on_texts(pulse: Pulse, seen: Seen, now: float) -> list[str]:
    """The heartbeat is up to a second old: a game that is already in the store is not running."""
    games = [f"{game_text(on)}  {now - on.since:.0f} s" for on in pulse.playing if on.game not in seen.games]
    trials = [f"{plain(on.name)} v{on.edition} plays its trial  {now - on.since:.0f} s" for on in pulse.trying]
    return [*games, *trials]


def cluster_sections(now: ClusterNow) -> list[Section]:
    nodes = Section("nodes", tuple(map(node_text, now.nodes)), beside=True)
    notes = Section("noticed of nodes", tuple(map(plain, reversed(now.notes))), "yellow", endless=True)
    return [nodes, notes] if now.notes else [nodes]


def node_text(node: NodeOn) -> str:
    """`blue  2 of 4 on, 812 games, 3.4/s, speed 1.1`: short, because it is next to the table."""
    if node.problem:
        return plain(f"{node.name}  plays no games: {node.problem}")
    if not node.slots:
        return plain(f"{node.name}  is being checked")
    pace = f"{node.busy} of {node.slots} on, {plural(node.games, 'game')}, {node.per_second:.2g}/s"
    return plain(f"{node.name}  {pace}, speed {node.speed:g}")


def chosen_text(round: Round, names: Mapping[int, str]) -> str:
    """`deal 47  planner, tiny-c: tells most about …`."""
    seats = ", ".join(plain(names[entry]) for entry in round.tables[0])
    return f"deal {round.id}  {seats}: {plain(round.reason)}"


def game_text(game: Fixture | GameOn) -> str:
    return f"{game.game}  {', '.join(map(plain, game.seats))}"


def clock(at: float) -> str:
    return time.strftime("%H:%M", time.localtime(at))


def time_left(seen: Seen) -> str:
    pace = seconds_between_games([row.at for row in islice(reversed(seen.games.values()), PACE_GAMES)][::-1])
    if pace is None or not seen.to_come:
        return ""
    left = pace * seen.to_come
    return f"{int(left // 3600)}:{int(left // 60) % 60:02}:{int(left) % 60:02} left"
