"""The look of each strategy: the same in every figure of every run.

Known strategies have the look of their place in ``KNOWN``, to which new ones are only appended; those of one family
are neighbours there, so that their colours differ. Any other strategy has a look that its name determines, unless
another strategy of the run has that look already: of composed SAT strategies, the colour stands for the engine, marker
and line for the encoding.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from bench.figures.style import COLOURS, LINES, MARKERS, Look

KNOWN = (
    *("sat:complete+pairwise@cadical195", "sat:minimal+pairwise@cadical195", "sat:augmented@cadical195"),
    *("sat:order@cadical195", "seed:pyeda", "seed:pysat", "seed:pycosat", "seed:norvig", "seed:python-constraint"),
    *("propagation:bitmask", "exact-cover:dancing-links", "bitboard:bands", "cp-sat:booleans", "asp:choice"),
    *("csp:alldifferent@backtracking", "csp:alldifferent@recursive", "csp:alldifferent@min-conflicts"),
    *("csp:alldifferent@parallel", "cp-sat:alldifferent", "cp:choco", "cp:choco+bounds", "cp:pumpkin", "ilp:highs"),
    *("smt:bitvectors", "smt:bitvectors@bitwuzla", "smt:integers", "smt:pseudo-boolean", "backtracking:plain"),
    *("backtracking:fewest", "bitboard:cells", "exact-cover:algorithm-x", "exact-cover:c", "exact-cover:xcover"),
    *("bdd:digits+substituted@cudd", "bdd:digits+substituted@autoref", "parity:complete", "portfolio:probe"),
    *("cdcl:complete+substituted@simplesat", "local-search:annealing"),
)
ENGINES = ("cadical195", "glucose4", "minisat22", "pycosat", "maplechrono", "lingeling", "cadical153")
NUMBER = len(COLOURS) * len(MARKERS) * len(LINES)  # of different looks


def looks(names: Sequence[str]) -> dict[str, Look]:
    """Return the look of each strategy. Up to ``NUMBER`` strategies differ in colour, marker or line style."""
    places = {name: KNOWN.index(name) for name in names if name in KNOWN}
    taken = set(places.values())
    for name in sorted(set(names) - set(places)):
        place = _place(name)
        while place in taken and len(taken) < NUMBER:
            place = (place + 1) % NUMBER
        places[name] = place
        taken.add(place)
    return {name: look(places[name]) for name in names}


def _place(name: str) -> int:
    """Return the place that a name determines."""
    model, _, engine = name.partition("@")
    if not (engine and model.startswith("sat:")):
        return zlib.crc32(name.encode()) % NUMBER
    colour = ENGINES.index(engine) if engine in ENGINES else zlib.crc32(engine.encode()) % len(COLOURS)
    mark, dashes = divmod(zlib.crc32(model.encode()), len(LINES))
    wanted = (colour % len(COLOURS), mark % len(MARKERS), dashes)
    return next(place for place in range(NUMBER) if _parts(place) == wanted)


def _parts(place: int) -> tuple[int, int, int]:
    """Return the numbers of colour, marker and line of the look with a number."""
    return place % len(COLOURS), place % len(MARKERS), place // len(COLOURS) % len(LINES)


def look(place: int) -> Look:
    """Return the look with a number: neighbours differ in colour and marker."""
    colour, mark, dashes = _parts(place)
    return Look(COLOURS[colour], MARKERS[mark], LINES[dashes])
