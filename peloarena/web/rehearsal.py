"""Makes every page once before visitors may ask: rates a made-up tournament, visits each address, makes requests fail.

Libraries load their last parts on first use, and they must do so while the process can still read them. Nothing leaves
the process: visitors and backend are the other ends of its own sockets.
"""

from __future__ import annotations

import contextlib
import io
import socket
import threading
from collections.abc import Iterator

import trio
from starlette.routing import Route

from ..referee.job import SeatStats
from ..referee.verdict import Evidence, Outcome, Verdict
from ..tournament.entries import Entry, RosterRow, Version
from ..tournament.matches import MatchRules
from ..tournament.places import PlaceFacts
from ..tournament.rounds import Fixture, Round
from ..tournament.rows import GameRow
from .app import Hall
from .assets import assets
from .channel import (
    ChannelClosed,
    Denial,
    Done,
    GetRecord,
    GetShelf,
    GivenRecord,
    GivenRunning,
    HallEnd,
    Look,
    LookOn,
    NightNow,
    PorterEnd,
    Reply,
    Shelf,
    Sight,
    Wish,
)
from .guard import Guard
from .hand_in_messages import BeginUpload, GetEvidence, GivenEvidence, Started
from .server import answer

HOST = "rehearsal"
PLAYERS = ("one", "two", "three")
OVER, RUNNING, BROKEN, FAILING = "over", "running", "broken", "failing"
"""Games: a finished one, a running one, one whose record is bad, and one that makes the page fail."""
STREAM_BEGINS = b"retry: "
MOST_SECONDS = 60.0
"""Only a rehearsal that hangs takes this long."""
FORM = (
    b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\none\r\n'
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="one.zip"\r\n'
    b"Content-Type: application/zip\r\n\r\nPK\r\n--b--\r\n"
)
NO_REQUESTS = (
    b"\x16\x03\x01\x00\xff\x01",
    b"\x00" * 1000,
    b"GET / HTTP/9.9\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET " + b"a" * 100_000 + b" HTTP/1.1\r\n",
)
"""Requests that are nonsense, or too long."""


def rehearse() -> None:
    assets()
    with contextlib.redirect_stderr(io.StringIO()):  # the traceback of the page that fails
        trio.run(_rehearse)


async def _rehearse() -> None:
    with made_up_backend() as connection, trio.fail_after(MOST_SECONDS):
        pages = Hall(HallEnd(connection), f"http://{HOST}/", "lan")
        await pages.look()
        pages.night.remember()
        app = pages.app()
        guarded = Guard(app, (HOST,))
        for path in (path_of(route) for route in app.routes if isinstance(route, Route)):
            await visit(guarded, get(path))
        for request in requests():
            await visit(guarded, request)
        for request in NO_REQUESTS:
            await visit(guarded, request, hangs_up=True)


def path_of(route: Route) -> str:
    game = RUNNING if route.path.startswith("/live/") else OVER
    return route.path.replace("{entry:int}", "1").replace("{game}", game).replace("{name}", "hall.css")


def get(path: str, *headers: str, method: str = "GET", host: str = HOST, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def post(path: str, kind: str, body: bytes) -> bytes:
    length = f"Content-Length: {len(body)}"
    return get(path, f"Origin: http://{HOST}", f"Content-Type: {kind}", length, method="POST", body=body)


def requests() -> Iterator[bytes]:
    yield get("/nowhere")
    yield get("/static/nothing.js")
    yield get(f"/game/{BROKEN}")
    yield get(f"/game/{FAILING}")
    yield get("/bot/9")
    yield get("/games?bot=one&round=1&start=1")
    yield get("/games?start=x")
    yield get("/", "Accept-Encoding: gzip")
    yield get("/", method="HEAD")
    yield get("/", method="BREW")
    yield get("/", host="elsewhere")
    yield post("/host/order", "application/json", b'{"kind": "pause"}')
    yield post("/host/order", "application/json", b"{")
    yield post("/evidence", "application/x-www-form-urlencoded", b"token=t")
    yield post("/enter", "application/zip", b"PK")
    yield post("/enter", "multipart/form-data; boundary=b", FORM)
    yield post("/enter", "multipart/form-data; boundary=b", b"no form")


async def visit(app: Guard, request: bytes, *, hangs_up: bool = False) -> None:
    """Send one request and read its whole answer; of a stream only the beginning, because it has no end."""
    ours, its = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())
    async with trio.open_nursery() as nursery, ours:
        nursery.start_soon(answer, app, its)
        with contextlib.suppress(trio.BrokenResourceError):  # a request that is too long is not read to its end
            await ours.send_all(request)
            if hangs_up:
                await ours.send_eof()
            read = await ours.receive_some()
            while STREAM_BEGINS not in read and (more := await ours.receive_some()):
                read = read[-len(STREAM_BEGINS) :] + more
        nursery.cancel_scope.cancel()


# ---- a made-up backend


@contextlib.contextmanager
def made_up_backend() -> Iterator[socket.socket]:
    """The web process's end of a channel to a made-up backend."""
    ours, its = socket.socketpair()
    thread = threading.Thread(target=reply_to_all, args=(PorterEnd(its),), name="made-up backend")
    thread.start()
    with its:
        try:
            yield ours
        finally:
            PorterEnd(its).hang_up()
            thread.join()


def reply_to_all(end: PorterEnd) -> None:
    with contextlib.suppress(ChannelClosed):
        while True:
            end.reply(reply_to(end.wish()))


def reply_to(wish: Wish) -> Reply:
    match wish:
        case Look():
            return made_up_sight()
        case GetRecord(game) if game == FAILING:
            return Done("not what was asked for")
        case GetRecord(game):
            return GivenRecord(b"no record\n") if game == BROKEN else Denial("no such game")
        case LookOn():
            return GivenRunning(b"")
        case GetShelf():
            return Shelf("", (), ())
        case BeginUpload():
            return Started(1)
        case GetEvidence():
            return GivenEvidence("made up", ())
        case _:
            return Done("")


def made_up_sight() -> Sight:
    games = tuple(made_up_game(number) for number in range(1, 7))
    return Sight(
        "Rehearsal", 1, 1, 0, games, made_up_tournament(), 0.0, playing=((RUNNING, 1.0),), watchable=(RUNNING,)
    )


def made_up_game(number: int) -> GameRow:
    seats = (1 + number % 3, 1 + (number + 1) % 3)
    names = tuple(PLAYERS[entry - 1] for entry in seats)
    game = OVER if number == 1 else f"game-{number}"
    fixture = Fixture(game, "main", 1, 1, number, number, 1, 0, seats, (1, 1), names, "")
    ranks = (1, 2) if number % 2 else (2, 1)
    crashed = (Verdict(1, "crashed", "made up", 3),) if number == 1 else ()
    outcome = Outcome(ranks, (20, None if crashed else 19), (False, bool(crashed)), True, None)
    return GameRow(1, fixture, True, outcome, crashed, tuple(Evidence() for _ in crashed), (SeatStats(),) * 2, 0.0)


def made_up_tournament() -> NightNow:
    entries = tuple(Entry(number, name) for number, name in enumerate(PLAYERS, 1))
    roster = tuple(RosterRow(entry.number, 1) for entry in entries)
    round = Round(1, "main", 1, ((1, 2), (2, 3), (1, 3)), (1, 2), roster)
    names = {entry.number: entry.name for entry in entries}
    return NightNow(
        name="Rehearsal",
        format="round-robin",
        table=2,
        modules=(),
        time="5s+1s",
        prior=1,
        place_facts=PlaceFacts("round-robin", MatchRules(2, 2, False), (round,), names, {}),
        decided_by="rating",
        round=round,
        rounds=1,
        missing=(),
        to_come=1,
        entries=entries,
        versions=tuple(Version(entry.number, 1, "", state="ready") for entry in entries),
        since={},
        notes=(),
        absent={},
        voids=(),
        paused=None,
        locked=False,
        closed=False,
        over=False,
        deals="made up",
        bracket=None,
        champion=None,
        hidden=(),
    )
