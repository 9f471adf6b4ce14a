"""Runs the commands that README shows, in order, in an empty folder. Stops at the first that fails.

    .venv/bin/python tools/run_readme.py

Slow commands are shortened and placeholders filled in: REPLACEMENTS lists all differences. Files that README shows (`#
mybot/main.py` in the first line of a block) are written. `make` is not run here.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from page_probe import probe_pages

README = Path(__file__).resolve().parent.parent / "README.md"
REPLACEMENTS = {
    "--lang rust": "--lang python",  # a bare machine has no Rust; make test-kits tries every language
    "-n 400": "-n 10",
    "-n 20000": "-n 20",
    "tune mybot": "tune mybot --games 8 --deals 2 --final 4",
    "games/FILE.jsonl": "RECORD",
    " 37 mybot": " 12 mybot",  # the shortest games end earlier
    "enter friday.toml": "enter tokens.toml",
}
PREPARATIONS = {
    "match new old": "cp -r mybot new && cp -r mybot old",
    "enter tokens.toml": "(echo 'entries = \"tokens\"'; grep -v '^entries' friday.toml) >tokens.toml",
}
"""What a person would have done before typing the command."""

MAY_EXIT_WITH_1 = ("peloarena doctor",)
"""Commands that judge the machine: exit code 1 is an answer, and the correct one if bubblewrap is missing."""

LIMIT_SECONDS = 600.0


def blocks() -> list[tuple[str, str]]:
    """Language and text of each fenced block."""
    fences = README.read_text(encoding="utf-8").split("```")[1::2]
    return [(fence.partition("\n")[0], fence.partition("\n")[2]) for fence in fences]


def commands(text: str) -> list[str]:
    lines = [line.removeprefix("$ ").partition("#")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line.startswith("peloarena ")]


def adapt_command(command: str, folder: Path) -> str:
    for shown, meant in REPLACEMENTS.items():
        command = command.replace(shown, meant)
    if "RECORD" in command:
        record = max((folder / "games").glob("mybot-*.jsonl"), key=lambda file: file.stat().st_mtime)
        command = command.replace("RECORD", str(record.relative_to(folder)))
    return command


def run_readme_command(command: str, folder: Path, env: dict[str, str]) -> str:
    """Returns what went wrong, if anything. Pages are fetched and ended by Ctrl-C."""
    for named, before in PREPARATIONS.items():
        if named in command:
            subprocess.run(before, shell=True, cwd=folder, env=env, check=True)
    if "--serve" in command:
        log = folder / "pages.log"
        return probe_pages(["sh", "-c", f"cd {folder} && exec {command}"], env, log, rounds=3)
    done = subprocess.run(
        command, shell=True, cwd=folder, env=env, stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS, check=False
    )
    good = (0, 1) if command in MAY_EXIT_WITH_1 else (0,)
    return "" if done.returncode in good else f"exit code {done.returncode}"


def write_file(text: str, folder: Path) -> None:
    """Write a block that starts with the name of a file. Removes what its folder had before: another bot."""
    if named := re.match(r"# (\w+/\w+\.py)\n", text):
        file = folder / named[1]
        shutil.rmtree(file.parent, ignore_errors=True)
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        print(f"--- {named[1]} written", flush=True)


def main() -> int:
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    tried = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        for language, text in blocks():
            if language == "python":
                write_file(text, folder)
            for command in commands(text) if not language else []:
                command = adapt_command(command, folder)
                print(f"--- $ {command}", flush=True)
                started = time.monotonic()
                if wrong := run_readme_command(command, folder, env):
                    print(f"--- FAILED: {wrong}")
                    return 1
                print(f"--- good, {time.monotonic() - started:.1f} s", flush=True)
                tried += 1
    print(f"{tried} passed, 0 failed")
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main())
