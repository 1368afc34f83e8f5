"""Maintainers' programs: validation of the instrument and the tables of the documents. Not installed."""
