"""Several generators at work at the same time, each in a thread of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class _End:
    """A generator is through, or failed with an error."""

    error: BaseException | None = None


def side_by_side(sources: Sequence[Generator[T, None, None]]) -> Iterator[T]:
    """What the generators yield, as it comes. Closing this one closes them all, each after its present item.

    Raises:
        what one of the generators raises, once the others are closed.
    """
    items: queue.SimpleQueue[T | _End] = queue.SimpleQueue()
    stop = threading.Event()
    threads = [threading.Thread(target=_drain, args=(source, items, stop)) for source in sources]
    for thread in threads:
        thread.start()
    try:
        working = len(threads)
        while working:
            item = items.get()
            if not isinstance(item, _End):
                yield item
            elif item.error:
                raise item.error
            else:
                working -= 1
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _drain(source: Generator[T, None, None], items: queue.SimpleQueue[T | _End], stop: threading.Event) -> None:
    error: BaseException | None = None
    try:
        for item in source:
            items.put(item)
            if stop.is_set():
                break
        source.close()
    except BaseException as raised:
        error = raised
    items.put(_End(error))
