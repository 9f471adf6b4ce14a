"""A tab that notices what must not happen: errors, dialogs, requests that leave the host."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from patience import PATIENCE
from web_servers import Visitor


class Tab:
    def __init__(self, page: Any, origin: str) -> None:
        self.page = page
        self.origin = origin
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda line: self.wrong.append(line.text) if line.type in ("error", "warning") else None)
        page.on("request", self.asked)

    def asked(self, request: Any) -> None:
        if not request.url.startswith((self.origin, "data:", "blob:", "file:")):
            self.wrong.append(f"left the host: {request.url}")

    def go(self, path: str) -> Tab:
        self.page.goto(path if path.startswith("file:") else self.origin + path)
        return self

    def text(self, selector: str) -> str:
        return str(self.page.inner_text(selector))

    def shows(self, selector: str, text: str) -> None:
        """Waits for it."""
        self.page.wait_for_function(
            "([selector, text]) => document.querySelector(selector)?.innerText.includes(text)", arg=[selector, text]
        )


@contextlib.contextmanager
def open_tab(browser: Any, site: Visitor | None, width: int = 1400, height: int = 900, **more: Any) -> Iterator[Tab]:
    """Whatever went wrong in it fails the test."""
    context = browser.new_context(viewport={"width": width, "height": height}, **more)
    context.set_default_timeout(PATIENCE * 1000)
    tab = Tab(context.new_page(), f"http://127.0.0.1:{site.port}" if site else "file:")
    try:
        yield tab
        assert not tab.wrong, tab.wrong
    finally:
        context.close()
