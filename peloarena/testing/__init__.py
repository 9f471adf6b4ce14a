"""The public test kit for authors of bots and modules."""
