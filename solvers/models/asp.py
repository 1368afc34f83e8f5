"""``asp:choice``: answer set programming with clingo.

Each puzzle is a logic program of facts and rules. Grounding substitutes the clues; then clasp, which learns clauses,
searches and enumerates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy, Task

SMALL_UNITS = ":- small(Unit), value(Value), { holds(Cell, Value) : within(Cell, Unit) } > 1. "
RULES = """
holds(Cell, Value) :- clue(Cell, Value).
{ holds(Cell, Value) : value(Value) } = 1 :- cell(Cell).
:- unit(Unit), value(Value), { holds(Cell, Value) : within(Cell, Unit) } != 1.
"""


@register
class Choice(Strategy):
    """A logic program that chooses one value for each cell, each value once in each unit; grounded with the clues and
    solved by clasp (Gebser, Kaminski, Kaufmann & Schaub 2019)."""

    name = "asp:choice"
    takes = ANY_BOARD
    requires = ("clingo",)

    def prepare(self, shape: Shape) -> None:
        import clingo

        self.shape, self.package = shape, clingo
        units = shape.full_units + shape.small_units
        full, number = len(shape.full_units), len(units)
        facts = [f"cell(0..{shape.n_cells - 1}). value(1..{shape.size}). unit(0..{full - 1})."]
        if number > full:
            facts.append(f"{SMALL_UNITS}small({full}..{number - 1}).")
        facts += [f"within({cell},{unit})." for unit, cells in enumerate(units) for cell in cells]
        self.rules = RULES + " ".join(facts)
        self.statistics: Mapping[str, float] = {}

    def encode(self, puzzle: Puzzle) -> str:
        clues = " ".join(f"clue({cell},{clue})." for cell, clue in enumerate(puzzle.cells) if clue)
        return clues + "".join(f" :- holds({cell},{value})." for cell, value in puzzle.forbidden)

    def load(self, model: str) -> Any:
        control = self.package.Control(message_limit=0)
        control.add("base", [], self.rules + model)
        control.ground([("base", [])])
        return control

    def search(self, model: Any, task: Task) -> list[list[Any]]:
        model.configuration.solve.models = task.limit
        answers: list[list[Any]] = []
        model.solve(on_model=lambda answer: answers.append(answer.symbols(atoms=True)))
        solvers = model.statistics["solving"]["solvers"]
        names = {"conflicts": "conflicts", "decisions": "choices", "restarts": "restarts"}
        self.statistics = {name: solvers[clasp_name] for name, clasp_name in names.items()}
        return answers

    def decode(self, answer: list[list[Any]]) -> list[list[int]]:
        return [self.cells(atoms) for atoms in answer]

    def cells(self, atoms: list[Any]) -> list[int]:
        cells = [0] * self.shape.n_cells
        for atom in atoms:
            if atom.name == "holds":
                cell, value = atom.arguments
                cells[cell.number] = value.number
        return cells

    def counters(self) -> Mapping[str, float]:
        """``decisions`` are called choices by clasp."""
        return self.statistics
