"""Comparisons of two runs, or of two versions of a strategy in one run."""
