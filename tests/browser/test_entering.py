"""Handing in on the page: who has a token, while a runner is at work, within limits. Nobody else, and nothing else."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from little_tournament import made
from patience import PATIENCE
from web_servers import Visitor, asking, connected, eventually, open_web_server
from zips import HOSTILE, zipped

from peloarena.game import ConfigError
from peloarena.tournament.entries import Version
from peloarena.tournament.host_commands import lock_entries
from peloarena.tournament.store import Store
from peloarena.tournament.submission_tokens import entry_name_of_token, make_token, tokens_of
from peloarena.web.pages.submission_page import SECTIONS
from peloarena.web.uploads import Upload, Uploads, WrongToken

TOURNAMENT = 'name = "Door"\nbots = ["a", "b"]\ndeals = 3\nsandbox = "off"\nentries = "{}"\n'
BOT = zipped(("mine/main.py", b"print()\n", 0o100755), ("mine/bot.toml", b'name = "mine"\ncommand = ["./main.py"]\n'))


class Door:
    """A tournament with its runner's lock held, and its page."""

    def __init__(self, path: Path, runner: Store, visitor: Visitor) -> None:
        self.path = path
        self.runner = runner
        self.visitor = visitor

    def token(self, name: str) -> str:
        return make_token(self.runner, name)

    def send(self, data: bytes, token: str, **changed: str) -> tuple[int, dict[str, Any]]:
        headers = {
            "Content_Type": "application/zip",
            "Origin": f"http://127.0.0.1:{self.visitor.port}",
            "X_Entry_Token": token,
            **changed,
        }
        status, _, body = self.visitor.ask("/enter", "POST", data, **headers)
        with contextlib.suppress(ValueError):
            return status, dict(json.loads(body))
        return status, {"problem": body.decode()}

    def versions(self, name: str) -> list[Version]:
        numbers = [entry.number for entry in self.runner.entries() if entry.name == name]
        return [version for version in self.runner.versions() if version.entry in numbers]

    def shows(self, text: str) -> str:
        """Waits for it as a page does: by its events."""
        with connected(self.visitor, asking(self.visitor, f"/events?sections={','.join(SECTIONS)}")) as connection:
            connection.settimeout(PATIENCE)
            for line in connection.makefile("rb"):
                if line.startswith(b"data: ") and text in (html := json.loads(line[6:])["html"]):
                    return str(html)
        raise AssertionError(text)

    def spool(self) -> set[str]:
        folder = self.path.with_suffix(".uploads")
        return {file.name for file in folder.iterdir()} if folder.exists() else set()


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    path = made(tmp_path_factory.mktemp("door") / "night.sqlite", TOURNAMENT.format("tokens"), ["a", "b"], most=1)
    # The backend is in this process, and looks into the file before it opens it: that would cost an SQLite connection
    # that is there already its locks (POSIX gives them up when any descriptor of the file is closed).
    with open_web_server(path) as visitor, Store.open_to_change(path) as runner:
        runner.lock()
        yield Door(path, runner, visitor)


def test_a_zip_with_its_token_waits_for_its_trial_as_if_it_had_been_typed(door: Door) -> None:
    status, told = door.send(BOT, door.token("mybot"))
    assert (status, told["token"]) == (200, "")
    door.shows("waits for its trial")
    (version,) = door.versions("mybot")
    entry = next(entry for entry in door.runner.entries() if entry.name == "mybot")
    assert (entry.path, entry.listed) == (f"the page, upload {told['upload']}", False)
    assert (version.state, version.edition) == ("queued", 1)
    kept = door.path.with_suffix(".bots") / version.hash / "bot"
    assert (kept / "main.py").read_bytes() == b"print()\n"
    assert {name for name in door.spool() if not name.endswith(".json")} == set(), "zip and unpacked files are gone"


def test_a_browsers_own_form_does_as_well(door: Door) -> None:
    field = '--X\r\nContent-Disposition: form-data; name="{}"{}\r\n\r\n'
    head = field.format("token", "") + door.token("by-form") + "\r\n" + field.format("zip", '; filename="a.zip"')
    origin = f"http://127.0.0.1:{door.visitor.port}"
    body = head.encode() + BOT + b"\r\n--X--\r\n"
    kind = "multipart/form-data; boundary=X"
    status, _, told = door.visitor.ask("/enter", "POST", body, Content_Type=kind, Origin=origin)
    assert (status, b"Received, testing now" in told) == (200, True)
    door.shows("by-form</a>")  # taken in: it has a page of its own


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"X_Entry_Token": "guess"}, 403),
        ({"X_Entry_Token": ""}, 403),
        ({"X_Entry_Token": "the-hosts-token"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "multipart/form-data; boundary=X"}, 400),
        ({"Content_Length": str(65 << 20)}, 413),
    ],
)
def test_a_wrong_token_origin_host_form_or_size_hands_in_nothing(
    door: Door, changed: dict[str, str], status: int
) -> None:
    before = door.spool()
    assert door.send(BOT, door.token("wrong"), **changed)[0] == status
    assert (door.versions("wrong"), door.spool()) == ([], before)


def test_a_lock_holds_for_the_page_too(door: Door) -> None:
    lock_entries(door.runner, True, "the last hour")
    status, told = door.send(BOT, door.token("late"))
    assert (status, "entries are locked" in told["problem"]) == (409, True)
    door.shows("Entries are locked.")
    lock_entries(door.runner, False, "")
    door.shows("Entries are open")


def test_a_hostile_zip_is_refused_with_its_reason_and_leaves_nothing(door: Door) -> None:
    token = door.token("hostile")
    for name in ("bomb", "above", "truncated", "zip64"):
        make, reason = HOSTILE[name]
        number = door.send(make(), token)[1]["upload"]
        shown = door.shows(f'data-upload="{number}" data-state="refused"')
        assert reason in shown
        assert {one for one in door.spool() if one.startswith(f"{number}.")} == {f"{number}.json"}
    assert door.versions("hostile") == []


def test_one_is_in_work_for_each_token(door: Door) -> None:
    token = door.token("twice")
    number = door.send(BOT, token)[1]["upload"]
    status, told = door.send(BOT, token)
    assert (status, told["problem"]) == (409, "twice: another version of it is being tested: wait until that is done")
    door.shows(f"{number}. <strong><a")  # its trial is to come, and it has a page
    assert door.send(BOT, token)[0] == 409


def test_whoever_goes_away_while_sending_leaves_nothing(door: Door) -> None:
    head = (
        f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1:{door.visitor.port}\r\n"
        f"Origin: http://127.0.0.1:{door.visitor.port}\r\nContent-Type: application/zip\r\n"
        f"X-Entry-Token: {door.token('gone')}\r\nContent-Length: 1000000\r\n\r\n"
    )
    before = door.spool()
    with connected(door.visitor, head.encode() + b"PK" * 200_000):
        door.shows("is being uploaded")
    eventually(lambda: str(sorted(door.spool())), str(sorted(before)))


def test_many_slow_uploads_hold_up_no_page(door: Door) -> None:
    head = (
        f"POST /enter HTTP/1.1\r\nHost: 127.0.0.1:{door.visitor.port}\r\n"
        f"Origin: http://127.0.0.1:{door.visitor.port}\r\nContent-Type: application/zip\r\n"
        "X-Entry-Token: guess\r\nContent-Length: 60000000\r\n\r\n"
    )
    with contextlib.ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(connected(door.visitor, head.encode() + b"PK"))
        assert "Standings" in door.visitor.text("/")
        assert door.send(BOT, door.token("quick"))[0] == 200


# ---- the trusted side alone


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = made(tmp_path / "night.sqlite", TOURNAMENT.format("open"), ["a", "b"], most=1)
    with Store.open_to_change(path) as found:
        found.lock()
        yield found


def test_a_backend_that_begins_anew_goes_on_with_what_was_received(store: Store) -> None:
    uploads = Uploads(store.path)
    whole, half = uploads.begin("", "whole"), uploads.begin("", "half")
    uploads.add_chunk(whole.upload, BOT)
    uploads.end(whole.upload)
    uploads.add_chunk(half.upload, BOT[:100])
    again = Uploads(store.path)
    assert [(upload.name, upload.state) for upload in again.by_id.values()] == [("whole", "received")]
    again.advance()
    assert again.child is not None
    again.child.wait()
    again.advance()
    assert again.by_id[1].state == "handed"
    again.close()
    uploads.close()


def sent(uploads: Uploads, token: str, name: str = "", content: bytes = BOT) -> Upload:
    """Handed in, and taken in or refused."""
    number = uploads.begin(token, name).upload
    uploads.add_chunk(number, content)
    uploads.end(number)
    while uploads.by_id[number].state == "received":
        uploads.advance()
        if (child := uploads.child) is not None:
            child.wait()
    return uploads.by_id[number]


def test_where_everybody_may_come_nobody_takes_a_name_that_is_known(store: Store) -> None:
    uploads = Uploads(store.path)
    first = sent(uploads, "")
    assert (first.name, first.state) == ("mine", "handed"), "its bot.toml says its name"
    again = sent(uploads, "", "MINE")
    assert (again.state, "use its token" in again.problem) == ("refused", True)
    with pytest.raises(WrongToken):
        uploads.begin("guess", "")  # a wrong token is not none
    assert [entry.name for entry in store.entries()] == ["a", "b", "mine"]
    uploads.close()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("mine\u034f", "U+034F COMBINING GRAPHEME JOINER"),
        ("m\u0456ne", "U+0456 CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I"),
        ("\u2800", "U+2800 BRAILLE PATTERN BLANK"),
        ("rnine", "there is a bot 'mine' already, which looks like this name"),
        ("Greedy", "'greedy' is a built-in bot"),
        ("PROMISED", "there is a bot 'promised' already, which looks like this name"),
    ],
)
def test_where_everybody_may_come_nobody_looks_like_somebody_else(store: Store, name: str, problem: str) -> None:
    """As bot.toml of an uploaded zip says it."""
    uploads = Uploads(store.path)
    make_token(store, "promised")
    assert sent(uploads, "").state == "handed"
    toml = f'name = "{name}"\ncommand = ["./main.py"]\n'.encode()
    refused = sent(uploads, "", content=zipped(("bot/main.py", b"print()\n", 0o100755), ("bot/bot.toml", toml)))
    assert (refused.state, problem in refused.problem) == ("refused", True), refused.problem
    assert [entry.name for entry in store.entries()] == ["a", "b", "mine"]
    uploads.close()


def test_a_newcomers_token_is_good_for_its_versions_once_it_is_taken_in(store: Store) -> None:
    uploads = Uploads(store.path)
    started = uploads.begin("", "")
    assert entry_name_of_token(tokens_of(store), started.token) is None
    uploads.add_chunk(started.upload, BOT)
    uploads.end(started.upload)
    while uploads.by_id[started.upload].state == "received":
        uploads.advance()
        if uploads.child is not None:
            uploads.child.wait()
    assert entry_name_of_token(tokens_of(store), started.token) == "mine"
    with pytest.raises(ConfigError, match="mine: another version of it is being tested"):
        uploads.begin(started.token, "")
    uploads.close()
