"""Makes the capsule. It was run once, with the code of 38049c6, and is kept to show how: never run it again.

    git worktree add /tmp/peloarena-38049c6 38049c6
    cd /tmp/peloarena-38049c6 && python3 -m venv .venv && .venv/bin/pip install -e '.[web]'
    PYTHONPATH=CLONE/tests PYTHONDONTWRITEBYTECODE=1 .venv/bin/python CLONE/tests/capsule/make.py

Stores tell where their bots came from: so the code lay in /tmp, and everything is played in WORK.
"""

from __future__ import annotations  # noqa: I001 - it imports the package of 38049c6, whose modules have other names

import io
import re
import shutil
import signal
import subprocess
import zipfile
from pathlib import Path

from exports import of_archive, of_season, of_store
from make_records import make_records
from resume import command, peloarena, resume

from peloarena.cli.common import INTERRUPTED
from peloarena.tournament.store import Store
from peloarena.tournament.tokens import make_token
from peloarena.web.uploads import Uploads

HERE = Path(__file__).resolve().parent
WORK = Path("/tmp/peloarena-capsule")
MADE = ("stopped", "closed", "archives", "records", "expected")
GAME_OVER = re.compile(r"^\d+(/\d+)? [rcf]\d+-")
"""How `run` reports a finished game."""

NIGHTS = {
    "round-robin": """
name = "Round-robin"
bots = ["../bots/zero", "../bots/two", "../bots/falls", "../bots/broken"]
deals = 3
seatings = "one"
seed = "capsule 1170"
bench_after = 2
time = "20s"
sandbox = "off"
""",
    "tables": """
name = "Tables"
bots = ["../bots/zero", "../bots/two", "../bots/three", "../bots/five", "../bots/seven", "../bots/eleven"]
table = 4
tables = 3
deals = 3
seatings = "one"
modules = ["hellas", "sea"]
components = "pieces.toml"
time = "20s"
sandbox = "auto"
""",
    "authors-apart": """
name = "Authors apart"
bots = ["../bots/zero", "../bots/two", "../bots/three", "../bots/five", "../bots/seven"]
table = 3
authors_apart = true
deals = 2
seatings = "one"
seed = "capsule"
prior = 1
time = "20s"
sandbox = "off"
""",
    "gauntlet": """
name = "Gauntlet"
format = "gauntlet"
bots = ["../bots/zero", "../bots/two", "../bots/three", "../bots/five"]
challenger = "three"
deals = 3
entries = "tokens"
time = "20s"
sandbox = "off"
""",
    "swiss": """
name = "Swiss"
format = "swiss"
bots = ["../bots/zero", "../bots/two", "../bots/three", "../bots/five", "../bots/seven"]
rounds = 3
deals = 1
anonymous = true
time = "20s"
sandbox = "off"
""",
    "knockout": """
name = "Knockout"
format = "knockout"
bots = ["../bots/zero", "../bots/two", "../bots/three", "../bots/five", "../bots/seven"]
deals = 2
extra_deals = 2
same_deals = true
seed = "capsule"
time = "20s"
sandbox = "auto"
""",
    "solo": """
name = "Solo"
format = "solo"
bots = ["../bots/zero", "../bots/two", "../bots/three"]
levels = [1, 3, 5]
deals = 2
time = "20s"
sandbox = "off"
""",
    "ladder": """
name = "Ladder"
format = "ladder"
bots = ["../bots/zero", "../bots/two", "../bots/three", "../bots/five"]
newcomer_games = 4
deals = 1
seed = "capsule"
restart = "never"
time = "20s"
sandbox = "off"
""",
}


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a script it is ignored
    check_code()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir()
    shutil.copytree(HERE / "bots", WORK / "bots")
    for name in MADE:
        shutil.rmtree(HERE / name, ignore_errors=True)
        (HERE / name).mkdir()
    key = make_key()
    for name, text in NIGHTS.items():
        folder = WORK / name
        folder.mkdir()
        (folder / "night.toml").write_text(text.lstrip())
        if "pieces.toml" in text:
            (folder / "pieces.toml").write_text("[tiles.A12]\nmin = 2\n")
        STOPS[name](folder / "night.toml")
        keep_stopped(folder)
        finish(folder, key)
    of_season(HERE / "closed", HERE / "expected" / "season")
    make_records(WORK, HERE / "records", HERE / "expected" / "records")


def check_code() -> None:
    import peloarena

    where = Path(peloarena.__file__).parent
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=where, capture_output=True, text=True, check=True).stdout
    assert head.startswith("38049c6"), f"{where} is not 38049c6's code"
    clean = subprocess.run(["git", "status", "--porcelain"], cwd=where, capture_output=True, text=True, check=True)
    assert not clean.stdout, "the worktree of 38049c6 was changed"


# ---- how each night is stopped


def stop_round_robin(file: Path) -> None:
    """A bot that fails its trial, one that falls and is benched, and one that comes late."""
    stop_after(file, 2)
    peloarena("tournament", "enter", file, WORK / "bots" / "late")
    stop_after(file, 4)


def stop_gauntlet(file: Path) -> None:
    """A commitment and a word, a bot that is withdrawn, a pause in mid-round, an upload that waits."""
    peloarena("tournament", "commit", file)
    stop_after(file, 4, more=("--word", "olive"))
    peloarena("tournament", "withdraw", file, "two", "--reason", "its author asked")
    peloarena("tournament", "pause", file, "--reason", "pizza")
    runner = start(file)  # bots are taken on the page while a night is run, in a pause as well
    read_until(runner, "paused")
    with Store.change(file.with_suffix(".sqlite")) as store:
        token = make_token(store, "late")
    uploads = Uploads(file.with_suffix(".sqlite"))
    number = uploads.begin(token, "").upload
    uploads.put(number, zipped(WORK / "bots" / "late"))
    uploads.end(number)
    end(runner, signal.SIGINT)


def stop_swiss(file: Path) -> None:
    """In the second round a deal is void after both seatings of it, so another is drawn, and half played. A new version
    waits for the third."""
    stop_after(file, 7)
    peloarena("tournament", "enter", file, WORK / "bots" / "five-2")
    with Store.read(file.with_suffix(".sqlite")) as store:
        game = next(row.fixture.game for row in store.games() if row.fixture.round == 2)
    peloarena("tournament", "void", file, game, "--reason", "a bot saw another's screen")
    stop_after(file, 1)


def stop_knockout(file: Path) -> None:
    """Killed, so that SQLite's log and the pulse are left behind."""
    stop_after(file, 7, signal.SIGKILL)


STOPS = {
    "round-robin": stop_round_robin,
    "tables": lambda file: stop_after(file, 4),
    "authors-apart": lambda file: stop_after(file, 5),
    "gauntlet": stop_gauntlet,
    "swiss": stop_swiss,
    "knockout": stop_knockout,
    "solo": lambda file: stop_after(file, 5),
    "ladder": lambda file: stop_after(file, 11),
}


def stop_after(file: Path, games: int, how: signal.Signals = signal.SIGINT, more: tuple[str, ...] = ()) -> None:
    """In the game that follows."""
    runner = start(file, *more)
    read_games(runner, games)
    end(runner, how)


def start(file: Path, *more: str) -> subprocess.Popen[str]:
    words = command("tournament", "run", file, "--jobs", "1", *more)
    words.insert(1, "-u")
    return subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def read_games(runner: subprocess.Popen[str], games: int) -> None:
    for _ in range(games):
        read_until(runner, GAME_OVER)


def read_until(runner: subprocess.Popen[str], pattern: str | re.Pattern[str]) -> None:
    assert runner.stdout is not None
    for line in runner.stdout:
        print(line, end="")
        if re.search(pattern, line):
            return
    raise AssertionError(f"{pattern!r} was never said")


def end(runner: subprocess.Popen[str], how: signal.Signals) -> None:
    runner.send_signal(how)
    print(runner.communicate()[0])
    assert runner.returncode in (INTERRUPTED, -signal.SIGKILL), "it was not stopped"


def zipped(folder: Path) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in sorted(folder.iterdir()):
            packed.write(file, f"{folder.name}/{file.name}")
    return out.getvalue()


# ---- what is kept


def keep_stopped(folder: Path) -> None:
    """As it lies there, but for what is made anew: bytecode, SQLite's index of its log."""
    unneeded = shutil.ignore_patterns("__pycache__", "*-shm")
    shutil.copytree(folder, HERE / "stopped" / folder.name, ignore=unneeded)
    copy = WORK / "copies" / folder.name  # to read a store that was killed is to tidy it up
    shutil.copytree(HERE / "stopped" / folder.name, copy)
    of_store(copy / "night.sqlite", HERE / "expected" / "stopped" / folder.name)


def finish(folder: Path, key: Path) -> None:
    resume(folder / "night.toml")
    closed = HERE / "closed" / f"{folder.name}.sqlite"
    shutil.copy(folder / "night.sqlite", closed)
    of_store(closed, HERE / "expected" / "closed" / folder.name)
    archive = HERE / "archives" / folder.name
    peloarena("tournament", "export", folder / "night.sqlite", "--archive", "--to", archive, "--sign", key)
    of_archive(archive, HERE / "expected" / "archives" / folder.name)


def make_key() -> Path:
    """For these archives alone: its private half is thrown away with WORK."""
    key = WORK / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
    public = (WORK / "key.pub").read_text().strip()
    (HERE / "archives" / "signers").write_text(f'capsule namespaces="peloarena-archive" {public}\n')
    return key


if __name__ == "__main__":
    main()
