"""The seats of a launch: one for each contestant, with a living worker each as long as there is memory for them."""

from __future__ import annotations

from collections.abc import Callable

import psutil

from bench.plan.plan import Contestant
from bench.process.seat import Seat

SHORT_SHARE, SHORT_MIB = 0.1, 1024  # memory is short if less than both is available: of the machine's, and in MiB


class Seats:
    """Makes seats when they are first needed; ``close`` ends all their workers.

    Args:
        new_seat: makes the seat of a contestant.
        is_short: is memory short now?
    """

    def __init__(self, new_seat: Callable[[Contestant], Seat], is_short: Callable[[], bool]) -> None:
        self._new_seat, self._is_short = new_seat, is_short
        self._seats: dict[str, Seat] = {}  # by label, the one used last at the end

    def of(self, contestant: Contestant) -> Seat:
        """Return the seat of a contestant.

        If it has no worker yet and memory is short, the workers that have been idle for longest are closed first; their
        strategies get fresh ones when it is their turn. Strategies that keep state keep their worker.
        """
        seat = self._seats.pop(contestant.label, None) or self._new_seat(contestant)
        if not seat.alive:
            idle = [each for each in self._seats.values() if each.alive and not each.info.persistent]
            while idle and self._is_short():
                idle.pop(0).close()
        self._seats[contestant.label] = seat
        return seat

    def renew(self) -> None:
        for seat in self._seats.values():
            seat.renew()

    def close(self) -> None:
        for seat in self._seats.values():
            seat.close()


def memory_is_short() -> bool:
    """Is little memory available, so that another worker may push others out?"""
    memory = psutil.virtual_memory()
    return bool(memory.available < min(SHORT_SHARE * memory.total, SHORT_MIB << 20))
