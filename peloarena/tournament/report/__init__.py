"""The results of a tournament: one HTML page for everybody, and tables for programs."""
