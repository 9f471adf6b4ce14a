"""The backend: separates the host's data from visitors. Opens stores and records, asks the gate, and applies host
actions as if typed; starts the web process, and restarts it if it dies.

It does not trust the web process: no request can change a result or obtain anything that the gate forbids.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..tournament.config import is_database
from ..tournament.page_address import forget_page, tell_page
from ..tournament.report.public import without_folders
from ..tournament.store import default_store
from .channel import (
    Cannot,
    ChannelClosed,
    Denial,
    Done,
    GetRecord,
    GetShelf,
    GiveOrder,
    Look,
    LookOn,
    PagesReady,
    PorterEnd,
    Reply,
    Shelf,
    Sight,
    Wish,
)
from .desk import Desk
from .evidence import evidence_for
from .hand_in_messages import BeginUpload, DropUpload, EndUpload, GetEvidence, HandInWish, PutPiece
from .night_source import NightSource
from .restarts import Restarts
from .shelf_source import ShelfSource
from .upload_rows import rows_of
from .uploads import Uploads, WrongToken
from .web_process import web_process


class Serving(Struct, frozen=True):
    """The start parameters of the web process, on its command line: they contain no secret."""

    binds: tuple[str, ...]
    port: int
    hosts: tuple[str, ...]
    """Host names that requests may use."""
    page: str
    """The address that people type; the QR code contains it."""
    desk: str = "loopback"
    """From where the admin page may be used: `loopback`, `lan`, or `no`."""


class Porter:
    def __init__(self, paths: list[Path], token: str) -> None:
        nights, records = sorted_out(paths)
        self.night = NightSource(nights[0]) if nights else None
        with contextlib.ExitStack() as on_error:  # if the constructor fails, nobody else can close what it opened
            if self.night is not None:
                on_error.callback(self.night.close)
                self.night.look(Look(0, 0, 0))  # report an unreadable store at once
            self.shelf = ShelfSource(records) if records else None
            self.desk = Desk(nights[0] if nights else None, token)
            self.uploads = Uploads(nights[0]) if nights else None
            self._told_page: Path | None = None
            on_error.pop_all()

    def close(self) -> None:
        if self.uploads is not None:
            self.uploads.close()
        if self._told_page is not None:
            forget_page(self._told_page)
        if self.night is not None:
            self.night.close()

    def is_up(self, page: str) -> None:
        """The web process answers at this address."""
        if self.night is not None:
            self._told_page = self.night.path
            tell_page(self.night.path, page)

    def hall_is_gone(self) -> None:
        if self.uploads is not None:
            self.uploads.cut_off()

    def reply(self, wish: Wish) -> Reply:
        try:
            match wish:
                case Look():
                    return self.look(wish)
                case GetRecord():
                    return self.record(wish.game)
                case LookOn():
                    return self.night.look_on(wish.game) if self.night else Denial("this site shows no tournament")
                case GetShelf():
                    return self.shelf.shelf() if self.shelf else Shelf("", (), ())
                case GiveOrder():
                    return self.desk.give(wish)
                case Cannot():
                    return Denial(wish.problem)
                case PagesReady():
                    return Done("")
                case _:
                    return self.hand_in(wish)
        except WrongToken as error:
            return Denial(str(error), token=True)
        except ConfigError as error:
            return Denial(without_folders(str(error)))

    def look(self, wish: Look) -> Sight:
        if self.night is None:
            return Sight(self.shelf.title if self.shelf else "", 1, 1, 0, (), None, None, has_night=False)
        sight = self.night.look(wish)
        assert self.uploads is not None, "a night has uploads"
        self.uploads.go_on()
        return replace(sight, uploads=rows_of(list(self.uploads.known.values()), self.night.follower.state))

    def hand_in(self, wish: HandInWish) -> Reply:
        if self.night is None or self.uploads is None:
            raise ConfigError("this site shows records only")
        match wish:
            case BeginUpload():
                return self.uploads.begin(wish.token, wish.name)
            case PutPiece():
                self.uploads.put(wish.upload, wish.data)
            case EndUpload():
                self.uploads.end(wish.upload)
            case DropUpload():
                self.uploads.drop(wish.upload)
            case GetEvidence():
                return evidence_for(self.night, wish, self.desk.knows(wish.token))
        return Done("")

    def record(self, game: str) -> Reply:
        if self.night is not None and self.night.knows(game):
            return self.night.record(game)
        if self.shelf is not None:
            return self.shelf.record(game)
        return self.night.record(game) if self.night else Denial(f"no game {game!r}")


def sorted_out(paths: list[Path]) -> tuple[list[Path], list[Path]]:
    """Stores of tournaments, and folders and files of records. ConfigError says what cannot be served."""
    nights: list[Path] = []
    records: list[Path] = []
    for path in paths:
        if path.suffix == ".toml" or is_database(path):
            if not path.exists():
                raise ConfigError(f"no tournament file at {str(path)!r}")
            nights.append(default_store(path))
        elif path.exists():
            records.append(path)
        else:
            raise ConfigError(f"nothing at {str(path)!r}: name a tournament file or store, an archive, or records")
    if len(nights) > 1:
        raise ConfigError("one tournament at a time: serve the other one on another --port")
    return nights, records


# ---- the web process


class WebProcessFailed(Exception):
    """The web process ended again and again. A sentence for the host: what happened, and what to do."""


def serve(porter: Porter, serving: Serving, up: Callable[[], None], say: Callable[[str], object]) -> None:
    """Serve until interrupted (KeyboardInterrupt), or until the web process cannot run here (WebProcessFailed).

    `up` is called when pages are answered for the first time; `say` gets lines for the host and must not block.
    """
    restarts = Restarts()

    def first_up() -> None:
        porter.is_up(serving.page)
        up()

    on_ready: Callable[[], None] = first_up
    while True:
        began = time.monotonic()
        with web_process(serving, say) as process:
            was_ready = wait_upon(porter, process.end, on_ready)
            porter.hall_is_gone()
        pause = restarts.pause_after(time.monotonic() - began, was_ready)
        if pause is None:
            raise WebProcessFailed(failure_text(restarts, process.how_it_ended()))
        say(f"The web process ended ({process.how_it_ended()}) and is restarting.")
        on_ready = _nothing if was_ready else on_ready
        time.sleep(pause)


def failure_text(restarts: Restarts, how: str) -> str:
    if restarts.failed_starts:
        times = f"{restarts.failed_starts} times in a row before it could show a page"
    else:
        times = f"{restarts.quick_deaths} times in a row within seconds"
    return (
        f"the pages are down: the web process ended {times}, the last time: {how}. "
        f"Fix the cause and serve the pages again; if it is a bug in peloarena, report it with the lines above"
    )


def _nothing() -> None:
    pass


def wait_upon(porter: Porter, end: PorterEnd, up: Callable[[], None]) -> bool:
    """Answer requests until the web process is gone; call `up` when it is ready. Returns whether it became ready.

    ConfigError if it could not even start.
    """
    was_ready = False
    with contextlib.suppress(ChannelClosed):
        while True:
            wish = end.wish()
            if isinstance(wish, Cannot):
                raise ConfigError(wish.problem)
            end.reply(porter.reply(wish))
            if isinstance(wish, PagesReady) and not was_ready:
                was_ready = True
                up()
    return was_ready
