"""Times over difficulty: curves, crossovers, growth, and what the measures of difficulty predict."""
