"""Hints for authors: the usual mistakes of first bots, shown with a verdict that looks like one of them.

A table over plain data: the output (reason, stderr) and what the checker found when it looked closer. Mistakes that
show before a bot is started are reported there (bots.py, entry_files.py).
"""

from __future__ import annotations

import platform
import re
from typing import Literal, NamedTuple

from msgspec import Struct

from ..protocol.errors import Fault
from .bots import MOST
from .sandbox.limits import Limits
from .verdict import Evidence

Found = Literal["", "busy", "comes late", "comes after a line", "comes after the end", "ends after gameover"]
"""What a closer look showed; empty where nothing looked."""
SOMEWHAT_BUSY = 0.15
"""Share of its time that a bot spent as CPU time if it was at work. A busy machine gives it no more."""


class Case(Struct, frozen=True):
    """A bot that failed."""

    fault: Fault
    reason: str
    evidence: Evidence = Evidence()
    found: Found = ""
    limits: Limits | None = None
    """The bot's limits; None where they are unknown."""

    def limit(self, name: str) -> str:
        """The number as text."""
        usual = "" if self.limits is not None else " unless its bot.toml says otherwise"
        return f"{getattr(self.limits or Limits(), name)}{usual}"

    @property
    def busy(self) -> str:
        """`yes` for a bot that was at work for a good part of its time."""
        seconds, cpu = self.evidence.seconds, self.evidence.cpu_seconds
        return "yes" if seconds and cpu is not None and cpu >= seconds * SOMEWHAT_BUSY else ""

    @property
    def idle(self) -> str:
        """`yes` for a bot that was late and hardly used any CPU."""
        seconds, cpu = self.evidence.seconds, self.evidence.cpu_seconds
        return "yes" if seconds and cpu is not None and cpu < seconds / 20 else ""


class Hint(NamedTuple):
    """Where to search, the regular expression to match, and the most likely cause."""

    where: Literal["found", "reason", "stderr", "busy", "idle"]
    pattern: str
    says: str
    faults: tuple[Fault, ...] = ()
    """Empty: any fault. But stderr explains only an end, because bots that play also write there."""


ENDS: tuple[Fault, ...] = ("crashed", "no handshake")
FLUSH = "flush after each line (Python: print(..., flush=True)): a line in a buffer never arrives"
BY_LINE = "read line by line: read() of all input never returns"
START = "load less before `hello`, or only what the first move needs"
MEMORY = (
    "its memory limit in MiB, /tmp included, is {memory}; a JVM's heap gets half of it. Raise `memory_mib` in [limits] "
    "of bot.toml, up to {most.memory_mib}"
)
STRAY_PRINT = "stdout is for messages only; debugging output goes to stderr"
NEARLY_JSON = (
    "this is nearly JSON: put names and texts in double quotes, and no comma after the last item; let a library "
    "write it (Python: json.dumps)"
)
TYPES = "a bot sends messages of type `hello`, then `ready` before each game, and `answer` to each question"
NAMED_STREAM = r"/(dev/std(in|out|err)|(dev|proc/self)/fd/[012])\b"
OPENED_BY_NAME = (
    rf"(?i){NAMED_STREAM}.{{0,40}}no such device or address|no such device or address.{{0,40}}{NAMED_STREAM}"
)
"""The messages of shells, Python, Node, Perl and Ruby; sandbox/streams.py explains why streams are sockets."""
BY_DESCRIPTOR = (
    "/dev/stdin, /dev/stdout and /dev/stderr cannot be opened by name, for they are sockets: use what is open already "
    "(sh: >&2, Python: sys.stderr, Node: fs.writeSync(2, text))"
)
HINTS = (
    Hint("stderr", OPENED_BY_NAME, BY_DESCRIPTOR, (*ENDS, "late")),
    Hint(
        "stderr",
        r"can't start new thread|unable to create native thread|pthread_create failed|Resource temporarily unavailable",
        "processes and threads together are at most {processes}: `processes` in [limits] of bot.toml, "
        "up to {most.processes}",
    ),
    Hint(
        "stderr",
        r"\bMemoryError|bad_alloc|OutOfMemoryError: Java heap|heap out of memory|memory allocation of \d+ bytes failed",
        MEMORY,
    ),
    Hint("found", "busy", f"it was still busy when its time was over: {START}"),
    Hint("found", "comes late", f"its line came after all, but too late: {START}"),
    Hint("found", "comes after a line", f"its line was stuck in a buffer: {FLUSH}"),
    Hint("found", "comes after the end", f"its line came when its input was closed: {BY_LINE}; and {FLUSH}"),
    Hint("found", "ends after gameover", "it ended after `gameover` (an exception there?): more games may follow"),
    Hint("busy", "yes", f"it was still busy when its time was over: {START}", ("no handshake",)),
    Hint("reason", " within ", f"either {FLUSH}; or {BY_LINE}; or {START}", ("no handshake",)),
    Hint("idle", "yes", f"it hardly used the CPU: does it wait for something? Else {FLUSH}", ("late",)),
    Hint("reason", "out of memory", MEMORY),
    Hint("reason", r"the line was '\\ufeff", "its first line begins with a byte order mark: write UTF-8 without one"),
    Hint(
        "reason",
        r"the line was '(\\ufffe)?(\\x00[^\\]){4}|the line was '([^\\]\\x00){4}|\\\\xff\\\\xfe|\\\\xfe\\\\xff",
        "this is UTF-16: write UTF-8",
    ),
    Hint("reason", "not valid UTF-8", "write UTF-8, or nothing but ASCII, which most JSON libraries can"),
    Hint("reason", r"""JSON is malformed.*the line was ['"]\{""", NEARLY_JSON),
    Hint("reason", "JSON is malformed", STRAY_PRINT),
    Hint("reason", r"Invalid value '.*' - at `\$\.type`|missing required field `type`", TYPES),
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
        ENDS,
    ),
    Hint(
        "stderr",
        r"failed to execute|: No such file or directory|: not found",
        "a program or file is missing where bots run: `peloarena doctor --runtimes` lists what is there",
    ),
)
"""From the particular to the general: the first match is shown."""

NO_NETWORK = re.compile(
    r"ENOTCACHED|EAI_AGAIN|ENOTFOUND|name resolution|Failed to establish a new connection|[Cc]ould not resolve host"
    r"|Name or service not known|Network is unreachable|--offline was specified|offline mode|GOPROXY=off"
    r"|No matching distribution found|suitable TLS CA certificate bundle|load_verify_locations"
)
"""The messages of npm, pip, cargo, go, git and curl."""
BRING_IT = (
    "builds have no network: put what the bot needs into its folder beforehand "
    "(npm install, pip install --target ., cargo vendor, go mod vendor)"
)


def build_hint(said: str, *, sandboxed: bool) -> str:
    """What a failed build most likely lacked; empty when its output does not look like it."""
    return stream_hint(said) or (BRING_IT if sandboxed and NO_NETWORK.search(said) else "")


def stream_hint(said: str) -> str:
    """For a program that opens one of its streams by name: what it meant to write or read there is lost."""
    return BY_DESCRIPTOR if re.search(OPENED_BY_NAME, said) else ""


def hint_for(case: Case) -> str:
    """What the author most likely did; empty when it looks like none of the usual mistakes."""
    said = {"found": case.found, "reason": case.reason, "stderr": case.evidence.stderr}
    texts = {**said, "busy": case.busy, "idle": case.idle}
    says = next((hint.says for hint in HINTS if _fits(hint, case.fault, texts[hint.where])), "")
    return says.format(
        memory=case.limit("memory_mib"),
        processes=case.limit("processes"),
        most=MOST,
        python=platform.python_version(),
    )


def _fits(hint: Hint, fault: Fault, text: str) -> bool:
    faults = hint.faults or (ENDS if hint.where == "stderr" else (fault,))
    return bool(text) and fault in faults and re.search(hint.pattern, text) is not None
