"""Tournaments on many machines, on a Dask cluster. Each process knows only what it needs:

    runner      the host's: store and secret. Decides which node plays what (fleet), trusts no report (verifier)
    broker      has the Dask client and nothing else: its own sandbox, no file of the host, no secret
    node        the tasks of a Dask worker: probe itself, install a bot, play a game

Only `broker` and `node` import Dask. docs/cluster.md explains whom a host trusts by using it.
"""
