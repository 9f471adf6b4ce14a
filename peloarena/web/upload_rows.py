"""The status of submissions, in words for everybody. Pure: a function of uploads and of the tournament."""

from __future__ import annotations

from collections.abc import Sequence

from ..tournament.entries import Version
from ..tournament.entry_files import Course
from ..tournament.night_state import NightState
from ..tournament.report.public import public_problem
from .hand_in_messages import UploadRow
from .uploads import Upload

MOST = 50
"""The newest first."""
STATES = {
    "queued": ("received", "waits for its trial"),
    "building": ("building", "is being built in the sandbox"),
    "trying": ("checking", "plays its trial games"),
}
COMING = {"receiving": "is being uploaded", "received": "waits to be unpacked"}


def rows_of(uploads: Sequence[Upload], state: NightState | None) -> tuple[UploadRow, ...]:
    versions = {} if state is None else {(version.entry, version.edition): version for version in state.versions}
    course = None if state is None else Course(state.config, state.rounds)
    newest = sorted(uploads, key=lambda upload: upload.id, reverse=True)[:MOST]
    return tuple(row_of(upload, versions.get((upload.entry, upload.edition)), course) for upload in newest)


def row_of(upload: Upload, version: Version | None, course: Course | None) -> UploadRow:
    state, told = stands(upload, version, course)
    return UploadRow(upload.id, upload.name, state, told, upload.at, upload.entry, upload.edition)


def stands(upload: Upload, version: Version | None, course: Course | None) -> tuple[str, str]:
    if upload.state == "refused":
        return "refused", public_problem(upload.problem)
    if upload.state != "handed":
        return "received", COMING[upload.state]
    if version is None or course is None:
        return STATES["queued"]
    if version.state == "ready":
        return "playing", course.when(version)
    return ("refused", public_problem(version.problem)) if version.state == "refused" else STATES[version.state]
