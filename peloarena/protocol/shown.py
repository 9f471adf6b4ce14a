"""How much of a bot's output is kept and shown: all lengths in one place, in characters or bytes of UTF-8."""

QUOTED = 80
"""Of a line or a name, inside a sentence."""
EVIDENCE_LINE = 2000
"""Of the last answer, in the evidence of a verdict; the request is there in full."""
EVIDENCE_STDERR = 4000
"""Of the end of stderr, likewise."""
DECISION_STDERR = 4000
"""Of a bot's stderr for one decision, in a record; the middle is cut."""
GAME_STDERR = 64 * 1024
"""Likewise, of a seat in a game."""
BUILD_OUTPUT = 2000
"""Of the end of a build's output."""
NEVER_STARTED_STDERR = 500
"""Of the end of stderr, when the sandbox could not start a bot."""
SUMMARY_ANSWER = 200
"""Of a bot's last line, with one finding of `check`."""
TRIAL_STDERR = 2000
"""Of the end of stderr, where a bot fails the trial before a tournament."""
TERMINAL_LINE = 300
"""Of a request or an answer, in a terminal."""
PAGE_LINE = 1500
"""Of a request or an answer, in a report."""
REASON = 900
"""Of the sentence of a verdict, which may quote the bot."""
FLOOD = 60
"""Of a line that is too long, in that sentence; in bytes."""
