"""The data page: the table, its columns, what was found wrong with it and how that is mended."""
