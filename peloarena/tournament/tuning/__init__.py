"""Tuning a bot's parameters by self-play: SPSA over whole deals, resumable, judged on deals that it has not seen."""
