"""An encoding of one's own: a clause for each pair of peers and each value."""

from sudoku_bench import Clauses, register_encoding


@register_encoding("peers")
def peers(shape):
    """Exactly one value in each cell; no two peers have the same value (after Walsh 2000)."""
    n = shape.size
    rules = Clauses(variables=n**3)
    cells = [[cell * n + value for value in range(1, n + 1)] for cell in range(shape.n_cells)]
    for cell, values in enumerate(cells):
        rules.exactly_one(values, "product")
        for peer in shape.peers[cell]:
            if cell < peer:
                for a, b in zip(values, cells[peer], strict=True):
                    rules.add(-a, -b)
    return rules.clauses
