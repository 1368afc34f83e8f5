"""Pairs of strategies: estimates, placebos, decisions, ranks."""
