"""Evidence that only a bot's author may read, and the form that asks for it. The token travels in a request's body."""

from __future__ import annotations

from ...tournament.report.markup import Html, element, multiline_text
from ..submission_messages import EvidenceReply
from .page_layout import input_field, page

TITLE = "For the author"


def evidence_form(*, game: str = "", entry: int = 0) -> Html:
    """Works without scripts; token.js fills in the token that was last used in this tab."""
    hidden = input_field("game", "hidden", value=game) if game else input_field("entry", "hidden", value=str(entry))
    label = element("label", "Token of the bot, or the host's ", input_field("token", "password", required=True))
    explanation = "Are you the author? Your token shows what your bot was asked, what it answered and what it printed."
    form = element(
        "form",
        hidden,
        label,
        " ",
        element("button", "Show"),
        method="post",
        action="/evidence",
        class_="with-token",
        autocomplete="off",
    )
    return element(
        "section", element("h2", TITLE), element("p", explanation, class_="small"), form, class_="card private"
    )


def evidence_page(evidence: EvidenceReply) -> str:
    parts: list[object] = [element("h1", f"{TITLE}: {evidence.title}")]
    for part in evidence.parts:
        texts = [excerpt(name, text) for name, text in part.excerpts]
        parts.append(element("section", element("h2", part.heading, class_="heading"), *texts, class_="card evidence"))
    return page(f"{TITLE}: {evidence.title}", *parts)


def excerpt(name: str, text: str) -> Html:
    shown = element("pre", multiline_text(text), tabindex="0", role="region", aria_label=name)
    return element("div", element("h3", name), shown)
