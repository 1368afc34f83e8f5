"""Collections: the catalogue, the embedded puzzles and downloads."""
