"""Tournaments, games and replays in the browser, served by two processes, only one of which is trusted.

The backend (`backend.py`) belongs to the host: only it opens stores and records, asks the gate, and applies host
actions. The web process (`web_main.py`) speaks HTTP; started by root, it becomes a user without rights, and it knows
only what the backend passes on. This package starts no bot and knows no terminal. It needs the extra `web`.
"""
