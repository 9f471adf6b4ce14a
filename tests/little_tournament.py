"""A little tournament for tests: played once by the real code, with hostile words in every place that a report shows.

`played` gives a folder with night.toml and night.sqlite; `made` writes a store by hand, without a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner
from little_bots import after_trial, little_bot
from made_up import enter
from token_keys import fix_token_key

from peloarena.cli.main import cli
from peloarena.referee.job import GameReport, SeatStats
from peloarena.referee.verdict import Outcome
from peloarena.tournament.config import parse_config
from peloarena.tournament.fixtures import Fixture
from peloarena.tournament.store import Store
from peloarena.tournament.stored_tournament import load_state

RANDOM = Path(__file__).parent.parent / "bots" / "random"
HOSTILE = "=<script>alert('1')</script>\u202e\"&"
HOSTILE_STDERR = "</pre><img src=x onerror=alert(2)> \\x1b[2J"
HOSTILE_REASON = "</td><style>*{display:none}</style>"
VOID = "r01-1.2-d001-s1"
REDRAWN = f"{VOID}-x1"
"""Its deal had been open, so another was drawn."""
SECRET = bytes(range(16))

TOURNAMENT = """
name = "Little <i>night</i>"
bots = [{bots}]
deals = 3
seed = "little"
time = "5s+1s"
sandbox = "off"
bench_after = 2
"""


def played(folder: Path) -> Path:
    """Random, a bot with a hostile name, one that crashes and is benched, and one that is not there."""
    crash = f"asked > 3 and doomed and (sys.stderr.write({HOSTILE_STDERR!r}), sys.exit(3))"
    little_bot(folder, "crashes", start=after_trial("doomed", "crashes"), decide=crash)
    little_bot(folder, "other")
    entries = [f'"{RANDOM}"', f"{{ path = 'other', alias = {toml(HOSTILE)} }}", '"crashes"', '"nowhere"']
    file = folder / "night.toml"
    file.write_text(TOURNAMENT.format(bots=", ".join(entries)))
    fix_token_key(file.with_suffix(".sqlite"))
    invoke("tournament", "run", str(file), "-j", "2", "-q")
    invoke("tournament", "void", str(file), VOID, "--reason", HOSTILE_REASON)
    invoke("tournament", "run", str(file), "-j", "2", "-q")
    return folder


def toml(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\u202e", "\\u202e") + '"'


def invoke(*args: str) -> str:
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 0, result.output
    return result.output


def made(path: Path, text: str, bots: Sequence[str], *, most: int = 10**6) -> Path:
    """A store with the tournament's games, at most `most` of them, each won by the bot that comes first in `bots`."""
    config = parse_config(text, "test")
    with Store.open_to_play(path) as store:
        store.set_meta("config", text)
        store.set_meta("secret", SECRET.hex())
        enter(store, bots, "/home/host")
        left = most
        while left > 0:
            state = load_state(store, config, store.games())
            round = state.next_round()
            if round is None:
                break
            store.add_round(round)
            while (due := load_state(store, config, store.games()).due_fixtures(round)) and left > 0:
                for fixture in due[:left]:
                    add(store, round.id, fixture, bots)
                    left -= 1
    return path


def add(store: Store, round: int, fixture: Fixture, bots: Sequence[str]) -> None:
    strength = [bots.index(name) for name in fixture.seats]
    ranks = tuple(1 + sum(other < mine for other in strength) for mine in strength)
    seats = len(ranks)
    outcome = Outcome(ranks, tuple(20 - rank for rank in ranks), (False,) * seats, True, None)
    stats = (SeatStats(10, 0.5, 0.1, 0.2),) * seats
    report = GameReport(fixture.game, fixture.seed, fixture.seats, outcome, (), (), stats, ("",) * seats, b"{}\n")
    store.add_game(round, fixture, report, True)
