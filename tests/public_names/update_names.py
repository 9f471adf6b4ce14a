"""Add what is new to the lists: `make names`, or `python tests/public_names/update_names.py [LIST ...]`.

Nothing is taken out of a list. Where something public is gone, nothing is written and the exit code is 1.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the helpers of all tests

from name_lists import LISTS, broken, file_of, listed, now, unlisted, write
from name_outputs import Outputs


def main(wanted: list[str]) -> int:
    code = 0
    with tempfile.TemporaryDirectory(prefix="peloarena-names-", ignore_cleanup_errors=True) as folder:
        outputs = Outputs(Path(folder))
        for name in wanted or LISTS:
            names, promised = now(name, outputs), listed(name) if file_of(name).exists() else {}
            if problems := broken(names, promised):
                print(f"{name}:", *problems, sep="\n  ")
                code = 1
                continue
            if new := unlisted(names, promised):
                write(name, [one.line for one in names.values()])
                print(f"{name}: {len(new)} new", *new[:20], sep="\n  ")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
