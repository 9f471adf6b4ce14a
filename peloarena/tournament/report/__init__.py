"""What is left of a night: one HTML page for everybody, and sheets for programs."""
