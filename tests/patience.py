"""How long tests wait for what must happen. Only a broken program makes one wait that long, never a busy machine."""

PATIENCE = 120.0
"""Seconds. No test promises that something is quick: it waits for the event, and this ends it when none comes."""
