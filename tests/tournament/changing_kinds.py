"""The formats that the model of a changing tournament knows: keys of their tournament files, and the model's own
words."""

from __future__ import annotations

import os
from typing import Any

from changing_model import ChangingModel
from hypothesis import settings

Keys = dict[str, Any]
BENCH_AFTER = 3
KINDS: dict[str, tuple[Keys, Keys]] = {
    "pairs": ({}, {}),
    "tables of three": ({"table": 3}, {"size": 3}),
    "gauntlet": ({"format": "gauntlet"}, {"gauntlet": True}),
    "gauntlet of three": ({"format": "gauntlet", "table": 3}, {"gauntlet": True, "size": 3}),
    "solo": ({"format": "solo", "levels": [1, 3]}, {"size": 1, "levels": (1, 3)}),
}


def model_of(kind: str, deals: int) -> ChangingModel:
    return ChangingModel(deals, BENCH_AFTER, **KINDS[kind][1])


def keys_of(kind: str, deals: int) -> Keys:
    return {**KINDS[kind][0], "deals": deals, "bench_after": BENCH_AFTER}


def many(examples: int) -> settings:
    """A few in `make test`; `make fuzz` says how many instead, and draws them anew each time."""
    asked = os.environ.get("PELOARENA_FUZZ_EXAMPLES")
    return settings(max_examples=int(asked) // 10 if asked else examples, deadline=None, derandomize=not asked)
