"""Execution of a plan: the probe, lanes, outcomes, and the experiment as a whole."""
