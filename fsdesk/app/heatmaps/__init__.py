"""Heatmaps: weights and selection over a search, the data of the answer, how often runs select a feature."""
