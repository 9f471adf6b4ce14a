"""The live screen of a tournament, in `run` and in `watch`, from its store and its heartbeat.

This module decides what is shown; `live_screen` draws it and `live_standings` makes the standings.
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
from ..tournament.fixtures import Fixture, Round
from ..tournament.follower import Follower, ObservedState
from ..tournament.heartbeat import ClusterStatus, GameInProgress, Heartbeat, NodeStatus, read_heartbeat
from ..tournament.news import DiskStateChanged, News
from ..tournament.pace import seconds_between_games
from ..tournament.wording import for_people
from .common import to_plain_text
from .live_screen import ScreenContent, Section, draw_screen
from .live_standings import LiveStandings
from .terminal_standings import cup_texts
from .tournament_view import TournamentView, fault_texts, result_text, round_text, stored_void_text

MAX_SHOWN_RESULTS = 60
"""Results and faults that are kept for a tall terminal."""
REDRAW_SECONDS = 0.25
"""Seconds between two looks into the store, and drawings."""
MAX_PACE_GAMES = 100
"""Maximum of recent games from which the time left is estimated."""


class LiveTournament:
    """The content of the screen, as of the last look."""

    def __init__(self, path: Path, resume_hint: str = "", page_lines: Collection[str] = ()) -> None:
        """`resume_hint`: the command to suggest when no runner is active; if empty, this process is the runner.
        `page_lines`: see `make_tournament_view`."""
        self.path = path
        self.page_lines = page_lines
        self.resume_hint = resume_hint
        self.follower = Follower(path)
        self.state: ObservedState | None = None
        self.heartbeat: Heartbeat | None = None
        self.table = LiveStandings()
        self.disk_problem = ""
        """The disk's problem while this run waits for space."""

    def poll(self) -> ObservedState | None:
        """Read and return what is new in the store."""
        new = self.follower.poll()
        self.heartbeat = read_heartbeat(self.path)
        self.state = new or self.state
        if self.state is not None:
            self.table.update(self.state)
        return new

    def is_over(self) -> bool:
        """Nothing is left to play and the runner is gone, or the host has closed the tournament."""
        state = self.state
        return state is not None and (state.closed or (not has_more_games(state) and self.heartbeat is None))

    def draw(self, width: int, height: int) -> Text:
        return draw_screen(self.screen_content(), width, height)

    def headline(self) -> str:
        """`Friday: round-robin, round 3 of 10`."""
        content = self.screen_content()
        return f"{content.title}: {content.progress_text} {content.alarm}".rstrip()

    def screen_content(self) -> ScreenContent:
        return self.content_before_start() if self.state is None else self.content_of_state(self.state)

    def content_before_start(self) -> ScreenContent:
        status = "bots play their trial games" if self.heartbeat is not None else "the tournament has not started yet"
        return ScreenContent(to_plain_text(self.path.stem), status, "", 0, 0, "", self.table.standings, "", ())

    def content_of_state(self, state: ObservedState) -> ScreenContent:
        first = state.round is None or state.round.id == 1 or state.endless
        return ScreenContent(
            title=to_plain_text(state.config.name),
            progress_text=progress_text(state),
            alarm=to_plain_text(self.alarm(state)),
            done=len(state.games),
            total=0 if state.endless else len(state.games) + state.remaining_games,
            time_left=time_left_text(state)
            if self.is_playing() and state.active_pause is None and not state.endless
            else "",
            standings=self.table.standings,
            moves_note="" if first else ", ▲▼ since the round started",
            sections=tuple(self.sections(state)),
        )

    def is_playing(self) -> bool:
        """Whether a runner plays and waits for no machine: otherwise nobody can say how long it will take."""
        return self.heartbeat is not None and not (self.heartbeat.cluster and self.heartbeat.cluster.waits_for)

    def alarm(self, state: ObservedState) -> str:
        if self.disk_problem:
            return f"WAITS FOR THE DISK: {self.disk_problem}"
        if not has_more_games(state):
            return "all games are played"
        if self.resume_hint and self.heartbeat is None:
            return f"NO RUNNER: {self.resume_hint}"
        if self.heartbeat is not None and (silent := self.heartbeat.silent_for(time.time())):
            return f"NO NEWS from the tournament for {silent:.0f} s"
        if state.active_pause is not None:
            return f"PAUSED {state.active_pause.reason}"
        if self.heartbeat is not None and self.heartbeat.cluster is not None and self.heartbeat.cluster.waits_for:
            return f"WAITS FOR {self.heartbeat.cluster.waits_for}"
        return f"pause after this round {state.requested_pause.reason}" if state.requested_pause is not None else ""

    def sections(self, state: ObservedState) -> list[Section]:
        rows = list(islice(reversed(state.games.values()), MAX_SHOWN_RESULTS))
        sections = [self.playing_section(state)]
        if lines := tuple(self.page_lines):
            sections.append(
                Section("the pages report", tuple(map(to_plain_text, reversed(lines))), "red", newest_only=True)
            )
        if self.heartbeat is not None and self.heartbeat.cluster is not None:
            sections += cluster_sections(self.heartbeat.cluster)
        if state.cup is not None:
            sections.append(Section("the cup", tuple(cup_texts(state.cup, state.names)), "none"))
        if state.notes:
            sections.append(Section("not playing, byes and versions", tuple(note_texts(state)), "yellow"))
        if state.recent_deals:
            reasons = tuple(chosen_deal_text(round, state.names) for round in state.recent_deals)
            sections.append(Section("latest deals, and why", reasons, newest_only=True))
        results = tuple(f"{clock_time(row.at)}  {result_text(row)}" for row in rows)
        sections.append(Section("last results", results, is_beside_standings=True, newest_only=True))
        if faults := newest_fault_texts(state):
            sections.append(Section("faults and void games", tuple(faults), "red", newest_only=True))
        return sections

    def playing_section(self, state: ObservedState) -> Section:
        """Games of less than a second end before a heartbeat reports them: then the next games are shown."""
        following = tuple(map(game_text, state.due_fixtures[: state.config.slots()]))
        if self.heartbeat is None:
            return Section("to be played", following, is_beside_standings=True)
        if not self.heartbeat.at:
            return Section("being played", ("bots play their trial games",), is_beside_standings=True)
        playing = tuple(running_game_texts(self.heartbeat, state, time.time()))
        return Section(
            "being played", playing or tuple(f"next: {text}" for text in following), is_beside_standings=True
        )


class LiveView(TournamentView):
    """The view of `run`: on the terminal's alternate screen, so that only the final table stays.

    A separate thread looks and draws, so that the runner waits for neither.
    """

    has_screen = True

    def __init__(self, out: Console, path: Path, page_lines: Collection[str] = ()) -> None:
        self.out = out
        self.tournament = LiveTournament(path, page_lines=page_lines)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._draw_until_ended, name="live view", daemon=True)
        self._problem: ConfigError | None = None

    def __enter__(self) -> LiveView:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        if self._problem is not None:  # a screen that fails must not end the tournament
            self.out.print(f"the live view ended early: {to_plain_text(str(self._problem))}", markup=False)

    def show_news(self, news: News) -> None:
        """All other news comes from the store."""
        if isinstance(news, DiskStateChanged):
            self.tournament.disk_problem = news.problem

    def _draw_until_ended(self) -> None:
        try:
            with open_live_display(self.out, self.draw) as live:
                while not self._ended.wait(REDRAW_SECONDS):
                    self.tournament.poll()
                    live.refresh()
        except ConfigError as error:
            self._problem = error
        finally:
            self.tournament.follower.close()

    def draw(self) -> Text:
        return self.tournament.draw(self.out.width, self.out.height)


def open_live_display(out: Console, draw: Callable[[], RenderableType]) -> Live:
    """The caller refreshes it."""
    return Live(console=out, auto_refresh=False, get_renderable=draw, screen=True)


# ---- words


def progress_text(state: ObservedState) -> str:
    """`round-robin, round 3 of 10`."""
    if state.round is None:
        return f"{state.config.format}, no round has started"
    if state.endless:
        return f"{state.config.format}, deal {state.round.id}"
    total = f" of {state.main_round_count}" if state.round.stage in ("main", "finish") else ""
    return f"{state.config.format}, {round_text(state.round.stage, state.round.number)}{total}"


def has_more_games(state: ObservedState) -> bool:
    return state.endless or bool(state.remaining_games)


def note_texts(state: ObservedState) -> list[str]:
    """One note each; byes together."""
    texts = [
        to_plain_text(f"{state.names[note.entry]}: {for_people(note.text)}")
        for note in state.notes
        if note.kind != "bye"
    ]
    byes = [to_plain_text(state.names[note.entry]) for note in state.notes if note.kind == "bye"]
    return [*texts, *([f"bye: {', '.join(byes)}"] if byes else [])]


def newest_fault_texts(state: ObservedState) -> list[str]:
    """The newest first, including void games."""
    dated = [(void.at, stored_void_text(void)) for void in state.voids[-MAX_SHOWN_RESULTS:]]
    for row in reversed(state.games.values()):
        dated += [(row.at, text) for text in fault_texts(row)]
        if len(dated) > 2 * MAX_SHOWN_RESULTS:
            break
    newest = sorted(dated, key=lambda fault: -fault[0])[:MAX_SHOWN_RESULTS]
    return [f"{clock_time(at)}  {text}" for at, text in newest]


def running_game_texts(heartbeat: Heartbeat, state: ObservedState, now: float) -> list[str]:
    """The heartbeat is up to a second old: a game that is already in the store is not running."""
    games = [
        f"{game_text(game)}  {now - game.since:.0f} s" for game in heartbeat.playing if game.game not in state.games
    ]
    trials = [
        f"{to_plain_text(trial.name)} v{trial.edition} plays its trial  {now - trial.since:.0f} s"
        for trial in heartbeat.trying
    ]
    return [*games, *trials]


def cluster_sections(cluster: ClusterStatus) -> list[Section]:
    nodes = Section("nodes", tuple(map(node_text, cluster.nodes)), is_beside_standings=True)
    notes = Section("about the nodes", tuple(map(to_plain_text, reversed(cluster.notes))), "yellow", newest_only=True)
    return [nodes, notes] if cluster.notes else [nodes]


def node_text(node: NodeStatus) -> str:
    """`blue  2 of 4 on, 812 games, 3.4/s, speed 1.1`: short, because it is next to the table."""
    if node.problem:
        return to_plain_text(f"{node.name}  plays no games: {node.problem}")
    if not node.slots:
        return to_plain_text(f"{node.name}  is being checked")
    pace = f"{node.busy} of {node.slots} on, {plural(node.games, 'game')}, {node.per_second:.2g}/s"
    return to_plain_text(f"{node.name}  {pace}, speed {node.speed:g}")


def chosen_deal_text(round: Round, names: Mapping[int, str]) -> str:
    """`deal 47  planner, tiny-c: tells most about …`."""
    seats = ", ".join(to_plain_text(names[entry]) for entry in round.tables[0])
    return f"deal {round.id}  {seats}: {to_plain_text(round.reason)}"


def game_text(game: Fixture | GameInProgress) -> str:
    return f"{game.game}  {', '.join(map(to_plain_text, game.seats))}"


def clock_time(at: float) -> str:
    return time.strftime("%H:%M", time.localtime(at))


def time_left_text(state: ObservedState) -> str:
    pace = seconds_between_games([row.at for row in islice(reversed(state.games.values()), MAX_PACE_GAMES)][::-1])
    if pace is None or not state.remaining_games:
        return ""
    left = pace * state.remaining_games
    return f"{int(left // 3600)}:{int(left // 60) % 60:02}:{int(left) % 60:02} left"
