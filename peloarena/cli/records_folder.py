"""The folder of --record. Knows files, not the contents of a record. Never overwrites an older record."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

from ..game import ConfigError


class RecordsFolder:
    """Writes records into a folder, whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._paths: dict[str, Path] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._write("try", b"").unlink()
        except OSError as error:
            raise self._config_error(error) from None

    def path(self, game: str) -> Path:
        """The path of this game's record."""
        return self._paths.get(game, self.folder / f"{game}.jsonl")

    def save(self, game: str, record: bytes) -> Path:
        """Save under the game's name; if older records have that name, with a number."""
        try:
            part = self._write(game, record)
            self._paths[game] = self._link_to_free_name(part, game)
            part.unlink()
        except OSError as error:
            raise self._config_error(error) from None
        return self._paths[game]

    def _link_to_free_name(self, part: Path, game: str) -> Path:
        """Use a link, because it fails if the file exists, even one that was just created."""
        for number in itertools.count(1):
            path = self.folder / (f"{game}.jsonl" if number == 1 else f"{game}.{number}.jsonl")
            try:
                os.link(part, path)
            except FileExistsError:
                continue
            return path
        raise AssertionError("counting ended")

    def _write(self, name: str, data: bytes) -> Path:
        path = self.folder / f"{name}.{os.getpid()}.part"
        path.write_bytes(data)
        return path

    def _config_error(self, error: OSError) -> ConfigError:
        reason = "is not a folder" if isinstance(error, FileExistsError) else error.strerror
        return ConfigError(f"--record {str(self.folder)!r}: {reason}")
