"""The result page: what a run found and how sure that is."""
