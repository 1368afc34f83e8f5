"""SAT strategies: encodings, at-most-one schemes, engines, and how clauses reach them."""
