"""The compare page: runs and methods side by side."""
