"""The variation of times: components of variance, power analysis, drift, phases."""
