"""The data page: the table, its columns, and the problems found, with fixes."""
