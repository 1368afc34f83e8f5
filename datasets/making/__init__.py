"""How puzzles are made: generator, local search for hard ones, canonical forms, the embedded collections."""
