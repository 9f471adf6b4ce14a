"""The command line: parses, calls, prints. Knows no rule of the game and decides nothing about a night.

A command is one file, peloarena/cli/NAME.py, whose object `command` is the click command, and one line in
`main.COMMANDS` with its short help, so that `--help` imports nothing. It may be a folder (`play/`). To add one:

- parse: options that others have too come from `common` and `table_options`; a mistake of the user's is a ConfigError,
  which `main` prints as one line with exit code 2;
- call: what it does lives in the layers to the left; bots run under `trio_main`;
- print: through `common.console` with text of others made harmless by `common.safe`, tables by `tables.plain_table`,
  JSON by `common.print_json`; return an exit code of `common`, or nothing for a good end.
"""
