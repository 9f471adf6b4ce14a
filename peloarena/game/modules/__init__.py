"""The modules. They know the base game, never each other; where two meet, they meet in `game/meetings.py`.

A module with shapes of its own is a folder of three files: `shapes.py` (its Structs), `rules.py` (what is done with
them; more files where it is long) and `__init__.py` (the manifest, which the registry reads). One without shapes of
its own is a single file.
"""
