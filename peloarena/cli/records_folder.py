"""The folder of --record. Knows files; not what is in a record."""

from __future__ import annotations

from pathlib import Path

from ..game import ConfigError
from ..referee.job import GameReport


class RecordsFolder:
    """Writes records into a folder, whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.write("try.part", b"").unlink()
        except OSError as error:
            raise self.problem(error) from None

    def path(self, game: str) -> Path:
        return self.folder / f"{game}.jsonl"

    def keep(self, report: GameReport) -> None:
        try:
            self.write(f"{report.game}.part", report.record).replace(self.path(report.game))
        except OSError as error:
            raise self.problem(error) from None

    def write(self, name: str, data: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(data)
        return path

    def problem(self, error: OSError) -> ConfigError:
        reason = "is not a folder" if isinstance(error, FileExistsError) else error.strerror
        return ConfigError(f"--record {str(self.folder)!r}: {reason}")
