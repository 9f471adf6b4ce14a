"""The rules of the game: no I/O but its own data, no clock, no Trio; deterministic."""
