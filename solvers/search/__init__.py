"""Search algorithms: backtracking, propagation, exact cover, portfolio, compiled bitboards."""
