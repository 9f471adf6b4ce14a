"""Every rule id in force has a test. A test cites ids at the start of its docstring: `\"\"\"R2d, P4: why.\"\"\"`

The ids are those of spec/RULES.md; a chapter of a module is in force once the registry has the module.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from peloarena.game.registry import MODULES

TESTS = Path(__file__).parent
SPEC = TESTS.parents[1] / "spec" / "RULES.md"
CITED = re.compile(r"[A-Z]\d[a-z]?\b(?:, [A-Z]\d[a-z]?\b)*")
PRINTED = re.compile(r"\*\*([A-Z]\d[a-z]?)\b")

ALWAYS = (
    "P1 P2 P3 P4 P5 P6 S1 S2 S3 R1 R2 R2a R2b R2c R2d R2e R3 R4 R4a R4b R5 R6 R7 "
    "D1 D2 D3 D4 D5 D6 V1 V2 V3 E1 E2 Z1 Z2 Z3 L1 L2 O1 O2 O3"
)
OF_MODULES = {
    "L": ("hellas",),
    "O": ("sea",),
    "T": ("trade",),
    "G": ("goats",),
    "X": ("goats", "sacrum"),
    "H": ("athens",),
    "C": ("heroes", "colonies", "persians"),
    "C7": ("negotiation",),
    "U": ("sacrum",),
}
"""By chapter, or by rule where one rule has a module to itself: what must be registered for it to be in force."""


def in_force(rule: str) -> bool:
    needed = OF_MODULES.get(rule, OF_MODULES.get(rule[0], ()))
    return all(name in MODULES for name in needed)


def printed_ids() -> set[str]:
    return set(PRINTED.findall(SPEC.read_text(encoding="utf-8")))


def cited_ids() -> Iterator[str]:
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                match = CITED.match(ast.get_docstring(node) or "")
                yield from match.group().split(", ") if match else ()


def test_every_rule_id_in_force_is_cited_by_a_test() -> None:
    lacking = sorted({rule for rule in printed_ids() if in_force(rule)} - set(cited_ids()))
    assert not lacking, f"rules without a test: {', '.join(lacking)}"


def test_no_test_cites_a_rule_that_there_is_not() -> None:
    known = printed_ids()
    chapters = {rule[0] for rule in known}  # a trade tile K5 is no rule
    unknown = sorted(rule for rule in set(cited_ids()) - known if rule[0] in chapters)
    assert not unknown, f"spec/RULES.md has no {', '.join(unknown)}"


def test_the_rules_of_the_base_game_are_all_printed() -> None:
    """Should the page lose an id, the first test would not miss it."""
    assert set(ALWAYS.split()) <= printed_ids()
