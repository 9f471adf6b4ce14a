"""Promises that cannot be tried on every machine. The reason of a skip begins with one, and the run's end lists them.

Each promise is one of PROMISES, so that a run can tell the skips that its user cannot help from all others.
"""

from __future__ import annotations

from typing import NoReturn

import pytest

SANDBOX = "the bots' sandbox"
CGROUPS = "limits by cgroups"
UIDS = "uids for bots"
CORES = "cores for each table"
EVERY_PROTECTION = "all protections at once"
C = "bots in C"
NODE = "bots in JavaScript"
JAVA = "bots in Java"
RUST = "bots in Rust"
DEBIAN_CHAINS = "bots in Haskell, OCaml, C#, PHP and Ruby"
KIT_CHAINS = "kits in every language"
SIGNATURES = "signed archives"
BROWSER = "pages in a browser"
AXE = "pages for everybody"
OWN_MOUNTS = "a disk that is full"

PROMISES = {
    SANDBOX: "bubblewrap",
    CGROUPS: "root, or a cgroup that is delegated",
    UIDS: "root",
    CORES: "root, or a cgroup that is delegated",
    EVERY_PROTECTION: "root, or a cgroup that is delegated",
    C: "a C compiler",
    NODE: "node",
    JAVA: "java",
    RUST: "/usr/bin/rustc",
    DEBIAN_CHAINS: "ghc, ocamlfind, mcs, php and ruby (make test-kits)",
    KIT_CHAINS: "the tool chains of tools/install-kit-tools (make test-kits)",
    SIGNATURES: "ssh-keygen (openssh-client)",
    BROWSER: "chromium and playwright (make test-web)",
    AXE: "axe-core (make test-web)",
    OWN_MOUNTS: "root, or user namespaces (unshare -Urm)",
}
"""What each needs."""

ONLY_FOR_ROOT = {promise for promise, needs in PROMISES.items() if needs.startswith("root")}


def untried(promise: str, why: str) -> NoReturn:
    """Ends a test or a fixture here."""
    pytest.skip(reason_of(promise, why))


def needs(promise: str, there: bool) -> pytest.MarkDecorator:
    """Marks a test that tries a promise, skipped where what it needs is not there."""
    return pytest.mark.skipif(not there, reason=reason_of(promise, f"needs {PROMISES[promise]}"))


def reason_of(promise: str, why: str) -> str:
    assert promise in PROMISES
    return f"{promise}: {why}"


def promise_of(reason: str) -> str:
    """The promise that a skip's reason begins with; the reason itself if it begins with none."""
    promise = reason.partition(":")[0]
    return promise if promise in PROMISES else reason
