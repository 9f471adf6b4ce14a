"""The hall: nights, games and replays in the browser. Two processes that do not trust each other alike.

The porter (`porter.py`) is the host's: it alone opens stores and records, asks the gate, and gives the host's orders.
The hall (`hall.py`) speaks HTTP; as root it is a user without rights, and knows only what the porter hands through.
Starts no bot, and knows no terminal. Needs the extra `web`.
"""
