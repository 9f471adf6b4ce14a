"""Tournaments that 38049c6 left in the middle of a round are resumed by the code as it is, with the results of
38049c6."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from comparing import check_archive
from resume import peloarena, resume

HERE = Path(__file__).parent
TOURNAMENTS = sorted(folder.name for folder in (HERE / "stopped").iterdir())


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_a_stopped_tournament_goes_on_as_38049c6_went_on(
    name: str, tournament: Callable[[str], Path], tmp_path: Path
) -> None:
    """Real bots, real processes: to its end, closed, archived, verified; the same rounds, deals, moves and places."""
    file = tournament(name)
    resume(file)
    archive = tmp_path / "archive"
    peloarena("tournament", "export", file, "--archive", "--to", archive)
    peloarena("verify", archive)
    check_archive(archive, HERE / "archives" / name)
