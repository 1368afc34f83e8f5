"""Puzzles solved step by step, as a person would."""
