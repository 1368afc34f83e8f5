"""Named lists of puzzles: the catalogue, the embedded data and downloads."""
