"""HOW it is solved. One small file per family of strategies; knows no clock and no file."""

from typing import TYPE_CHECKING, Any

from sudoku_bench.solvers.registry import register
from sudoku_bench.solvers.strategy import Enumerating, GaveUp, Strategy, Task, Unsupported

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.extensions import register_amo, register_encoding, register_engine
    from sudoku_bench.solvers.sat.library import Clauses, encode

__all__ = [
    "Clauses",
    "Enumerating",
    "GaveUp",
    "Strategy",
    "Task",
    "Unsupported",
    "encode",
    "register",
    "register_amo",
    "register_encoding",
    "register_engine",
]

_ON_DEMAND = {
    **dict.fromkeys(("register_amo", "register_encoding", "register_engine"), "sudoku_bench.solvers.sat.extensions"),
    **dict.fromkeys(("Clauses", "encode"), "sudoku_bench.solvers.sat.library"),
}


if not TYPE_CHECKING:  # which would take any name for one of this module

    def __getattr__(name: str) -> Any:
        """Import what few programs need when it is asked for."""
        if name not in _ON_DEMAND:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        return getattr(importlib.import_module(_ON_DEMAND[name]), name)


if __name__ == "solvers":  # the folder of a checkout that is on the path
    raise ModuleNotFoundError("No module named 'solvers'", name=__name__)
