"""Making puzzles: the generator, the local search for hard puzzles, canonical forms, the embedded collections."""
