"""Runs an atheris target: begins with a few good inputs and what earlier runs found, ends by libFuzzer's own bounds."""

import sys
from collections.abc import Callable
from pathlib import Path

import atheris

ROOT = Path(__file__).parents[2]


def run(one_input: Callable[[bytes], None], seeds: tuple[bytes, ...]) -> None:
    """The arguments are libFuzzer's: -max_total_time=60. A finding is printed with its traceback and kept as a file."""
    corpus = ROOT / ".hypothesis" / Path(sys.argv[0]).stem
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(seed)
    atheris.Setup([*sys.argv, str(corpus)], one_input)
    atheris.Fuzz()
