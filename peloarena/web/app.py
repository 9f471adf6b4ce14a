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

from ..referee.film import read_film
from ..referee.verify import RecordError
from .addresses import qr_svg
from .answers import ShortNumber, Wrong, number_of, packed, sent_packed, theme_of
from .assets import assets
from .channel import ChannelClosed, Denial, GetRecord, GetShelf, GivenRecord, HallEnd, Shelf, Sight
from .events import Bulletin, stream
from .featuring import featured
from .film_json import FilmJson, film_facts
from .hall_night import HallNight
from .handing import given_evidence, handed_in
from .host_order import given_order, may_use_desk
from .looking_on import LookingOn
from .pages import bot, enter, faults, games, host, night, pairings, projector
from .pages.evidence import evidence_form
from .pages.game import game_page
from .pages.layout import NAVIGATION, message, page

LOOK_EVERY = 0.5
"""Seconds between two looks at the tournament: a page changes at most twice a second."""
KEPT_FILMS = 48
FEATURED = 60
"""Games that a projector may choose from."""
FOR_EVER = "public, max-age=31536000, immutable"
SHOWN = ",".join(night.SECTIONS)
OF_RECORDS = (("/", "Games"),)
"""Navigation without a tournament: it does not link to the tournament's pages."""
NO_NIGHT = (
    "This site shows recorded games, not a tournament: there is nothing at this address. All games are listed under "
    "Games. To show a night, its host names its tournament file or its store: peloarena serve friday.toml"
)
Answering = Callable[[Request], Awaitable[Response]]


class MadeFilm(msgspec.Struct, frozen=True):
    facts: FilmJson
    packed: bytes
    """The film's JSON, compressed by gzip."""


class Films:
    """Records as films: each is made once, and the latest are cached. A thread makes them, one at a time."""

    def __init__(self, channel: HallEnd) -> None:
        self._channel = channel
        self._kept: OrderedDict[str, MadeFilm] = OrderedDict()
        self._one = trio.CapacityLimiter(1)

    async def film(self, game: str) -> MadeFilm:
        """Ask the backend for the record every time: the game may have become void, and its deal closed again."""
        data = await self.record(game)
        key = f"{game} {hash(data)}"
        if key not in self._kept:
            self._kept[key] = await trio.to_thread.run_sync(made_film, data, game, limiter=self._one)
            while len(self._kept) > KEPT_FILMS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    async def record(self, game: str) -> bytes:
        reply = await self._channel.ask(GetRecord(game))
        if isinstance(reply, Denial):
            raise Wrong(reply.reason)
        assert isinstance(reply, GivenRecord)
        return reply.data


def made_film(data: bytes, game: str) -> MadeFilm:
    try:
        facts = film_facts(read_film(data), game)
    except RecordError as error:
        raise Wrong(f"this record is invalid: {error}", 422) from None
    return MadeFilm(facts, gzip.compress(msgspec.json.encode(facts), 6, mtime=0))


class Hall:
    """Everything that pages are made of."""

    def __init__(self, channel: HallEnd, page_address: str, desk: str) -> None:
        self.channel = channel
        self.desk = desk
        self.page_address = page_address
        self.night = HallNight()
        self.bulletin = Bulletin()
        self.films = Films(channel)
        self.looking_on = LookingOn(channel, self.night, self.bulletin)
        self.qr_code = qr_svg(page_address)
        self._featured: tuple[object, bytes] = (None, b"[]")

    async def look(self) -> None:
        reply = await self.channel.ask(self.night.wish())
        if isinstance(reply, Denial):  # the store is damaged, or of another version: keep the last state
            self.night.trouble = reply.reason
        else:
            assert isinstance(reply, Sight)
            self.night.trouble = ""
            self.night.take(reply)
        if self.night.night is not None:
            await trio.to_thread.run_sync(self.night.rate)
        if self.night.has_night:
            every = night.sections(self.night) | projector.sections(self.night) | host.sections(self.night)
            self.bulletin.post(every | enter.sections(self.night))

    async def keep_looking(self, stop: trio.Event) -> None:
        """Look until the backend is gone, then stop the web process."""
        try:
            while not stop.is_set():
                with trio.move_on_after(LOOK_EVERY):
                    await stop.wait()
                await self.look()
                await trio.to_thread.run_sync(self.night.remember)
        except ChannelClosed:
            stop.set()
        finally:
            self.bulletin.end()

    @property
    def nav(self) -> tuple[tuple[str, str], ...]:
        return NAVIGATION if self.night.has_night else OF_RECORDS

    def of_night(self, answer: Answering) -> Answering:
        """Wrap a handler that exists only if a tournament is served."""

        async def answer_of_night(request: Request) -> Response:
            if not self.night.has_night:
                raise Wrong(NO_NIGHT, title="No tournament here")
            return await answer(request)

        return answer_of_night

    # ---- pages

    async def home(self, request: Request) -> Response:
        if not self.night.has_night:
            return packed(request, games.shelf_page(await self.shelf(), theme_of(request)))
        content = night.arranged(self.night)
        title = self.night.night.name if self.night.night else self.night.title
        made = page(
            title,
            *content,
            here="/",
            scripts=["live.js"],
            theme=theme_of(request),
            stream=f"/events?sections={SHOWN}",
            kind="night",
        )
        return packed(request, made)

    async def shelf(self) -> Shelf:
        reply = await self.channel.ask(GetShelf())
        assert isinstance(reply, Shelf)
        return reply

    async def games(self, request: Request) -> Response:
        if not self.night.has_night:
            return RedirectResponse("/")
        query = request.query_params
        start = number_of(query.get("start") or "0")
        if start is None:
            raise Wrong("there is no such page of games", 400)
        made = games.games_page(self.night, query.get("bot", ""), query.get("round", ""), start, theme_of(request))
        return packed(request, made)

    async def pairings(self, request: Request) -> Response:
        return packed(request, pairings.pairings_page(self.night, theme_of(request)))

    async def bot(self, request: Request) -> Response:
        number = request.path_params["entry"]
        made = bot.bot_page(self.night, number, theme_of(request), evidence_form(entry=number))
        if made is None:
            raise Wrong("there is no such bot")
        return packed(request, made)

    async def faults(self, request: Request) -> Response:
        return packed(request, faults.faults_page(self.night, theme_of(request), evidence_form()))

    async def game(self, request: Request) -> Response:
        name = request.path_params["game"]
        film = await self.films.film(name)
        verify = f"peloarena verify {name}.jsonl"
        private = evidence_form(game=name) if self.night.is_open(name) else ""
        return packed(request, game_page(film.facts, dict(request.query_params), verify, self.nav, private))

    async def film(self, request: Request) -> Response:
        film = await self.films.film(request.path_params["game"])
        return sent_packed(request, film.packed, "application/json")

    async def record(self, request: Request) -> Response:
        name = request.path_params["game"]
        headers = {"content-disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(await self.films.record(name), media_type="application/x-ndjson", headers=headers)

    async def projector(self, request: Request) -> Response:
        return packed(request, projector.projector_page(self.night, self.page_address, theme_of(request)))

    async def host(self, request: Request) -> Response:
        if not may_use_desk(request, self.desk):
            raise Wrong("the host's controls work only on the host's machine", 403)
        return packed(request, host.host_page(self.night, theme_of(request)))

    async def order(self, request: Request) -> Response:
        return await given_order(request, self.channel, self.desk)

    async def enter(self, request: Request) -> Response:
        if request.method == "POST":
            return await handed_in(request, self.channel)
        return packed(request, enter.enter_page(self.night, theme_of(request)))

    async def evidence(self, request: Request) -> Response:
        return await given_evidence(request, self.channel)

    async def featured(self, request: Request) -> Response:
        """Games that a projector may show next: only those that are open."""
        if self._featured[0] != self.night.version:
            shown = [row for row in self.night.games if self.night.is_open(row.fixture.game)]
            self._featured = (self.night.version, msgspec.json.encode(featured(shown, self.night.ratings(), FEATURED)))
        return Response(self._featured[1], media_type="application/json")

    async def qr(self, request: Request) -> Response:
        return Response(self.qr_code, media_type="image/svg+xml")

    async def events(self, request: Request) -> Response:
        last = request.headers.get("last-event-id", request.query_params.get("last", ""))
        wanted = {word for word in request.query_params.get("sections", "").split(",") if word}
        body = stream(self.bulletin, last, lambda key: not wanted or key in wanted)
        return StreamingResponse(body, media_type="text/event-stream", headers={"x-accel-buffering": "no"})

    async def static(self, request: Request) -> Response:
        asset = assets().get(request.path_params["name"])
        if asset is None:
            raise Wrong("no such file")
        if request.headers.get("if-none-match") == f'"{asset.tag}"':
            return Response(status_code=304, headers={"etag": f'"{asset.tag}"'})
        lasting = request.query_params.get("v") == asset.tag
        headers = {"etag": f'"{asset.tag}"', "cache-control": FOR_EVER if lasting else "no-cache"}
        return sent_packed(request, asset.packed, asset.kind, headers)

    async def icon(self, request: Request) -> Response:
        """Browsers ask for this icon if a page names none."""
        asset = assets()["icon.svg"]
        return sent_packed(request, asset.packed, asset.kind)

    async def health(self, request: Request) -> Response:
        return Response("ok\n", media_type="text/plain")

    def told_wrong(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, Wrong)
        return HTMLResponse(message(error.title, error.reason, nav=self.nav), error.status)

    def told_missing(self, request: Request, error: Exception) -> Response:
        return HTMLResponse(message(Wrong.title, "There is no such page.", nav=self.nav), 404)

    def tell_failure(self, request: Request, error: Exception) -> Response:
        """Show the visitor a sentence about a bug in the server. Starlette raises the error again; server.py reports
        it.
        """
        return HTMLResponse(
            message(
                "This failed", "Something went wrong on the server. The host's terminal shows the reason.", nav=self.nav
            ),
            500,
        )

    def app(self) -> Starlette:
        register_url_convertor("int", ShortNumber())
        routes = [
            Route("/", self.home),
            Route("/games", self.games),
            Route("/pairings", self.of_night(self.pairings)),
            Route("/faults", self.of_night(self.faults)),
            Route("/bot/{entry:int}", self.of_night(self.bot)),
            Route("/game/{game}", self.game),
            Route("/game/{game}/film.json", self.film),
            Route("/game/{game}/record.jsonl", self.record),
            Route("/live.json", self.of_night(self.looking_on.every)),
            Route("/live/{game}", self.of_night(self.looking_on.page)),
            Route("/live/{game}/position.json", self.of_night(self.looking_on.position)),
            Route("/live/{game}/events", self.of_night(self.looking_on.events)),
            Route("/projector", self.of_night(self.projector)),
            Route("/host", self.of_night(self.host)),
            Route("/host/order", self.of_night(self.order), methods=["POST"]),
            Route("/enter", self.of_night(self.enter), methods=["GET", "POST"]),
            Route("/evidence", self.of_night(self.evidence), methods=["POST"]),
            Route("/featured.json", self.of_night(self.featured)),
            Route("/qr.svg", self.qr),
            Route("/events", self.of_night(self.events)),
            Route("/static/{name}", self.static),
            Route("/favicon.ico", self.icon),
            Route("/health", self.health),
        ]
        handlers = {Wrong: self.told_wrong, 404: self.told_missing, Exception: self.tell_failure}
        return Starlette(routes=routes, exception_handlers=handlers)
