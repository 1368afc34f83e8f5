"""Suites shipped with the project, as TOML files."""
