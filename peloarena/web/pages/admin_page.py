"""The admin page: buttons for host actions that `tournament` has as commands. Without the token it changes nothing."""

from __future__ import annotations

from collections.abc import Callable

from ...tournament.report.markup import Html, element
from ..channel import PublicState
from ..web_tournament import WebTournament
from .page_layout import page, section
from .tournament_page import headline_section


def admin_page(tournament: WebTournament, theme: str) -> str:
    name = tournament.state.name if tournament.state else tournament.title
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
        *sections(tournament).values(),
        kind="desk",
        scripts=["host.js"],
        theme=theme,
        stream="/events?sections=" + ",".join(SECTIONS),
    )


def sections(tournament: WebTournament) -> dict[str, Html]:
    return {name: make(tournament) for name, make in SECTIONS.items()}


def token_form() -> Html:
    label = element("label", "The host's token, printed in the terminal ", input_with_id("token", "password", 60))
    return element("form", label, element("button", "Use this token"), id="token-form", class_="card", hidden=True)


def input_with_id(key: str, kind: str, max_length: int, hint: str = "") -> Html:
    made = element(
        "input", id=key, name=key, type=kind, maxlength=max_length, autocomplete="off", placeholder=hint or None
    )
    return Html(made.removesuffix("</input>"))


def tournament_section(tournament: WebTournament) -> Html:
    state = tournament.state
    if state is None:
        return section("desk-night", "Tournament", element("p", "The tournament has not started yet."))
    paused = state.paused is not None
    buttons = [
        action_button("resume", "Resume") if paused else action_button("pause", "Pause"),
        action_button("unlock", "Open entries") if state.locked else action_button("lock", "Lock entries"),
    ]
    reason = element("label", "Reason ", input_with_id("reason", "text", 200, "shown in the report"))
    entries = "Entries are locked." if state.locked else "Entries are open."
    return section("desk-night", "Tournament", element("p", reason), element("p", *buttons), element("p", entries))


def bot_actions_section(tournament: WebTournament) -> Html:
    state = tournament.state
    if state is None:
        return section("desk-bots", "", class_="empty")
    rows = [bot_row(state, entry.name) for entry in state.entries]
    table = element("table", element("caption", "Bots", class_="unseen"), element("tbody", *rows))
    return section("desk-bots", "Bots", element("div", table, class_="scroll"))


def bot_row(state: PublicState, name: str) -> Html:
    absence = state.absent.get(name, "")
    action = (
        action_button("readmit", "Readmit", name)
        if absence in ("withdrawn", "benched")
        else action_button("withdraw", "Withdraw", name)
    )
    return element("tr", element("th", name, scope="row"), element("td", absence), element("td", action))


def void_section(tournament: WebTournament) -> Html:
    label = element("label", "Game ", input_with_id("game", "text", 100, "r01-1.2-d001-s1"))
    return section("desk-void", "Void a game", element("p", label, " ", action_button("void", "Declare void")))


def action_button(kind: str, text: str, target: str = "") -> Html:
    return element("button", text, type="button", data_order=kind, data_target=target or None)


SECTIONS: dict[str, Callable[[WebTournament], Html]] = {
    "headline": headline_section,
    "desk-night": tournament_section,
    "desk-bots": bot_actions_section,
    "desk-void": void_section,
}
