"""A game: its narration, and the element where replay.js puts board, scrubber and graphs."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from ...game.texts import plural
from ...telling.account import Line
from ...tournament.report.markup import Html, element
from ..film_json import FilmFrame, FilmJson
from .layout import page

KEYS = (
    ("← →", "back or forward one decision"),
    ("↑ ↓", "back or forward one round"),
    ("Home End", "first decision, end of the game"),
    ("space", "play or stop"),
    ("n p", "next or previous highlight: disaster, supply, loss, verdict"),
    ("+ −", "faster, slower"),
    ("f", "look from another seat"),
    ("l", "slow down at key moments, or keep an even speed"),
    ("?", "these keys"),
)


def game_page(
    film: FilmJson, query: Mapping[str, str], verify: str, nav: tuple[tuple[str, str], ...], private: str = ""
) -> str:
    """`private`: where authors ask for their private evidence."""
    title = " – ".join(seat.name for seat in film.seats)
    embed = query.get("embed") == "1"
    return page(
        f"{title}: {film.game}",
        element("h1", title, class_="unseen"),
        element("div", id="replay", data_film=f"/game/{quote(film.game)}/film.json", data_game=film.game),
        element("noscript", element("p", "The board needs JavaScript. Here is the log of the game.")),
        element("div", *account(film), id="account", class_="account card"),
        "" if embed else about(film, verify),
        "" if embed else private,
        keys(),
        here="/games",
        scripts=["replay.js", "token.js"] if private else ["replay.js"],
        styles=["hall.css", "board.css"],
        kind="replay embed" if embed else "replay",
        theme=query.get("theme", ""),
        nav=() if embed else nav,
    )


def account(film: FilmJson) -> list[Html]:
    """The same narration as `peloarena replay`, decision by decision."""
    parts = [element("h2", "Game log")]
    parts += [element("p", line.text, class_=style_class(line)) for line in film.opening]
    for frame in film.frames:
        parts += frame_lines(frame)
    parts += [element("p", text, class_="verdict") for text in film.last_verdicts]
    parts.append(element("p", film.places, class_="places"))
    return parts


def style_class(line: Line) -> str | None:
    return None if line.style == "plain" else line.style


def frame_lines(frame: FilmFrame) -> list[Html]:
    parts = [element("p", text, class_="verdict") for text in frame.verdicts]
    numbered = False
    for line in frame.told:
        if line.style == "round" or numbered:
            parts.append(element("p", line.text, class_=style_class(line)))
        else:
            number = element("a", f"{frame.number}.", href=f"?{urlencode({'decision': frame.number})}")
            parts.append(element("p", number, " ", line.text, class_=style_class(line)))
            numbered = True
    return parts


def about(film: FilmJson, verify: str) -> Html:
    modules = ", ".join(film.modules) or "the base game"
    parts: list[object] = [
        element("h2", "About this game"),
        element("p", f"{film.game}: {modules}; {plural(len(film.frames), 'decision')}; {film.software}."),
        element("p", element("a", "Download the record", href=f"/game/{quote(film.game)}/record.jsonl", download=True)),
        element("p", "Check it on any machine: ", element("code", verify)),
        element("p", "Seed ", element("code", film.seed), class_="small"),
        element("p", "Digest of the game ", element("code", film.digest), class_="small"),
    ]
    return element("section", *parts, class_="card about")


def keys() -> Html:
    rows = [element("tr", element("th", key, scope="row"), element("td", text)) for key, text in KEYS]
    return element(
        "dialog",
        element("h2", "Keys"),
        element("table", element("tbody", *rows)),
        element("form", element("button", "Close"), method="dialog"),
        id="keys",
    )
