"""Any bytes as a record, a bot.toml, a tournament or component file give a value or our own error, never anything else.

Guided by coverage: python tests/fuzz/atheris_files.py -max_total_time=60. The first byte chooses the reader; half of
the records are damage done to a good one.
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parent))

with atheris.instrument_imports(
    include=["peloarena.referee.record_verification", "peloarena.game.catalogue", "tomllib"]
):
    from fuzz_invariants import check_components, check_record, check_toml

from fuzz_samples import records
from fuzzing import run

SAMPLES = records()
SEEDS = (
    b"\x00" + SAMPLES[0][:3000],
    b"\x40\x00\x01\x00\x05true",
    b'\x80name = "x"\ncommand = ["{python}", "main.py"]\nbuild = ["make"]\n[limits]\nmemory_mib = 256\n',
    b'\x80name = "night"\nbots = ["bots/*", {path = "x", alias = "y"}]\ntime = "5s+0.1s/1s"\nlevels = [1, 2]\n',
    b"\xf0[tiles.B01]\npoints = 3\ncost = {stone = 1}\n[chits.base]\nplague = 1\n",
)


def damaged(data: bytes) -> bytes:
    """A good record with a stretch replaced: two bytes say where, one how much is lost, the rest comes in."""
    record = SAMPLES[data[0] % len(SAMPLES)]
    where = int.from_bytes(data[1:3], "big") % len(record)
    return record[:where] + data[4:] + record[where + data[3] :]


@atheris.instrument_func
def one_input(data: bytes) -> None:
    kind, rest = data[:1], data[1:]
    if kind < b"\x40":
        check_record(rest)
    elif kind < b"\x80" and len(rest) > 4:
        check_record(damaged(rest))
    elif kind < b"\xf0":
        check_toml(rest)
    else:
        check_components(rest)


if __name__ == "__main__":
    run(one_input, SEEDS)
