"""How an untrusted process begins: it loads all its code, gives up its rights, then starts to work.

Its new user may be unable to read the packages (below a home with mode 0700), and libraries import late: numpy for a
rating, anyio for a 404. So the process first rehearses the work that it will do for others.
"""

from __future__ import annotations

import contextlib
import io
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pkgutil import iter_modules
from types import ModuleType

from ..game import Game, make_options
from ..game.registry import MODULES
from .privileges import drop_privileges, forbid_new_privileges

NEVER_LOADED = ("__main__", "conftest", "pytest_plugin", "testing", "tests")
"""Parts of packages that are programs, or load test tools."""


def become_unprivileged(process: str, packages: Sequence[str], rehearse: Callable[[], object]) -> None:
    """Loads `packages` with all their modules, calls `rehearse`, then gives up all rights.

    From then on each import is a mistake, reported on stderr. `process` is its name there.
    """
    forbid_new_privileges()  # a thread has its own flag: those that `rehearse` starts must inherit it
    for package in packages:
        load_package(package)
    load_rules()
    load_traceback()
    rehearse()
    drop_privileges()
    sys.meta_path.insert(0, LateImportReporter(process))


def load_package(name: str) -> None:
    """All its modules, except those for which another package is missing."""
    with contextlib.suppress(ImportError):
        package = import_module(name)
        for found in iter_modules(getattr(package, "__path__", ()), f"{name}."):
            if found.name.rpartition(".")[2] not in NEVER_LOADED:
                load_package(found.name)


def load_rules() -> None:
    """The data files of the rules: the pieces of the game and of every module."""
    for modules in ([], list(MODULES)):
        Game(make_options(4, modules), "warm")


def load_traceback() -> None:
    """The modules that print the reason if the process fails later."""
    try:
        raise ExceptionGroup("rehearsed", [NameError("rehearsed", name="rehearse")])
    except ExceptionGroup:
        traceback.print_exc(file=io.StringIO())


class LateImportReporter(MetaPathFinder):
    """Finds nothing. Reports each requested module once.

    No audit hook: `importlib.import_module` raises no event for a module that it cannot find.
    """

    def __init__(self, process: str) -> None:
        self._process = process
        self._reported: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self._reported:
            self._reported.add(fullname)
            print(late_import_text(self._process, fullname), file=sys.stderr, flush=True)
        return None


def late_import_text(process: str, module: str) -> str:
    return f"{process} imports {module} after it gave up its rights, and may be unable to read it; please report this"
