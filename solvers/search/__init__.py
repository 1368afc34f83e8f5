"""Search algorithms: backtracking, propagation, exact cover, annealing, portfolio, compiled bitboards."""
