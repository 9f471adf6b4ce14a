"""The messages between web process and backend about submissions and about evidence for authors."""

from __future__ import annotations

from msgspec import Struct

# ---- requests of the web process


class BeginUpload(Struct, frozen=True, tag="begin-upload"):
    """Start uploading a zip file. Without a token it is a new entry's, if the tournament is open to everybody."""

    token: str
    name: str = ""
    """The new entry's name, if its bot.toml has none."""


class UploadChunk(Struct, frozen=True, tag="piece"):
    upload: int
    data: bytes


class EndUpload(Struct, frozen=True, tag="end-upload"):
    upload: int


class DropUpload(Struct, frozen=True, tag="drop-upload"):
    """The sender of an upload is gone."""

    upload: int


class GetEvidence(Struct, frozen=True, tag="evidence"):
    """Ask for an author's evidence: of one game, of one entry, or of everything that the token gives access to."""

    token: str
    game: str = ""
    entry: int = 0


SubmissionRequest = BeginUpload | UploadChunk | EndUpload | DropUpload | GetEvidence


# ---- replies of the backend


class UploadStarted(Struct, frozen=True, tag="started"):
    upload: int
    token: str = ""
    """A new entry's token: valid for further versions of this bot once the bot is accepted."""


class EvidencePart(Struct, frozen=True):
    heading: str
    excerpts: tuple[tuple[str, str], ...]
    """Title, and the text as the bot or its build wrote it."""


class EvidenceReply(Struct, frozen=True, tag="evidence"):
    title: str
    parts: tuple[EvidencePart, ...]


class UploadStatus(Struct, frozen=True):
    """The public status of a submission."""

    upload: int
    name: str
    state: str
    """received, building, checking, playing, refused"""
    text: str
    """A sentence: what comes next, or why it was rejected."""
    at: float
    entry: int = 0
    edition: int = 0


SubmissionReply = UploadStarted | EvidenceReply
