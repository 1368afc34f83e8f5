"""WHAT a file of puzzles may look like: one small module per kind of format. docs/formats.md shows them."""
