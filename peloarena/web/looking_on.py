"""Spectating: running games shown to onlookers. Asks the backend about each game at most twice a second, however many
people watch it; the backend asks the gate each time."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import trio
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from .answers import Wrong, packed, theme_of
from .channel import Denial, GivenRunning, HallEnd, LookOn
from .events import ALIVE_EVERY, RETRY, Bulletin
from .hall_night import HallNight
from .pages.live_game import live_page

LOOK_EVERY = 0.5
OPENS_WITHIN = 30.0
"""A game ends a moment before it is stored, and is stored a moment before the web process learns of it."""
KEPT = 64


class LiveGame(Struct, frozen=True):
    """A game in `/live.json` that anybody may watch."""

    game: str
    seconds: float


class OnNow(Struct, frozen=True):
    at: float
    data: bytes | None
    """JSON; empty if nothing is reported yet. None if the game may not be shown, or is over."""
    reason: str = ""


class LookingOn:
    def __init__(self, channel: HallEnd, night: HallNight, bulletin: Bulletin) -> None:
        self._channel = channel
        self._night = night
        self._bulletin = bulletin
        self._seen: dict[str, OnNow] = {}
        self._turn = trio.Lock()

    async def now(self, game: str) -> OnNow:
        async with self._turn:
            found = self._seen.get(game)
            if found is None or trio.current_time() - found.at >= LOOK_EVERY:
                while len(self._seen) >= KEPT:
                    del self._seen[next(iter(self._seen))]
                self._seen.pop(game, None)
                found = self._seen[game] = await self._asked(game)
            return found

    async def _asked(self, game: str) -> OnNow:
        reply = await self._channel.ask(LookOn(game))
        now = trio.current_time()
        if isinstance(reply, Denial):
            return OnNow(now, None, reply.reason)
        assert isinstance(reply, GivenRunning)
        return OnNow(now, reply.data)

    async def given(self, game: str) -> bytes:
        """Raises Wrong if it may not be shown."""
        if game not in self._night.watchable:
            raise Wrong("this game is not being played, or it is shown only when it is over")
        found = await self.now(game)
        if found.data is None:
            raise Wrong(found.reason)
        return found.data

    # ---- handlers

    async def page(self, request: Request) -> Response:
        game = request.path_params["game"]
        if self._night.is_open(game):
            return RedirectResponse(f"/game/{game}")
        data = await self.given(game)
        return packed(request, live_page(game, data, theme_of(request)))

    async def position(self, request: Request) -> Response:
        data = await self.given(request.path_params["game"])
        return Response(data or b"null", media_type="application/json")

    async def every(self, request: Request) -> Response:
        """Games that can be watched, the longest-running first."""
        on = [LiveGame(game, seconds) for game, seconds in self._night.playing if game in self._night.watchable]
        return Response(msgspec.json.encode(on), media_type="application/json")

    async def events(self, request: Request) -> Response:
        game = request.path_params["game"]
        await self.given(game)
        return StreamingResponse(self.stream(game), media_type="text/event-stream")

    async def stream(self, game: str) -> AsyncIterator[bytes]:
        """The position whenever it changes; at the end, that the game is over."""
        yield f"retry: {RETRY}\n\n".encode()
        last, silent = b"", 0.0
        while not self._bulletin.over:
            found = await self.now(game)
            if found.data is None:
                yield section_event({"over": True, "open": await self._opens(game)})
                return
            if found.data and found.data != last:
                last, silent = found.data, 0.0
                yield b"event: section\ndata: " + last + b"\n\n"
            elif silent >= ALIVE_EVERY:
                silent = 0.0
                yield b": alive\n\n"
            await trio.sleep(LOOK_EVERY)
            silent += LOOK_EVERY

    async def _opens(self, game: str) -> bool:
        """Whether a finished game can be replayed; a void one never can."""
        with trio.move_on_after(OPENS_WITHIN):
            while not self._night.is_open(game) and not self._bulletin.over:
                await trio.sleep(LOOK_EVERY)
        return self._night.is_open(game)


def section_event(data: object) -> bytes:
    return b"event: section\ndata: " + msgspec.json.encode(data) + b"\n\n"
