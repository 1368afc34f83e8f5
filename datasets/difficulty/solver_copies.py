"""Copies of a SAT solver that has the rules loaded: each solves one puzzle and reports its conflicts.

Loading the rules takes ten times as long as solving a puzzle. A process of its own loads them once and forks for each
puzzle, which is the same as loading them each time. Threads that wait for it leave Python's lock to others.

This file is also the program of that process, which knows nothing of the project.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from typing import Any

Clauses = Sequence[Sequence[int]]


class SolverCopies:
    """A solver with rules, in a process that ends with this object.

    Args:
        engine: a solver of python-sat.
        rules: clauses that all puzzles share.
    """

    def __init__(self, engine: str, rules: Clauses) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__, engine],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        weakref.finalize(self, end, self._process, os.getpid())
        self._send(rules)

    def conflicts(self, puzzles: Sequence[Clauses]) -> list[int]:
        """Return the conflicts of a fresh solver that gets the rules, then the clauses of a puzzle, for each puzzle.

        Raises:
            ChildProcessError: the process has ended, for example for want of memory.
        """
        assert self._process.stdout
        self._send(puzzles)
        reply = self._process.stdout.readline()
        if not reply:
            raise ChildProcessError("the process that counts conflicts has ended")
        counts: list[int] = json.loads(reply)
        return counts

    def _send(self, clauses: Any) -> None:
        assert self._process.stdin
        try:
            print(json.dumps(clauses), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise ChildProcessError("the process that counts conflicts has ended") from None


def end(process: subprocess.Popen[str], owner: int) -> None:
    """End a process of copies by the end of its input, unless this process is a fork of the owner."""
    if os.getpid() == owner:
        process.communicate()


def serve(engine: str) -> None:
    """Read rules, then lists of puzzles, each a line of JSON; write a list of conflicts for each of these lines."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for whoever waits; then the input ends
    from pysat.solvers import Solver

    with Solver(name=engine, bootstrap_with=json.loads(sys.stdin.readline())) as solver:
        for line in sys.stdin:
            sys.stdout.write(json.dumps([conflicts_of_copy(solver, puzzle) for puzzle in json.loads(line)]) + "\n")
            sys.stdout.flush()


def conflicts_of_copy(solver: Any, puzzle: Clauses) -> int:
    """Solve a puzzle in a fork of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            for clause in puzzle:
                solver.add_clause(clause)
            solver.solve()
            os.write(writing, str(solver.accum_stats()["conflicts"]).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as report:
        text = report.read()
    os.waitpid(child, 0)
    return int(text)


if __name__ == "__main__":
    serve(sys.argv[1])
