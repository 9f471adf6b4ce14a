"""peloarena: the arena for Peloponnes bots."""

__version__ = "0.1.0"
