"""`replay FILE --html OUT`: one self-contained file that shows a game. Its policy allows only its own script."""

from __future__ import annotations

from ..game.json_codec import encode
from ..referee.replay import Replay
from ..tournament.report.markup import Html, element
from .assets import asset_text
from .pages.game_page import game_log, keys_dialog
from .pages.page_layout import data_element
from .replay_json import ReplayJson, replay_json_of
from .script_bundle import classic_script, csp_digest, gzip_base64

STYLES = ("hall.css", "board.css")


def standalone_page(replay: Replay, name: str) -> str:
    facts = replay_json_of(replay, name)
    style, script = "\n".join(map(asset_text, STYLES)), classic_script()
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=content_security_policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title_of(facts)),
        Html(f"<style>{style}</style>"),
    )
    body = element(
        "body",
        element(
            "main",
            element("h1", title_of(facts), class_="unseen"),
            element("div", id="replay", data_packed="film"),
            element("div", *game_log(facts), id="account", class_="account card"),
            keys_dialog(),
            id="content",
        ),
        data_element("film", gzip_base64(encode(facts))),
        Html(f"<script>{script}</script>"),
        class_="replay",
    )
    return "<!DOCTYPE html>\n" + element("html", head, body, lang="en") + "\n"


def title_of(replay: ReplayJson) -> str:
    return " – ".join(seat.name for seat in replay.seats)


def content_security_policy(style: str, script: str) -> str:
    """A policy that loads nothing and allows only this style sheet and this script."""
    return (
        f"default-src 'none'; script-src {csp_digest(script)}; style-src {csp_digest(style)}; "
        f"base-uri 'none'; form-action 'none'"
    )
