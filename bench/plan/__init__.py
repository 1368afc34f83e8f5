"""What a run measures and in which order: suites, strategies, reference answers and the plan."""
