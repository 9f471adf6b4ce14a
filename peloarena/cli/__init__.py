"""The command line: parses, calls, prints. Knows no rule of the game and decides nothing about a tournament.

A command is one file, peloarena/cli/NAME.py, whose object `command` is the click command, and one line in
`main.SECTIONS` with its short help, so that `--help` imports nothing. It may be a folder (`play/`). To add one:

- parse: options shared with other commands come from `common` and `referee_options`; a user's mistake is a ConfigError,
  which `main` prints as one line with exit code 2;
- call: the work is done in the layers to the left; bots run under `trio_main`;
- print: through `common.console`, with untrusted text escaped by `common.safe`, tables by
  `terminal_tables.plain_table`, JSON by `common.print_json`; return an exit code of `common`, or nothing for success.
"""
