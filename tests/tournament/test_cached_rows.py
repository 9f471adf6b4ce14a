"""Rows that are kept until they change: who asks always gets what a fresh connection would read."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable
from pathlib import Path

from made_up import add, fixture_of, store_of

from peloarena.tournament.entries import Entry, Version
from peloarena.tournament.store import Store

Write = Callable[[Store, int], None]
WRITES: dict[str, Write] = {
    "order": lambda store, number: store.add_host_action("withdraw", "a", f"reason {number}"),
    "version": lambda store, number: store.set_version(Version(1, 1 + number % 3, f"hash {number}", state="ready")),
    "entry": lambda store, number: store.set_entry(Entry(1, f"name {number}", "", "")),
    "game": lambda store, number: add(store, fixture_of("ab", seating=number)),
}


class Undone(Exception):
    pass


def all_rows(store: Store) -> tuple[object, ...]:
    return store.entries(), store.versions(), store.host_actions(), store.host_actions(2)


def undone(write: Write) -> Write:
    def write_and_undo(store: Store, number: int) -> None:
        with contextlib.suppress(Undone), store.transaction():
            write(store, number)
            all_rows(store)  # what is read here must not be kept
            raise Undone

    return write_and_undo


def test_every_connection_reads_what_is_there(tmp_path: Path) -> None:
    """Whoever writes, whatever is written, and whether it holds or is rolled back, in an order by chance."""
    path, chance = tmp_path / "night.sqlite", random.Random(13)
    steps = [kind for kind in itertools.product(sorted(WRITES), ("own", "other"), ("held", "undone")) for _ in range(5)]
    chance.shuffle(steps)
    with store_of(path, "ab") as own, Store.open_to_change(path) as other, Store.open_to_read(path) as reader:
        writers = {"own": own, "other": other}
        for store in writers.values():
            store._db.execute("PRAGMA synchronous = OFF")  # no disk in a test of what is read
        for number, (name, who, held) in enumerate(steps, 1):
            write = WRITES[name] if held == "held" else undone(WRITES[name])
            write(writers[who], number)
            with Store.open_to_read(path) as fresh:
                expected = all_rows(fresh)
            assert [all_rows(store) for store in (own, other, reader)] == [expected] * 3, (number, name, who, held)


def test_what_was_returned_may_be_changed(tmp_path: Path) -> None:
    with store_of(tmp_path / "night.sqlite", "ab") as store:
        store.versions().clear()
        assert [version.entry for version in store.versions()] == [1, 2]
