"""The embedded collections as data files."""
