"""Make peloarena/tournament/confusables.txt from Unicode's table of characters that look alike.

    python tools/make_confusables.py confusables.txt

The table is https://www.unicode.org/Public/security/latest/confusables.txt. Only characters that a name can contain
(peloarena/tournament/bot_names.py) are kept: a tenth of it.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from peloarena.game import ConfigError
from peloarena.tournament.bot_names import CONFUSABLES_FILE, check_bot_name

LINE = re.compile(r"([0-9A-F]+)\s*;\s*([0-9A-F ]+?)\s*;")
HEADER = """\
# Characters that look alike, as far as names can have them: a code point, and what it looks like.
# Made by tools/make_confusables.py from confusables.txt, Unicode Security Mechanisms, version {version}.
# (c) Unicode, Inc. Unicode data files are free to use and to change with this notice: https://www.unicode.org/license.txt
"""


def name_characters() -> set[str]:
    """The characters of names in decomposed form."""
    return {
        part for char in map(chr, range(0x20, sys.maxunicode)) if can_occur_in_name(char) for part in decomposed(char)
    }


def can_occur_in_name(char: str) -> bool:
    """Whether it can occur in a name, perhaps on a letter."""
    for name in (f"a{char}", char):
        try:
            check_bot_name(name)
        except ConfigError:
            continue
        return True
    return unicodedata.category(char) in ("Mn", "Mc") and unicodedata.is_normalized("NFKC", char)


def decomposed(char: str) -> str:
    return unicodedata.normalize("NFD", char)


def table_lines(text: str) -> Iterator[str]:
    kept = name_characters()
    for line in text.splitlines():
        found = LINE.match(line)
        if found and chr(int(found[1], 16)) in kept:
            yield f"{found[1]} {found[2]}\n"


def main() -> None:
    text = Path(sys.argv[1]).read_text("utf-8-sig")
    version = re.search(r"^# Version: (\S+)", text, re.MULTILINE)
    if version is None:
        sys.exit(f"{sys.argv[1]}: no confusables.txt of Unicode's")
    CONFUSABLES_FILE.write_text(HEADER.format(version=version[1]) + "".join(table_lines(text)), "utf-8")


if __name__ == "__main__":
    main()
