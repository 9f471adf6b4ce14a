"""The sandbox: what an untrusted bot may see, use and leave behind. Knows processes; knows no game, protocol or Trio.

The referee needs `isolation` (prepare, Isolation), `cage` (Cage) and `limits`; the command line needs `doctor`. This
file imports nothing: the guardian (keeper.py) starts from this package with the standard library alone.
"""
