"""How much of a bot's output is kept and shown: all lengths in one place, in characters or bytes of UTF-8."""

QUOTE_LENGTH = 80
"""Of a line or a name, inside a sentence."""
EVIDENCE_LINE_LENGTH = 2000
"""Of the last answer, in the evidence of a verdict; the request is there in full."""
EVIDENCE_STDERR_LENGTH = 4000
"""Of the end of stderr, likewise."""
DECISION_STDERR_LENGTH = 4000
"""Of a bot's stderr for one decision, in a record; the middle is cut."""
GAME_STDERR_LENGTH = 64 * 1024
"""Likewise, of a seat in a game."""
BUILD_OUTPUT_LENGTH = 2000
"""Of the end of a build's output."""
START_FAILURE_STDERR_LENGTH = 500
"""Of the end of stderr, when the sandbox could not start a bot."""
SUMMARY_ANSWER_LENGTH = 200
"""Of a bot's last line, with one finding of `check`."""
TRIAL_STDERR_LENGTH = 2000
"""Of the end of stderr, where a bot fails the trial before a tournament."""
TERMINAL_LINE_LENGTH = 300
"""Of a request or an answer, in a terminal."""
PAGE_LINE_LENGTH = 1500
"""Of a request or an answer, in a report."""
REASON_LENGTH = 900
"""Of the sentence of a verdict, which may quote the bot."""
FLOOD_QUOTE_BYTES = 60
"""Of a line that is too long, in that sentence; in bytes."""
