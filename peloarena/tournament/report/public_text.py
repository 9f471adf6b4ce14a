"""Text for public pages: only sentences from peloarena itself, no paths on the host's machine, no bot output.

Evidence (requests, answers, stderr, build output) is for the bot's author: see evidence_text.py.
"""

from __future__ import annotations

import re

QUOTED_PATH = re.compile(r"""(["'])/[^"'\n]*/([^"'/\n]*)\1""")
BARE_PATH = re.compile(r"""(?<![\w./:])/(?:[^\s/'":,;]+/)+""")


def without_folders(text: str) -> str:
    """Absolute paths keep their last part: `'/home/host/bots/ada'` becomes `'…/ada'`."""
    return BARE_PATH.sub("…/", QUOTED_PATH.sub(r"\1…/\2\1", text))


def public_problem(problem: str) -> str:
    """Why a bot was not admitted: the sentence, without the output of the build or the bot below it."""
    return without_folders(problem.split("\n", 1)[0])
