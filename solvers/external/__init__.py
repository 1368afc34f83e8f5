"""Strategies that are external programs: SAT solvers on DIMACS files, and programs that read puzzle lines."""
