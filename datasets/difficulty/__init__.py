"""How hard a puzzle is, for machines and for people: every measure, and the compiled board that most of them use."""
