"""The variation of times: components of variance, power analysis, phases."""
