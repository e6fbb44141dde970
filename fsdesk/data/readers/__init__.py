"""Readers of tables, one file a format; :mod:`fsdesk.data.readers.registry` lists them."""
