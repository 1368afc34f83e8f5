"""Which strategy to choose: workloads, regret, the virtual best solver, robustness of rankings."""
