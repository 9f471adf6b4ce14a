"""The sandbox: what an untrusted bot may see, use and leave behind. Knows processes; knows no game, protocol or Trio.

The referee needs `isolation` (prepare, Isolation), `sandbox` (Sandbox) and `limits`; the command line needs
`protections`. This file imports nothing: the guardian (guardian.py) starts from this package with the standard library
alone.
"""
