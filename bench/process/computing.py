"""Threads that compute, so that the main thread hears of Ctrl-C and SIGTERM at once.

A kernel, or its compilation, which may take a minute, cannot be stopped: after an interrupt nobody waits for it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from sudoku_bench.bench.worker import process_tree

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

NAME = "sudoku-bench-computes"  # of these threads


@contextlib.contextmanager
def computing(threads: int = 1) -> Iterator[ThreadPoolExecutor]:
    """Provide threads. The end cancels what has not begun and waits for the rest, but not after an interrupt."""
    pool, waits = ThreadPoolExecutor(threads, thread_name_prefix=NAME), True
    try:
        yield pool
    except (KeyboardInterrupt, GeneratorExit):  # the latter closes a generator that was interrupted elsewhere
        waits = False
        raise
    finally:
        pool.shutdown(wait=waits, cancel_futures=True)


def afterwards(work: Callable[[], object]) -> None:
    """Call ``work`` once the threads that compute now have ended, without waiting for them."""
    computes = [thread for thread in threading.enumerate() if thread.name.startswith(NAME)]

    def wait() -> None:
        for thread in computes:
            thread.join()
        work()

    threading.Thread(target=wait, name=f"{NAME}-then").start()


def computed(work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
    """Return what ``work`` returns, computed in a thread."""
    with computing() as pool:
        return pool.submit(work, *args, **kwargs).result()


def leave(code: int) -> int:
    """Return the exit code of an interrupted command; if threads still compute, end the process with it instead.

    Python would wait for them. What numba has compiled lies in files that it renames when they are complete.
    """
    if any(thread.name.startswith(NAME) for thread in threading.enumerate()):
        process_tree.kill_descendants(os.getpid())
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
    return code
