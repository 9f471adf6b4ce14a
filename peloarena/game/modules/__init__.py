"""The modules: one file each. They know the base game, never each other."""
