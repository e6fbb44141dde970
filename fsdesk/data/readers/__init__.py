"""Readers of tables, one module per format; :mod:`fsdesk.data.readers.registry` lists them."""
