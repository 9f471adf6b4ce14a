"""The browser's modules joined into one classic script: browsers load no modules from a USB stick.

The modules are the files that the web process serves, in the order of their dependencies. Only the words `import` and
`export` are rewritten, so that tests of the modules hold for the bundle.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from functools import cache

from .assets import asset_text

REPLAY_SCRIPTS = ("dom.js", "icons.js", "board.js", "film.js", "replay.js")
IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w.-]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=async function |function |const |class )", re.MULTILINE)


@cache
def classic_script(names: tuple[str, ...] = REPLAY_SCRIPTS) -> str:
    """ValueError if a module imports one that does not come before it."""
    parts = []
    for index, name in enumerate(names):
        text = asset_text(name)
        if not set(IMPORT.findall(text)) <= set(names[:index]):
            raise ValueError(f"{name} imports a module that does not come before it")
        parts.append(EXPORT.sub("", IMPORT.sub("", text)))
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"


def csp_digest(text: str) -> str:
    """The digest by which a Content-Security-Policy allows a script or style."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def gzip_base64(data: bytes) -> str:
    """A replay to embed in a page: gzip in letters, so that no byte of it can end the enclosing element."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
