"""A walk over everything that can be seen of a tournament while it is on: no secret, no seed or record of an open deal.

One real tournament with a bot that falls. One deal is open again because the machine spoiled one of its games; the
deals of rounds to come are open as well.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from msgspec import Struct
from rich.console import Console
from sample_tournament import Evening

from peloarena.cli import tournament_run
from peloarena.cli.live_view import LiveTournament, LiveView
from peloarena.cli.main import cli
from peloarena.cli.tournament import SUBCOMMANDS
from peloarena.tournament.deals import Deal, commitment
from peloarena.tournament.stored_tournament import load_tournament

SPOILED = "r02-1.3-d002-s1"
OPEN = "r02-1.3-d002-s2"
"""The other seating of its deal: played, and the bot fell in it."""
LOOKS = {"plan", "entries", "standings", "pairings", "report", "export", "record", "watch"}
"""What shows a tournament."""
HOST_ACTIONS = {"finish", "run", "commit", "enter", "lock", "pause", "withdraw", "readmit", "void", "close"}
"""What changes it; of these `run` shows it, too."""
BEFORE = {"new"}
"""What comes before there is one."""


class Walk(Struct):
    seen: dict[str, bytes]
    """Every public output, by the command that made it or the file it is in."""
    secrets: dict[str, bytes]
    """What must be in none of them."""
    folder: bytes
    """The host's own."""
    open_record: bytes
    shown_records: dict[str, bytes]
    """Of deals that are played in all seatings."""


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Walk:
    evening = Evening(tmp_path_factory.mktemp("walk"))
    evening.lay_out()
    evening.falling("falls")
    evening.write("first", "last", "falls", seed="", deals=2, bench_after=0)
    seen = {"commit": evening.call("commit").output.encode(), "run on a terminal": frames_of(evening)}
    with evening.store() as store:
        store.void_game(SPOILED, "the machine", "machine")
        tournament = load_tournament(store)
        source = tournament.state.source
        shown = {
            row.fixture.game: store.record(row.fixture.game) for row in tournament.games if row.fixture.game != OPEN
        }
        future = [source.seed(Deal("main", number, number, pair)) for number in (2, 3, 4) for pair in ((1, 3), (1, 2))]
        hidden = next(row.fixture.seed for row in tournament.games if row.fixture.game == OPEN)
        assert hidden == future[0]
        secrets = forms("secret", source.secret)
        for seed in {hidden, *future[2:]}:
            secrets |= forms(seed, bytes.fromhex(seed))
        record = store.record(OPEN)
    seen |= outputs_of(evening, [*shown, OPEN, SPOILED])
    seen["watch"] = watched(evening)
    return Walk(seen, secrets, str(evening.folder).encode(), record, shown)


def forms(name: str, value: bytes) -> dict[str, bytes]:
    """How bytes may be written."""
    found = {"raw": value, "hex": value.hex().encode(), "base64": base64.b64encode(value).rstrip(b"=")}
    return {f"{name} in {form}": text for form, text in found.items()}


def frames_of(evening: Evening) -> bytes:
    """The live screen of the whole tournament."""
    screen = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        out = Console(file=screen, force_terminal=True, width=300, height=80)
        patch.setattr(tournament_run, "make_tournament_view", lambda _, store, lines: LiveView(out, store.path, lines))
        told = evening.run("--word", "olive")
    assert "being played" in screen.getvalue()
    return (screen.getvalue() + told).encode()


def watched(evening: Evening) -> bytes:
    """The screen of another terminal, as large as it gets; the command itself would wait for the missing game."""
    tournament = LiveTournament(evening.store_path, "run goes on")
    try:
        tournament.poll()
        screen = tournament.draw(300, 80).plain
    finally:
        tournament.follower.close()
    assert "NO RUNNER" in screen
    return screen.encode()


def outputs_of(evening: Evening, games: list[str]) -> dict[str, bytes]:
    store, folder = str(evening.store_path), evening.folder / "public"
    folder.mkdir()
    calls = [
        ("tournament", "plan", str(evening.file)),
        ("tournament", "plan", str(evening.file), "--json"),
        ("tournament", "entries", store),
        ("tournament", "entries", store, "falls"),
        ("tournament", "entries", store, "--json"),
        ("tournament", "standings", store),
        ("tournament", "standings", store, "--json"),
        ("tournament", "pairings", store),
        ("tournament", "pairings", store, "--json"),
        ("tournament", "report", store, "--output", "-"),
        ("tournament", "report", store, "--output", str(folder / "page.html")),
        ("tournament", "export", store, "--to", str(folder / "export"), "--records"),
        ("tournament", "export", store, "--to", str(folder / "archive"), "--archive"),
        ("tournament", "close", store),
        ("ratings", store),
        ("ratings", store, "--json"),
        *(("tournament", "record", store, game) for game in games),
    ]
    seen = {" ".join(call): CliRunner().invoke(cli, call).output_bytes for call in calls}
    for path in folder.rglob("*"):
        if path.is_file():
            seen[str(path.relative_to(folder))] = path.read_bytes()
    return seen


def unfolded(content: bytes) -> Iterator[bytes]:
    """And what it holds packed: the records in a page are base64."""
    yield content
    for found in re.findall(rb"base64,([A-Za-z0-9+/=]+)", content):
        yield base64.b64decode(found)


def test_every_verb_is_on_the_walk() -> None:
    assert set(SUBCOMMANDS) == LOOKS | HOST_ACTIONS | BEFORE, "a new verb: say here whether it shows the night"


def test_no_folder_of_the_host_is_seen_but_by_who_sits_at_its_terminal(walk: Walk) -> None:
    """What is told of a tournament to scripts and pages; a table in the host's own terminal says where the store is."""
    told = [name for name in walk.seen if name.endswith("--json") or not name.startswith(("tournament", "ratings"))]
    public = [name for name in told if name not in ("run on a terminal", "watch", "commit")]
    assert len(public) > 10
    assert [name for name in public for content in unfolded(walk.seen[name]) if walk.folder in content] == []


def test_no_secret_and_no_seed_of_an_open_deal_is_seen(walk: Walk) -> None:
    assert len(walk.secrets) == 3 * 6
    found = [
        (place, name)
        for place, content in walk.seen.items()
        for text in unfolded(content)
        for name, secret in walk.secrets.items()
        if secret in text
    ]
    assert found == []


def test_no_line_of_a_record_of_an_open_deal_is_seen(walk: Walk) -> None:
    lines = [line for line in walk.open_record.splitlines() if json.loads(line)["type"] != "result"]
    assert len(lines) > 5
    found = [
        (place, line)
        for place, content in walk.seen.items()
        for text in unfolded(content)
        for line in lines
        if line in text
    ]
    assert found == []


def test_evidence_of_an_open_deal_is_not_seen(walk: Walk) -> None:
    """The last request holds a view of the deal. Its tiles are looked for: what comes before them, civilizations and
    what they own, is the same in many deals."""
    verdicts = [json.loads(line) for line in walk.open_record.splitlines() if b'"evidence"' in line]
    requests = [verdict["evidence"]["request"] for verdict in verdicts]
    assert requests
    tiles = re.search(r'"open":\[.{200}', requests[0])
    assert tiles
    for place, content in walk.seen.items():
        assert not any(form in content for form in spellings(tiles[0])), place


def spellings(text: str) -> list[bytes]:
    """As it stands, within JSON, in CSV, in HTML."""
    inner = json.dumps(text)[1:-1]
    return [
        one.encode()
        for one in (text, inner, text.replace('"', '""'), text.replace('"', "&quot;"), text.replace('"', "&#34;"))
    ]


def test_what_is_played_in_all_seatings_is_seen(walk: Walk) -> None:
    """Else the walk would find nothing, whatever it looks for."""
    for game, record in walk.shown_records.items():
        places = [place for place, content in walk.seen.items() for text in unfolded(content) if record in text]
        assert len(places) >= 4, (game, places)


def test_the_commitment_is_seen(walk: Walk) -> None:
    secret = bytes.fromhex(walk.secrets["secret in hex"].decode())
    assert commitment(secret).encode() in walk.seen["commit"]
    assert sum(commitment(secret).encode() in content for content in walk.seen.values()) >= 5
