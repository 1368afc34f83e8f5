"""The variation of times: distributions, components of variance, power analysis, drift, phases."""
