"""The public Python API: names with their import paths, members, parameters."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from name_sources import DOCUMENTED, INSTANCES, MADE_BY_US, PYTHON, REACHED
from name_walk import Name, found


def python_names() -> Iterator[Name]:
    for path in PYTHON:
        module = import_module(path)
        for word in public_words(module):
            yield from names_of(f"{path}.{word}", getattr(module, word))
    for path, place in REACHED.items():
        yield from members_of(path, found(place))


def public_words(module: ModuleType) -> list[str]:
    """`__all__`; else what the module defines, or imports for others (`from .new import word as word`)."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    words: list[str] = []
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            words.append(node.name)
        elif isinstance(node, ast.Assign) and not is_type_variable(node.value):
            words += [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            words.append(node.target.id)
        elif isinstance(node, ast.ImportFrom):
            words += [alias.name for alias in node.names if alias.asname == alias.name]
    return [word for word in words if not word.startswith("_")]


def is_type_variable(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "TypeVar"


def names_of(path: str, value: object) -> Iterator[Name]:
    yield Name(path)
    if inspect.isclass(value):
        yield from (Name(f"{path} is a {base.__name__}") for base in value.__mro__[1:] if is_built_in_error(base))
        if value.__name__ not in MADE_BY_US and (not issubclass(value, Exception) or "__init__" in vars(value)):
            yield from parameters_of(path, value, bound=True)
        yield from members_of(path, value)
    elif inspect.isfunction(value):  # not msgspec's `encode`, whose versions describe its parameter differently
        yield from parameters_of(path, value, bound=True)


def is_built_in_error(base: type) -> bool:
    return issubclass(base, Exception) and base.__module__ == "builtins" and base is not Exception


def members_of(path: str, kind: type) -> Iterator[Name]:
    words = {word for base in kind.__mro__ if base.__module__.startswith("peloarena") for word in vars(base)}
    if path in INSTANCES:
        words |= vars(INSTANCES[path](kind)).keys()
    if path in DOCUMENTED:
        words = (words | attributes_of_slots(kind)) & set(DOCUMENTED[path])
    for word in words:
        if word.startswith("_"):
            continue
        yield Name(f"{path}.{word}", owner=path)
        member = inspect.getattr_static(kind, word, None)
        if inspect.isfunction(member) or isinstance(member, staticmethod | classmethod):
            yield from parameters_of(f"{path}.{word}", getattr(kind, word), bound=not inspect.isfunction(member))


def attributes_of_slots(kind: type) -> set[str]:
    return {word for base in kind.__mro__ for word in getattr(base, "__annotations__", ())}


def parameters_of(path: str, value: object, *, bound: bool) -> Iterator[Name]:
    """Places count for those that can be given by place."""
    assert callable(value)
    parameters = list(inspect.signature(value).parameters.values())
    for number, parameter in enumerate(parameters if bound else parameters[1:], 1):
        by_name = {
            parameter.KEYWORD_ONLY: f"{parameter.name}=",
            parameter.VAR_POSITIONAL: f"*{parameter.name}",
            parameter.VAR_KEYWORD: f"**{parameter.name}",
            parameter.POSITIONAL_ONLY: f"{number}",
        }
        free = parameter.default is not parameter.empty or parameter.kind in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        )
        shown = by_name.get(parameter.kind, f"{number} {parameter.name}")
        yield Name(f"{path}({shown})", "" if free else "required", path)
