"""Spectating: running games shown to onlookers. Asks the backend about each game at most twice a second, however many
people watch it; the backend asks the gate each time."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import trio
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from .channel import GetLivePosition, LivePositionReply, RefusalReply, WebChannelEnd
from .pages.live_game_page import live_page
from .responses import PageError, html_response, theme_of
from .server_sent_events import KEEPALIVE_SECONDS, RETRY_MILLISECONDS, LiveSections
from .web_tournament import WebTournament

POSITION_INTERVAL_SECONDS = 0.5
OPEN_WAIT_SECONDS = 30.0
"""A game ends a moment before it is stored, and is stored a moment before the web process learns of it."""
CACHED_POSITIONS = 64


class LiveGame(Struct, frozen=True):
    """A game in `/live.json` that anybody may watch."""

    game: str
    seconds: float


class CachedPosition(Struct, frozen=True):
    at: float
    data: bytes | None
    """JSON; empty if nothing is reported yet. None if the game may not be shown, or is over."""
    reason: str = ""


class Spectating:
    def __init__(self, channel: WebChannelEnd, tournament: WebTournament, live_sections: LiveSections) -> None:
        self._channel = channel
        self._tournament = tournament
        self._live_sections = live_sections
        self._cache: dict[str, CachedPosition] = {}
        self._lock = trio.Lock()

    async def current_position(self, game: str) -> CachedPosition:
        async with self._lock:
            position = self._cache.get(game)
            if position is None or trio.current_time() - position.at >= POSITION_INTERVAL_SECONDS:
                while len(self._cache) >= CACHED_POSITIONS:
                    del self._cache[next(iter(self._cache))]
                self._cache.pop(game, None)
                position = self._cache[game] = await self._ask_backend(game)
            return position

    async def _ask_backend(self, game: str) -> CachedPosition:
        reply = await self._channel.ask(GetLivePosition(game))
        now = trio.current_time()
        if isinstance(reply, RefusalReply):
            return CachedPosition(now, None, reply.reason)
        assert isinstance(reply, LivePositionReply)
        return CachedPosition(now, reply.data)

    async def shown_position(self, game: str) -> bytes:
        """Raises PageError if it may not be shown."""
        if game not in self._tournament.watchable:
            raise PageError("this game is not running, or may be shown only after its end")
        position = await self.current_position(game)
        if position.data is None:
            raise PageError(position.reason)
        return position.data

    # ---- handlers

    async def page(self, request: Request) -> Response:
        game = request.path_params["game"]
        if self._tournament.is_public(game):
            return RedirectResponse(f"/game/{game}")
        data = await self.shown_position(game)
        return html_response(request, live_page(game, data, theme_of(request)))

    async def position(self, request: Request) -> Response:
        data = await self.shown_position(request.path_params["game"])
        return Response(data or b"null", media_type="application/json")

    async def list_live_games(self, request: Request) -> Response:
        """Games that can be watched, the longest-running first."""
        live_games = [
            LiveGame(game, seconds) for game, seconds in self._tournament.playing if game in self._tournament.watchable
        ]
        return Response(msgspec.json.encode(live_games), media_type="application/json")

    async def events(self, request: Request) -> Response:
        game = request.path_params["game"]
        await self.shown_position(game)
        return StreamingResponse(self.position_stream(game), media_type="text/event-stream")

    async def position_stream(self, game: str) -> AsyncIterator[bytes]:
        """The position whenever it changes; at the end, that the game is over."""
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
        last, silent = b"", 0.0
        while not self._live_sections.is_over:
            position = await self.current_position(game)
            if position.data is None:
                yield json_event({"over": True, "open": await self._wait_until_open(game)})
                return
            if position.data and position.data != last:
                last, silent = position.data, 0.0
                yield b"event: section\ndata: " + last + b"\n\n"
            elif silent >= KEEPALIVE_SECONDS:
                silent = 0.0
                yield b": alive\n\n"
            await trio.sleep(POSITION_INTERVAL_SECONDS)
            silent += POSITION_INTERVAL_SECONDS

    async def _wait_until_open(self, game: str) -> bool:
        """Whether a finished game can be replayed; a void one never can."""
        with trio.move_on_after(OPEN_WAIT_SECONDS):
            while not self._tournament.is_public(game) and not self._live_sections.is_over:
                await trio.sleep(POSITION_INTERVAL_SECONDS)
        return self._tournament.is_public(game)


def json_event(data: object) -> bytes:
    return b"event: section\ndata: " + msgspec.json.encode(data) + b"\n\n"
