"""HTML and SVG as nested calls. Everything not made here is escaped: a bot's name cannot become markup.

    element("td", bot.name, class_="name")

Knows nothing of tournaments. An attribute's trailing `_` is dropped, an inner `_` becomes a `-`; None and False omit
the attribute.
"""

from __future__ import annotations

from html import escape

from ...referee.plain_text import to_plain_text

VOID_ELEMENTS = frozenset({"meta", "br"})
"""Elements without an end tag."""


class Html(str):
    """Text that is already markup."""

    __slots__ = ()


def text(value: object) -> Html:
    """Untrusted text: escaped, without characters that reverse or hide their neighbours."""
    return value if isinstance(value, Html) else Html(escape(to_plain_text(str(value))))


def multiline_text(value: str) -> Html:
    """The same with its line breaks, for `pre`."""
    return Html("\n".join(text(line) for line in value.split("\n")))


def join(*parts: object) -> Html:
    return Html("".join(text(part) for part in parts))


def element(kind: str, /, *children: object, **attributes: object) -> Html:
    attribute_text = "".join(
        attribute(key, value) for key, value in attributes.items() if value is not None and value is not False
    )
    if kind in VOID_ELEMENTS:
        return Html(f"<{kind}{attribute_text}>")
    return Html(f"<{kind}{attribute_text}>{join(*children)}</{kind}>")


def attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(value)}"'


class Column:
    """A table's column: its heading, whether it holds numbers, and what the heading means."""

    def __init__(self, heading: str, number: bool = False, hint: str = "") -> None:
        self.heading = heading
        self.number = number
        self.hint = hint

    def head(self) -> Html:
        return element(
            "th", self.heading, scope="col", class_="number" if self.number else None, title=self.hint or None
        )


def table(
    label: str, columns: list[Column], rows: list[list[object]], *, row_header_column: int = 0, class_: str = ""
) -> Html:
    """`row_header_column`: the one that names the row. A wide table also scrolls by keyboard."""
    body = [
        element("tr", *(cell(c, n == row_header_column, v) for n, (c, v) in enumerate(zip(columns, row, strict=True))))
        for row in rows
    ]
    whole = element(
        "table",
        element("caption", label, class_="unseen"),
        element("thead", element("tr", *(column.head() for column in columns))),
        element("tbody", *body),
        class_=class_ or None,
    )
    return element("div", whole, class_="scroll", tabindex="0", role="region", aria_label=label)


def cell(column: Column, names_row: bool, value: object) -> Html:
    kind = "number" if column.number else None
    if names_row:
        return element("th", value, scope="row", class_=kind)
    return element("td", value, class_=kind)


def details(summary: object, *children: object) -> Html:
    return element("details", element("summary", summary), *children)
