"""The choice of a strategy: workloads, regret, the virtual best solver, robustness of rankings."""
