"""A few lines of shell that run before a bot: join the group, set the limits, become the program.

A shell and not a preexec_fn: that is unsafe with threads and keeps Popen from using vfork; and joining before exec
leaves no moment in which a child could be born outside. Costs about 1 ms. Does not know bubblewrap.
"""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

if sys.platform != "win32":
    import resource

SHELL = "/bin/sh"
NOT_JOINED_EXIT_CODE = 97
ORPHANED_EXIT_CODE = 98
JOIN_GROUPS_LINE = f'while [ "$1" != -- ]; do echo 0 >"$1" || give_up {NOT_JOINED_EXIT_CODE}; shift; done; shift'
""""0" written to cgroup.procs means the writer: the shell itself, for echo is built in. The files end with "--"."""
OOM_SCORE_LINE = "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null"
"""When the machine has no memory left, the kernel kills bots before anything else."""
EXEC_LINE = 'exec "$@"'


def shell_command(
    argv: Iterable[str],
    *,
    joins: Iterable[Path] = (),
    rlimits: Mapping[str, int] | None = None,
    parent: int | None = None,
    failure_token: str = "",
) -> list[str]:
    """The argv that does all this and then becomes `argv`. Given a parent, the shell gives up if that process is gone.

    When it gives up it writes the token to stderr: its exit status could be the bot's own, but no bot knows the token.
    """
    give_up = f"give_up() {{ echo {failure_token} >&2; exit $1; }}"
    orphaned = [] if parent is None else [f'[ "$PPID" = {parent} ] || give_up {ORPHANED_EXIT_CODE}']
    lines = [
        give_up,
        *orphaned,
        "umask 022",
        *([OOM_SCORE_LINE] if parent else []),
        JOIN_GROUPS_LINE,
        *_ulimit_lines(rlimits or {}),
        EXEC_LINE,
    ]
    return [SHELL, "-c", "; ".join(lines), "peloarena-bot", *map(str, joins), "--", *argv]


class Ulimit(NamedTuple):
    """One rlimit as the shell sets it: hard and soft alike, in the shell's units. The resource is Python's name for
    it."""

    resource: str
    unit: int
    shell_text: str


ULIMITS = {
    "core_blocks": Ulimit("RLIMIT_CORE", 512, "ulimit -c {}"),
    "file_blocks": Ulimit("RLIMIT_FSIZE", 512, "ulimit -f {}"),
    "open_files": Ulimit("RLIMIT_NOFILE", 1, "ulimit -n {}"),
    "data_kib": Ulimit("RLIMIT_DATA", 1024, "ulimit -d {}"),
    "processes": Ulimit("RLIMIT_NPROC", 1, "{{ ulimit -u {0} 2>/dev/null || ulimit -p {0}; }}"),
}
"""Never the address space (-v): JVM and V8 reserve far more than they use. The process count is -u in bash and -p in
dash and busybox."""


def _ulimit_lines(rlimits: Mapping[str, int]) -> list[str]:
    return [
        ULIMITS[name].shell_text.format(_capped_at_own_limit(ULIMITS[name], value)) for name, value in rlimits.items()
    ]


def resource_limits(wanted: Mapping[str, int]) -> list[tuple[int, int]]:
    """The same without a shell: resources and bytes or numbers."""
    ulimits = ((ULIMITS[name], value) for name, value in wanted.items())
    return [
        (getattr(resource, ulimit.resource), _capped_at_own_limit(ulimit, value) * ulimit.unit)
        for ulimit, value in ulimits
    ]


def _capped_at_own_limit(ulimit: Ulimit, value: int) -> int:
    """At most our own limit: a shell that cannot raise a limit gives up."""
    _, hard = resource.getrlimit(getattr(resource, ulimit.resource))
    return value if hard == resource.RLIM_INFINITY else min(value, hard // ulimit.unit)
