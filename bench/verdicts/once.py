"""What is computed from an object once and kept with it, like a cached property that its class does not know of."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def once(function: Function) -> Function:
    """Return the function such that it computes its result once for each object and further arguments.

    Its first argument is the object, such as a run: the results live as long as it does, and must not be changed. The
    further arguments are hashable.
    """

    name = f"{function.__module__}.{function.__qualname__}"  # text, so that the object can still be pickled

    @functools.wraps(function)
    def cached(instance: Any, *arguments: Any) -> Any:
        results = instance.__dict__.setdefault(name, {})
        if arguments not in results:
            results[arguments] = function(instance, *arguments)
        return results[arguments]

    return cast(Function, cached)
