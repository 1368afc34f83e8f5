"""Reading puzzles: file formats, compressed files and pipes, sampling from long files."""
