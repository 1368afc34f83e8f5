"""How times spread: components of variance, phases, drift, distributions, power."""
