"""Verdicts: from the rows of a run to answers. Data frames in, data frames out; nothing here writes or draws."""
