"""What a bot can do wrong: a verdict from a closed set and a sentence that helps its author."""

from typing import Literal, get_args

from .excerpt_lengths import REASON_LENGTH

Fault = Literal["crashed", "late", "malformed", "illegal", "flooded", "no handshake", "forfeit"]
"""`forfeit`: it was not started, because the host had benched or withdrawn it before."""
FAULTS: tuple[str, ...] = get_args(Fault)


class BotError(Exception):
    """A bot broke the protocol; the sentence goes into the record."""

    def __init__(self, fault: Fault, reason: str) -> None:
        shown = reason if len(reason) <= REASON_LENGTH else f"{reason[:REASON_LENGTH]} ..."
        super().__init__(shown)
        self.fault: Fault = fault
        self.reason = shown
