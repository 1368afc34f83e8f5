"""The check of reported times from outside: against what the system charged to the worker's process tree.

Between a request and its whole answer, the system charges a worker for the sample, for what it accounts for beside the
sample (garbage collection, run-in, phases), and for little else. A request for which much more was charged is
*suspicious*: the system may have charged the worker for taking memory from it, so such a request alone proves nothing,
and ``bench.run.inspection`` asks a fresh process for more like it. A strategy is mistimed if that is so again, if many
requests of a launch are suspicious, or if in most of them

- a little more was charged: it works when no clock runs;
- other forms took far longer than those of the sample: the clock of the sample is false;
- it computes between requests;
- it is blocked for most of the time: something that is not charged to it may work for it.

CPU time that the system charged does not depend on how busy the machine is, and waiting for a core does not count as
being blocked. The system may block single requests, for example to read a file.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

from bench.process.charge import Charge
from bench.process.sample import Sample

FEWEST, SEVERAL = 5, 2  # requests before most of them decide, and turns that these must be of
SHARE = 0.02  # of the reported time that may be missing
LONGER = 5  # times the time of a solve: forms beside the sample fill caches, and some are harder
CELL_S = 5e-8  # of writing a cell of an answer, which takes a fifth of that or less
IDLE_SHARE = 0.05  # of the wall time between requests
ONCE = "once"  # kind of fault that makes a request suspicious
FEW, FEW_SHARE = 3, 0.02  # suspicious requests of a launch that stay without consequence, in number or as a share


@dataclass(frozen=True)
class Tolerance:
    """Seconds of a request that need no explanation.

    Attributes:
        once_s: CPU time of a single request before it is suspicious; and as much as was reported, where another process
            took part.
        usual_s: CPU time of most requests; blocked_s: wall time of most requests; idle_s: CPU time between most.
        aside_s: CPU time of each form beside the sample.
        blocked_share: of the charged time, in addition to ``blocked_s``.
    """

    once_s: float
    usual_s: float
    idle_s: float
    blocked_s: float
    aside_s: float
    blocked_share: float

    def times(self, factor: float) -> Tolerance:
        seconds = {name: factor * value for name, value in asdict(self).items() if name != "blocked_share"}
        return replace(self, **seconds)


CLOCK_COST_S = 2e-6  # of reading the CPU clock on the machine that these are for; a slower one gets more
# Reading and writing a request takes 0.2 to 0.6 ms. The time of ended children is counted in ticks of 10 ms, and each
# reading of the CPU clock looks for all of them, which takes a millisecond. How long they waited for a core is unknown.
ALONE = Tolerance(once_s=0.01, usual_s=1.5e-3, idle_s=1e-3, blocked_s=2e-3, aside_s=3e-4, blocked_share=0.5)
WITH_CHILDREN = Tolerance(once_s=0.2, usual_s=0.1, idle_s=1e-3, blocked_s=0.05, aside_s=0.02, blocked_share=9.0)


class Account(NamedTuple):
    """A request: what was reported, and what was charged. CPU seconds, except for ``blocked_s``.

    Attributes:
        reported_s: of the sample.
        missing_s: charged, and neither reported nor accounted for otherwise or by writing the answer.
        aside_s: of the part of that in which ``aside`` other forms were solved; solve_s: of a solve of the sample.
    """

    charge: Charge
    reported_s: float
    missing_s: float
    solve_s: float
    aside_s: float
    aside: int

    @classmethod
    def of(cls, sample: Sample, reply: Mapping[str, Any]) -> Account:
        charge, solve_s = reply["charge"], reply["cpu_s"] + reply.get("clock_cost_s", 0.0)
        aside = reply.get("run_in", 0) + (len(sample.phase_forms) if "search_cpu_s" in reply else 0)
        writing_s = CELL_S * sample.shape.n_cells * sum(map(len, reply.get("answers", ())))
        missing_s = charge.cpu_s - sample.accounted_s(reply) - writing_s
        return cls(charge, solve_s * len(sample.forms), missing_s, solve_s, reply["aside_cpu_s"], aside)


class Turn(NamedTuple):
    """Requests that were sent together, so far. CPU seconds."""

    number: int = 0
    reported_s: float = 0.0
    missing_s: float = 0.0

    def fault(self, tolerance: Tolerance, children: bool) -> str | None:
        """Describe that much more was charged than reported; None if it was not."""
        if self.missing_s > tolerance.once_s + self.reported_s * (1 if children else SHARE):
            return charged(self.reported_s, self.missing_s)
        return None


class ClockCheck:
    """Checks the solved samples of one strategy in one launch, each in constant time.

    Attributes:
        suspicion: what is suspicious about the last request; None if nothing is.

    Args:
        clock_cost_s: CPU seconds of reading the CPU clock.
        lanes: of the run; each of the others may hold Python's lock for a while when an answer is there.
    """

    def __init__(self, clock_cost_s: float = CLOCK_COST_S, lanes: int = 1) -> None:
        factor, lock_s = max(1.0, clock_cost_s / CLOCK_COST_S), (lanes - 1) * sys.getswitchinterval()
        self._tolerance, self._with_children = (
            replace(tolerance.times(factor), blocked_s=factor * tolerance.blocked_s + lock_s)
            for tolerance in (ALONE, WITH_CHILDREN)
        )
        self.suspicion: str | None = None
        self._requests = 0
        self._turn = Turn()
        self._faulty: Counter[str] = Counter()  # requests that show a fault, by its kind
        self._turns: dict[str, set[int]] = {}  # up to two turns that these were of
        self._last: dict[str, str] = {}  # the fault of the last one

    def fault(self, sample: Sample, reply: Mapping[str, Any], cold: bool = False) -> str | None:
        """Describe what is false about the times of a solved sample, or of most so far; None if nothing is.

        Args:
            cold: the system itself timed the whole life of the process.
        """
        account = Account.of(sample, reply)
        if account.charge.children:
            self._tolerance = self._with_children
        self._requests += 1
        self.suspicion = None if cold else self._suspicion(account)
        suspicion = [(ONCE, self.suspicion)] if self.suspicion else []
        for kind, fault in (*shown(account, self._tolerance, cold), *suspicion):
            self._faulty[kind] += 1
            self._last[kind] = fault
            turns = self._turns.setdefault(kind, set())
            if len(turns) < SEVERAL:
                turns.add(account.charge.number)
        return next((self._last[kind] for kind, faulty in self._faulty.items() if self._is_usual(kind, faulty)), None)

    def is_suspicious(self, sample: Sample, reply: Mapping[str, Any]) -> bool:
        """Was much more charged than is accounted for? Such a request, which is not of a row, is not counted."""
        account = Account.of(sample, reply)
        alone = Turn(reported_s=account.reported_s, missing_s=account.missing_s)
        return alone.fault(self._tolerance, account.charge.children) is not None

    def _suspicion(self, account: Account) -> str | None:
        """Return what this request makes suspicious about those that it was sent with, which share what is missing."""
        children, number = account.charge.children, account.charge.number
        before = self._turn if self._turn.number == number else Turn(number)
        self._turn = Turn(number, before.reported_s + account.reported_s, before.missing_s + account.missing_s)
        known = before.fault(self._tolerance, children)
        return None if known else self._turn.fault(self._tolerance, children)

    def _is_usual(self, kind: str, faulty: int) -> bool:
        if kind == ONCE:
            return faulty > FEW and faulty > FEW_SHARE * self._requests
        # One fault is shared by all requests of a turn.
        return 2 * faulty > self._requests >= FEWEST and len(self._turns[kind]) == SEVERAL


def shown(account: Account, tolerance: Tolerance, cold: bool) -> list[tuple[str, str]]:
    """Return the faults that a request shows, each with its kind.

    One function, because every row pays for it, mostly with cold caches.
    """
    charge, reported_s, missing_s = account.charge, account.reported_s, account.missing_s
    faults: list[tuple[str, str]] = []
    if charge.blocked_s > tolerance.blocked_s + tolerance.blocked_share * charge.cpu_s:
        waits = f"it waits {_time(charge.blocked_s)} for something that is not charged to it"
        faults.append(("blocked", f"{waits}, and computes {_time(charge.cpu_s)}"))
    if cold:
        return faults
    if missing_s > tolerance.usual_s + SHARE * reported_s:
        faults.append(("missing", charged(reported_s, missing_s)))
    aside = account.aside
    if aside and account.aside_s > aside * (tolerance.aside_s + LONGER * account.solve_s):
        times = f"{_time(account.solve_s)} for a solve, and {_time(account.aside_s / aside)} for one beside the sample"
        faults.append(("beside", f"its clock shows {times}"))
    if charge.idle_cpu_s > tolerance.idle_s + IDLE_SHARE * charge.idle_s:
        faults.append(("idle", f"it computes between solves: {_time(charge.idle_cpu_s)} of CPU time"))
    return faults


def charged(reported_s: float, missing_s: float) -> str:
    return f"{_time(reported_s)} reported, {_time(reported_s + missing_s)} charged by the system"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
