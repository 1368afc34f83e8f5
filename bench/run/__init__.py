"""Carrying out a plan: pilot, lanes, judging answers, the experiment as a whole."""
