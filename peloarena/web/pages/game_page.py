"""A game: its narration, and the element where replay.js puts board, scrubber and graphs."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from ...game.texts import plural
from ...narration.event_lines import StyledLine
from ...tournament.report.markup import Html, element
from ..replay_json import FrameJson, ReplayJson
from .page_layout import page

KEYS = (
    ("← →", "back or forward one decision"),
    ("↑ ↓", "back or forward one round"),
    ("Home End", "first decision, end of the game"),
    ("space", "play or stop"),
    ("n p", "next or previous highlight: disaster, supply, loss, verdict"),
    ("+ −", "faster, slower"),
    ("f", "view from another seat"),
    ("l", "slow down at key moments, or keep an even speed"),
    ("?", "these keys"),
)


def game_page(
    replay: ReplayJson,
    query: Mapping[str, str],
    verify_command: str,
    nav: tuple[tuple[str, str], ...],
    private_section: str = "",
) -> str:
    """`private_section`: where authors ask for their private evidence."""
    title = " – ".join(seat.name for seat in replay.seats)
    embed = query.get("embed") == "1"
    return page(
        f"{title}: {replay.game}",
        element("h1", title, class_="unseen"),
        element("div", id="replay", data_film=f"/game/{quote(replay.game)}/film.json", data_game=replay.game),
        element("noscript", element("p", "The board needs JavaScript. Here is the log of the game.")),
        element("div", *game_log(replay), id="account", class_="account card"),
        "" if embed else about_section(replay, verify_command),
        "" if embed else private_section,
        keys_dialog(),
        here="/games",
        scripts=["replay.js", "token.js"] if private_section else ["replay.js"],
        styles=["hall.css", "board.css"],
        kind="replay embed" if embed else "replay",
        theme=query.get("theme", ""),
        nav=() if embed else nav,
    )


def game_log(replay: ReplayJson) -> list[Html]:
    """The same narration as `peloarena replay`, decision by decision."""
    parts = [element("h2", "Game log")]
    parts += [element("p", line.text, class_=style_class(line)) for line in replay.opening]
    for frame in replay.frames:
        parts += frame_lines(frame)
    parts += [element("p", text, class_="verdict") for text in replay.last_verdicts]
    parts.append(element("p", replay.places, class_="places"))
    return parts


def style_class(line: StyledLine) -> str | None:
    return None if line.style == "plain" else line.style


def frame_lines(frame: FrameJson) -> list[Html]:
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


def about_section(replay: ReplayJson, verify_command: str) -> Html:
    modules = ", ".join(replay.modules) or "the base game"
    parts: list[object] = [
        element("h2", "About this game"),
        element("p", f"{replay.game}: {modules}; {plural(len(replay.frames), 'decision')}; {replay.software}."),
        element(
            "p", element("a", "Download the record", href=f"/game/{quote(replay.game)}/record.jsonl", download=True)
        ),
        element("p", "Check it on any machine: ", element("code", verify_command)),
        element("p", "Seed ", element("code", replay.seed), class_="small"),
        element("p", "Digest of the game ", element("code", replay.digest), class_="small"),
    ]
    return element("section", *parts, class_="card about")


def keys_dialog() -> Html:
    rows = [element("tr", element("th", key, scope="row"), element("td", text)) for key, text in KEYS]
    return element(
        "dialog",
        element("h2", "Keys"),
        element("table", element("tbody", *rows)),
        element("form", element("button", "Close"), method="dialog"),
        id="keys",
    )
