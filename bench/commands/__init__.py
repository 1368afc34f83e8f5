"""The commands of ``sudoku-bench``, one module each: ``add`` completes the command's parser, ``main`` runs the command.

``bench/cli`` lists the commands and imports only the module of the one that is used.
"""
