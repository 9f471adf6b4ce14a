"""One error out of many: nurseries raise groups of exceptions; callers want the one that matters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..game import ConfigError
from .sandbox.errors import SandboxError


@contextmanager
def unwrap_error_groups() -> Iterator[None]:
    """Turns a group raised inside into the error that `most_important_error` picks from it."""
    try:
        yield
    except BaseExceptionGroup as group:
        raise most_important_error(group) from None


def most_important_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The user's mistake, else the machine's; the only error if there is only one; else the group itself."""
    for kind in (ConfigError, SandboxError):
        named = group.subgroup(kind)
        if named is not None:
            return leaf_errors(named)[0]
    return leaf_errors(group)[0] if len(leaf_errors(group)) == 1 else group


def leaf_errors(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in leaf_errors(inner)]
    return [error]
