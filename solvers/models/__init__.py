"""Models for general solvers: constraint programming, CP-SAT, ASP, SMT, ILP, parity constraints, BDDs."""
