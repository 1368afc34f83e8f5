"""The commands of ``sudoku-bench``, one module each: ``add`` declares the options, ``main`` runs the command."""
