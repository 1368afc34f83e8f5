"""Two runs, or two versions of a strategy, against each other."""
