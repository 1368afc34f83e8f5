"""The version of sudoku-bench: the only place that says it, beside CITATION.cff, which a test compares."""

VERSION = "0.2.0"
