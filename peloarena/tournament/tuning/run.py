"""A tuning run: the next duel, the results so far, and the file that survives any crash.

Pure except for that file. Does not know how games are played: the caller plays `next_duel` and adds its scores.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ...game import ConfigError, encode
from ..ratings import EloDifference, elo_difference
from .spsa import (
    Parameter,
    Positions,
    SpsaPair,
    average_last_part,
    move_towards_better,
    pair_at,
    parameter_environment,
    start_positions,
)

TUNING_FILE = "tuning.json"
SEATS = 2


class TuningPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that identifies a run: equal plans are the same run."""

    bot: str
    """Its name."""
    digest: str
    """The hash of its files."""
    parameters: tuple[Parameter, ...]
    games: int
    """Of all iterations together."""
    deals: int
    """Per iteration; each is played in both seatings."""
    seed: str
    modules: tuple[str, ...] = ()
    components: str = ""
    time: str = ""

    @property
    def iterations(self) -> int:
        return max(1, self.games // (SEATS * self.deals))


class Iteration(Struct, frozen=True):
    """The result of one iteration."""

    places: Positions
    """The parameters afterwards."""
    lead: float
    """Of the plus side: its points minus the other's, per game."""
    faults: int = 0


class Duel(Struct, frozen=True):
    """Games to play: the bot against itself with other settings."""

    name: str
    seed: str
    one: dict[str, str]
    other: dict[str, str]
    games: int
    sides: tuple[str, str] = ("plus", "minus")
    """The names of the two sides."""


class TuningRun:
    def __init__(self, plan: TuningPlan, path: Sequence[Iteration] = ()) -> None:
        self.plan = plan
        self.path = list(path)

    @property
    def current_positions(self) -> Positions:
        """The current parameters."""
        return self.path[-1].places if self.path else start_positions(self.plan.parameters)

    @property
    def is_done(self) -> bool:
        return len(self.path) >= self.plan.iterations

    @property
    def tuned(self) -> Positions:
        """The result of the path so far."""
        return average_last_part([step.places for step in self.path]) if self.path else self.current_positions

    def pair(self) -> SpsaPair:
        return pair_at(self.current_positions, len(self.path), self.plan.seed)

    def next_duel(self) -> Duel:
        """The two sides of the next iteration."""
        plan, pair, number = self.plan, self.pair(), len(self.path) + 1
        one, other = (
            parameter_environment(plan.parameters, pair.plus),
            parameter_environment(plan.parameters, pair.minus),
        )
        return Duel(f"tune-{number:04}", f"{plan.seed}.tune-{number}", one, other, SEATS * plan.deals)

    def add(self, scores: Sequence[float], faults: int = 0) -> None:
        """`scores`: of the first side, deal by deal, 0 to 1."""
        lead = 2 * sum(scores) / len(scores) - 1
        positions = move_towards_better(self.current_positions, self.pair(), lead, len(self.path), self.plan.iterations)
        self.path.append(Iteration(positions, lead, faults))

    def final_duel(self, games: int) -> Duel:
        """The result against the start, on deals that no iteration has used."""
        plan = self.plan
        one, other = (
            parameter_environment(plan.parameters, self.tuned),
            parameter_environment(plan.parameters, start_positions(plan.parameters)),
        )
        return Duel("final", f"{plan.seed}.held-out", one, other, games, ("tuned", "start"))


class TuningResult(Struct, frozen=True):
    """How the result compares with the start in the final duel."""

    difference: EloDifference
    improved: bool
    """The whole interval is above 0."""


def judge_tuning(scores: Sequence[float]) -> TuningResult:
    difference = elo_difference(list(scores))
    return TuningResult(difference, difference.low is not None and difference.low > 0)


# ---- the file


class SavedRun(Struct, frozen=True, forbid_unknown_fields=True):
    plan: TuningPlan
    path: list[Iteration]


def save(run: TuningRun, folder: Path) -> None:
    """Atomic, even if the machine crashes: write a temporary file, sync it to disk, then rename it."""
    part = folder / f"{TUNING_FILE}.part"
    with part.open("wb") as stream:
        stream.write(encode(SavedRun(run.plan, run.path)) + b"\n")
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(part, folder / TUNING_FILE)


def load(folder: Path) -> TuningRun | None:
    """The run begun in this folder; None if there is none."""
    file = folder / TUNING_FILE
    if not file.exists():
        return None
    try:
        saved = msgspec.json.decode(file.read_bytes(), type=SavedRun)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{str(file)!r} is not the file of a tuning run: {error}") from None
    return TuningRun(saved.plan, saved.path)


PLAN_FIELD_TEXTS = {
    "bot": "the bot",
    "digest": "the files of the bot",
    "parameters": "--param",
    "games": "--games",
    "deals": "--deals",
    "seed": "--seed",
    "modules": "--with",
    "components": "--components",
    "time": "--time",
}


def check_same_plan(stored: TuningPlan, wanted: TuningPlan, folder: Path) -> None:
    """ConfigError if the run in this folder has another plan."""
    changed = [
        PLAN_FIELD_TEXTS[name]
        for name in TuningPlan.__struct_fields__
        if getattr(stored, name) != getattr(wanted, name)
    ]
    if changed:
        raise ConfigError(
            f"{str(folder)!r} contains a run with other settings ({', '.join(changed)}): "
            "use the same settings to resume, or another --folder to start again"
        )
