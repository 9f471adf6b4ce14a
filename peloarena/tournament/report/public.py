"""What may stand on a page that everybody reads: sentences of ours, no folder of the host's, no line of a bot's.

Evidence (requests, answers, stderr, what a build printed) is for the bot's author: see evidence.py.
"""

from __future__ import annotations

import re

QUOTED_PATH = re.compile(r"""(["'])/[^"'\n]*/([^"'/\n]*)\1""")
BARE_PATH = re.compile(r"""(?<![\w./:])/(?:[^\s/'":,;]+/)+""")


def without_folders(text: str) -> str:
    """Absolute paths keep their last part: `'/home/host/bots/ada'` is `'…/ada'`."""
    return BARE_PATH.sub("…/", QUOTED_PATH.sub(r"\1…/\2\1", text))


def public_problem(problem: str) -> str:
    """Why a bot was left out: the sentence, without what a build or the bot printed below it."""
    return without_folders(problem.split("\n", 1)[0])
