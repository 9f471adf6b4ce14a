"""Which files of the host a bot needs to run at all: system folders, a little of /etc, and our own interpreter.

Lists paths only; does not know how they are shown to the bot. Never a whole home or project folder: of a Python prefix
only the parts that are Python's, so that a virtual environment made in a project shows nothing next to it.
"""

import functools
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

ROOT = Path("/")
SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
ETC_PATTERNS = ("ld.so.cache", "alternatives", "localtime", "java*", "ocamlfind.conf", "mono", "php")
"""The linker's cache, Debian's links to commands, time zone, and what JVMs, OCaml, Mono and PHP keep outside /usr. Not
ssl, hosts, passwd. A short list: bubblewrap takes about 0.3 ms for each thing that it shows."""
VAR_FOLDERS = ("lib/ghc", "lib/gems")
"""Where Debian keeps the packages of GHC and Ruby. Nothing else of /var."""
ETC_NETWORK_PATTERNS = (
    "resolv.conf",
    "hosts",
    "ssl/certs",
    "ssl/openssl.cnf",
    "pki",
    "ca-certificates",
    "protocols",
    "services",
    "nsswitch.conf",
)
PREFIX_PARTS = ("bin", "lib", "lib64", "pyvenv.cfg")
"""In a virtual environment lib64 is a link that nothing follows."""
PACKAGES = (Path(__file__).resolve().parents[2], Path(msgspec.__file__).resolve().parent)
"""What a Python bot's `import peloarena.botkit` needs, wherever it is installed."""


@functools.cache
def system_links() -> tuple[tuple[str, str], ...]:
    """On merged systems /bin and its like are links into /usr: (target, link)."""
    return tuple((str(Path(name).readlink()), name) for name in SYSTEM_FOLDERS if Path(name).is_symlink())


@functools.cache
def system_folders() -> tuple[Path, ...]:
    return tuple(Path(name) for name in SYSTEM_FOLDERS if Path(name).is_dir() and not Path(name).is_symlink())


@functools.cache
def etc_paths(*, network: bool, root: Path = ROOT) -> tuple[Path, ...]:
    patterns = ETC_PATTERNS + ETC_NETWORK_PATTERNS if network else ETC_PATTERNS
    return tuple(path for pattern in patterns for path in sorted((root / "etc").glob(pattern)))


@functools.cache
def var_folders(root: Path = ROOT) -> tuple[Path, ...]:
    return tuple(path for name in VAR_FOLDERS if (path := root / "var" / name).is_dir())


@functools.cache
def interpreter_mounts() -> tuple[tuple[Path, Path], ...]:
    """(source, target) of what {python} needs to start and to import peloarena, beyond the system folders."""
    wanted: list[tuple[Path, Path]] = []
    for path in _interpreter_paths():
        if not is_already_shown(path, wanted):
            wanted.append((path.resolve(), path))
    return tuple(wanted)


def _interpreter_paths() -> Iterator[Path]:
    for prefix in dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix)):
        for spelling in dict.fromkeys((Path(prefix), Path(prefix).resolve())):
            parts = (spelling / part for part in PREFIX_PARTS)
            yield from (part for part in parts if part.exists() and not part.is_symlink())
    yield from _link_hops(Path(sys.executable))
    yield from PACKAGES


def _link_hops(path: Path) -> Iterator[Path]:
    """A path and the targets of its links, one after the other, as the kernel will walk them."""
    yield path
    while path.is_symlink():
        path = path.parent / path.readlink()
        yield path


def is_already_shown(path: Path, wanted: Iterable[tuple[Path, Path]]) -> bool:
    """True when a system folder or another wanted path already shows it."""
    shown = [Path(name) for name in SYSTEM_FOLDERS] + [there for _, there in wanted]
    return any(path.is_relative_to(folder) for folder in shown)


def is_visible(path: Path, extra_runtimes: Iterable[Path] = ()) -> bool:
    """Whether a bot sees this file of the host: the path, every link target on the way, and the final target."""
    folders = [*map(Path, SYSTEM_FOLDERS), *etc_paths(network=False), *var_folders(), *extra_runtimes]
    shown = [*folders, *(path for _, path in interpreter_mounts())]
    return all(any(hop.is_relative_to(folder) for folder in shown) for hop in (*_link_hops(path), path.resolve()))


@functools.cache
def python_path() -> str:
    """For packages that the interpreter would not find by itself: from a checkout, or a user's own folder."""
    prefixes = [Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)]
    elsewhere = [path.parent for path in PACKAGES if not any(path.is_relative_to(prefix) for prefix in prefixes)]
    return os.pathsep.join(dict.fromkeys(map(str, elsewhere)))
