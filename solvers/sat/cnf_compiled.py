"""Engines that compiled code gives their clauses, from an array: what solving costs a program in C++.

`make compiled` builds a library for each engine from ``loader.cc``: CaDiCaL 1.5.3 as Debian packages it, and MiniSat
2.2 from the sources that python-sat distributes. So `@cadical153` and `@minisat22` differ from them in the loading.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.cnf import CnfStrategy, distinct_models
from sudoku_bench.solvers.strategy import Task, Unsupported

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sudoku_bench.solvers.sat.amo import Clause

    Numbers = NDArray[np.int32]

LIBRARIES = Path(__file__).resolve().parents[2] / "build" / "compiled"  # in a checkout


class CompiledStrategy(CnfStrategy):
    """A fresh solver for each puzzle; the rules are an array that is made once per shape."""

    no_native = "{engine} takes clauses only"

    def prepare(self, shape: Shape) -> None:
        self.library = library(self.engine)
        super().prepare(shape)
        self.rules_array = flat(self.rules.clauses)
        self.model = (ctypes.c_int32 * len(self.rules.encoding.readout.adds))()  # receives literals

    def encode(self, puzzle: Puzzle) -> Numbers:
        units, self.size = self.rules.units(puzzle.cells, puzzle.forbidden)
        self.readout = self.rules.encoding.readout
        return flat(units)

    def load(self, model: Numbers) -> Numbers:
        self.solver = self.library.create()
        self.add(model)
        self.add(self.rules_array)
        return model

    def add(self, clauses: Numbers) -> None:
        self.library.add(self.solver, clauses.ctypes.data, len(clauses))

    def search(self, model: Numbers, task: Task) -> list[Sequence[int]]:
        return distinct_models(self.next_model, lambda clause: self.add(flat([clause])), task.limit, self.readout)

    def next_model(self) -> list[int] | None:
        return self.model[:] if self.library.solve(self.solver, self.model, len(self.model)) else None

    def release(self) -> None:
        self.library.destroy(self.solver)


def library(engine: str) -> Any:
    """Return the compiled library of an engine.

    Raises:
        Unsupported: it has not been built, or cannot be loaded.
    """
    try:
        loaded = ctypes.CDLL(str(LIBRARIES / f"{engine}.so"))
    except OSError as error:
        raise Unsupported(f"{engine} is not compiled ({error}); `make compiled` in a checkout does it") from None
    loaded.create.restype, loaded.destroy.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    loaded.add.argtypes = loaded.solve.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
    return loaded


def flat(clauses: Iterable[Clause]) -> Numbers:
    """The literals of all clauses, each clause with a 0 at its end."""
    import numpy as np  # not all strategies need it

    return np.fromiter(chain.from_iterable((*clause, 0) for clause in clauses), dtype=np.int32)
