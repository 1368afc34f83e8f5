"""The studies of the project, by name: ``python -m studies NAME [options]``; without a name, a list of them.

A program is a function. Its parameters are the arguments of the command, those by keyword only are options with whole
numbers, and it returns False if what must hold does not.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from studies.simulation import Simulation, simulate
from sudoku_bench.bench.commands.cli import interrupted, terminated_as_interrupt
from sudoku_bench.datasets.errors import InputError

STUDIES = {  # modules of this package, and what in them
    "coverage": "intervals.COVERAGE",
    "rules": "rules.RULES",
    "until": "rules.UNTIL",
    "crossovers": "crossovers.CROSSOVERS",
    "drift": "simulations.DRIFT",
    "choice": "simulations.CHOICE",
    "company": "company.measure",
    "lead-in": "lead_in.measure",
    "validate": "validation.validate",
    "compare": "validation.validate_compare",
    "faults": "faults.faults",
    "grid": "grid.measure_blocks",
    "grid-tables": "grid.make_tables",
    "grid-picture": "grid.draw",
    "grid-numbers": "grid_numbers.fill_in",
    "cpp": "grid_numbers.cpp",
    "boards": "boards.measure_blocks",
    "boards-page": "boards.write",
    "strength": "strength_tables.write",
    "tables": "catalogue.write",
    "known": "collections.write_known",
    "collections": "collections.collection_table",
    "screening": "screening.screening",
    "published": "run_results.published",
    "correlations": "ratings.correlations",
    "readme": "readme.write",
}


def program_of(name: str) -> Callable[..., bool | None]:
    """Return the program of a name; that of a simulation has the options of a trial."""
    module, _, attribute = STUDIES[name].partition(".")
    study = getattr(import_module(f"studies.{module}"), attribute)
    if not isinstance(study, Simulation):
        return study  # type: ignore[no-any-return]

    def program(*, draws: int = 0, every: int = 1) -> bool:
        return simulate(name, study, draws, every)

    program.__doc__ = f"Simulate {study.title}.\n\nA trial, only printed: --draws benchmarks of each --every-th cell."
    return program


def execute(name: str, arguments: Sequence[str]) -> int:
    """Run a program with the arguments of the command line; return its exit code."""
    signature = inspect.signature(program := program_of(name), eval_str=True)
    parser = argparse.ArgumentParser(prog=f"python -m studies {name}", description=inspect.getdoc(program))
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            shown = f"default: {parameter.default}"
            parser.add_argument(f"--{parameter.name}", type=int, default=parameter.default, help=shown)
        else:
            number = "*" if parameter.kind is parameter.VAR_POSITIONAL else None
            parser.add_argument(parameter.name, nargs=number, type=parameter.annotation)
    bound = inspect.BoundArguments(signature, vars(parser.parse_args(arguments)))
    try:
        with terminated_as_interrupt():
            return int(program(*bound.args, **bound.kwargs) is False)
    except (InputError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return interrupted(name)


def main(arguments: Sequence[str]) -> int:
    """Run the program that the first argument names; list the programs if there is none of that name."""
    name, *rest = arguments or [""]
    if name in STUDIES:
        return execute(name, rest)
    lines = [f"{known:16} {str(program_of(known).__doc__).partition(chr(10))[0]}" for known in STUDIES]
    print("\n".join(lines), file=sys.stderr if name else sys.stdout)
    return 2 if name else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
