"""Hints for authors: the usual mistakes of first bots, shown with a verdict that looks like one of them.

A table over plain data: the output (reason, stderr) and what silent_bots.py found when it looked closer. Mistakes that
show before a bot is started are reported there (bot_finder.py, start_commands.py).
"""

from __future__ import annotations

import platform
import re
from typing import Literal, NamedTuple

from msgspec import Struct

from ..protocol.errors import Fault
from .bot_finder import MAX_LIMITS
from .sandbox.limits import Limits
from .verdict import Evidence

Diagnosis = Literal["", "busy", "comes late", "comes after a line", "comes after the end", "ends after gameover"]
"""What a closer look showed; empty where nothing looked."""
BUSY_CPU_SHARE = 0.15
"""Share of its time that a bot spent as CPU time if it was at work. A busy machine gives it no more."""


class FailureCase(Struct, frozen=True):
    """A bot that failed."""

    fault: Fault
    reason: str
    evidence: Evidence = Evidence()
    diagnosis: Diagnosis = ""
    limits: Limits | None = None
    """The bot's limits; None where they are unknown."""

    def limit_text(self, name: str) -> str:
        """The number as text."""
        usual = "" if self.limits is not None else " unless its bot.toml says otherwise"
        return f"{getattr(self.limits or Limits(), name)}{usual}"

    @property
    def busy_flag(self) -> str:
        """`yes` for a bot that was at work for a good part of its time."""
        seconds, cpu = self.evidence.seconds, self.evidence.cpu_seconds
        return "yes" if seconds and cpu is not None and cpu >= seconds * BUSY_CPU_SHARE else ""

    @property
    def idle_flag(self) -> str:
        """`yes` for a bot that was late and hardly used any CPU."""
        seconds, cpu = self.evidence.seconds, self.evidence.cpu_seconds
        return "yes" if seconds and cpu is not None and cpu < seconds / 20 else ""


class Hint(NamedTuple):
    """Where to search, the regular expression to match, and the most likely cause."""

    where: Literal["diagnosis", "reason", "stderr", "busy", "idle"]
    pattern: str
    advice: str
    faults: tuple[Fault, ...] = ()
    """Empty: any fault. But stderr explains only an end, because bots that play also write there."""


ENDING_FAULTS: tuple[Fault, ...] = ("crashed", "no handshake")
FLUSH_ADVICE = "flush after each line (Python: print(..., flush=True)): a line in a buffer never arrives"
READ_LINES_ADVICE = "read line by line: read() of all input never returns"
SLOW_START_ADVICE = "load less before `hello`, or only what the first move needs"
MEMORY_ADVICE = (
    "its memory limit in MiB, /tmp included, is {memory}; a JVM's heap gets half of it. Raise `memory_mib` in [limits] "
    "of bot.toml, up to {most.memory_mib}"
)
STRAY_PRINT_ADVICE = "stdout is for messages only; debugging output goes to stderr"
NEARLY_JSON_ADVICE = (
    "this is nearly JSON: put names and texts in double quotes, and no comma after the last item; let a library "
    "write it (Python: json.dumps)"
)
MESSAGE_TYPES_ADVICE = (
    "a bot sends messages of type `hello`, then `ready` before each game, and `answer` to each question"
)
STREAM_PATH_PATTERN = r"/(dev/std(in|out|err)|(dev|proc/self)/fd/[012])\b"
NO_DEVICE = "no such device or address"
STREAM_OPENED_BY_PATH_PATTERN = (
    rf"(?i){STREAM_PATH_PATTERN}.{{0,40}}{NO_DEVICE}|{NO_DEVICE}.{{0,40}}{STREAM_PATH_PATTERN}"
)
"""The messages of shells, Python, Node, Perl and Ruby; sandbox/streams.py explains why streams are sockets."""
USE_DESCRIPTOR_ADVICE = (
    "/dev/stdin, /dev/stdout and /dev/stderr cannot be opened by name, for they are sockets: use what is open already "
    "(sh: >&2, Python: sys.stderr, Node: fs.writeSync(2, text))"
)
HINTS = (
    Hint("stderr", STREAM_OPENED_BY_PATH_PATTERN, USE_DESCRIPTOR_ADVICE, (*ENDING_FAULTS, "late")),
    Hint(
        "stderr",
        r"can't start new thread|unable to create native thread|pthread_create failed|Resource temporarily unavailable",
        "processes and threads together are at most {processes}: `processes` in [limits] of bot.toml, "
        "up to {most.processes}",
    ),
    Hint(
        "stderr",
        r"\bMemoryError|bad_alloc|OutOfMemoryError: Java heap|heap out of memory|memory allocation of \d+ bytes failed",
        MEMORY_ADVICE,
    ),
    Hint("diagnosis", "busy", f"it was still busy when its time was over: {SLOW_START_ADVICE}"),
    Hint("diagnosis", "comes late", f"its line came after all, but too late: {SLOW_START_ADVICE}"),
    Hint("diagnosis", "comes after a line", f"its line was stuck in a buffer: {FLUSH_ADVICE}"),
    Hint(
        "diagnosis",
        "comes after the end",
        f"its line came when its input was closed: {READ_LINES_ADVICE}; and {FLUSH_ADVICE}",
    ),
    Hint("diagnosis", "ends after gameover", "it ended after `gameover` (an exception there?): more games may follow"),
    Hint("busy", "yes", f"it was still busy when its time was over: {SLOW_START_ADVICE}", ("no handshake",)),
    Hint(
        "reason",
        " within ",
        f"either {FLUSH_ADVICE}; or {READ_LINES_ADVICE}; or {SLOW_START_ADVICE}",
        ("no handshake",),
    ),
    Hint("idle", "yes", f"it hardly used the CPU: does it wait for something? Else {FLUSH_ADVICE}", ("late",)),
    Hint("reason", "out of memory", MEMORY_ADVICE),
    Hint("reason", r"the line was '\\ufeff", "its first line begins with a byte order mark: write UTF-8 without one"),
    Hint(
        "reason",
        r"the line was '(\\ufffe)?(\\x00[^\\]){4}|the line was '([^\\]\\x00){4}|\\\\xff\\\\xfe|\\\\xfe\\\\xff",
        "this is UTF-16: write UTF-8",
    ),
    Hint("reason", "not valid UTF-8", "write UTF-8, or only ASCII (most JSON libraries have an option for that)"),
    Hint("reason", r"""JSON is malformed.*the line was ['"]\{""", NEARLY_JSON_ADVICE),
    Hint("reason", "JSON is malformed", STRAY_PRINT_ADVICE),
    Hint("reason", r"Invalid value '.*' - at `\$\.type`|missing required field `type`", MESSAGE_TYPES_ADVICE),
    Hint("reason", "missing required field `id`", "copy `id` from the question into the answer"),
    Hint(
        "reason",
        "contains unknown field",
        "spec/PROTOCOL.md lists what an answer holds; words of your own go into `note`",
    ),
    Hint("reason", r"got `str` - at `\$\.(index|id)`", 'a number, not text: 3 and not "3"'),
    Hint("reason", r"index -?\w+( \w+)*: this ", "an index counts from 0 into `legal` of this very question"),
    Hint("reason", "", "answer with an `index` into `legal`: what is there is legal", ("illegal",)),
    Hint(
        "stderr",
        r"\bSyntaxError: ",
        "Python cannot read this file, the line is in its stderr (`{{python}}` is {python})",
    ),
    Hint(
        "stderr",
        r"\bModuleNotFoundError: ",
        "bring the package: pip install --target . NAME in the bot's folder (numpy is there already)",
    ),
    Hint("stderr", r"choose returned ", "return an index into decide['legal'], or one of its moves"),
    Hint("stderr", r"Traceback \(most recent call last\)", "an exception ended it: the end of its stderr says where"),
    Hint(
        "reason",
        r"exit status was 0\b",
        "it ended by itself, and not by an error: a bot reads on, game after game, until `quit`",
        ENDING_FAULTS,
    ),
    Hint(
        "stderr",
        r"failed to execute|: No such file or directory|: not found",
        "a program or file is missing where bots run: `peloarena doctor --runtimes` lists what is there",
    ),
)
"""From the particular to the general: the first match is shown."""

NO_NETWORK_PATTERN = re.compile(
    r"ENOTCACHED|EAI_AGAIN|ENOTFOUND|name resolution|Failed to establish a new connection|[Cc]ould not resolve host"
    r"|Name or service not known|Network is unreachable|--offline was specified|offline mode|GOPROXY=off"
    r"|No matching distribution found|suitable TLS CA certificate bundle|load_verify_locations"
)
"""The messages of npm, pip, cargo, go, git and curl."""
NO_NETWORK_ADVICE = (
    "builds have no network: put what the bot needs into its folder beforehand "
    "(npm install, pip install --target ., cargo vendor, go mod vendor)"
)


def hint_for_failed_build(output: str, *, sandboxed: bool) -> str:
    """What a failed build most likely lacked; empty when its output does not look like it."""
    return stream_hint(output) or (NO_NETWORK_ADVICE if sandboxed and NO_NETWORK_PATTERN.search(output) else "")


def stream_hint(output: str) -> str:
    """For a program that opens one of its streams by name: what it meant to write or read there is lost."""
    return USE_DESCRIPTOR_ADVICE if re.search(STREAM_OPENED_BY_PATH_PATTERN, output) else ""


def hint_for(case: FailureCase) -> str:
    """What the author most likely did; empty when it looks like none of the usual mistakes."""
    recorded = {"diagnosis": case.diagnosis, "reason": case.reason, "stderr": case.evidence.stderr}
    texts = {**recorded, "busy": case.busy_flag, "idle": case.idle_flag}
    advice = next((hint.advice for hint in HINTS if _fits(hint, case.fault, texts[hint.where])), "")
    return advice.format(
        memory=case.limit_text("memory_mib"),
        processes=case.limit_text("processes"),
        most=MAX_LIMITS,
        python=platform.python_version(),
    )


def _fits(hint: Hint, fault: Fault, text: str) -> bool:
    faults = hint.faults or (ENDING_FAULTS if hint.where == "stderr" else (fault,))
    return bool(text) and fault in faults and re.search(hint.pattern, text) is not None
