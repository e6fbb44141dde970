"""The runs of a project: the list and the queue, many at once, and steering while one is under way."""
