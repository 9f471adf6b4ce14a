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
from ..tournament.page_address import remove_page_address, write_page_address
from ..tournament.report.public_text import without_folders
from ..tournament.store import default_store_path
from .admin import AdminActions
from .author_evidence import evidence_for
from .channel import (
    ApplyHostAction,
    BackendChannelEnd,
    BackendReply,
    ChannelClosed,
    Done,
    GetLivePosition,
    GetRecord,
    GetRecordList,
    GetStateUpdate,
    PagesReady,
    RecordList,
    RefusalReply,
    StartFailed,
    StateUpdate,
    WebRequest,
)
from .record_library import RecordLibrary
from .restarts import Restarts
from .submission_messages import BeginUpload, DropUpload, EndUpload, GetEvidence, SubmissionRequest, UploadChunk
from .tournament_source import TournamentSource
from .upload_status import upload_statuses
from .uploads import Uploads, WrongToken
from .web_process import start_web_process


class WebProcessOptions(Struct, frozen=True):
    """The start parameters of the web process, on its command line: they contain no secret."""

    binds: tuple[str, ...]
    port: int
    hosts: tuple[str, ...]
    """Host names that requests may use."""
    page_address: str
    """The address that people type; the QR code contains it."""
    admin_access: str = "loopback"
    """From where the admin page may be used: `loopback`, `lan`, or `no`."""


class Backend:
    def __init__(self, paths: list[Path], token: str) -> None:
        stores, records = split_paths(paths)
        self.tournament = TournamentSource(stores[0]) if stores else None
        with contextlib.ExitStack() as on_error:  # if the constructor fails, nobody else can close what it opened
            if self.tournament is not None:
                on_error.callback(self.tournament.close)
                self.tournament.get_update(GetStateUpdate(0, 0, 0))  # report an unreadable store at once
            self.library = RecordLibrary(records) if records else None
            self.admin = AdminActions(stores[0] if stores else None, token)
            self.uploads = Uploads(stores[0]) if stores else None
            self._announced_store: Path | None = None
            on_error.pop_all()

    def close(self) -> None:
        if self.uploads is not None:
            self.uploads.close()
        if self._announced_store is not None:
            remove_page_address(self._announced_store)
        if self.tournament is not None:
            self.tournament.close()

    def announce_address(self, page: str) -> None:
        """The web process answers at this address."""
        if self.tournament is not None:
            self._announced_store = self.tournament.path
            write_page_address(self.tournament.path, page)

    def handle_web_process_end(self) -> None:
        if self.uploads is not None:
            self.uploads.drop_incoming()

    def reply_to(self, request: WebRequest) -> BackendReply:
        try:
            match request:
                case GetStateUpdate():
                    return self.get_update(request)
                case GetRecord():
                    return self.get_record(request.game)
                case GetLivePosition():
                    return (
                        self.tournament.get_live_position(request.game)
                        if self.tournament
                        else RefusalReply("this site shows no tournament")
                    )
                case GetRecordList():
                    return self.library.record_list() if self.library else RecordList("", (), ())
                case ApplyHostAction():
                    return self.admin.apply(request)
                case StartFailed():
                    return RefusalReply(request.problem)
                case PagesReady():
                    return Done("")
                case _:
                    return self.reply_to_submission(request)
        except WrongToken as error:
            return RefusalReply(str(error), is_wrong_token=True)
        except ConfigError as error:
            return RefusalReply(without_folders(str(error)))

    def get_update(self, request: GetStateUpdate) -> StateUpdate:
        if self.tournament is None:
            return StateUpdate(
                self.library.title if self.library else "", 1, 1, 0, (), None, None, has_tournament=False
            )
        update = self.tournament.get_update(request)
        assert self.uploads is not None, "a tournament has uploads"
        self.uploads.advance()
        return replace(
            update, uploads=upload_statuses(list(self.uploads.by_id.values()), self.tournament.follower.state)
        )

    def reply_to_submission(self, request: SubmissionRequest) -> BackendReply:
        if self.tournament is None or self.uploads is None:
            raise ConfigError("this site shows records, not a tournament")
        match request:
            case BeginUpload():
                return self.uploads.begin(request.token, request.name)
            case UploadChunk():
                self.uploads.add_chunk(request.upload, request.data)
            case EndUpload():
                self.uploads.end(request.upload)
            case DropUpload():
                self.uploads.drop(request.upload)
            case GetEvidence():
                return evidence_for(self.tournament, request, self.admin.is_host_token(request.token))
        return Done("")

    def get_record(self, game: str) -> BackendReply:
        if self.tournament is not None and self.tournament.has_game(game):
            return self.tournament.record(game)
        if self.library is not None:
            return self.library.record(game)
        return self.tournament.record(game) if self.tournament else RefusalReply(f"there is no game {game!r}")


def split_paths(paths: list[Path]) -> tuple[list[Path], list[Path]]:
    """Stores of tournaments, and folders and files of records. ConfigError says what cannot be served."""
    stores: list[Path] = []
    records: list[Path] = []
    for path in paths:
        if path.suffix == ".toml" or is_database(path):
            if not path.exists():
                raise ConfigError(f"no tournament file at {str(path)!r}")
            stores.append(default_store_path(path))
        elif path.exists():
            records.append(path)
        else:
            raise ConfigError(f"nothing at {str(path)!r}: name a tournament file or store, an archive, or records")
    if len(stores) > 1:
        raise ConfigError("cannot serve two tournaments at once: serve the other one with another --port")
    return stores, records


# ---- the web process


class WebProcessFailed(Exception):
    """The web process ended again and again. A sentence for the host: what happened, and what to do."""


def serve_pages(
    backend: Backend, options: WebProcessOptions, on_first_ready: Callable[[], None], say: Callable[[str], object]
) -> None:
    """Serve until interrupted (KeyboardInterrupt), or until the web process cannot run here (WebProcessFailed).

    `on_first_ready` is called when pages are answered for the first time; `say` gets lines for the host and must not
    block.
    """
    restarts = Restarts()

    def announce_first_start() -> None:
        backend.announce_address(options.page_address)
        on_first_ready()

    on_ready: Callable[[], None] = announce_first_start
    while True:
        began = time.monotonic()
        with start_web_process(options, say) as process:
            was_ready = answer_requests(backend, process.end, on_ready)
            backend.handle_web_process_end()
        pause = restarts.pause_after(time.monotonic() - began, was_ready)
        if pause is None:
            raise WebProcessFailed(failure_text(restarts, process.describe_end()))
        say(f"The web process ended ({process.describe_end()}) and is restarting.")
        on_ready = _do_nothing if was_ready else on_ready
        time.sleep(pause)


def failure_text(restarts: Restarts, how_it_ended: str) -> str:
    if restarts.failed_starts:
        times = f"{restarts.failed_starts} times in a row before it could show a page"
    else:
        times = f"{restarts.quick_deaths} times in a row within seconds"
    return (
        f"the pages are down: the web process ended {times}, the last time: {how_it_ended}. "
        f"Fix the cause and serve the pages again; if it is a bug in peloarena, report it with the lines above"
    )


def _do_nothing() -> None:
    pass


def answer_requests(backend: Backend, end: BackendChannelEnd, on_ready: Callable[[], None]) -> bool:
    """Answer requests until the web process is gone; call `on_ready` when it is ready. Returns whether it became ready.

    ConfigError if it could not even start.
    """
    was_ready = False
    with contextlib.suppress(ChannelClosed):
        while True:
            request = end.receive_request()
            if isinstance(request, StartFailed):
                raise ConfigError(request.problem)
            end.send_reply(backend.reply_to(request))
            if isinstance(request, PagesReady) and not was_ready:
                was_ready = True
                on_ready()
    return was_ready
