"""Verdicts: the statistics of a run. Data frames in, data frames out; nothing here writes files or draws."""
