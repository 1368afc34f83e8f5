"""Strategies that are external programs: SAT solvers that read DIMACS files, and programs that read puzzle lines."""
