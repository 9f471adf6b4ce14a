"""A file of the rules defines Structs or holds logic: so the logic can be compiled, and the Structs need not be."""

import ast
import re
import sys
from pathlib import Path

import pytest

import peloarena.game

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from compile_rules import compiled_files

GAME = Path(peloarena.game.__file__).parent
FILES = sorted(path.relative_to(GAME).as_posix() for path in GAME.rglob("*.py"))
BOTH = {
    "module.py": "the typed entries of a manifest stand beside what they make; they run on import, never in a game",
}
"""The exceptions, with their reasons."""
SHAPE_BASES = {"Struct", "Enum", "IntEnum", "StrEnum", "Flag", "NamedTuple", "TypedDict"}


def is_shape(node: ast.stmt) -> bool:
    """A Struct, an enum, a dataclass: what is made of fields, and stays interpreted."""
    if not isinstance(node, ast.ClassDef):
        return False
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    decorators = {ast.unparse(decorator).partition("(")[0] for decorator in node.decorator_list}
    return bool(bases & SHAPE_BASES) or "dataclass" in decorators


def is_logic(node: ast.stmt) -> bool:
    """A function of the file; methods of a shape belong to the shape."""
    return isinstance(node, ast.FunctionDef) or (
        isinstance(node, ast.ClassDef) and not is_shape(node) and has_code(node)
    )


def has_code(node: ast.ClassDef) -> bool:
    """Markers, exceptions and protocols have none."""
    return any(isinstance(inner, ast.FunctionDef) and inner.name != "__init__" for inner in node.body) and not any(
        ast.unparse(base) == "Protocol" for base in node.bases
    )


def both(source: str) -> bool:
    body = ast.parse(source).body
    return any(map(is_shape, body)) and any(map(is_logic, body))


@pytest.mark.parametrize("name", FILES)
def test_a_file_defines_shapes_or_holds_logic(name: str) -> None:
    assert both((GAME / name).read_text()) == (name in BOTH), BOTH.get(name, "move the Structs to a file of shapes")


@pytest.mark.parametrize(
    "shape", ["class A(Step, Struct, frozen=True):\n    seat: int", "@dataclass(slots=True)\nclass A:\n    a: int"]
)
def test_the_test_sees_a_file_that_does_both(shape: str) -> None:
    assert both(f"{shape}\n\n\ndef rule(flow):\n    return flow\n")
    assert not both(shape)


def test_a_module_with_shapes_is_a_folder_with_shapes_rules_and_manifest() -> None:
    """The form that a newcomer copies (docs/ARCHITECTURE.md)."""
    for folder in (GAME / "modules").iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            names = {path.name for path in folder.glob("*.py")}
            assert {"__init__.py", "shapes.py"} < names, folder.name


def test_what_is_compiled_holds_no_struct() -> None:
    """msgspec decodes Structs by their annotations, which a compiled class does not keep."""
    files = compiled_files(GAME.parents[1])
    assert {GAME / "engine.py", GAME / "modules" / "hellas.py", GAME / "modules" / "trade" / "rules.py"} < set(files)
    assert [path.name for path in files if re.search(r"^class .*\bStruct\b", path.read_text(), re.MULTILINE)] == []
