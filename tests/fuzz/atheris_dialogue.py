"""Any bytes from a bot, whole or byte by byte, give messages or a BotError, never anything else.

Line buffer and dialogue, guided by coverage: python tests/fuzz/atheris_dialogue.py -max_total_time=60
"""

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parent))

with atheris.instrument_imports(include=["peloarena.protocol", "json"]):
    from fuzz_invariants import check_dialogue

from fuzzing import run

SEEDS = (
    b'{"type":"hello","name":"x","version":"1","wants":"both"}\n',
    b'{"type":"ready"}\n',
    b'{"type":"answer","id":1,"index":0}\n',
    b'{"type":"answer","id":1,"move":{"type":"bid","tile":"B01","coins":3},"note":"\\u00e9"}\n',
)


@atheris.instrument_func
def one_input(data: bytes) -> None:
    check_dialogue(data)


if __name__ == "__main__":
    run(one_input, SEEDS)
