"""Execution of a plan: the probe, slots, outcomes, and the experiment as a whole."""
