"""The search page: curves, key figures, runs, and the features that a run has selected so far."""
