"""The search page: key figures, curves, heatmap, runs, and the features selected so far."""
