"""The engine of a cluster: hands out blocks, takes whole measured blocks back, and notices when the cluster is gone.

Dask replaces a worker that dies: its block is measured again elsewhere, from its beginning. Rows reach the run only
as a whole block, so there is none twice and none missing.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import secrets
from collections.abc import Callable, Generator, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from bench.folder.rows import Row
from bench.plan.plan import Plan
from bench.run.cluster import session
from bench.run.cluster.blocks import Block, Cutter, Head, Pace, by_round
from bench.run.cluster.connection import RESOURCE, Cluster, ClusterError, connected, quietly, slots, slots_by_worker
from bench.run.cluster.hosts import Software
from bench.run.cluster.session import WORKERS_PER_SESSION, Ended, Host, Measured, Refusal
from bench.run.past import Past
from bench.run.runner import remaining
from bench.worker.clocks import wall_s
from datasets.errors import InputError

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 2  # blocks for each slot that the cluster has at a time: one being measured, one waiting
LOOK_S = 2.0  # between two looks at the workers of the cluster
ALONE_S = 60.0  # without any worker, until a line says so


class DaskEngine:
    """Measures on a cluster.

    Args:
        clock_cost_s: CPU seconds of reading the CPU clock.
        warn: prints a line.
    """

    def __init__(
        self, plan: Plan, clock_cost_s: float, past: Past, cluster: Cluster, warn: Callable[[str], None]
    ) -> None:
        self._plan, self._past, self._cluster, self._warn = plan, past, cluster, warn
        self._head = Head.of(secrets.token_hex(8), plan, clock_cost_s, Software.of(plan))
        self._pickled = pickle.dumps(self._head)
        self._pace = Pace()
        self._number = past.last_worker // WORKERS_PER_SESSION + 1  # of the next block
        self._start_s = wall_s() - past.elapsed_s
        self._hosts: dict[str, Host] = {}
        self._looks: dict[str, dict[str, Any]] = {}  # by session
        self._warned: set[str] = set()

    def rows(self) -> Generator[Row, None, None]:
        """Yield the rows of each measured block.

        Raises:
            InputError: the cluster cannot be reached, or has no host that may measure.
            ClusterError: the scheduler has gone away, or a block cannot be measured anywhere.
        """
        with connected(self._cluster) as client:
            self._wait_for_workers(client)
            try:
                for measurements in by_round(remaining(self._plan, self._past)):
                    cutter = Cutter(self._head, self._pickled, measurements, len(self._plan.subjects))
                    yield from self._round(cutter, client)
            finally:
                if client.status == "running":
                    quietly(lambda: client.run(session.end_run, self._head.run, on_error="ignore"))

    def record(self) -> dict[str, Any]:
        hosts = {name: asdict(host) for name, host in self._hosts.items()}
        return {"disturbance": list(self._looks.values()), "hosts": hosts}

    def _wait_for_workers(self, client: Client) -> None:
        """Wait until a worker offers to measure.

        Raises:
            InputError: there are workers, and none of them does.
        """
        begin_s, told = wall_s(), False
        while not slots(client):
            if address := next(iter(slots_by_worker(client)), None):
                raise InputError(
                    f"{address}: offers no resource {RESOURCE}; start workers with"
                    f" --nthreads 1 --resources {RESOURCE}=1"
                )
            if not told and wall_s() - begin_s > LOOK_S:
                told = True
                self._warn(f"waiting for the first worker of {self._cluster.name}")
            with contextlib.suppress(TimeoutError):
                client.wait_for_workers(1, timeout=LOOK_S)
        self._pace.slots = slots(client)

    def _round(self, cutter: Cutter, client: Client) -> Iterator[Row]:
        """Measure a round, some blocks ahead of what has been measured."""
        waiting = Waiting(client, self._cluster.name, self._warn)
        left = True
        try:
            while left or waiting.blocks:
                while left and len(waiting.blocks) < AHEAD * self._pace.slots:
                    block = cutter.next(self._number, self._pace, self._past.timeouts, wall_s() - self._start_s)
                    if block:
                        waiting.submit(block)
                        self._number += 1
                    left = block is not None
                if not waiting.blocks:
                    return
                block, measured = waiting.next()
                self._pace.slots = waiting.slots or self._pace.slots
                self._take_note(block, measured)
                yield from measured.rows
        finally:
            waiting.cancel()

    def _take_note(self, block: Block, measured: Measured) -> None:
        self._pace.learn(len(block.subjects), measured.seconds)
        for row in measured.rows:
            self._past.timeouts.add(row)
        if measured.about:
            self._hosts.setdefault(measured.host, measured.about)
        if look := measured.disturbance:
            began_s = self._looks.get(measured.session, {"began_s": round(block.sent_s, 3)})["began_s"]
            self._looks[measured.session] = look | {"began_s": began_s, "host": measured.host}
            for line in look["warnings"]:
                told = f"{measured.host}: {line}"
                if told not in self._warned:
                    self._warned.add(told)
                    self._warn(told)


class Waiting:
    """The blocks that the cluster has.

    Attributes:
        blocks: by key, with their futures.
        slots: of the present workers.
    """

    def __init__(self, client: Client, name: str, warn: Callable[[str], None]) -> None:
        self._client, self._name, self._warn = client, name, warn
        self.blocks: dict[str, tuple[Block, Future]] = {}
        self._outcomes: queue.SimpleQueue[tuple[str, Measured | Refusal | BaseException]] = queue.SimpleQueue()
        self.slots = 0
        self._withdrawn: set[str] = set()
        self._looked_s = self._seen_s = wall_s()

    def submit(self, block: Block) -> None:
        future = self._client.submit(
            session.run_block,
            pickle.dumps(block),  # as bytes, which the scheduler only passes on
            key=f"block-{block.number}-{secrets.token_hex(4)}",
            resources={RESOURCE: 1},
            pure=False,
        )
        self.blocks[future.key] = (block, future)
        future.add_done_callback(self._collect)

    def next(self) -> tuple[Block, Measured]:
        """Return the next block that has been measured.

        Raises:
            InputError: no worker may measure.
            ClusterError: the scheduler has gone away, or a block cannot be measured anywhere.
        """
        while True:
            self._look()
            try:
                key, outcome = self._outcomes.get(timeout=LOOK_S)
            except queue.Empty:
                continue
            block, _ = self.blocks.pop(key)
            if isinstance(outcome, Measured):
                return block, outcome
            if not isinstance(outcome, Refusal):
                raise self._fault(outcome)
            self._withdraw(outcome)
            self.submit(block)

    def _withdraw(self, refusal: Refusal) -> None:
        """Go on without a worker that must not measure.

        Raises:
            InputError: no other worker is left.
        """
        quietly(lambda: self._client.run(session.withdraw, workers=[refusal.worker]))
        self.slots = slots(self._client)
        if not self.slots:
            raise InputError(refusal.reason)
        if refusal.worker not in self._withdrawn:
            self._withdrawn.add(refusal.worker)
            self._warn(f"{refusal.worker} does not take part: {refusal.reason}")

    def cancel(self) -> None:
        """Give up the blocks that are not measured yet."""
        futures = [future for _, future in self.blocks.values()]
        self.blocks.clear()
        if futures and self._client.status == "running":
            quietly(lambda: self._client.cancel(futures, force=True))

    def _collect(self, future: Future) -> None:
        """Fetch a result, in a thread of the client."""
        try:
            self._outcomes.put((future.key, future.result()))
        except BaseException as error:
            self._outcomes.put((future.key, error))

    def _look(self) -> None:
        """Look at the cluster now and then."""
        now_s = wall_s()
        if now_s - self._looked_s < LOOK_S and self.slots:
            return
        self._looked_s = now_s
        if self._client.status != "running":
            raise self._gone()
        try:
            self.slots = slots(self._client)
        except (OSError, TimeoutError):
            raise self._gone() from None
        if self.slots:
            self._seen_s = now_s
        elif now_s - self._seen_s > ALONE_S:
            self._seen_s = now_s
            self._warn(f"{self._name} has no workers now; the run goes on when one joins")

    def _fault(self, error: BaseException) -> ClusterError:
        """Return the message about a block that was not measured."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return ClusterError(
                f"{self._name}: a block ended several workers, one after the other; give them more memory, or limit"
                " that of strategies with --memory"
            )
        if self._client.status != "running" or isinstance(error, Ended) or "ancelled" in type(error).__name__:
            return self._gone()
        return ClusterError(f"{self._name}: a block failed: {type(error).__name__}: {' '.join(str(error).split())}")

    def _gone(self) -> ClusterError:
        return ClusterError(f"{self._name}: the scheduler is gone")
