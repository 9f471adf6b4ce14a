"""spec/SECURITY.md names tests that exist, and every beast has one."""

import re
from pathlib import Path

from zookeeper import BEASTS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "spec" / "SECURITY.md"


def all_tests() -> str:
    return "\n".join(path.read_text() for path in ROOT.glob("tests/**/test_*.py"))


def test_every_test_that_the_page_names_exists() -> None:
    there = set(re.findall(r"^(?:async )?def (test_\w+)", all_tests(), re.MULTILINE))
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text()))
    assert len(named) > 20
    assert named - there == set()


def test_every_beast_is_shown() -> None:
    shown = all_tests()
    assert [path.stem for path in BEASTS.glob("*.py") if f'"{path.stem}"' not in shown] == []
