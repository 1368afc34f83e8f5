"""The engine of a cluster: hands out blocks, takes whole measured blocks back, and notices when the cluster is gone.

Dask replaces a worker that dies: its block is measured again elsewhere, from its beginning. Rows reach the run only
as a whole block, so there is none twice and none missing.
"""

from __future__ import annotations

import contextlib
import itertools
import pickle
import queue
import secrets
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from sudoku_bench.bench.folder.rows import Row
from sudoku_bench.bench.plan.plan import Measurement, Plan
from sudoku_bench.bench.run.cluster import kept_slot
from sudoku_bench.bench.run.cluster.blocks import Block, Head, Pace, by_round, cut
from sudoku_bench.bench.run.cluster.connection import RESOURCE, Cluster, ClusterError, connected, slots_by_worker
from sudoku_bench.bench.run.cluster.kept_slot import WORKERS_PER_SLOT, Measured, Refusal, software_of
from sudoku_bench.bench.run.finished import Finished
from sudoku_bench.bench.run.runner import remaining
from sudoku_bench.bench.worker.clocks import wall_s
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 2  # blocks for each slot that the cluster has at a time: one being measured, one waiting
LOOK_S = 2.0  # between two looks at the workers of the cluster
GATHER_S = 10.0  # for the rows of a measured block to arrive
ALONE_S = 60.0  # without any worker, until a line says so


class DaskEngine:
    """Measures on a cluster.

    Args:
        warn: prints a line.
    """

    def __init__(self, plan: Plan, finished: Finished, cluster: Cluster, warn: Callable[[str], None]) -> None:
        self._plan, self._finished, self._cluster = plan, finished, cluster
        self._tell = cache(warn)  # each line once
        self._head = Head(secrets.token_hex(8), replace(plan, collections=(), puzzles=()), software_of(plan))
        self._pace = Pace()
        self._numbers = itertools.count(finished.last_worker // WORKERS_PER_SLOT + 1)  # of blocks
        self._start_s = wall_s() - finished.elapsed_s
        self._hosts: dict[str, Any] = {}
        self._looks: dict[str, dict[str, Any]] = {}  # by slot

    def blocks(self) -> Generator[list[Row], None, None]:
        """Yield the rows of each measured block.

        Raises:
            InputError: the cluster cannot be reached, or has no host that may measure.
            ClusterError: the scheduler has gone away, or a block cannot be measured anywhere.
        """
        with connected(self._cluster) as client:
            work = Work(client, self._cluster, self._head, self._tell)
            work.wait_for_workers()
            try:
                for measurements in by_round(remaining(self._plan, self._finished)):
                    yield from self._round(measurements, work)
            finally:
                work.end()

    def record(self) -> dict[str, Any]:
        return {"disturbance": list(self._looks.values()), "hosts": self._hosts}

    def _round(self, measurements: Iterable[Measurement], work: Work) -> Generator[list[Row], None, None]:
        """Measure a round, some blocks ahead of what has been measured."""
        timeouts, clock = self._finished.timeouts, lambda: wall_s() - self._start_s
        blocks = cut(measurements, len(self._plan.puzzles), self._numbers, self._pace, timeouts, clock)
        while True:
            self._pace.slots = work.slots
            for block in itertools.islice(blocks, max(0, AHEAD * work.slots - len(work.blocks))):
                work.submit(block)
            if not work.blocks:
                return
            block, measured = work.next()
            self._take_note(block, measured)
            yield measured.rows

    def _take_note(self, block: Block, measured: Measured) -> None:
        self._pace.learn(block.puzzles, measured.seconds)
        for row in measured.rows:
            self._finished.timeouts.add(row)
        if measured.about:
            self._hosts.setdefault(measured.host, measured.about)
        if look := measured.disturbance:
            began_s = self._looks.get(measured.slot, {"began_s": round(block.sent_s, 3)})["began_s"]
            self._looks[measured.slot] = look | {"began_s": began_s, "host": measured.host}
            for line in look["warnings"]:
                self._tell(f"{measured.host}: {line}")


class Work:
    """What a cluster has to do.

    Args:
        tell: prints a line, once.

    Attributes:
        blocks: those that it has, by key, with their futures.
        slots: measurements that its workers make at the same time, at least one.
    """

    def __init__(self, client: Client, cluster: Cluster, head: Head, tell: Callable[[str], None]) -> None:
        self._client, self._name, self._wait_s, self._tell = client, cluster.name, cluster.wait_s, tell
        self._run, self._head = head.run, pickle.dumps(head)
        self.blocks: dict[str, tuple[Block, Future]] = {}
        self.slots = 1
        self._done: queue.SimpleQueue[Future] = queue.SimpleQueue()
        self._looked_s = self._seen_s = wall_s()

    def wait_for_workers(self) -> None:
        """Wait until a worker offers to measure.

        Raises:
            InputError: there are workers, and none of them does.
            ClusterError: none came.
        """
        while not self._look():
            if address := next(iter(slots_by_worker(self._client)), None):
                raise InputError(
                    f"{address}: offers no resource {RESOURCE}; start workers with"
                    f" --nthreads 1 --resources {RESOURCE}=1"
                )
            with contextlib.suppress(TimeoutError):
                self._client.wait_for_workers(1, timeout=LOOK_S)
            if wall_s() - self._seen_s > LOOK_S:
                self._tell(f"waiting for the first worker of {self._name}")

    def submit(self, block: Block) -> None:
        key = f"block-{block.number}-{secrets.token_hex(4)}"
        task = (kept_slot.run_block, self._head, self._run, block)
        future = self._client.submit(*task, key=key, resources={RESOURCE: 1}, pure=False)
        self.blocks[key] = (block, future)
        future.add_done_callback(self._done.put)

    def next(self) -> tuple[Block, Measured]:
        """Return the next block that has been measured.

        Raises:
            InputError: no worker may measure.
            ClusterError: the scheduler has gone away, or a block cannot be measured anywhere.
        """
        while True:
            if wall_s() - self._looked_s > LOOK_S:
                self._look()
            try:
                future = self._done.get(timeout=LOOK_S)
            except queue.Empty:
                continue
            try:
                outcome = future.result(timeout=GATHER_S)
            except BaseException as error:
                if not isinstance(error, TimeoutError) or future.status == "error":
                    raise self._fault(error) from None
                future.add_done_callback(self._done.put)  # its worker died with the result, and another measures again
                continue
            block, _ = self.blocks.pop(future.key)
            if isinstance(outcome, Measured):
                return block, outcome
            self._withdraw(outcome)
            self.submit(block)

    def end(self) -> None:
        """Give up the blocks that are not measured yet, and close the slots of the run."""
        if self._client.status == "running":
            with contextlib.suppress(Exception):  # the cluster may go away now
                self._client.cancel([future for _, future in self.blocks.values()], force=True)
                self._client.run(kept_slot.end_run, self._run, on_error="ignore")

    def _withdraw(self, refusal: Refusal) -> None:
        """Go on without a worker that must not measure.

        Raises:
            InputError: no other worker is left.
        """
        with contextlib.suppress(Exception):  # the worker may be gone
            self._client.run(kept_slot.withdraw, workers=[refusal.worker])
        if not self._look():
            raise InputError(refusal.reason)
        self._tell(f"{refusal.worker} does not take part: {refusal.reason}")

    def _look(self) -> int:
        """Look at the cluster; return the number of measurements that its present workers offer.

        Raises:
            ClusterError: the scheduler has gone away, or there has been no worker for too long.
        """
        self._looked_s = wall_s()
        try:
            slots = sum(slots_by_worker(self._client).values())
        except (OSError, TimeoutError):
            slots = -1
        if slots < 0 or self._client.status != "running":
            raise ClusterError(f"{self._name}: the scheduler is gone")
        if slots:
            self.slots, self._seen_s = slots, wall_s()
        elif wall_s() - self._seen_s > self._wait_s:
            raise ClusterError(f"{self._name}: has had no workers for {self._wait_s:g} s (--wait)")
        elif wall_s() - self._seen_s > ALONE_S:
            self._tell(f"{self._name} has no workers now; the run goes on when one joins")
        return slots

    def _fault(self, error: BaseException) -> ClusterError:
        """Return the message about a block that was not measured."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return ClusterError(
                f"{self._name}: a block ended several workers, one after the other; give them more memory, or limit"
                " that of strategies with --memory"
            )
        if self._client.status != "running" or "ancelled" in type(error).__name__:
            return ClusterError(f"{self._name}: the scheduler is gone")
        return ClusterError(f"{self._name}: a block failed: {type(error).__name__}: {' '.join(str(error).split())}")
