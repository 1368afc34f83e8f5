"""Execution of a plan: the pilot, lanes, judging of answers, and the experiment as a whole."""
