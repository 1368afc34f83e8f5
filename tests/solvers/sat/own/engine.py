"""A SAT engine of one's own: CryptoMiniSat through its own package."""

from sudoku_bench.solvers import register_engine
from sudoku_bench.solvers.sat.cnf import CnfStrategy, distinct_models


@register_engine("cms-direct")
class Crypto(CnfStrategy):
    """Lists of numbers; a fresh solver for each puzzle (after Soos, Nohl & Castelluccia 2009)."""

    requires = ("pycryptosat",)
    no_native = no_assumptions = "{engine} takes clauses only"

    def prepare(self, shape):
        from pycryptosat import Solver

        self.make_solver = Solver
        super().prepare(shape)

    def load(self, model):
        self.solver = self.make_solver()
        self.solver.add_clauses(model.clauses)
        return model

    def search(self, model, task):
        return distinct_models(self.next_model, self.solver.add_clause, task.limit, model.readout)

    def next_model(self):
        satisfiable, values = self.solver.solve()
        return [x if true else -x for x, true in enumerate(values) if x] if satisfiable else None

    def release(self):
        del self.solver
