"""Searches of our own: backtracking, propagation, exact cover, annealing, compiled bit boards."""
