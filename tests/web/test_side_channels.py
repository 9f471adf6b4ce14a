"""What times, sizes and headers tell of what is not shown: nothing of tokens, nothing of pages."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from pathlib import Path

import pytest
from patience import PATIENCE
from web_servers import TOKEN, Visitor, connected, open_web_server

from peloarena.tournament.submission_tokens import EntryToken, entry_name_of_token, token_digest
from peloarena.web.admin import AdminActions

HURRIED = (
    "from peloarena.web import host_action_handler as handler; handler.BODY_SECONDS = 0.2; "
    "from peloarena.web.web_main import run; run()"
)
"""A web process as it is, but for the seconds that a form may take."""
PAGES = (
    "/",
    "/games",
    "/pairings",
    "/faults",
    "/bot/1",
    "/live.json",
    "/featured.json",
    "/projector",
    "/enter",
    "/host",
)


@pytest.fixture(scope="module")
def hurried(little_tournament: Path) -> Iterator[Visitor]:
    with open_web_server(little_tournament / "night.toml", program=("-c", HURRIED)) as visitor:
        yield visitor


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, object]]:
    """What was compared in constant time."""
    found: list[tuple[object, object]] = []
    real = hmac.compare_digest

    def compare(one: bytes, other: bytes) -> bool:
        found.append((one, other))
        return real(one, other)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    return found


@pytest.mark.parametrize(("token", "name"), [("first", "a"), ("last", "c"), ("wrong", None), ("", None)])
def test_every_token_is_compared_by_its_hash(token: str, name: str | None, compared: list[object]) -> None:
    """How long it takes tells neither whose token it is, nor how much of one was guessed."""
    tokens = [EntryToken(bot, token_digest(one), 0.0) for bot, one in (("a", "first"), ("b", "second"), ("c", "last"))]
    assert entry_name_of_token(tokens, token) == name
    assert compared == [(one.digest, token_digest(token)) for one in tokens]


def test_the_hosts_token_is_compared_in_constant_time(compared: list[object]) -> None:
    admin = AdminActions(None, TOKEN)
    assert [admin.is_host_token(token) for token in (TOKEN, TOKEN[:-1] + "x", "")] == [True, False, False]
    assert len(compared) == 3


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_a_tag_or_a_date_of_its_own_and_none_is_kept(site: Visitor, path: str) -> None:
    """A tag would tell that something hidden has changed; what a browser keeps might be shown to the next user."""
    for method in ("GET", "HEAD"):
        status, headers, _ = site.ask(path, method, If_None_Match="*")
        assert (status, headers["cache-control"]) == (200, "no-store")
        assert not {"etag", "last-modified", "set-cookie"} & headers.keys()


@pytest.mark.parametrize(
    ("path", "kind"), [("/host/order", "application/json"), ("/evidence", "application/x-www-form-urlencoded")]
)
def test_a_form_that_comes_too_slowly_is_refused(hurried: Visitor, path: str, kind: str) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{hurried.port}\r\nOrigin: http://127.0.0.1:{hurried.port}\r\n"
    with connected(hurried, f"{head}Content-Type: {kind}\r\nContent-Length: 100\r\n\r\n{{".encode()) as connection:
        connection.settimeout(PATIENCE)
        assert connection.recv(12) == b"HTTP/1.1 400"
