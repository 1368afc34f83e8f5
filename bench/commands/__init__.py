"""The commands of ``sudoku-bench``, one module each: ``add`` completes the command's parser, ``main`` runs the command.

``cli`` lists the commands and imports only the module of the one that is used.
"""

VERSION = "0.2.0"  # the only place that says it, beside CITATION.cff, which a test compares
