"""The web process's addresses and their pages. Reads no files: it shows what the backend passes on."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Awaitable, Callable

import msgspec
import trio
from starlette.applications import Starlette
from starlette.convertors import register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ..referee.record_verification import RecordError
from ..referee.replay import read_replay
from .addresses import qr_svg
from .assets import assets
from .channel import (
    ChannelClosed,
    GetRecord,
    GetRecordList,
    RecordList,
    RecordReply,
    RefusalReply,
    StateUpdate,
    WebChannelEnd,
)
from .featuring import featured_games
from .host_action_handler import handle_host_action, may_use_admin_page
from .pages import (
    admin_page,
    bot_page,
    faults_page,
    game_lists,
    pairings_page,
    projector_page,
    submission_page,
    tournament_page,
)
from .pages.evidence_page import evidence_form
from .pages.game_page import game_page
from .pages.page_layout import NAVIGATION, message_page, page
from .replay_json import ReplayJson, replay_json_of
from .responses import PageError, ShortNumberConvertor, gzip_response, html_response, parse_number, theme_of
from .server_sent_events import LiveSections, event_stream
from .spectating import Spectating
from .submission_handlers import handle_evidence_request, handle_submission
from .web_tournament import WebTournament

REFRESH_INTERVAL_SECONDS = 0.5
"""Seconds between two requests for the state: a page changes at most twice a second."""
CACHED_REPLAYS = 48
MAX_FEATURED_GAMES = 60
"""Games that a projector may choose from."""
CACHE_FOREVER = "public, max-age=31536000, immutable"
HOME_SECTIONS = ",".join(tournament_page.SECTIONS)
NAVIGATION_WITHOUT_TOURNAMENT = (("/", "Games"),)
"""Navigation without a tournament: it does not link to the tournament's pages."""
NO_TOURNAMENT_TEXT = (
    "This site shows recorded games, not a tournament: there is nothing at this address. All games are listed under "
    "Games. To show a tournament, start the site with its file or store: peloarena serve friday.toml"
)
RequestHandler = Callable[[Request], Awaitable[Response]]


class CachedReplay(msgspec.Struct, frozen=True):
    json: ReplayJson
    gzipped_json: bytes
    """Its JSON, compressed by gzip."""


class ReplayCache:
    """Records as replays: each is made once, and the latest are cached. A thread makes them, one at a time."""

    def __init__(self, channel: WebChannelEnd) -> None:
        self._channel = channel
        self._cache: OrderedDict[str, CachedReplay] = OrderedDict()
        self._one_at_a_time = trio.CapacityLimiter(1)

    async def get_replay(self, game: str) -> CachedReplay:
        """Ask the backend for the record every time: the game may have become void, and its deal closed again."""
        data = await self.get_record(game)
        key = f"{game} {hash(data)}"
        if key not in self._cache:
            self._cache[key] = await trio.to_thread.run_sync(make_replay, data, game, limiter=self._one_at_a_time)
            while len(self._cache) > CACHED_REPLAYS:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return self._cache[key]

    async def get_record(self, game: str) -> bytes:
        reply = await self._channel.ask(GetRecord(game))
        if isinstance(reply, RefusalReply):
            raise PageError(reply.reason)
        assert isinstance(reply, RecordReply)
        return reply.data


def make_replay(data: bytes, game: str) -> CachedReplay:
    try:
        facts = replay_json_of(read_replay(data), game)
    except RecordError as error:
        raise PageError(f"this record is invalid: {error}", 422) from None
    return CachedReplay(facts, gzip.compress(msgspec.json.encode(facts), 6, mtime=0))


class WebApp:
    """Everything that pages are made of."""

    def __init__(self, channel: WebChannelEnd, page_address: str, admin_access: str) -> None:
        self.channel = channel
        self.admin_access = admin_access
        self.page_address = page_address
        self.tournament = WebTournament()
        self.live_sections = LiveSections()
        self.replays = ReplayCache(channel)
        self.spectating = Spectating(channel, self.tournament, self.live_sections)
        self.qr_code = qr_svg(page_address)
        self._featured: tuple[object, bytes] = (None, b"[]")

    async def refresh(self) -> None:
        reply = await self.channel.ask(self.tournament.make_request())
        if isinstance(reply, RefusalReply):  # the store is damaged, or of another version: keep the last state
            self.tournament.problem = reply.reason
        else:
            assert isinstance(reply, StateUpdate)
            self.tournament.problem = ""
            self.tournament.apply_update(reply)
        if self.tournament.state is not None:
            await trio.to_thread.run_sync(self.tournament.compute_standings)
        if self.tournament.is_served:
            sections = (
                tournament_page.sections(self.tournament)
                | projector_page.sections(self.tournament)
                | admin_page.sections(self.tournament)
            )
            self.live_sections.publish(sections | submission_page.sections(self.tournament))

    async def keep_refreshing(self, stop: trio.Event) -> None:
        """Refresh until the backend is gone, then stop the web process."""
        try:
            while not stop.is_set():
                with trio.move_on_after(REFRESH_INTERVAL_SECONDS):
                    await stop.wait()
                await self.refresh()
                await trio.to_thread.run_sync(self.tournament.extend_history)
        except ChannelClosed:
            stop.set()
        finally:
            self.live_sections.end()

    @property
    def nav(self) -> tuple[tuple[str, str], ...]:
        return NAVIGATION if self.tournament.is_served else NAVIGATION_WITHOUT_TOURNAMENT

    def only_with_tournament(self, handler: RequestHandler) -> RequestHandler:
        """Wrap a handler that exists only if a tournament is served."""

        async def check_and_handle(request: Request) -> Response:
            if not self.tournament.is_served:
                raise PageError(NO_TOURNAMENT_TEXT, title="No tournament here")
            return await handler(request)

        return check_and_handle

    # ---- pages

    async def home(self, request: Request) -> Response:
        if not self.tournament.is_served:
            return html_response(request, game_lists.library_page(await self.get_record_list(), theme_of(request)))
        content = tournament_page.arrange_sections(self.tournament)
        title = self.tournament.state.name if self.tournament.state else self.tournament.title
        made = page(
            title,
            *content,
            here="/",
            scripts=["live.js"],
            theme=theme_of(request),
            stream=f"/events?sections={HOME_SECTIONS}",
            kind="night",
        )
        return html_response(request, made)

    async def get_record_list(self) -> RecordList:
        reply = await self.channel.ask(GetRecordList())
        assert isinstance(reply, RecordList)
        return reply

    async def games(self, request: Request) -> Response:
        if not self.tournament.is_served:
            return RedirectResponse("/")
        query = request.query_params
        start = parse_number(query.get("start") or "0")
        if start is None:
            raise PageError("the list of games has no such page", 400)
        made = game_lists.games_page(
            self.tournament, query.get("bot", ""), query.get("round", ""), start, theme_of(request)
        )
        return html_response(request, made)

    async def pairings(self, request: Request) -> Response:
        return html_response(request, pairings_page.pairings_page(self.tournament, theme_of(request)))

    async def bot(self, request: Request) -> Response:
        number = request.path_params["entry"]
        made = bot_page.bot_page(self.tournament, number, theme_of(request), evidence_form(entry=number))
        if made is None:
            raise PageError("this tournament has no such bot")
        return html_response(request, made)

    async def faults(self, request: Request) -> Response:
        return html_response(request, faults_page.faults_page(self.tournament, theme_of(request), evidence_form()))

    async def game(self, request: Request) -> Response:
        name = request.path_params["game"]
        replay = await self.replays.get_replay(name)
        verify = f"peloarena verify {name}.jsonl"
        private = evidence_form(game=name) if self.tournament.is_public(name) else ""
        return html_response(request, game_page(replay.json, dict(request.query_params), verify, self.nav, private))

    async def replay_json(self, request: Request) -> Response:
        replay = await self.replays.get_replay(request.path_params["game"])
        return gzip_response(request, replay.gzipped_json, "application/json")

    async def record(self, request: Request) -> Response:
        name = request.path_params["game"]
        headers = {"content-disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(await self.replays.get_record(name), media_type="application/x-ndjson", headers=headers)

    async def projector(self, request: Request) -> Response:
        return html_response(
            request, projector_page.projector_page(self.tournament, self.page_address, theme_of(request))
        )

    async def host(self, request: Request) -> Response:
        if not may_use_admin_page(request, self.admin_access):
            raise PageError("the host's controls work only on the host's machine", 403)
        return html_response(request, admin_page.admin_page(self.tournament, theme_of(request)))

    async def host_action(self, request: Request) -> Response:
        return await handle_host_action(request, self.channel, self.admin_access)

    async def submit(self, request: Request) -> Response:
        if request.method == "POST":
            return await handle_submission(request, self.channel)
        return html_response(request, submission_page.submission_page(self.tournament, theme_of(request)))

    async def evidence(self, request: Request) -> Response:
        return await handle_evidence_request(request, self.channel)

    async def featured(self, request: Request) -> Response:
        """Games that a projector may show next: only those that are open."""
        if self._featured[0] != self.tournament.version:
            shown = [row for row in self.tournament.games if self.tournament.is_public(row.fixture.game)]
            self._featured = (
                self.tournament.version,
                msgspec.json.encode(featured_games(shown, self.tournament.ratings(), MAX_FEATURED_GAMES)),
            )
        return Response(self._featured[1], media_type="application/json")

    async def qr(self, request: Request) -> Response:
        return Response(self.qr_code, media_type="image/svg+xml")

    async def events(self, request: Request) -> Response:
        last = request.headers.get("last-event-id", request.query_params.get("last", ""))
        wanted = {word for word in request.query_params.get("sections", "").split(",") if word}
        body = event_stream(self.live_sections, last, lambda key: not wanted or key in wanted)
        return StreamingResponse(body, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def static(self, request: Request) -> Response:
        asset = assets().get(request.path_params["name"])
        if asset is None:
            raise PageError("this site has no such file")
        if request.headers.get("if-none-match") == f'"{asset.tag}"':
            return Response(status_code=304, headers={"etag": f'"{asset.tag}"'})
        lasting = request.query_params.get("v") == asset.tag
        headers = {"etag": f'"{asset.tag}"', "cache-control": CACHE_FOREVER if lasting else "no-cache"}
        return gzip_response(request, asset.gzipped, asset.media_type, headers)

    async def icon(self, request: Request) -> Response:
        """Browsers ask for this icon if a page names none."""
        asset = assets()["icon.svg"]
        return gzip_response(request, asset.gzipped, asset.media_type)

    async def health(self, request: Request) -> Response:
        return Response("ok\n", media_type="text/plain")

    def show_page_error(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, PageError)
        return HTMLResponse(message_page(error.title, error.reason, nav=self.nav), error.status)

    def show_not_found(self, request: Request, error: Exception) -> Response:
        return HTMLResponse(message_page(PageError.title, "This site has no such page.", nav=self.nav), 404)

    def show_server_error(self, request: Request, error: Exception) -> Response:
        """Show the visitor a sentence about a bug in the server. Starlette raises the error again; server.py reports
        it.
        """
        return HTMLResponse(
            message_page(
                "Server error",
                "Something went wrong on the server. The host's terminal shows the reason.",
                nav=self.nav,
            ),
            500,
        )

    def app(self) -> Starlette:
        register_url_convertor("int", ShortNumberConvertor())
        routes = [
            Route("/", self.home),
            Route("/games", self.games),
            Route("/pairings", self.only_with_tournament(self.pairings)),
            Route("/faults", self.only_with_tournament(self.faults)),
            Route("/bot/{entry:int}", self.only_with_tournament(self.bot)),
            Route("/game/{game}", self.game),
            Route("/game/{game}/film.json", self.replay_json),
            Route("/game/{game}/record.jsonl", self.record),
            Route("/live.json", self.only_with_tournament(self.spectating.list_live_games)),
            Route("/live/{game}", self.only_with_tournament(self.spectating.page)),
            Route("/live/{game}/position.json", self.only_with_tournament(self.spectating.position)),
            Route("/live/{game}/events", self.only_with_tournament(self.spectating.events)),
            Route("/projector", self.only_with_tournament(self.projector)),
            Route("/host", self.only_with_tournament(self.host)),
            Route("/host/order", self.only_with_tournament(self.host_action), methods=["POST"]),
            Route("/enter", self.only_with_tournament(self.submit), methods=["GET", "POST"]),
            Route("/evidence", self.only_with_tournament(self.evidence), methods=["POST"]),
            Route("/featured.json", self.only_with_tournament(self.featured)),
            Route("/qr.svg", self.qr),
            Route("/events", self.only_with_tournament(self.events)),
            Route("/static/{name}", self.static),
            Route("/favicon.ico", self.icon),
            Route("/health", self.health),
        ]
        handlers = {PageError: self.show_page_error, 404: self.show_not_found, Exception: self.show_server_error}
        return Starlette(routes=routes, exception_handlers=handlers)
