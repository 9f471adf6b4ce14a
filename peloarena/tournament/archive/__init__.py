"""The archive of a night: a folder that anybody can check without us (spec/ARCHIVE.md)."""
