"""The check of reported times from outside: against what the system charged to the worker's process tree.

Between a request and its whole answer, the system charges a worker for the sample, for what it accounts for beside the
sample (garbage collection, run-in, phases), and for little else. A strategy is mistimed if

- much more was charged in one request, or a little more in most requests of a launch: it works when no clock runs;
- its other forms took far longer than those of the sample: the clock of the sample is false;
- it computes between requests;
- it is blocked for most of the time: something that is not charged to it may work for it.

CPU time that the system charged does not depend on how busy the machine is, and waiting for a core does not count as
being blocked. Single requests may be blocked by the system (a file that must be read), so that the median decides.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from bench.process.charge import Charge
from bench.process.worker_process import Sample

FEWEST = 5  # requests before medians decide
SHARE = 0.02  # of the reported time that may be missing in most requests
LONGER = 5  # times the time of a solve: forms beside the sample fill caches, and some are harder
CELL_S = 5e-7  # of writing a cell of an answer, which takes a fifth of that
IDLE_SHARE = 0.05  # of the wall time between requests
IDLE_S = 1e-3


@dataclass(frozen=True)
class Tolerance:
    """Seconds of a request that need no explanation.

    Attributes:
        once_s: CPU time of a single request; and as much as was reported, where another process took part.
        usual_s: CPU time of most requests; blocked_s: wall time of most requests.
        aside_s: CPU time of each form beside the sample.
        blocked_share: of the charged time, in addition to ``blocked_s``.
    """

    once_s: float
    usual_s: float
    blocked_s: float
    aside_s: float
    blocked_share: float

    def times(self, factor: float) -> Tolerance:
        *seconds, share = astuple(self)
        return Tolerance(*(factor * each for each in seconds), share)


CLOCK_COST_S = 2e-6  # of reading the CPU clock on the machine that these are for; a slower one gets more
# Reading and writing a request takes 0.2 to 0.6 ms. The time of ended children is counted in ticks of 10 ms, and each
# reading of the CPU clock looks for all of them, which takes a millisecond. How long they waited for a core is unknown.
ALONE = Tolerance(once_s=0.01, usual_s=1.5e-3, blocked_s=2e-3, aside_s=3e-4, blocked_share=0.5)
WITH_CHILDREN = Tolerance(once_s=0.2, usual_s=0.1, blocked_s=0.05, aside_s=0.02, blocked_share=9.0)


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
        other_s = reply["before_cpu_s"] + reply["aside_cpu_s"] + reply["after_cpu_s"]
        other_s += CELL_S * sample.shape.n_cells * sum(map(len, reply.get("answers", ())))
        return cls(reply["charge"], solve_s * len(sample.forms), other_s, solve_s, reply["aside_cpu_s"], aside)

    @property
    def missing_s(self) -> float:
        """CPU time that was charged and not accounted for."""
        return self.charge.cpu_s - self.reported_s - self.other_s


@dataclass
class ClockCheck:
    """Checks the rows of one strategy in one launch.

    Attributes:
        clock_cost_s: CPU seconds of reading the CPU clock.
    """

    clock_cost_s: float = CLOCK_COST_S
    accounts: list[Account] = field(default_factory=list)

    def fault(self, sample: Sample, reply: Mapping[str, Any], cold: bool = False) -> str | None:
        """Describe what is false about the times of a solved sample; None if nothing is.

        Args:
            cold: the system itself timed the whole life of the process.
        """
        account = Account.of(sample, reply)
        self.accounts.append(account)
        tolerance = self._tolerance
        if not cold:
            fault = missing_once(account, tolerance) or missing_usually(self.accounts, tolerance) or idle(self.accounts)
            if fault:
                return fault
        return blocked(self.accounts, tolerance)

    @property
    def _tolerance(self) -> Tolerance:
        tolerance = WITH_CHILDREN if any(account.charge.children for account in self.accounts) else ALONE
        return tolerance.times(max(1.0, self.clock_cost_s / CLOCK_COST_S))


def missing_once(account: Account, tolerance: Tolerance) -> str | None:
    allowed_s = tolerance.once_s + account.reported_s * (1 if account.charge.children else SHARE)
    return _missing(account.missing_s, account.reported_s) if account.missing_s > allowed_s else None


def missing_usually(accounts: Sequence[Account], tolerance: Tolerance) -> str | None:
    if len(accounts) < FEWEST:
        return None
    missing_s, reported_s = _median(a.missing_s for a in accounts), _median(a.reported_s for a in accounts)
    if missing_s > tolerance.usual_s + SHARE * reported_s:
        return _missing(missing_s, reported_s)
    beside = [account for account in accounts if account.aside]
    if len(beside) < FEWEST:
        return None
    solve_s, aside_s = _median(a.solve_s for a in beside), _median(a.aside_s / a.aside for a in beside)
    if aside_s > tolerance.aside_s + LONGER * solve_s:
        return f"its clock shows {_time(solve_s)} for a solve, and {_time(aside_s)} for one beside the sample"
    return None


def idle(accounts: Sequence[Account]) -> str | None:
    if len(accounts) < FEWEST:
        return None
    computed_s = _median(a.charge.idle_cpu_s for a in accounts)
    elapsed_s = _median(a.charge.idle_s for a in accounts)
    if computed_s > IDLE_S + IDLE_SHARE * elapsed_s:
        return f"it computes between solves: {_time(computed_s)} of CPU time"
    return None


def blocked(accounts: Sequence[Account], tolerance: Tolerance) -> str | None:
    if len(accounts) < FEWEST:
        return None
    blocked_s, charged_s = _median(a.charge.blocked_s for a in accounts), _median(a.charge.cpu_s for a in accounts)
    if blocked_s > tolerance.blocked_s + tolerance.blocked_share * charged_s:
        return f"it waits {_time(blocked_s)} for something that is not charged to it, and computes {_time(charged_s)}"
    return None


def _missing(missing_s: float, reported_s: float) -> str:
    return f"{_time(reported_s)} reported, {_time(reported_s + missing_s)} charged by the system"


def _median(values: Any) -> float:
    return float(statistics.median_low(values))


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.3g} ms"
