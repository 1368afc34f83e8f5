"""Runs from and for other tools."""
