"""A group around a bench that outweighs all other work: its workers see a machine as if it were quiet.

Without it a comparison is unfair on a busy machine: the versions give themselves different weights.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from peloarena.referee.sandbox import cgroup

MOST = {1: ("cpu.shares", 262_144), 2: ("cpu.weight", 10_000)}


@contextmanager
def outweighing() -> Iterator[str]:
    """Yields a text that says whether it worked; it needs a writable cpu control group."""
    hierarchy = cgroup.find()
    base = None if hierarchy is None else hierarchy.base_of_role.get("weight")
    if base is None:
        yield "in no group of its own"
        return
    group = base.folder / f"bench-{cgroup.group_name('')}"
    group.mkdir()
    name, most = MOST[base.version]
    if base.version == 2:
        cgroup.write_control_file(base.folder / "cgroup.subtree_control", "+cpu")
    cgroup.write_control_file(group / name, str(most))
    cgroup.write_control_file(group / "cgroup.procs", str(os.getpid()))
    try:
        yield "in a group that outweighs other work"
    finally:
        cgroup.write_control_file(base.folder / "cgroup.procs", str(os.getpid()))
        for folder in (*group.glob("peloarena-*"), group):
            with suppress(OSError):
                folder.rmdir()
