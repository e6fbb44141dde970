"""The compare page for runs and methods."""
