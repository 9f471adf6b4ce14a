"""What the benches of the engine share: one core, CPU time, the same work again and again."""

import os
from collections.abc import Callable
from statistics import median
from time import process_time


def pin() -> str:
    """Stay on one core, where the system allows it; says which."""
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned to a core"
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return f"pinned to core {core}"


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process, so that a busy neighbour counts less."""
    start = process_time()
    work()
    return process_time() - start


def spread(values: list[float], form: str = ".0f") -> str:
    """`median (best – worst)`, smallest first."""
    return f"{median(values):{form}} ({min(values):{form}} – {max(values):{form}})"
