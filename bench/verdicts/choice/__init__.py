"""The choice of a strategy: its mean costs, and the virtual best solver."""
