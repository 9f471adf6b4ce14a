"""kill -9 at any moment: no game that was reported is lost, none counts twice, the end is that of a whole
tournament."""

from __future__ import annotations

import shutil
from pathlib import Path

from crash_tournament import crash_test
from promises import C, needs


@needs(C, shutil.which("cc") is not None)
def test_tournament_of_300_games_killed_five_times_ends_as_one_that_was_not(tmp_path: Path) -> None:
    told = crash_test(tmp_path / "night", deals=25, kills=5, seed="five kills")
    assert told.startswith("300 games")
