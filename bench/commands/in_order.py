"""Works on items on several cores, and yields the results in the order of the items."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from sudoku_bench.bench.process.computing import computing
from sudoku_bench.bench.say.compiling import tell_compiling
from sudoku_bench.datasets.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Item = TypeVar("Item")
Result = TypeVar("Result")


def until_fault(items: Iterable[Item], faults: list[InputError]) -> Iterator[Item]:
    """Yield items up to the first fault of their source, which is added to ``faults``: those before it are used."""
    try:
        yield from items
    except InputError as fault:
        faults.append(fault)


@contextlib.contextmanager
def _processes(number: int) -> Iterator[Executor]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import active_children, get_context

    with ProcessPoolExecutor(number, get_context("spawn"), initializer=tell_compiling) as pool:
        try:
            yield pool
        except (KeyboardInterrupt, GeneratorExit):
            for process in active_children():  # SIGTERM reaches this process only
                process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], jobs: int, processes: bool = False
) -> Iterator[tuple[Item, Result]]:
    """Yield each item with the result of the work on it; a few items are read ahead, none with one job.

    Args:
        processes: whether several jobs are processes instead of threads.

    Raises:
        InputError: reading the items raised it. Those before it are yielded first.
    """
    ahead = 2 * jobs if jobs > 1 else 0
    waiting: deque[tuple[Item, Future[Result]]] = deque()
    faults: list[InputError] = []
    with _processes(jobs) if processes and jobs > 1 else computing(jobs) as pool:
        for read in until_fault(items, faults):
            waiting.append((read, pool.submit(work, read)))
            if len(waiting) > ahead:
                item, future = waiting.popleft()
                yield item, future.result()
        for item, future in waiting:
            yield item, future.result()
    if faults:
        raise faults[0]
