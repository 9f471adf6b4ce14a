"""The sandbox: what a stranger's bot may see, use and leave behind. Knows processes; knows no game, protocol or Trio.

The referee needs `isolation` (prepare, Isolation), `cage` (Cage) and `limits`; the command line needs `doctor`.
Nothing is imported here: the keeper starts from this package with the standard library alone.
"""
