"""The data page: the table, its columns, what is wrong with it and how that is mended."""
