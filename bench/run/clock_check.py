"""The check of reported times from outside: against what the system charged to the worker's process tree.

Between a request and its whole answer, the system charges a worker for the sample, for what it accounts for beside the
sample (garbage collection, run-in, phases), and for little else. A strategy is mistimed if much more was charged in one
request, or if in most requests of a launch

- a little more was charged: it works when no clock runs;
- other forms took far longer than those of the sample: the clock of the sample is false;
- it computes between requests;
- it is blocked for most of the time: something that is not charged to it may work for it.

CPU time that the system charged does not depend on how busy the machine is, and waiting for a core does not count as
being blocked. The system may block single requests, for example to read a file.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from bench.process.charge import Charge
from bench.process.worker_process import Sample

FEWEST = 5  # requests before most of them decide
SHARE = 0.02  # of the reported time that may be missing
LONGER = 5  # times the time of a solve: forms beside the sample fill caches, and some are harder
CELL_S = 5e-8  # of writing a cell of an answer, which takes a fifth of that or less
IDLE_SHARE = 0.05  # of the wall time between requests


@dataclass(frozen=True)
class Tolerance:
    """Seconds of a request that need no explanation.

    Attributes:
        once_s: CPU time of a single request; and as much as was reported, where another process took part.
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


@dataclass(frozen=True)
class Account:
    """A request: what was reported, and what was charged. CPU seconds, except for ``blocked_s``.

    Attributes:
        reported_s: of the sample; other_s: of everything else that the worker accounts for, and of writing the answer.
        aside_s: of the part of that in which ``aside`` other forms were solved; solve_s: of a solve of the sample.
    """

    charge: Charge
    reported_s: float
    other_s: float
    solve_s: float
    aside_s: float
    aside: int

    @classmethod
    def of(cls, sample: Sample, reply: Mapping[str, Any]) -> Account:
        solve_s = reply["cpu_s"] + reply.get("clock_cost_s", 0.0)
        aside = reply.get("run_in", 0) + (len(sample.phase_forms) if "search_cpu_s" in reply else 0)
        other_s = reply["before_cpu_s"] + reply["aside_cpu_s"] + reply["after_cpu_s"] + reply.get("failed_cpu_s", 0.0)
        other_s += CELL_S * sample.shape.n_cells * sum(map(len, reply.get("answers", ())))
        return cls(reply["charge"], solve_s * len(sample.forms), other_s, solve_s, reply["aside_cpu_s"], aside)

    @property
    def missing_s(self) -> float:
        """CPU time that was charged and not accounted for."""
        return self.charge.cpu_s - self.reported_s - self.other_s


class ClockCheck:
    """Checks the solved samples of one strategy in one launch, each in constant time.

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
        self._usual: dict[Check, Usual] = {check: Usual() for check in (missing, beside, idle, blocked)}

    def fault(self, sample: Sample, reply: Mapping[str, Any], cold: bool = False) -> str | None:
        """Describe what is false about the times of a solved sample, or of most so far; None if nothing is.

        Args:
            cold: the system itself timed the whole life of the process.
        """
        account = Account.of(sample, reply)
        if account.charge.children:
            self._tolerance = self._with_children
        faults = [] if cold else [missing_once(account, self._tolerance)]
        checks: tuple[Check, ...] = (blocked,) if cold else (missing, beside, idle, blocked)
        faults += [self._usual[check].add(check(account, self._tolerance)) for check in checks]
        return next(filter(None, faults), None)


@dataclass
class Usual:
    """Counts the requests that show a fault, and reports the last one if most requests show it."""

    requests: int = 0
    faulty: int = 0
    last: str | None = None

    def add(self, fault: str | None) -> str | None:
        self.requests += 1
        if fault:
            self.faulty, self.last = self.faulty + 1, fault
        return self.last if self.requests >= FEWEST and 2 * self.faulty > self.requests else None


Check = Callable[[Account, Tolerance], str | None]  # describes the fault of a request, if it shows one


def missing_once(account: Account, tolerance: Tolerance) -> str | None:
    allowed_s = tolerance.once_s + account.reported_s * (1 if account.charge.children else SHARE)
    return _missing(account) if account.missing_s > allowed_s else None


def missing(account: Account, tolerance: Tolerance) -> str | None:
    return _missing(account) if account.missing_s > tolerance.usual_s + SHARE * account.reported_s else None


def beside(account: Account, tolerance: Tolerance) -> str | None:
    if not account.aside or account.aside_s <= account.aside * (tolerance.aside_s + LONGER * account.solve_s):
        return None
    aside_s = account.aside_s / account.aside
    return f"its clock shows {_time(account.solve_s)} for a solve, and {_time(aside_s)} for one beside the sample"


def idle(account: Account, tolerance: Tolerance) -> str | None:
    charge = account.charge
    if charge.idle_cpu_s <= tolerance.idle_s + IDLE_SHARE * charge.idle_s:
        return None
    return f"it computes between solves: {_time(charge.idle_cpu_s)} of CPU time"


def blocked(account: Account, tolerance: Tolerance) -> str | None:
    blocked_s, charged_s = account.charge.blocked_s, account.charge.cpu_s
    if blocked_s <= tolerance.blocked_s + tolerance.blocked_share * charged_s:
        return None
    return f"it waits {_time(blocked_s)} for something that is not charged to it, and computes {_time(charged_s)}"


def _missing(account: Account) -> str:
    reported_s = account.reported_s
    return f"{_time(reported_s)} reported, {_time(reported_s + account.missing_s)} charged by the system"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
