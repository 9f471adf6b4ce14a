"""samples/engine-rust: built in the sandbox by Debian's rustc; in a strict tournament it searches with `peloarena
engine`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from promises import EVERY_PROTECTION, RUST, needs, untried

from peloarena.referee.kits import KITS_FOLDER
from peloarena.referee.sandbox.isolation import missing_part_texts

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "samples" / "engine-rust"
PELOARENA = [sys.executable, "-m", "peloarena"]
TOURNAMENT = """
name = "Rust"
bots = ["{sample}", "greedy"]
modules = ["hellas", "sea", "trade", "goats", "athens", "heroes-and-colonies", "negotiation", "sacrum", "promos"]
deals = 1
time = "2s+0.2s/2s"
sandbox = "strict"
bench_after = 0
"""

pytestmark = needs(RUST, Path("/usr/bin/rustc").exists())


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PELOARENA, *words], cwd=cwd, capture_output=True, text=True, timeout=600, check=False)


def test_the_check_finds_nothing_wrong(tmp_path: Path) -> None:
    done = run("check", str(SAMPLE), "--short", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_plays_a_strict_tournament_with_all_modules_and_without_a_fault(tmp_path: Path) -> None:
    if lacks := missing_part_texts():
        untried(EVERY_PROTECTION, "; ".join(lacks))
    file = tmp_path / "night.toml"
    file.write_text(TOURNAMENT.format(sample=SAMPLE))
    done = run("tournament", "run", str(file), "-q", "-j", "1", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(run("tournament", "standings", str(file), "--json", cwd=tmp_path).stdout)
    rows = {row["player"]: row for row in told["ratings"]}
    assert rows["engine-rust"]["games"] == 2
    assert rows["engine-rust"]["faults"] == 0
    assert (
        run("tournament", "export", str(file), "--records", "--to", str(tmp_path / "out"), cwd=tmp_path).returncode == 0
    )
    assert cpu_seconds(tmp_path / "out", "engine-rust") > 0.3, (
        "the engine's CPU time is the bot's, which has none itself"
    )


def cpu_seconds(folder: Path, name: str) -> float:
    """Of all decisions of this bot."""
    total = 0.0
    for file in folder.rglob("*.jsonl"):
        head, *lines = [json.loads(line) for line in file.read_text().splitlines()]
        seat = [info["name"] for info in head["seats"]].index(name)
        total += sum(line["timing"]["cpu"] for line in lines if line["type"] == "decision" and line["seat"] == seat)
    return total


def test_its_json_file_is_that_of_the_kit() -> None:
    """That one is tried in test_json_files."""
    assert (SAMPLE / "json.rs").read_bytes() == (KITS_FOLDER / "rust" / "json.rs").read_bytes()
