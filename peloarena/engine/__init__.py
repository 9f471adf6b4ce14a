"""The engine as a line service, for bots in other languages (spec/ENGINE.md). Knows no Trio, so that it starts fast."""
