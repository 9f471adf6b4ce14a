"""The admin page: buttons for host actions that `tournament` has as commands. Without the token it changes nothing."""

from __future__ import annotations

from collections.abc import Callable

from ...tournament.report.markup import Html, element
from ..channel import NightNow
from ..hall_night import HallNight
from .layout import page, section
from .night import headline


def host_page(hall: HallNight, theme: str) -> str:
    name = hall.night.name if hall.night else hall.title
    return page(
        f"Host controls: {name}",
        element(
            "noscript",
            element(
                "p", "These controls need JavaScript. Every action is also a command: see peloarena tournament --help."
            ),
        ),
        token_form(),
        element("p", id="said", role="status", class_="said"),
        *sections(hall).values(),
        kind="desk",
        scripts=["host.js"],
        theme=theme,
        stream="/events?sections=" + ",".join(SECTIONS),
    )


def sections(hall: HallNight) -> dict[str, Html]:
    return {name: make(hall) for name, make in SECTIONS.items()}


def token_form() -> Html:
    label = element("label", "Token, as the terminal printed it ", field("token", "password", 60))
    return element("form", label, element("button", "Use it"), id="token-form", class_="card", hidden=True)


def field(key: str, kind: str, longest: int, hint: str = "") -> Html:
    made = element(
        "input", id=key, name=key, type=kind, maxlength=longest, autocomplete="off", placeholder=hint or None
    )
    return Html(made.removesuffix("</input>"))


def whole_night(hall: HallNight) -> Html:
    night = hall.night
    if night is None:
        return section("desk-night", "The night", element("p", "The tournament has not started yet."))
    paused = night.paused is not None
    buttons = [
        order("resume", "Go on") if paused else order("pause", "Pause"),
        order("unlock", "Open entries") if night.locked else order("lock", "Lock entries"),
    ]
    reason = element("label", "Reason ", field("reason", "text", 200, "kept, and shown in the report"))
    state = "Entries are locked." if night.locked else "Entries are open."
    return section("desk-night", "The night", element("p", reason), element("p", *buttons), element("p", state))


def bots(hall: HallNight) -> Html:
    night = hall.night
    if night is None:
        return section("desk-bots", "", class_="empty")
    rows = [bot_row(night, entry.name) for entry in night.entries]
    table = element("table", element("caption", "Bots", class_="unseen"), element("tbody", *rows))
    return section("desk-bots", "Bots", element("div", table, class_="scroll"))


def bot_row(night: NightNow, name: str) -> Html:
    word = night.absent.get(name, "")
    action = (
        order("readmit", "Readmit", name) if word in ("withdrawn", "benched") else order("withdraw", "Withdraw", name)
    )
    return element("tr", element("th", name, scope="row"), element("td", word), element("td", action))


def void(hall: HallNight) -> Html:
    label = element("label", "Game ", field("game", "text", 100, "r01-1.2-d001-s1"))
    return section("desk-void", "Declare a game void", element("p", label, " ", order("void", "Void it")))


def order(kind: str, text: str, target: str = "") -> Html:
    return element("button", text, type="button", data_order=kind, data_target=target or None)


SECTIONS: dict[str, Callable[[HallNight], Html]] = {
    "headline": headline,
    "desk-night": whole_night,
    "desk-bots": bots,
    "desk-void": void,
}
