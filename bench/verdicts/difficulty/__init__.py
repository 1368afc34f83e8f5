"""Times as a function of difficulty: curves, crossovers, the cost of search, measures of difficulty."""
