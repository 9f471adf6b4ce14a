"""Tune a bot's parameters by self-play: SPSA over whole deals, resumable, judged on unseen deals."""
