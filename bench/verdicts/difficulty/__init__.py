"""Times as a function of difficulty: curves, crossovers, growth, the cost of search, measures of difficulty."""
