"""What all pages share: head, navigation, footer. Knows the addresses of pages; knows no tournaments."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from ...tournament.report.markup import Html, element, join
from ..assets import asset_url

NAVIGATION = (("/", "Tournament"), ("/games", "Games"), ("/pairings", "Pairings"), ("/faults", "Faults"))
THEMES = ("light", "dark")


def page(
    title: str,
    *content: object,
    here: str = "",
    scripts: Sequence[str] = (),
    kind: str = "",
    theme: str = "",
    nav: Sequence[tuple[str, str]] = NAVIGATION,
    stream: str = "",
    styles: Sequence[str] = ("hall.css",),
) -> str:
    """`stream`: the events that the page follows. `theme`: light or dark; otherwise the reader's setting."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        *(link("stylesheet", asset_url(name)) for name in styles),
        link("icon", asset_url("icon.svg")),
        *(element("script", type="module", src=asset_url(script)) for script in scripts),
    )
    body = element(
        "body",
        element("a", "Skip to the content", href="#content", class_="skip"),
        element("header", element("nav", *navigation_links(nav, here), aria_label="Pages"), class_="top")
        if nav
        else "",
        element("main", *content, id="content"),
        class_=kind or None,
        data_stream=stream or None,
    )
    whole = element("html", head, body, lang="en", data_theme=theme if theme in THEMES else None)
    return "<!DOCTYPE html>\n" + whole + "\n"


def link(rel: str, href: str) -> Html:
    return Html(element("link", rel=rel, href=href).removesuffix("</link>"))


def navigation_links(nav: Sequence[tuple[str, str]], here: str) -> list[Html]:
    return [element("a", name, href=address, aria_current="page" if address == here else None) for address, name in nav]


def section(key: str, heading: object, *content: object, class_: str = "") -> Html:
    """A part of a page that is sent again when it changes: see server_sent_events.py."""
    return element(
        "section",
        element("h2", heading) if heading else "",
        *content,
        id=key,
        data_section=key,
        class_=f"card {class_}".rstrip(),
    )


def game_link(game: str, text: object = "", **query: object) -> Html:
    query_text = f"?{urlencode(query)}" if query else ""
    return element("a", text or game, href=f"/game/{quote(game)}{query_text}")


def bot_link(entry: int, name: str) -> Html:
    return element("a", name, href=f"/bot/{entry}") if entry else element("span", name)


def input_field(name: str, kind: str, **more: object) -> Html:
    """An element without an end tag; browsers must not remember its value."""
    made = element("input", name=name, type=kind, autocomplete="off", maxlength=None if kind == "file" else 100, **more)
    return Html(made.removesuffix("</input>"))


def data_element(key: str, text: str) -> Html:
    """Data for a script, in letters that cannot end the element."""
    return Html(f'<script type="application/json" id="{key}">"{text}"</script>')


def message_page(title: str, text: str, here: str = "", nav: Sequence[tuple[str, str]] = NAVIGATION) -> str:
    """A page with a single message."""
    return page(title, element("h1", title), element("p", text), here=here, nav=nav)


def paragraph(*parts: object) -> Html:
    return element("p", join(*parts))
