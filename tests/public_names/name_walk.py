"""Names in data: the keys of a type, of a value that was written as JSON, of a JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Literal, NamedTuple

from msgspec import Struct, inspect


class Name(NamedTuple):
    """A line of a list."""

    text: str
    mark: Literal["", "required", "always"] = ""
    """required: who writes it cannot leave it out. always: who reads it can count on it."""
    owner: str = ""
    """The name that it is a part of; empty: it belongs to nothing that could be new."""

    @property
    def line(self) -> str:
        return f"{self.text} ({self.mark})" if self.mark else self.text


def found(place: str) -> Any:
    """`"module:name"` of the package."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"peloarena.{module}"), name)


# ---- types


def keys_of(kind: object, path: str, *, demands: bool = False) -> Iterator[Name]:
    """`path.key`, `path.list[].key`, `path.table{}.key`, `path.key = value` of a closed set of values.

    demands: a program or a person writes it, so that a key without a default must be there.
    """
    return _keys(inspect.type_info(kind), path, demands, ())


def _keys(info: inspect.Type, path: str, demands: bool, above: tuple[type, ...]) -> Iterator[Name]:
    if isinstance(info, inspect.StructType | inspect.DataclassType):
        if isinstance(info, inspect.StructType) and info.tag is not None:
            yield Name(f"{joined(path, str(info.tag_field))} = {info.tag}", owner=owner_of(path))
        yield from _fields(info, path, demands, above)
    elif isinstance(info, inspect.UnionType):
        for one in info.types:
            tag = one.tag if isinstance(one, inspect.StructType) else None
            label = path if tag is None else joined(path, str(tag))
            if tag is not None:
                yield Name(label, owner=path)
            yield from _keys(one, label, demands, above)
    elif isinstance(info, inspect.CollectionType):
        yield from _keys(info.item_type, items_of(path), demands, above)
    elif isinstance(info, inspect.TupleType):
        for one in info.item_types:
            yield from _keys(one, items_of(path), demands, above)
    elif isinstance(info, inspect.DictType):
        yield from _keys(info.value_type, f"{path}{{}}", demands, above)
    elif isinstance(info, inspect.LiteralType):
        yield from (Name(f"{path} = {shown(value)}", owner=owner_of(path)) for value in info.values)
    elif isinstance(info, inspect.EnumType):
        yield from (Name(f"{path} = {shown(member.value)}", owner=owner_of(path)) for member in info.cls)
    elif isinstance(info, inspect.Metadata):
        yield from _keys(info.type, path, demands, above)


def _fields(
    info: inspect.StructType | inspect.DataclassType, path: str, demands: bool, above: tuple[type, ...]
) -> Iterator[Name]:
    if info.cls in above:
        return
    for field in info.fields:
        name = joined(path, field.encode_name)
        yield Name(name, "required" if demands and field.required else "", owner_of(path))
        yield from _keys(field.type, name, demands, (*above, info.cls))


def shown(value: object) -> str:
    return str(value) or '""'


def joined(path: str, key: str) -> str:
    return f"{path}.{key}" if not path.endswith(":") else f"{path} {key}"


def items_of(path: str) -> str:
    return f"{path} []" if path.endswith(":") else f"{path}[]"


def owner_of(path: str) -> str:
    return path.rstrip("[]{} ").removesuffix(":")


# ---- values


class Seen:
    """Finds the keys of values that were written as JSON. The type of a Struct gives all its keys, also those below
    what is None or empty this time. Lists and tables that a command puts together show only what is in them, so those
    that were never filled are remembered.

    by_data: places of tables whose keys are names of bots and the like.
    """

    def __init__(self, by_data: Iterable[str] = ()) -> None:
        self._by_data = re.compile("|".join(by_data))
        self._empty: set[str] = set()
        self._filled: set[str] = set()

    @property
    def never_filled(self) -> set[str]:
        return self._empty - self._filled

    def of(self, value: object, path: str) -> Iterator[Name]:
        if isinstance(value, Struct):
            yield from keys_of(type(value), path)
            for field in inspect.type_info(type(value)).fields:  # type: ignore[attr-defined]
                if isinstance(field.type, inspect.AnyType):
                    yield from self.of(getattr(value, field.name), joined(path, field.encode_name))
        elif isinstance(value, Mapping):
            by_data = self._by_data.fullmatch(path)
            for key, one in value.items():
                name = f"{path}{{}}" if by_data else joined(path, str(key))
                if not by_data:
                    yield Name(name)
                yield from self.of(one, name)
        elif isinstance(value, list | tuple):
            for one in value:
                yield from self.of(one, items_of(path))
        (self._empty if value in (None, [], (), {}) else self._filled).add(path)


# ---- schema


def keys_of_schema(schema: Mapping[str, Any]) -> Iterator[Name]:
    """All definitions with their properties, values and members."""
    defs = schema["$defs"]
    written = {ref_of(one) for one in defs["from_bot"]["anyOf"]}
    for name, node in defs.items():
        yield Name(f"$defs {name}", owner="$defs")
        yield from _nodes(node, f"$defs {name}", "required" if name in written else "always")


def _nodes(node: Mapping[str, Any], path: str, mark: Literal["required", "always"]) -> Iterator[Name]:
    needed = node.get("required", ())
    for key, one in node.get("properties", {}).items():
        yield Name(f"{path}.{key}", mark if key in needed else "", path)
        yield from _nodes(one, f"{path}.{key}", mark)
    for value in [node["const"]] if "const" in node else node.get("enum", ()):
        yield Name(f"{path} = {shown(value)}", owner=path)
    for one in node.get("anyOf", ()):
        label = ref_of(one) or one.get("title", "")
        if label:
            yield Name(f"{path}: {label}", owner=path)
        yield from _nodes(one, f"{path}: {label}" if label else path, mark)
    for key, place in (("items", "[]"), ("additionalProperties", "{}")):
        if isinstance(node.get(key), Mapping):
            yield from _nodes(node[key], f"{path}{place}", mark)


def ref_of(node: Mapping[str, Any]) -> str:
    return str(node.get("$ref", "")).removeprefix("#/$defs/")
