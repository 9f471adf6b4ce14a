"""Who can change a tournament through the pages: the host, with the token, while a runner is at work. Nobody else."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_tournament import made
from msgspec.structs import replace
from promises import UIDS, needs
from web_servers import TOKEN, Visitor, open_web_server, serving

from peloarena.tournament.store import Store
from peloarena.web.admin import ACTION_FUNCTIONS, AdminActions
from peloarena.web.backend import Backend
from peloarena.web.channel import ApplyHostAction, ChannelClosed, GetRecord, RefusalReply, WebRequest
from peloarena.web.web_process import start_web_process

TOURNAMENT = 'name = "Desk"\nbots = ["a", "b"]\ndeals = 3\nsandbox = "off"\nentries = "tokens"\n'
TRAITOR = (str(Path(__file__).parent / "traitor.py"),)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1)


@pytest.fixture
def visitor(store: Path) -> Iterator[Visitor]:
    with open_web_server(store) as found:
        yield found


def send_action(visitor: Visitor, **changed: str) -> tuple[int, str]:
    headers = {
        "Content_Type": "application/json",
        "Origin": f"http://127.0.0.1:{visitor.port}",
        "X_Host_Token": TOKEN,
        **changed,
    }
    body = json.dumps({"kind": "pause", "reason": "pizza"}).encode()
    status, _, told = visitor.ask("/host/order", "POST", body, **headers)
    return status, told.decode()


def test_without_a_runner_nothing_can_be_changed(visitor: Visitor, store: Path) -> None:
    status, told = send_action(visitor)
    assert (status, "the tournament is not running" in told) == (409, True)
    with Store.open_to_read(store) as opened:
        assert opened.host_actions() == []


def test_with_a_runner_the_host_acts_as_if_typed(visitor: Visitor, store: Path) -> None:
    with Store.open_to_change(store) as runner:
        runner.lock()
        assert send_action(visitor) == (200, "Paused. Running games will be finished.\n")
        assert [(one.kind, one.reason) for one in runner.host_actions()] == [("pause", "pizza")]


WRONG = [
    ({"X_Host_Token": "guess"}, 403),
    ({"X_Host_Token": ""}, 403),
    ({"Origin": "http://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Host": "evil.example"}, 421),
    ({"Content_Type": "text/plain"}, 415),
    ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
]
"""What a request has instead of the right thing, and its answer."""


def test_a_wrong_token_origin_host_or_form_changes_nothing(visitor: Visitor, store: Path) -> None:
    with Store.open_to_change(store) as runner:
        runner.lock()
        for changed, status in WRONG:
            assert send_action(visitor, **changed)[0] == status, changed
            assert runner.host_actions() == [], changed


def test_a_host_action_that_is_too_long_or_none_is_refused(visitor: Visitor) -> None:
    headers = {"Content_Type": "application/json", "Origin": f"http://127.0.0.1:{visitor.port}", "X_Host_Token": TOKEN}
    for body in (b"x" * 10_000, b"[]", b'{"kind": 3}', b'{"kind":"pause","more":1}', b"\xff"):
        assert visitor.ask("/host/order", "POST", body, **headers)[0] == 400


def test_every_verb_asks_for_the_token_first(store: Path) -> None:
    admin = AdminActions(store, TOKEN)
    for kind in ACTION_FUNCTIONS:
        refused = admin.apply(ApplyHostAction("guess", kind))
        assert isinstance(refused, RefusalReply)
        assert refused.is_wrong_token


def test_an_admin_page_without_a_token_is_nobodys(store: Path) -> None:
    assert not AdminActions(store, "").is_host_token("")


def traitor_results(store: Path, backend: Backend) -> list[str]:
    """What the traitor says it did, in the place of the web process."""
    told = []
    where = replace(serving(1), page_address=str(store))
    with start_web_process(where, print, TRAITOR) as process, contextlib.suppress(ChannelClosed):
        while True:
            request: WebRequest = process.end.receive_request()
            if isinstance(request, GetRecord) and request.game.startswith(("did ", "failed ")):
                told.append(request.game)
            process.end.send_reply(backend.reply_to(request))
    return told


@needs(UIDS, os.getuid() == 0)
def test_a_web_process_whose_code_is_the_attackers_changes_no_result(store: Path) -> None:
    """As root: the backend's uid is another one. The runner lives meanwhile, so that host actions could be taken."""
    with Store.open_to_change(store) as runner:
        runner.lock()
        before = digest_of(store)
        backend = Backend([store], TOKEN)
        told = traitor_results(store, backend)
        backend.close()
        assert [text for text in told if text.startswith("did ")] == []
        assert len(told) >= 32
        assert digest_of(store) == before
        assert not store.with_suffix(".uploads").exists()


def digest_of(store: Path) -> str:
    with Store.open_to_read(store) as opened:
        rows = [
            opened.games(),
            opened.host_actions(),
            opened.voids(),
            opened.entries(),
            opened.versions(),
            opened.rounds(),
        ]
    return hashlib.sha256(repr(rows).encode()).hexdigest()
