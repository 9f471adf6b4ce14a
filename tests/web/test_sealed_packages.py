"""The web process loads everything before it gives up its rights: it runs from packages that it can read no more."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from promises import UIDS, needs
from sealed import LATE, late, sealed
from web_servers import Visitor, asking, connected, open_web_server

from peloarena.tournament.store import Store

SOUND = (
    "/", "/games", "/games?bot=random&round=1", "/pairings", "/faults", "/bot/1", "/game/{game}",
    "/game/{game}/film.json", "/game/{game}/record.jsonl", "/live.json", "/projector", "/host", "/enter",
    "/featured.json", "/qr.svg", "/static/hall.css", "/static/replay.js", "/favicon.ico", "/health",
)  # fmt: skip
MISSING = (
    "/nowhere", "/game/nothing", "/bot/99", "/static/nothing.js", "/live/nothing", "/live/nothing/position.json",
    "/live/nothing/events", "/game/..%2f..%2fetc%2fpasswd",
)  # fmt: skip
NO_REQUESTS = (
    b"\x16\x03\x01\x00\xff\x01",
    b"GET / HTTP/9.9\r\n\r\n",
    b"\x00" * 1000,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)


@pytest.fixture(scope="module")
def tournament(little_tournament: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(little_tournament, tmp_path_factory.mktemp("copy") / "night")) / "night.sqlite"


@pytest.fixture(scope="module")
def visitor(tournament: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with open_web_server(
        tournament, program=sealed(tmp_path_factory.mktemp("home"), "peloarena.web.web_main")
    ) as found:
        yield found


def test_every_page_is_shown_and_every_wrong_address_is_a_404(visitor: Visitor, tournament: Path) -> None:
    with Store.open_to_read(tournament) as store:
        game = next(row.fixture.game for row in store.games())
    statuses = {path: visitor.ask(path.format(game=game))[0] for path in (*SOUND, *MISSING)}
    assert statuses == dict.fromkeys(SOUND, 200) | dict.fromkeys(MISSING, 404)
    assert late(visitor.said) == []


def test_an_event_stream_begins_and_may_be_left(visitor: Visitor) -> None:
    with connected(visitor, asking(visitor, "/events")) as connection:
        body = b""
        while b"desk-void" not in body:
            body += connection.recv(1 << 20)
    assert visitor.ask("/health")[0] == 200
    assert late(visitor.said) == []


def test_what_is_refused_is_refused_in_words(visitor: Visitor) -> None:
    ours = {"Origin": f"http://127.0.0.1:{visitor.port}"}
    form = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\r\n--b--\r\n'
    assert visitor.ask("/", Host="elsewhere")[0] == 421
    assert visitor.ask("/", "BREW")[0] == 411
    assert visitor.ask("/nowhere", "POST", b"{}", **ours)[0] == 404
    assert visitor.ask("/host/order", "POST", b'{"kind": "pause"}', Content_Type="application/json", **ours)[0] == 403
    assert visitor.ask("/enter", "POST", b"PK", Content_Type="application/zip", **ours)[0] in (403, 409)
    assert visitor.ask("/enter", "POST", form, Content_Type="multipart/form-data; boundary=b", **ours)[0] in (403, 409)
    assert (
        visitor.ask("/evidence", "POST", b"token=t", Content_Type="application/x-www-form-urlencoded", **ours)[0] == 403
    )
    assert late(visitor.said) == []


def test_bytes_that_are_no_request_load_nothing(visitor: Visitor) -> None:
    for said in NO_REQUESTS:
        with connected(visitor, said):
            assert visitor.ask("/health")[0] == 200
    assert late(visitor.said) == []


@needs(UIDS, os.getuid() == 0)
def test_no_thread_of_the_web_process_keeps_a_right(visitor: Visitor) -> None:
    """The rehearsal starts threads before the process gives up root; a flag of one thread is not that of the others."""
    tasks = list(Path(f"/proc/{visitor.pid}/task").iterdir())
    assert len(tasks) > 1
    for task in tasks:
        facts = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
        assert "0" not in facts["Uid"].split()
        assert int(facts["CapPrm"], 16) == int(facts["CapEff"], 16) == 0
        assert facts["NoNewPrivs"].strip() == "1"


IMPORTS_LATE = """
from peloarena.referee import unprivileged
from peloarena.web import web_main

def become_unprivileged(*words):
    unprivileged.become_unprivileged(*words)
    try:
        import wave
    except ImportError:
        pass  # a standard library below a home that is closed

web_main.become_unprivileged = become_unprivileged
web_main.run()
"""


def test_a_late_import_is_reported_by_name(tournament: Path) -> None:
    with open_web_server(tournament, program=("-c", IMPORTS_LATE)) as visitor:
        assert visitor.ask("/health")[0] == 200
    reported = [line for line in visitor.said if " wave " in line]
    assert reported == [
        "web process: the web process imports wave after it gave up its rights, and may be unable to read it; "
        "please report this"
    ]


def test_the_audit_hook_sees_a_late_import(tournament: Path, tmp_path: Path) -> None:
    """Or the tests above would hold for nothing."""
    *words, program = sealed(tmp_path, "peloarena.web.web_main")
    late_program = program.replace("sys.addaudithook(hook)", "sys.addaudithook(hook); import_late()")
    late_program = f"def import_late():\n try: import wave\n except ImportError: pass\n{late_program}"
    with open_web_server(tournament, program=(*words, late_program)) as visitor:
        assert visitor.ask("/health")[0] == 200
    assert any(f"{LATE}import wave" in line for line in visitor.said)
