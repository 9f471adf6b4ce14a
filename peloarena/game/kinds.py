"""The five open families of the engine: steps, moves, events, parts of the state, components.

Each is an empty marker that the Structs of the base game and of the modules inherit. A field annotated with a marker
holds a member of the family; `registry` knows them all, `codec` decodes them by their tag.

How their Structs are written, and why:

- `frozen=True`: clones of a state share them.
- `gc=False`: they hold no cycles, so the garbage collector need not follow the many that a search makes.
- Tags of moves, events and parts are snake_case, because bots read them. Steps have `tag=True`, which is the class
  name: the agenda is internal to the engine, and its entries say where in the code to look.
- Markers have `__slots__ = ()`, or every Struct below them would carry a dict.
"""


class Step:
    """Something pending: an entry of the agenda."""

    __slots__ = ()


class Ask(Step):
    """A step that asks a seat to decide. Its other fields say about what."""

    __slots__ = ()

    seat: int


class Move:
    """One option of a decision."""

    __slots__ = ()


class Event:
    """Something that happened."""

    __slots__ = ()


class Part:
    """What a module keeps in the state, once for the table or once per seat. Frozen: replaced, never changed."""

    __slots__ = ()


class Component:
    """A printed piece that only a module knows: a hero, a trade tile."""

    __slots__ = ()


def tag_of(kind: type) -> str:
    """The tag of a Struct of one of the families: its name in JSON."""
    config = getattr(kind, "__struct_config__")  # noqa: B009 - the markers do not declare it
    return str(config.tag)
