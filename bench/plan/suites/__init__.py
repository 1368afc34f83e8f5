"""The suites that ship with the project, as TOML."""
