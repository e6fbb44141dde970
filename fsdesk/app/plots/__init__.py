"""Plots: curves, heatmaps, the plots of the result page and the small plots of single features."""
