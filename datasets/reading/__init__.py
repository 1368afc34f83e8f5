"""How puzzles are read: file formats, packed files and pipes, sampling from long files."""
