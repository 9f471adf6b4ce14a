"""Run the benches: `python bench/run.py [name ...]`; all of them unless named. What each measures: bench/README.md.

A bench is a file in this folder that prints its figures when run; to add one, add a file. Each runs in a process of
its own, one after the other.
"""

import ast
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
NO_BENCH = {"balance", "crash", "ladder", "run", "guard", "soak"}
WANT_A_REVISION = {"versions", "referee_versions", "starts", "fresh_nights"}


def benches() -> dict[str, Path]:
    files = sorted(HERE.glob("*.py"))
    return {
        file.stem: file
        for file in files
        if file.stem not in NO_BENCH | WANT_A_REVISION and not file.stem.startswith("_")
    }


def summary(file: Path) -> str:
    """The first line of its docstring."""
    return (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def main(names: list[str]) -> int:
    known = benches()
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no bench {', '.join(unknown)}; there are:", file=sys.stderr)
        for name, file in known.items():
            print(f"  {name:12} {summary(file)}", file=sys.stderr)
        return 2
    failed = []
    for name in names or known:
        print(f"== {name}: {summary(known[name])}", flush=True)
        if subprocess.run([sys.executable, str(known[name])], check=False).returncode:
            failed.append(name)
        print(flush=True)
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
