"""Kernels: functions that numba compiles. Importing this module imports numba.

Numba keeps what it has compiled in a file beside the code. Of processes that need the same kernel at the same time,
each would compile it; here one does, and the others wait for its file.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event, sigutils, types
from numba.core.compiler_lock import global_compiler_lock

arguments_of: Any = sigutils.normalize_signature  # without types, as the functions of numba that are used here
without_constant: Any = types.unliteral

SETTINGS: dict[str, Any] = {"cache": True, "no_cfunc_wrapper": True}

F = TypeVar("F", bound=Callable[..., Any])


class Log(event.Listener):
    """Logs each kernel whose compilation begins; one that is loaded from its file is not compiled."""

    def on_start(self, begun: Any) -> None:
        logging.getLogger(__name__).info("compiling %s", begun.data["dispatcher"].__name__)

    def on_end(self, ended: Any) -> None: ...


event.register("numba:compile", Log())  # type: ignore[no-untyped-call]


def njit(**options: Any) -> Callable[[F], F]:
    """Decorate a function that is compiled on its first call with arguments of certain types, once per machine.

    A constant argument is compiled as any other of its type, and no C function is made.

    Args:
        options: of ``numba.njit``, such as ``nogil`` (other threads of Python run while the kernel does).
    """

    def kernel_of(function: F) -> F:
        kernel: Any = numba.njit(**SETTINGS, **options)(function)
        if kernel is function:  # the environment forbids numba to compile
            return function
        compile_alone = kernel.compile
        lock = f"{function.__module__}.{function.__qualname__}.lock"

        def compile_once(signature: Any) -> Any:
            # Numba's own lock first: a thread that holds it may need this kernel, too.
            with global_compiler_lock, _locked(kernel.stats.cache_path, lock):
                return compile_alone(tuple(map(without_constant, arguments_of(signature)[0])))

        kernel.compile = compile_once
        return cast(F, kernel)

    return kernel_of


@contextlib.contextmanager
def _locked(folder: str | None, name: str) -> Iterator[None]:
    """Hold the lock of a kernel among processes, where its folder can be written."""
    with contextlib.ExitStack() as stack:
        if folder:
            with contextlib.suppress(OSError):
                stream = stack.enter_context(Path(folder, name).open("w"))
                fcntl.flock(stream, fcntl.LOCK_EX)  # ends with the stream, also if the process is killed
        yield
