"""The choice of a strategy: workloads, regret and the virtual best solver."""
