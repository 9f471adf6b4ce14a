"""Nights on many machines, by a Dask cluster. Who may know what:

    runner      the host's: store and secret. Decides which node plays what (fleet), believes no report (verifier)
    broker      has the Dask client, and nothing else: a room of its own, no file of the host, no secret
    node        what a Dask worker is asked to do: survey itself, take in a bot, play a game

Only `broker` and `node` import Dask. docs/cluster.md says whom a host trusts with that.
"""
