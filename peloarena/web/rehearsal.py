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
from ..tournament.fixtures import Fixture, Round
from ..tournament.matches import MatchRules
from ..tournament.ranking import RankingFacts
from ..tournament.rows import GameRow
from .app import WebApp
from .assets import assets
from .channel import (
    BackendChannelEnd,
    BackendReply,
    ChannelClosed,
    Done,
    GetLivePosition,
    GetRecord,
    GetRecordList,
    GetStateUpdate,
    LivePositionReply,
    PublicState,
    RecordList,
    RecordReply,
    RefusalReply,
    StateUpdate,
    WebChannelEnd,
    WebRequest,
)
from .guard import Guard
from .server import serve_connection
from .submission_messages import BeginUpload, EvidenceReply, GetEvidence, UploadStarted

HOST = "rehearsal"
PLAYERS = ("one", "two", "three")
FINISHED_GAME, RUNNING_GAME, BROKEN_GAME, FAILING_GAME = "over", "running", "broken", "failing"
"""Games: a finished one, a running one, one whose record is bad, and one that makes the page fail."""
STREAM_START = b"retry: "
LONGEST_REHEARSAL_SECONDS = 60.0
"""Only a rehearsal that hangs takes this long."""
FORM = (
    b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\none\r\n'
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="one.zip"\r\n'
    b"Content-Type: application/zip\r\n\r\nPK\r\n--b--\r\n"
)
MALFORMED_REQUESTS = (
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
    with made_up_backend() as connection, trio.fail_after(LONGEST_REHEARSAL_SECONDS):
        pages = WebApp(WebChannelEnd(connection), f"http://{HOST}/", "lan")
        await pages.refresh()
        pages.tournament.extend_history()
        app = pages.app()
        guarded = Guard(app, (HOST,))
        for path in (sample_path(route) for route in app.routes if isinstance(route, Route)):
            await send_request(guarded, get_request(path))
        for request in sample_requests():
            await send_request(guarded, request)
        for request in MALFORMED_REQUESTS:
            await send_request(guarded, request, hangs_up=True)


def sample_path(route: Route) -> str:
    game = RUNNING_GAME if route.path.startswith("/live/") else FINISHED_GAME
    return route.path.replace("{entry:int}", "1").replace("{game}", game).replace("{name}", "hall.css")


def get_request(path: str, *headers: str, method: str = "GET", host: str = HOST, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def post_request(path: str, kind: str, body: bytes) -> bytes:
    length = f"Content-Length: {len(body)}"
    return get_request(path, f"Origin: http://{HOST}", f"Content-Type: {kind}", length, method="POST", body=body)


def sample_requests() -> Iterator[bytes]:
    yield get_request("/nowhere")
    yield get_request("/static/nothing.js")
    yield get_request(f"/game/{BROKEN_GAME}")
    yield get_request(f"/game/{FAILING_GAME}")
    yield get_request("/bot/9")
    yield get_request("/games?bot=one&round=1&start=1")
    yield get_request("/games?start=x")
    yield get_request("/", "Accept-Encoding: gzip")
    yield get_request("/", method="HEAD")
    yield get_request("/", method="BREW")
    yield get_request("/", host="elsewhere")
    yield post_request("/host/order", "application/json", b'{"kind": "pause"}')
    yield post_request("/host/order", "application/json", b"{")
    yield post_request("/evidence", "application/x-www-form-urlencoded", b"token=t")
    yield post_request("/enter", "application/zip", b"PK")
    yield post_request("/enter", "multipart/form-data; boundary=b", FORM)
    yield post_request("/enter", "multipart/form-data; boundary=b", b"no form")


async def send_request(app: Guard, request: bytes, *, hangs_up: bool = False) -> None:
    """Send one request and read its whole answer; of a stream only the beginning, because it has no end."""
    ours, its = (trio.SocketStream(trio.socket.from_stdlib_socket(one)) for one in socket.socketpair())
    async with trio.open_nursery() as nursery, ours:
        nursery.start_soon(serve_connection, app, its)
        with contextlib.suppress(trio.BrokenResourceError):  # a request that is too long is not read to its end
            await ours.send_all(request)
            if hangs_up:
                await ours.send_eof()
            read = await ours.receive_some()
            while STREAM_START not in read and (more := await ours.receive_some()):
                read = read[-len(STREAM_START) :] + more
        nursery.cancel_scope.cancel()


# ---- a made-up backend


@contextlib.contextmanager
def made_up_backend() -> Iterator[socket.socket]:
    """The web process's end of a channel to a made-up backend."""
    ours, its = socket.socketpair()
    thread = threading.Thread(target=reply_to_requests, args=(BackendChannelEnd(its),), name="made-up backend")
    thread.start()
    with its:
        try:
            yield ours
        finally:
            BackendChannelEnd(its).hang_up()
            thread.join()


def reply_to_requests(end: BackendChannelEnd) -> None:
    with contextlib.suppress(ChannelClosed):
        while True:
            end.send_reply(made_up_reply(end.receive_request()))


def made_up_reply(request: WebRequest) -> BackendReply:
    match request:
        case GetStateUpdate():
            return made_up_update()
        case GetRecord(game) if game == FAILING_GAME:
            return Done("a reply of the wrong kind")
        case GetRecord(game):
            return RecordReply(b"no record\n") if game == BROKEN_GAME else RefusalReply("no such game")
        case GetLivePosition():
            return LivePositionReply(b"")
        case GetRecordList():
            return RecordList("", (), ())
        case BeginUpload():
            return UploadStarted(1)
        case GetEvidence():
            return EvidenceReply("made up", ())
        case _:
            return Done("")


def made_up_update() -> StateUpdate:
    games = tuple(made_up_game(number) for number in range(1, 7))
    return StateUpdate(
        "Rehearsal",
        1,
        1,
        0,
        games,
        made_up_tournament(),
        0.0,
        playing=((RUNNING_GAME, 1.0),),
        watchable=(RUNNING_GAME,),
    )


def made_up_game(number: int) -> GameRow:
    seats = (1 + number % 3, 1 + (number + 1) % 3)
    names = tuple(PLAYERS[entry - 1] for entry in seats)
    game = FINISHED_GAME if number == 1 else f"game-{number}"
    fixture = Fixture(game, "main", 1, 1, number, number, 1, 0, seats, (1, 1), names, "")
    ranks = (1, 2) if number % 2 else (2, 1)
    crashed = (Verdict(1, "crashed", "made up", 3),) if number == 1 else ()
    outcome = Outcome(ranks, (20, None if crashed else 19), (False, bool(crashed)), True, None)
    return GameRow(1, fixture, True, outcome, crashed, tuple(Evidence() for _ in crashed), (SeatStats(),) * 2, 0.0)


def made_up_tournament() -> PublicState:
    entries = tuple(Entry(number, name) for number, name in enumerate(PLAYERS, 1))
    roster = tuple(RosterRow(entry.number, 1) for entry in entries)
    round = Round(1, "main", 1, ((1, 2), (2, 3), (1, 3)), (1, 2), roster)
    names = {entry.number: entry.name for entry in entries}
    return PublicState(
        name="Rehearsal",
        format="round-robin",
        table_size=2,
        modules=(),
        time="5s+1s",
        prior=1,
        place_facts=RankingFacts("round-robin", MatchRules(2, 2, False), (round,), names, {}),
        decided_by="Ranked by rating.",
        round=round,
        rounds=1,
        missing=(),
        games_left=1,
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
        deals_text="made up",
        bracket=None,
        champion=None,
        hidden=(),
    )
