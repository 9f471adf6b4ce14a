"""Probes a machine as a node: versions, sandbox protections, speed, and how late its timer wakes.

    python -m peloarena.cluster.probe POLICY SLOTS PARENT

prints a ProbeResult as JSON. The host's machine probes itself in the same way: speeds are relative to it.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, get_args

import msgspec
from msgspec import Meta, Struct

from .. import __version__
from ..game import RULES, ConfigError, Game, encode, make_options
from ..protocol.messages import PROTOCOL_VERSION
from ..referee.dies_with_parent import die_with_parent
from ..referee.record import RECORD_FORMAT
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import SandboxPolicy
from ..referee.sandbox.protections import Protection, examine_protections
from .wire_messages import MAX_NODE_NAME_LENGTH, clean_line

BATCH_COUNT, BATCH_GAMES = 3, 4
"""The fastest batch counts: other work on the machine only makes a batch slower."""
SLEEP_COUNT = 50
SLEEP_SECONDS = 0.001
STEAL_FIELD = 7
"""The index of steal time among the numbers of `cpu` in /proc/stat."""
MAX_PROBE_BYTES = 256 * 1024
MAX_SPEED_RATIO = 100.0
"""Times as fast as the host's machine, or as slow."""

CoreCount = Annotated[int, Meta(ge=1, le=65_536)]
LatenessSeconds = Annotated[float, Meta(ge=-1, le=60)]
"""By which something lasted too long. Slightly negative values come from rounding."""


class Versions(Struct, frozen=True):
    rules: int = RULES
    protocol: int = PROTOCOL_VERSION
    record: int = RECORD_FORMAT
    software: str = __version__


class ProbeResult(Struct, frozen=True):
    versions: Versions
    host: str
    """The machine's own name."""
    cores: CoreCount
    slots: Annotated[int, Meta(ge=1, le=512)]
    """Games at a time."""
    speed: Annotated[float, Meta(gt=0, le=1e12)]
    """Moves of our rules per second of CPU time."""
    late: LatenessSeconds
    """Seconds by which a sleep is late: the median ..."""
    latest: LatenessSeconds
    """... and the worst."""
    steal: Annotated[float, Meta(ge=0, le=10)]
    """Share of the time that a hypervisor gave to others during the probe."""
    protections: Annotated[tuple[Protection, ...], Meta(max_length=100)] = ()
    problem: str = ""
    """Why its sandbox could not even be probed."""


OUR_VERSIONS = Versions()


def probe_machine(policy: SandboxPolicy, slots: int) -> ProbeResult:
    before, began = read_steal_seconds(), time.monotonic()
    speed = moves_per_second()
    late, latest = measure_lateness()
    protections, problem = probe_sandbox(policy)
    passed = (time.monotonic() - began) * (os.cpu_count() or 1)
    return ProbeResult(
        OUR_VERSIONS,
        clean_line(platform.node(), MAX_NODE_NAME_LENGTH),
        len(os.sched_getaffinity(0)),
        slots,
        round(speed),
        late,
        latest,
        round(max(0.0, read_steal_seconds() - before) / passed, 4),
        tuple(protections),
        problem,
    )


def probe_sandbox(policy: SandboxPolicy) -> tuple[list[Protection], str]:
    if policy == "off":
        return [], ""
    try:
        return examine_twice(examine_protections), ""
    except (SandboxError, ConfigError, OSError) as error:
        return [], clean_line(error)


def examine_twice(examine: Callable[[], list[Protection]]) -> list[Protection]:
    """Some protections are timed, and nodes are probed while games run: what seems missing is tried again."""
    found = examine()
    if all(protection.holds for protection in found):
        return found
    again = examine()
    return [min(pair, key=lambda one: not one.holds) for pair in zip(found, again, strict=True)]


def moves_per_second() -> float:
    """The same games everywhere, with moves chosen by counting: no bot, no clock, no chance."""
    return max(_measure_batch() for _ in range(BATCH_COUNT))


def _measure_batch() -> float:
    began, moves = time.process_time(), 0
    for number in range(BATCH_GAMES):
        game = Game(make_options(3), f"survey-{number}")
        while (decision := game.decision) is not None:
            game.choose(decision.legal[moves * 7 % len(decision.legal)])
            moves += 1
    return moves / (time.process_time() - began)


def measure_lateness() -> tuple[float, float]:
    lateness = []
    for _ in range(SLEEP_COUNT):
        began = time.perf_counter()
        time.sleep(SLEEP_SECONDS)
        lateness.append(time.perf_counter() - began - SLEEP_SECONDS)
    return round(statistics.median(lateness), 6), round(max(lateness), 6)


def read_steal_seconds() -> float:
    """Seconds of steal time since the machine started; 0 if the system does not report it."""
    try:
        first = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
        return int(first[STEAL_FIELD]) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0


# ---- whether it may play


def versions_problem(found: Versions) -> str:
    """Empty if games of that machine are valid here. Otherwise names both versions."""
    for name in ("rules", "protocol", "record"):
        its, ours = getattr(found, name), getattr(OUR_VERSIONS, name)
        if its != ours:
            its_all, ours_all = (f"{one.software} with {name} {getattr(one, name)}" for one in (found, OUR_VERSIONS))
            return f"incompatible {name} version: peloarena {its_all} there, peloarena {ours_all} here"
    return ""


def sandbox_problem(result: ProbeResult, policy: SandboxPolicy) -> str:
    """In doctor's words. Only `strict` promises anything."""
    if policy != "strict":
        return ""
    missing = [protection for protection in result.protections if protection.strict and not protection.holds]
    if result.problem or not result.protections:
        return f'sandbox = "strict" is not possible there: {result.problem or "its sandbox was not probed"}'
    if missing:
        means = "; ".join(f"{protection.name}: {protection.means}" for protection in missing[:2])
        more = f"; and {len(missing) - 2} more" if len(missing) > 2 else ""
        return f'sandbox = "strict" is not possible there: {means}{more}'
    return ""


def parse_probe_result(data: bytes, host_speed: float) -> ProbeResult:
    """ConfigError for anything that is not a probe result, or has impossible values.

    Reads the result of another version only as far as its versions.
    """
    result = _decode_probe_result(data)
    if problem := speed_problem(result, host_speed):
        raise ConfigError(problem)
    return result


def speed_problem(result: ProbeResult, host_speed: float) -> str:
    times = result.speed / host_speed
    possible = 1 / MAX_SPEED_RATIO <= times <= MAX_SPEED_RATIO
    return "" if possible else f"impossible probe result: the node is {times:.3g} times as fast as this machine"


def _decode_probe_result(data: bytes) -> ProbeResult:
    if len(data) > MAX_PROBE_BYTES:
        raise ConfigError("the probe result is too long")
    try:
        return msgspec.json.decode(data, type=ProbeResult)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        try:
            only_versions = msgspec.json.decode(data, type=_OnlyVersions)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise ConfigError(f"invalid probe result: {clean_line(error)}") from None
        raise ConfigError(
            versions_problem(only_versions.versions) or f"invalid probe result: {clean_line(error)}"
        ) from None


class _OnlyVersions(Struct, frozen=True):
    versions: Versions


def main() -> None:
    die_with_parent(int(sys.argv[3]))
    policy: SandboxPolicy = sys.argv[1] if sys.argv[1] in get_args(SandboxPolicy) else "auto"  # type: ignore[assignment]
    sys.stdout.buffer.write(encode(probe_machine(policy, int(sys.argv[2]))))


if __name__ == "__main__":
    main()
