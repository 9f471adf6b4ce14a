"""What README promises for Windows and macOS: what starts no bots works there, and what starts them says what to do.

Simulated: elsewhere.py hides what those systems lack, in a process of its own. Other people's packages are not hidden
from, for they have other code there.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from patience import PATIENCE
from sample_tournament import Evening
from terminal import Terminal

from peloarena.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SCRIPT = Path(__file__).with_name("elsewhere.py")
ELSEWHERE = [sys.executable, "-X", "warn_default_encoding", str(SCRIPT)]
SYSTEMS = ("win32", "darwin")
SENTENCES = {
    "win32": "on Linux only: on Windows, run peloarena in WSL 2",
    "darwin": "on Linux only: on macOS, run peloarena in a virtual machine with Linux",
}
ALL_COMMANDS = """
import json, sys
from click.testing import CliRunner
from peloarena.cli.main import cli

def told(words, typed):
    result = CliRunner().invoke(cli, words, input=typed)
    return {"code": result.exit_code, "out": result.stdout, "err": result.stderr, "error": repr(result.exception)}

calls = json.load(sys.stdin)
json.dump({name: told(words, typed) for name, (words, typed) in calls.items()}, sys.stdout)
"""
ALL_MODULES = """
import importlib, pkgutil
import peloarena

LINUX_ONLY = ("peloarena.cluster", "peloarena.web")  # nothing is served or distributed elsewhere
for found in pkgutil.walk_packages(peloarena.__path__, "peloarena.", onerror=lambda name: None):
    if not found.name.startswith((*LINUX_ONLY, "peloarena.kits")):
        importlib.import_module(found.name)
print("all")
"""


class Call(NamedTuple):
    """A command with what is typed, and what its output must have."""

    words: tuple[str, ...]
    said: str
    typed: str = ""


WORKS = {
    "help": Call(("--help",), "The arena for Peloponnes bots"),
    "help of a command": Call(("match", "--help"), "Let bots play against each other"),
    "tiles": Call(("tiles",), "tiles; other tables"),
    "schema": Call(("schema",), '"$schema"'),
    "vectors": Call(("vectors", "check", str(ROOT / "spec" / "vectors" / "base-2.jsonl")), "1 of 1 vectors"),
    "play": Call(("play", "--seed", "friday", "--record", "{folder}/games"), "Record: ", "1\n4\n5\n3\n2\n6\n" * 150),
    "verify": Call(("verify", "{folder}/games", "{folder}/archive"), "4 games, 0 void games"),
    "replay": Call(("replay", "{record}"), "scores"),
    "replay with keys": Call(("replay", "--step", "{record}"), "decision", "\nb\nr\n3\nG\nq\n"),
    "replay as a page": Call(("replay", "{record}", "--html", "{folder}/page.html"), "page.html"),
    "ask without a bot": Call(("ask", "{record}", "3", "--json"), '"type":"decide"'),
    "ratings of a store": Call(("ratings", "{store}"), "first"),
    "ratings of an archive": Call(("ratings", "{folder}/archive"), "first"),
    "ratings of records": Call(("ratings", "{folder}/archive/records"), "first"),
    "new": Call(("new", "mybot", "{folder}/mybot"), "a bot in Python"),
    "tournament new": Call(("tournament", "new", "{folder}/friday.toml"), "tournament plan"),
    "standings": Call(("tournament", "standings", "{store}"), "4 games, 0 faults"),
    "report": Call(("tournament", "report", "{store}"), ".html"),
    "export": Call(("tournament", "export", "{store}", "--to", "{folder}/export"), "files in"),
    "entries": Call(("tournament", "entries", "{store}"), "plays"),
    "pairings": Call(("tournament", "pairings", "{store}"), "first – last"),
    "plan": Call(("tournament", "plan", "{night}"), "keeps 4 finished games"),
}
NEEDS_LINUX = {
    "match": ("match", "random", "random"),
    "match without a sandbox": ("match", "random", "random", "--sandbox", "off"),
    "check": ("check", "random"),
    "solo": ("solo", "random"),
    "ask": ("ask", "{record}", "3", "random"),
    "tune": ("tune", "random", "--param", "RISK=0..1"),
    "doctor": ("doctor",),
    "doctor --runtimes": ("doctor", "--runtimes"),
    "play with bots": ("play", "--opponents", str(ROOT / "bots" / "random")),
    "serve": ("serve", "{record}"),
    "cluster": ("cluster", "check", "tcp://127.0.0.1:1", "--trust-network"),
    "tournament run": ("tournament", "run", "{night}"),
    "tournament enter": ("tournament", "enter", "{night}", "random"),
    "tournament plan --try": ("tournament", "plan", "{night}", "--try"),
}


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A tournament that was played here, its archive, and a record of it."""
    evening = Evening(tmp_path_factory.mktemp("elsewhere"))
    evening.lay_out()
    evening.run("--quiet")
    evening.call("close")
    evening.call("export", "--to", str(evening.folder / "archive"), "--archive")
    record = next((evening.folder / "archive" / "records").iterdir())
    names = {"folder": evening.folder, "record": record, "store": evening.store_path, "night": evening.file}
    return {name: str(path) for name, path in names.items()}


Told = dict[str, dict[str, object]]


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    assert isinstance(request.param, str)
    return request.param


@pytest.fixture(scope="module")
def told(system: str, places: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Told:
    """All commands, one after another in one process of that system: to load it takes longer than they do."""
    calls = {name: (call.words, call.typed) for name, call in WORKS.items()}
    calls |= {name: (words, "") for name, words in NEEDS_LINUX.items()}
    own = {**places, "folder": str(tmp_path_factory.mktemp(system))}
    (Path(own["folder"]) / "archive").symlink_to(Path(places["folder"]) / "archive")
    filled = {name: ([word.format(**own) for word in words], typed) for name, (words, typed) in calls.items()}
    done = subprocess.run(
        [*ELSEWHERE, system, "-c", ALL_COMMANDS],
        input=json.dumps(filled),
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE * 4,
        check=True,
    )
    found: Told = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", WORKS)
def test_what_starts_no_bots_works(name: str, told: Told) -> None:
    assert told[name]["code"] == 0, told[name]
    assert WORKS[name].said in str(told[name]["out"]), told[name]


@pytest.mark.parametrize("name", NEEDS_LINUX)
def test_what_starts_bots_says_in_a_sentence_what_to_do(name: str, system: str, told: Told) -> None:
    assert (told[name]["code"], told[name]["out"]) == (2, ""), told[name]
    assert re.fullmatch(rf"peloarena: [a-z ]+ {SENTENCES[system]}\n", str(told[name]["err"])), told[name]


def test_a_game_that_was_played_there_holds(told: Told) -> None:
    assert re.match("holds .*/games/play.jsonl\nholds .*/archive\n", str(told["verify"]["out"]))


def test_a_new_bot_says_where_it_can_be_tried(system: str, told: Told) -> None:
    assert SENTENCES[system] in str(told["new"]["out"])


def test_a_store_is_not_locked_where_nobody_can_play(places: dict[str, str]) -> None:
    done = elsewhere("win32", "tournament", "close", places["night"])
    assert (done.returncode, done.stdout) == (2, "")
    sentence = f"peloarena: a tournament can be played and closed {SENTENCES['win32']}\n"
    assert done.stderr == sentence


def elsewhere(system: str, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    argv = [*ELSEWHERE, system, *words]
    return subprocess.run(argv, input=typed, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_all_modules_can_be_imported(system: str) -> None:
    done = elsewhere(system, "-c", ALL_MODULES)
    assert done.stdout == "all\n", done.stderr


def test_the_engine_plays_as_the_readme_shows_it(system: str) -> None:
    (snippet,) = (text for text in README.split("```python\n")[1:] if "make_options" in text)
    done = elsewhere(system, "-c", snippet.partition("```")[0])
    assert done.stdout.startswith("Result(seats=(SeatResult(score="), done.stderr


def test_the_engine_serves_lines(system: str) -> None:
    done = elsewhere(system, "engine", typed='{"type":"new","options":{"players":2},"seed":"friday-1"}\n')
    assert (done.returncode, done.stderr) == (0, "")
    assert '"kind":"bid"' in done.stdout


def test_no_traceback_reaches_the_terminal(system: str) -> None:
    """By the real entry point: what CliRunner shows is not all that a person sees."""
    done = elsewhere(system, "match", "random", "random")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"peloarena: bots can be started {SENTENCES[system]}\n"


def test_without_single_keys_a_replay_takes_lines(places: dict[str, str]) -> None:
    main = f"import runpy, sys; sys.argv[1:1] = ['win32']; runpy.run_path({str(SCRIPT)!r}, run_name='__main__')"
    with Terminal("replay", places["record"], main=main) as terminal:
        terminal.wait_for("Enter b r e N g G q ?>")
        terminal.type("3\n")
        terminal.wait_for("Enter b r e N g G q ?>")
        terminal.type("q\n")
        assert terminal.ends() == 0


def test_the_readme_names_what_works_and_every_command_is_tried() -> None:
    tried = {"engine", *(call.words[0] for call in WORKS.values()), *(words[0] for words in NEEDS_LINUX.values())}
    assert {*COMMANDS} <= tried
    named = README.partition("What starts no bots")[2].partition(")")[0]
    for name in re.findall(r"`(\w+)`", named):
        assert any(name in call.words for call in WORKS.values()), name
