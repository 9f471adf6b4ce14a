"""What the benches of the referee share: bots in C, compiled into a folder that goes away."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from peloarena.referee.bot_finder import Bot

SOURCES = Path(__file__).parent / "bots"


@contextmanager
def compiled(name: str) -> Iterator[Path]:
    """The program bench/bots/NAME.c, compiled with the C compiler of this machine."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("this bench needs a C compiler")
    with tempfile.TemporaryDirectory(prefix="peloarena-bench-") as folder:
        program = Path(folder, name)
        subprocess.run([compiler, "-O2", "-o", str(program), str(SOURCES / f"{name}.c")], check=True)
        yield program


def bot_of(program: Path, *words: str) -> Bot:
    return Bot(program.name, program.parent, (f"./{program.name}", *words), "0" * 64)


def talkative(program: Path, writes: int) -> Path:
    """A folder beside it with the same bot, which writes so many single bytes to stderr before each answer."""
    folder = program.parent / f"{program.name}-{writes}"
    if not folder.exists():
        folder.mkdir()
        shutil.copy(program, folder)
        command = ["./" + program.name, "0", str(writes)]
        (folder / "bot.toml").write_text(f'name = "{folder.name}"\ncommand = {command}\n')
    return folder
