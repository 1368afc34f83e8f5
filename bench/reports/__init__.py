"""The write-up of a run: numbers, tables, captions, method and sources, as files for a paper."""
