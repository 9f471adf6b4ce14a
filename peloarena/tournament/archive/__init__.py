"""The archive of a tournament: a folder that anybody can check without our software (spec/ARCHIVE.md)."""
