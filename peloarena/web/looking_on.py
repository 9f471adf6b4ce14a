"""Games that are being played, shown to whoever looks on. Each is asked of the porter twice a second at most, however
many look on; the porter asks the gate each time."""

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
"""A game is over a moment before it is stored, and stored a moment before the hall hears of it."""
KEPT = 64


class LiveGame(Struct, frozen=True):
    """What `/live.json` tells of a game that may be looked on at."""

    game: str
    seconds: float


class OnNow(Struct, frozen=True):
    at: float
    data: bytes | None
    """JSON; empty: nothing is told yet. None: not to be shown, or over."""
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
        """Wrong if it is not shown."""
        if game not in self._night.watchable:
            raise Wrong("this game is not being played now, or it is shown only when it is over")
        found = await self.now(game)
        if found.data is None:
            raise Wrong(found.reason)
        return found.data

    # ---- what stands at the addresses

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
        """What can be looked on at, the longest first."""
        on = [LiveGame(game, seconds) for game, seconds in self._night.playing if game in self._night.watchable]
        return Response(msgspec.json.encode(on), media_type="application/json")

    async def events(self, request: Request) -> Response:
        game = request.path_params["game"]
        await self.given(game)
        return StreamingResponse(self.stream(game), media_type="text/event-stream")

    async def stream(self, game: str) -> AsyncIterator[bytes]:
        """How it stands, whenever that changed; at last that it is over."""
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
        """Whether a game that is over can be replayed; one that is void never will be."""
        with trio.move_on_after(OPENS_WITHIN):
            while not self._night.is_open(game) and not self._bulletin.over:
                await trio.sleep(LOOK_EVERY)
        return self._night.is_open(game)


def section_event(data: object) -> bytes:
    return b"event: section\ndata: " + msgspec.json.encode(data) + b"\n\n"
