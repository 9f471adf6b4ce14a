"""The messages between bots and referee, without any I/O: messages, lines, dialogue, schema."""

from .dialogue import Dialogue, Phase
from .errors import FAULTS, BotError, Fault
from .lines import LineBuffer

__all__ = ["FAULTS", "BotError", "Dialogue", "Fault", "LineBuffer", "Phase"]
