"""What the backend lets in of bots that are submitted: counted by itself, whatever the web process says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from little_tournament import made

from peloarena.game import ConfigError
from peloarena.tournament.store import Store
from peloarena.tournament.submission_tokens import make_token
from peloarena.web import uploads as uploading
from peloarena.web.pages.submission_page import submission_page
from peloarena.web.uploads import Uploads
from peloarena.web.web_tournament import WebTournament

TOURNAMENT = 'name = "Door"\nbots = ["a", "b"]\ndeals = 3\nsandbox = "off"\nentries = "{}"\n'


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = made(tmp_path / "night.sqlite", TOURNAMENT.format("open"), ["a", "b"], most=1)
    with Store.open_to_change(path) as found:
        found.lock()
        yield found


def test_twenty_wait_at_most_and_two_gibibytes_in_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = Uploads(store.path)
    for number in range(uploading.MAX_WAITING):
        assert uploads.begin("", f"bot {number}").upload == number + 1
    with pytest.raises(ConfigError, match="20 bots are already waiting"):
        uploads.begin("", "one more")
    monkeypatch.setattr(uploading, "MAX_WAITING", 1000)
    for number in range(12):  # 32 zips of 64 MiB are the two gibibytes, whatever they turn out to be
        uploads.begin("", f"more {number}")
    with pytest.raises(ConfigError, match="the limit of 2 GiB of uploaded bots"):
        uploads.begin("", "too much")
    uploads.close()
    assert list(uploads.folder.iterdir()) == []


def test_pieces_are_counted_here_whatever_the_web_process_says(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploading, "MAX_ZIP_BYTES", 1000)
    uploads = Uploads(store.path)
    started = uploads.begin("", "big")
    uploads.add_chunk(started.upload, b"x" * 900)
    with pytest.raises(ConfigError, match="larger than"):
        uploads.add_chunk(started.upload, b"x" * 101)
    for wrong in (started.upload, 99, -1):
        for deed in (uploads.end, lambda number: uploads.add_chunk(number, b"x")):
            with pytest.raises(ConfigError, match="this upload was dropped"):
                deed(wrong)
    assert list(uploads.folder.iterdir()) == []


def test_a_zip_that_does_not_go_on_is_dropped(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads = Uploads(store.path)
    uploads.begin("", "slow")
    uploads.advance()
    assert len(uploads.by_id) == 1
    monkeypatch.setattr(uploading, "IDLE_SECONDS", -1.0)
    uploads.advance()
    assert (uploads.by_id, list(uploads.folder.iterdir())) == ({}, [])


@pytest.mark.parametrize(
    ("mode", "runs", "reason"),
    [("closed", True, "takes no uploads"), ("open", False, "the tournament is not running")],
)
def test_a_tournament_that_is_closed_or_not_run_takes_nothing(
    tmp_path: Path, mode: str, runs: bool, reason: str
) -> None:
    path = made(tmp_path / "night.sqlite", TOURNAMENT.format(mode), ["a", "b"], most=1)
    with Store.open_to_change(path) as store:
        if runs:
            store.lock()
        token = make_token(store, "mybot")
        with pytest.raises(ConfigError, match=reason):
            Uploads(path).begin(token, "")
    assert not path.with_suffix(".uploads").exists()


def test_the_page_says_why_nothing_is_taken() -> None:
    web_tournament = WebTournament()
    assert "takes no uploads" in submission_page(web_tournament)
    assert "<form" not in submission_page(web_tournament)
    web_tournament.entry_mode = "tokens"
    assert "The tournament is not running" in submission_page(web_tournament)
    web_tournament.runner_since = 1.0
    assert "Entries are open" in submission_page(web_tournament)
