"""The data files of the embedded collections."""
