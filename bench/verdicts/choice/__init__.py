"""The choice of a strategy: regret and the virtual best solver."""
