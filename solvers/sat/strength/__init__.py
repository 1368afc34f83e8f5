"""The strength of encodings: what unit propagation and failed literals derive, exactly and without clocks.

Two encodings of the same rules have the same solutions, but differ in what propagation finds before any search. That
is a property of the clauses alone: no engine, no heuristic and no machine takes part.
"""
