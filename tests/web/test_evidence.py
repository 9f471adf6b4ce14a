"""What is for a bot's author alone: with the bot's token or the host's, where the gate is open, and nowhere else."""

from __future__ import annotations

import html
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_tournament import HOSTILE_STDERR, made
from web_servers import TOKEN, Visitor, open_web_server

from peloarena.game import ConfigError
from peloarena.referee.verdict import Evidence, Verdict
from peloarena.tournament.rows import to_json
from peloarena.tournament.store import Store
from peloarena.tournament.submission_tokens import make_token
from peloarena.web.author_evidence import evidence_for
from peloarena.web.channel import GetStateUpdate
from peloarena.web.submission_messages import GetEvidence
from peloarena.web.tournament_source import TournamentSource
from peloarena.web.uploads import WrongToken


class Reader:
    def __init__(self, path: Path, visitor: Visitor, tokens: dict[str, str]) -> None:
        self.visitor = visitor
        self.tokens = tokens
        with Store.open_to_read(path) as store:
            self.numbers = {entry.name: entry.number for entry in store.entries()}
            self.game = next(row.fixture.game for row in store.games() if any(v.decision for v in row.verdicts))

    def asks(self, token: str, **fields: object) -> tuple[int, str]:
        body = "&".join(f"{key}={value}" for key, value in {"token": token, **fields}.items())
        origin = f"http://127.0.0.1:{self.visitor.port}"
        kind = "application/x-www-form-urlencoded"
        status, headers, told = self.visitor.ask("/evidence", "POST", body.encode(), Origin=origin, Content_Type=kind)
        assert headers["cache-control"] == "no-store"
        return status, told.decode()


@pytest.fixture(scope="module")
def reader(little_tournament: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    path = Path(shutil.copytree(little_tournament, tmp_path_factory.mktemp("copy") / "night")) / "night.sqlite"
    with Store.open_to_change(path) as store:
        tokens = {name: make_token(store, name) for name in ("crashes", "random")}
    with open_web_server(path) as visitor:
        yield Reader(path, visitor, tokens)


def test_a_bots_token_shows_what_it_was_asked_and_what_it_printed(reader: Reader) -> None:
    for fields in ({}, {"entry": reader.numbers["crashes"]}, {"game": reader.game}):
        status, page = reader.asks(reader.tokens["crashes"], **fields)
        assert status == 200
        assert "last request" in page
        assert html.escape(HOSTILE_STDERR)[:20] in page, "as text"
        assert "<img" not in page


def test_the_hosts_token_shows_that_of_all(reader: Reader) -> None:
    status, page = reader.asks(TOKEN)
    assert (status, "crashes: crashed in" in page, "all bots" in page) == (200, True, True)


def test_another_bots_token_and_a_wrong_one_show_nothing(reader: Reader) -> None:
    number = reader.numbers["crashes"]
    for token in ("", "guess", reader.tokens["random"], reader.tokens["crashes"][:-1]):
        status, page = reader.asks(token, entry=number)
        assert (status, "last request" in page) == (403, False)
    status, page = reader.asks(reader.tokens["random"], game=reader.game)
    assert (status, "last request" in page) == (404, False)


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Content_Type": "application/json"}, 415),
    ],
)
def test_only_a_form_of_this_site_may_ask(reader: Reader, changed: dict[str, str], status: int) -> None:
    usual = {
        "Origin": f"http://127.0.0.1:{reader.visitor.port}",
        "Content_Type": "application/x-www-form-urlencoded",
    }
    body = f"token={reader.tokens['crashes']}".encode()
    assert reader.visitor.ask("/evidence", "POST", body, **{**usual, **changed})[0] == status


def test_pages_have_the_form_and_none_of_it(reader: Reader) -> None:
    for path in ("/faults", f"/bot/{reader.numbers['crashes']}", f"/game/{reader.game}"):
        page = reader.visitor.text(path)
        assert 'action="/evidence"' in page
        assert "last request" not in page
        assert "onerror" not in page


def test_nothing_of_a_deal_that_is_not_open_is_shown_even_to_its_author(tmp_path: Path) -> None:
    tournament = 'name = "Gate"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'
    path = made(tmp_path / "night.sqlite", tournament, ["a", "b"], most=1)
    with Store.open_to_change(path) as store:
        verdict = to_json((Verdict(0, "crashed", "gone", 3),))
        evidence = to_json((Evidence(request="the hand of a", stderr="boom"),))
        store._write("UPDATE games SET verdicts = ?, evidence = ?", verdict, evidence)
        token = make_token(store, store.games()[0].fixture.seats[0])
        game = store.games()[0].fixture.game
    source = TournamentSource(path)
    source.get_update(GetStateUpdate(0, 0, 0))
    for request in (GetEvidence(token), GetEvidence(token, game), GetEvidence("host", game)):
        with pytest.raises(ConfigError, match=r"is still being played|when all seatings"):
            evidence_for(source, request, request.token == "host")
    with pytest.raises(WrongToken):
        evidence_for(source, GetEvidence("guess"), False)
    source.close()
