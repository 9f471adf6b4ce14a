"""What a bot can do wrong: a verdict from a closed set and a sentence that helps its author."""

from typing import Literal, get_args

Fault = Literal["crashed", "late", "malformed", "illegal", "flooded", "no handshake"]
FAULTS: tuple[str, ...] = get_args(Fault)


class BotError(Exception):
    """A bot broke the protocol; the sentence goes into the record."""

    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.fault: Fault = fault
        self.reason = reason
