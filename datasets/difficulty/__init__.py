"""Difficulty of a puzzle, for programs and for people: all measures, and the compiled board that most of them use."""
