"""Words for people beside texts that files keep. Pure.

Rosters, archives, exports and `--json` contain some texts as values, and `verify` compares them. Those texts never
change, so that old files stay good; terminals and pages show them through `for_people`.
"""

from __future__ import annotations

import re

STORED_TO_SHOWN = tuple(
    (re.compile(stored), shown)
    for stored, shown in (
        (r"^hardly played$", "too few games"),
        (r"^the house's$", "built in"),
        (r"\b(\d+) verdicts in a row$", r"\1 faults in a row"),
        (
            r"^results between (.*) go one way only; the distance between them is held finite by .*$",
            r"one side won everything between \1: the gap in rating is a guess",
        ),
        (r"\bplace (\d+), of (\d+) entries of theirs$", r"rank \1, the best of this author's \2 entries"),
        (r"\bplace (\d+), of (\d+) bots in it$", r"rank \1, the best of \2 bots in this language"),
        (r"\bplace (\d+), from round (\d+) on$", r"rank \1, plays from round \2 on"),
        (r"^deals by a secret that is not drawn yet$", "the deals are not drawn yet"),
        (r"^deals by (.+ with SHA-256 )", r"fair deals, fixed before the start by \1"),
    )
)
"""Patterns of stored texts, and what people read instead."""


def for_people(text: str) -> str:
    """Any other text is returned unchanged."""
    for stored, shown in STORED_TO_SHOWN:
        text = stored.sub(shown, text)
    return text
