"""The result page: the result of a run and its reliability."""
