"""Compiles the rules, and what the referee does for every decision, with mypyc.

Works on a copy of the sources below the working directory, never on the sources themselves. hatch_build.py calls it
when a wheel is built with PELOARENA_COMPILE=1.
"""

from pathlib import Path

PACKAGE = Path("peloarena")
GAME = PACKAGE / "game"
GAME_MODULES = (
    *("auction", "building", "chance", "disasters", "engine", "flow", "holdings", "hooks", "income", "meetings"),
    *("module", "parts", "queries", "rounds", "rules", "scoring", "stock", "supply", "view"),
)
"""What runs while a game is played. Structs stay interpreted, because msgspec decodes them by their annotations."""
DECISION_MODULES = (
    *("protocol/about", "protocol/codec", "protocol/dialogue", "protocol/lines"),
    *("referee/checked_player", "referee/game_clock", "referee/game_table", "referee/link", "referee/link_player"),
    *("referee/record_writer", "referee/seat_messages", "referee/stderr", "referee/transport"),
)
"""The path of one decision (docs/ARCHITECTURE.md) from table to stream. Code that handles processes stays interpreted.
"""
LIBRARY = "peloarena_rules"
"""mypyc puts all code into one library of this name; the modules next to the sources only point to it."""
FIELDS_HEADER = Path(__file__).resolve().with_name("fields.h")


def compiled_files(root: Path) -> list[Path]:
    """The chapters, and all files of each module except its shapes and its manifest: no module has to be named here."""
    named = [root / GAME / f"{name}.py" for name in GAME_MODULES] + [
        root / PACKAGE / f"{name}.py" for name in DECISION_MODULES
    ]
    modules = (root / GAME / "modules").rglob("*.py")
    return named + sorted(path for path in modules if path.stem not in ("shapes", "__init__"))


def main() -> None:
    from mypyc.build import mypycify
    from setuptools import setup

    extensions = mypycify([str(path) for path in compiled_files(Path())], group_name=LIBRARY, debug_level="0")
    for extension in extensions:
        if extension.name == f"{LIBRARY}__mypyc":  # all share the list of arguments: make a new one for this
            extension.extra_compile_args = [*extension.extra_compile_args, "-include", str(FIELDS_HEADER)]
    setup(name=LIBRARY, packages=[], ext_modules=extensions, script_args=["build_ext", "--inplace"])


if __name__ == "__main__":
    main()
