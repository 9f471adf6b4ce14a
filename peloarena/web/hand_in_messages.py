"""What hall and porter say to each other about bots that are handed in, and about what is for their authors alone."""

from __future__ import annotations

from msgspec import Struct

# ---- what the hall wishes


class BeginUpload(Struct, frozen=True, tag="begin-upload"):
    """Somebody has a zip file. Without a token it is a newcomer's, if the night is open to everybody."""

    token: str
    name: str = ""
    """Of a newcomer, if its bot.toml does not say."""


class PutPiece(Struct, frozen=True, tag="piece"):
    upload: int
    data: bytes


class EndUpload(Struct, frozen=True, tag="end-upload"):
    upload: int


class DropUpload(Struct, frozen=True, tag="drop-upload"):
    """Whoever sent it is gone."""

    upload: int


class GetEvidence(Struct, frozen=True, tag="evidence"):
    """What is for the author of a bot: of one game, of one entry, or of all that the token is good for."""

    token: str
    game: str = ""
    entry: int = 0


HandInWish = BeginUpload | PutPiece | EndUpload | DropUpload | GetEvidence


# ---- what the porter replies


class Started(Struct, frozen=True, tag="started"):
    upload: int
    token: str = ""
    """Of a newcomer: it is good for versions of this bot once it is taken in."""


class EvidencePart(Struct, frozen=True):
    heading: str
    excerpts: tuple[tuple[str, str], ...]
    """What it is, and the text as the bot or its build wrote it."""


class GivenEvidence(Struct, frozen=True, tag="evidence"):
    title: str
    parts: tuple[EvidencePart, ...]


class UploadRow(Struct, frozen=True):
    """How it stands with what was handed in, for everybody."""

    upload: int
    name: str
    state: str
    """received, building, checking, playing, refused"""
    told: str
    """A sentence: what comes next, or why not."""
    at: float
    entry: int = 0
    edition: int = 0


HandInReply = Started | GivenEvidence
