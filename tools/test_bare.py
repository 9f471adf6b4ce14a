"""`make test-bare`: the commands of README and the tests, on machines that have nothing but python3, make and git.

    python3 tools/test_bare.py                                       Debian 12 and 13, as root and as an ordinary user
    python3 tools/test_bare.py --suites forky --users visitor        Debian testing, as an ordinary user alone
    python3 tools/test_bare.py --parts all                           every other part of .ci/run, in a root each
    python3 tools/test_bare.py --suites trixie --run 'make play'     one command, with its output

It tests the last commit. Each step writes its output to .bare/. Needs root.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bare_root import USER, BareRoot, BareRootError, bare_root, cached_tar, environment, output_of
from page_probe import probe_pages

PROJECT = Path(__file__).resolve().parent.parent
LOGS = PROJECT / ".bare"
SUITES = ("bookworm", "trixie")
USERS = ("root", USER)
STEP_LIMIT = 2400.0
"""Seconds until a step counts as hanging. The longest takes a quarter of that on two cores."""

CLOSING_LINES = re.compile(
    r"^(Not tried here.*|\d+ (?:passed|failed|skipped|error).*|make test-\w+: .*skipped)$", re.MULTILINE
)


@dataclass(frozen=True)
class Outcome:
    """How a step ended: `problem` says what was wrong, or is empty."""

    suite: str
    user: str
    step: str
    seconds: float
    problem: str
    log: Path

    def summary(self) -> str:
        result = f"FAILED: {self.problem}" if self.problem else "good"
        return f"{self.suite:9} {self.user:8} {self.step:14} {self.seconds:6.0f} s  {result}"


Action = Callable[[BareRoot, str, Path], str]
"""Does a step in a root as a user, writes its output to a file and returns what was wrong, if anything."""


def command_step(command: str) -> Action:
    def run_command(root: BareRoot, user: str, log: Path) -> str:
        # Root can install what a test needs, so nothing may be skipped. A user cannot: a skip must name its promise.
        env = environment() | {"PELOARENA_FORBID_SKIPS": "1" if user == "root" else "unnamed"}
        with log.open("wb") as out:
            process = subprocess.Popen(
                root.argv(user, command), env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
            )
            try:
                code = process.wait(STEP_LIMIT)
            except subprocess.TimeoutExpired:
                return f"no end after {STEP_LIMIT:.0f} s"
            finally:
                process.kill()
                process.wait()
        return f"exit code {code}" if code else ""

    return run_command


README_STEPS: dict[str, Action] = {
    "make play": command_step("make play"),
    "make demo": lambda root, user, log: probe_pages(root.argv(user, "make demo"), environment(), log),
    "README": command_step(".venv/bin/python tools/run_readme.py"),
    "make test": command_step("make test"),
}


def other_parts() -> list[str]:
    """The parts of .ci/run except `make test` and test-bare itself."""
    named = re.search(r"^parts=\((.*?)\)", (PROJECT / ".ci/run").read_text(), re.MULTILINE | re.DOTALL)
    assert named, ".ci/run lists its parts as parts=(...)"
    return [part for part in named[1].split() if part not in ("test", "test-bare")]


def run_steps(suite: str, user: str, steps: dict[str, Action], mirror: str | None) -> list[Outcome]:
    """Run the steps one after another in one new root."""
    outcomes = []
    with bare_root(suite, PROJECT, mirror) as root:
        for name, action in steps.items():
            log = LOGS / f"{suite}-{user}-{name.replace(' ', '-')}.log"
            started = time.monotonic()
            problem = action(root, user, log)
            outcomes.append(Outcome(suite, user, name, time.monotonic() - started, problem, log))
            print_outcome(outcomes[-1])
    return outcomes


def print_outcome(outcome: Outcome) -> None:
    print(outcome.summary(), flush=True)
    text = outcome.log.read_text(errors="replace")
    for line in CLOSING_LINES.findall(text):
        print(f"    {line}", flush=True)
    if outcome.problem:
        print("\n".join(f"    | {line}" for line in text.splitlines()[-80:]), flush=True)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", default=" ".join(SUITES), help="Debian suites (default: %(default)s)")
    parser.add_argument("--users", default=" ".join(USERS), help=f"root, {USER} or both")
    parser.add_argument(
        "--parts",
        default="",
        help="instead: these make targets, or `all` other parts of .ci/run, as root in the first suite",
    )
    parser.add_argument("--run", help="instead: one shell command in the clone, its output shown here")
    parser.add_argument("--mirror", default=None, help="Debian mirror (default: the one of this machine's apt)")
    return parser.parse_args()


def main() -> int:
    asked = parse_arguments()
    if os.geteuid() != 0:
        raise BareRootError("only root can make and enter a bare root: run it with sudo")
    suites, users = asked.suites.split(), asked.users.split()
    if not suites or not users or not set(users) <= set(USERS):
        raise BareRootError(f"name at least one suite, and of the users {' and '.join(USERS)} at least one")
    if asked.run:
        with bare_root(suites[0], PROJECT, asked.mirror) as root:
            return subprocess.run(root.argv(users[0], asked.run), env=environment(), check=False).returncode
    LOGS.mkdir(exist_ok=True)
    print(f"commit {output_of('git', '-C', str(PROJECT), 'log', '-1', '--format=%h %s').strip()}", flush=True)
    if output_of("git", "-C", str(PROJECT), "status", "--porcelain"):
        print("uncommitted changes are not tested", flush=True)
    for suite in suites:
        started = time.monotonic()
        cached_tar(suite, asked.mirror)
        print(f"{suite:9} the bare root {time.monotonic() - started:13.0f} s", flush=True)
    outcomes = []
    if asked.parts:
        for part in other_parts() if asked.parts == "all" else asked.parts.split():
            outcomes += run_steps(suites[0], "root", {part: command_step(f"make {part}")}, asked.mirror)
    else:
        for suite in suites:
            for user in users:
                outcomes += run_steps(suite, user, README_STEPS, asked.mirror)
    print("\n".join(outcome.summary() for outcome in outcomes))
    failed = sum(bool(outcome.problem) for outcome in outcomes)
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed or not outcomes else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        sys.exit(main())
    except BareRootError as error:
        print(f"make test-bare: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("make test-bare: interrupted; the roots are removed", file=sys.stderr)
        sys.exit(130)
