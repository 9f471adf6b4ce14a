"""A slot of a node: plays one game at a time, as any worker of a tournament does, and ends with the Dask worker.

python -m peloarena.cluster.slot POLICY SLOT PARENT
"""

from __future__ import annotations

import sys

from ..referee.dies_with_parent import die_with_parent
from ..tournament import worker


def main() -> None:
    die_with_parent(int(sys.argv.pop()))
    worker.main()


if __name__ == "__main__":
    main()
