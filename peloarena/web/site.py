"""`tournament report --site`: a tournament as a folder of pages that opens from a USB stick, with its replays.

The pages are those of the web process; their links lead to files, and their scripts are its modules joined into one.
The folder contains only what may pass the gate: it is read through the same source as the web process's state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ..game import ConfigError
from ..game.json_codec import encode
from ..referee.replay import read_replay
from ..tournament.report.markup import element
from .assets import asset_text
from .channel import GetStateUpdate
from .featuring import featured_games
from .pages import bot_page, faults_page, game_lists, pairings_page, tournament_page
from .pages.game_page import keys_dialog
from .pages.page_layout import data_element, page
from .replay_json import replay_json_of
from .script_bundle import classic_script, gzip_base64
from .tournament_source import TournamentSource
from .web_tournament import HISTORY_POINTS, WebTournament

LARGEST_SITE = 200_000_000
"""Bytes; a larger tournament shows only its featured games."""
SAMPLED_GAMES = 5
"""Games from which the size is estimated before anything is written."""
STYLES = ("hall.css", "board.css")
LIVE_SCRIPTS = ("sections.js", "live.js")
LINK_PATTERN = re.compile(r'(href|src)="/([^"]*)"')
GAMES_ON_A_PAGE = game_lists.GAMES_PER_PAGE


class SitePlan(Struct, frozen=True):
    """What would be written."""

    games: tuple[str, ...]
    all_games: int
    bytes: int


class Site:
    def __init__(self, store: Path) -> None:
        self.source = TournamentSource(store)
        self.tournament = WebTournament()
        self.tournament.apply_update(self.source.get_update(GetStateUpdate(0, 0, 0)))
        if self.tournament.state is None:
            self.source.close()
            raise ConfigError("the tournament of this store has not started: start it with `peloarena tournament run`")
        self.tournament.compute_standings(now=True)
        for _ in range(HISTORY_POINTS + 1):
            self.tournament.extend_history()

    def close(self) -> None:
        self.source.close()

    def plan(self) -> SitePlan:
        """All games, or the most interesting ones that fit."""
        shown = [row for row in self.tournament.games if self.tournament.is_public(row.fixture.game)]
        names = [row.fixture.game for row in shown]
        if not names:
            return SitePlan((), len(self.tournament.games), 0)
        size = sum(len(self.game_page(name)) for name in names[:SAMPLED_GAMES]) // len(names[:SAMPLED_GAMES])
        most = max(1, LARGEST_SITE // size)
        if len(names) > most:
            names = [one.game for one in featured_games(shown, self.tournament.ratings(), most)]
        return SitePlan(tuple(names), len(self.tournament.games), size * len(names))

    def write(self, folder: Path, plan: SitePlan, on_progress: Callable[[int], None]) -> None:
        """`on_progress` gets the number of games written so far."""
        try:
            (folder / "game").mkdir(parents=True, exist_ok=True)
            for name in STYLES:
                (folder / name).write_text(asset_text(name), "utf-8", newline="")
            (folder / "icon.svg").write_text(asset_text("icon.svg"), "utf-8", newline="")
            (folder / "replay.js").write_text(classic_script(), "utf-8", newline="")
            (folder / "live.js").write_text(classic_script(LIVE_SCRIPTS), "utf-8", newline="")
            links = Links(plan.games)
            for path, text in self.pages():
                (folder / path).write_text(links.link_to_files(text, ""), "utf-8", newline="")
            for number, name in enumerate(plan.games, 1):
                (folder / "game" / f"{name}.html").write_text(self.game_page(name), "utf-8", newline="")
                on_progress(number)
        except OSError as error:
            raise ConfigError(f"{str(error.filename or folder)!r}: {error.strerror or error}") from None

    def pages(self) -> Iterator[tuple[str, str]]:
        tournament = self.tournament
        assert tournament.state is not None
        yield (
            "index.html",
            page(
                tournament.state.name,
                *tournament_page.arrange_sections(tournament),
                here="/",
                scripts=["live.js"],
                kind="night",
            ),
        )
        yield "pairings.html", pairings_page.pairings_page(tournament)
        yield "faults.html", faults_page.faults_page(tournament)
        for start in range(0, max(1, len(tournament.games)), GAMES_ON_A_PAGE):
            yield games_file(start), game_lists.games_page(tournament, "", "", start, links=False)
        for entry in tournament.entry_names():
            made = bot_page.bot_page(tournament, entry)
            assert made is not None
            yield f"bot-{entry}.html", made

    def game_page(self, name: str) -> str:
        facts = replay_json_of(read_replay(self.source.record(name).data), name)
        title = " – ".join(seat.name for seat in facts.seats)
        made = page(
            title,
            element("h1", title, class_="unseen"),
            element("div", id="replay", data_packed="film"),
            element("noscript", element("p", f"The board needs JavaScript. Result: {facts.places}.")),
            element("div", id="account"),
            keys_dialog(),
            data_element("film", gzip_base64(encode(facts))),
            here="/games",
            scripts=["replay.js"],
            styles=STYLES,
            kind="replay",
        )
        return Links(()).link_to_files(made, "../")


def games_file(start: int) -> str:
    return f"games-{start}.html" if start else "games.html"


class Links:
    """Turns addresses of the web process into files; a game that is not in the site is not linked."""

    def __init__(self, games: Sequence[str]) -> None:
        self._games = frozenset(games)

    def link_to_files(self, text: str, prefix: str) -> str:
        text = LINK_PATTERN.sub(lambda found: f'{found[1]}="{prefix}{self.file_for(found[2])}"', text)
        text = text.replace('<script type="module" src=', "<script defer src=")
        return re.sub(r'<a href="[^"]*#absent"[^>]*>(.*?)</a>', r"\1", text)

    def file_for(self, address: str) -> str:
        path, _, query = address.replace("&amp;", "&").partition("?")
        if path.startswith("static/"):
            return path.removeprefix("static/")
        if path.startswith("game/"):
            name = path.removeprefix("game/")
            decision = f"?{query}" if query.startswith("decision=") else ""
            return f"game/{name}.html{decision}" if name in self._games else "#absent"
        if path.startswith("bot/"):
            return f"bot-{path.removeprefix('bot/')}.html"
        if path == "games":
            start = re.search(r"start=(\d+)", query)
            return games_file(int(start[1])) if start else "games.html"
        return f"{path or 'index'}.html"
