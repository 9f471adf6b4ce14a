"""The output of `peloarena tune`: its progress, and at the end what was found and whether it is better."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.table import Table as RichTable

from ..tournament.rating_text import interval_text, signed_elo_text
from ..tournament.tuning.plot import path_text
from ..tournament.tuning.run import SEATS, TuningResult, TuningRun
from ..tournament.tuning.spsa import parameter_environment, start_positions
from .common import safe
from .series_run import progress_bar

TUNE_PROGRESS_LINES = 20
"""Lines of progress if there is no terminal."""
GAMES_FOLDER, PLOT_FILE = "games", "path.svg"
"""In the folder of a run: its records, the drawing of its path."""


class TuneProgress:
    """A bar in a terminal, a line now and then elsewhere, nothing without `out`."""

    def __init__(self, out: Console | None, run: TuningRun, final: int) -> None:
        self.out = out
        self.run = run
        self.played = SEATS * run.plan.deals * len(run.path)
        self.total = SEATS * run.plan.deals * run.plan.iterations + final
        self.bar = progress_bar(out) if out is not None and out.is_terminal else None

    def __enter__(self) -> None:
        if self.out is not None and self.run.path:
            self.out.print(f"Resuming after {len(self.run.path)} of {self.run.plan.iterations} steps.")
        if self.bar is not None:
            self.bar.start()
            self.task = self.bar.add_task(self.status_text(), total=self.total, completed=self.played)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()

    def advance(self) -> None:
        """Count one more game."""
        self.played += 1
        if self.bar is not None:
            self.bar.update(self.task, completed=self.played)

    def show_step(self) -> None:
        """Show one more step of the path."""
        done, steps = len(self.run.path), self.run.plan.iterations
        if self.bar is not None:
            self.bar.update(self.task, description=self.status_text())
        elif self.out is not None and done * TUNE_PROGRESS_LINES // steps > (done - 1) * TUNE_PROGRESS_LINES // steps:
            self.out.print(f"{done}/{steps} steps: {self.status_text()}")

    def status_text(self) -> str:
        values = parameter_environment(self.run.plan.parameters, self.run.current_positions)
        return (
            "final match" if self.run.is_done else ", ".join(f"{safe(name)} {value}" for name, value in values.items())
        )


def print_result(out: Console, run: TuningRun, verdict: TuningResult, faults: int, folder: Path) -> None:
    plan = run.plan
    table = RichTable(box=None, header_style="", pad_edge=False)
    for column in ("parameter", "start", "tuned", "bounds", "path"):
        table.add_column(column, justify="right" if column in ("start", "tuned") else "left", no_wrap=True)
    for number, parameter in enumerate(plan.parameters):
        positions = [step.places[number] for step in run.path]
        start, tuned = parameter.text(parameter.position_of(parameter.start)), parameter.text(run.tuned[number])
        table.add_row(parameter.name, start, tuned, f"{parameter.low:g}..{parameter.high:g}", path_text(positions))
    out.print(table)
    difference = verdict.difference
    result = f"{signed_elo_text(difference.elo)} Elo, 95 % interval {interval_text(difference.low, difference.high)}"
    out.print(f"Tuned against starting values, on {difference.deals} deals not used for tuning: {result}.")
    if verdict.improved:
        out.print("An improvement. For bot.toml:")
        out.print("\n[env]", markup=False)
        for name, value in parameter_environment(plan.parameters, run.tuned).items():
            out.print(f'{name} = "{value}"', markup=False)
    else:
        out.print("No improvement shown: keep the first values, or play more games.")
    if faults:
        out.print(f"{faults} faults: look at the records before you believe this.")
    out.print(
        f"\nSeed {safe(plan.seed)}. Plot: {safe(str(folder / PLOT_FILE))}; records: {safe(str(folder / GAMES_FOLDER))}"
    )


def result_json(run: TuningRun, verdict: TuningResult, faults: int, folder: Path) -> dict[str, object]:
    plan = run.plan
    return {
        "bot": plan.bot,
        "seed": plan.seed,
        "start": parameter_environment(plan.parameters, start_positions(plan.parameters)),
        "tuned": parameter_environment(plan.parameters, run.tuned),
        "improved": verdict.improved,
        "final": verdict.difference,
        "faults": faults,
        "path": [
            {"lead": step.lead, "settings": parameter_environment(plan.parameters, step.places)} for step in run.path
        ],
        "folder": str(folder),
    }
