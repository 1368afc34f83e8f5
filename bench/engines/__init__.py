"""Capabilities of each SAT engine, tested in separate processes."""
