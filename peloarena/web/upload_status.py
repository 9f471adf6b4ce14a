"""The status of submissions, in words for everybody. Pure: a function of uploads and of the tournament."""

from __future__ import annotations

from collections.abc import Sequence

from ..tournament.entries import Version
from ..tournament.entry_reports import VersionSchedule
from ..tournament.report.public_text import public_problem
from ..tournament.tournament_state import TournamentState
from .submission_messages import UploadStatus
from .uploads import Upload

MOST_LISTED_UPLOADS = 50
"""The newest first."""
VERSION_STATUSES = {
    "queued": ("received", "waits for its trial"),
    "building": ("building", "is being built in the sandbox"),
    "trying": ("checking", "plays its trial games"),
}
UPLOAD_TEXTS = {"receiving": "is being uploaded", "received": "waits to be unpacked"}


def upload_statuses(uploads: Sequence[Upload], state: TournamentState | None) -> tuple[UploadStatus, ...]:
    versions = {} if state is None else {(version.entry, version.edition): version for version in state.versions}
    schedule = None if state is None else VersionSchedule(state.config, state.rounds)
    newest = sorted(uploads, key=lambda upload: upload.id, reverse=True)[:MOST_LISTED_UPLOADS]
    return tuple(upload_status_of(upload, versions.get((upload.entry, upload.edition)), schedule) for upload in newest)


def upload_status_of(upload: Upload, version: Version | None, schedule: VersionSchedule | None) -> UploadStatus:
    state, text = state_and_text(upload, version, schedule)
    return UploadStatus(upload.id, upload.name, state, text, upload.at, upload.entry, upload.edition)


def state_and_text(upload: Upload, version: Version | None, schedule: VersionSchedule | None) -> tuple[str, str]:
    if upload.state == "refused":
        return "refused", public_problem(upload.problem)
    if upload.state != "handed":
        return "received", UPLOAD_TEXTS[upload.state]
    if version is None or schedule is None:
        return VERSION_STATUSES["queued"]
    if version.state == "ready":
        return "playing", schedule.describe_start(version)
    return (
        ("refused", public_problem(version.problem)) if version.state == "refused" else VERSION_STATUSES[version.state]
    )
