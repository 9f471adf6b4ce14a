"""The example lies here as files to be copied: its tests run in the copy of the tree."""

collect_ignore = ["tegea"]
