"""Kernels: functions that numba compiles. Importing this module imports numba.

Numba keeps what it has compiled in a file beside the code. It takes such a file for that of the present code if the
kernel's own module has not changed; here, if nothing has that the module imports (``datasets/sources``). Of processes
that need the same kernel at the same time, each would compile it; here one does, and the others wait for its file.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from numba.core import event, sigutils, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime.nrt import rtsys

from sudoku_bench.datasets import sources

arguments_of: Any = sigutils.normalize_signature  # without types, as the functions of numba that are used here
without_constant: Any = types.unliteral

SETTINGS: dict[str, Any] = {"no_cfunc_wrapper": True}
VERSIONS = (llvmlite.__version__, np.__version__)  # numba compares its own
PYTHON = "py{}{}".format(*sys.version_info)  # as in the names of its files

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
        key = _enable_cache(kernel, function)
        compile_alone = kernel.compile
        lock = f"{function.__module__}.{function.__qualname__}.lock"

        def compile_once(signature: Any) -> Any:
            # Numba's own lock first: a thread that holds it may need this kernel, too.
            with global_compiler_lock, _locked(kernel.stats.cache_path, lock):
                loaded = compile_alone(tuple(map(without_constant, arguments_of(signature)[0])))
                if kernel.stats.cache_misses:
                    _remove_others(kernel.stats.cache_path, Path(function.__code__.co_filename).stem, key)
                return loaded

        kernel.compile = compile_once
        return cast(F, kernel)

    return kernel_of


def _enable_cache(kernel: Any, function: Any) -> str:
    """Let numba keep a kernel in a file whose name has a key of all that is compiled into it; return the key.

    A kernel whose code cannot be read, as in a notebook, is compiled by each process.
    """
    try:
        key = sources.digest(sources.closure(Path(function.__code__.co_filename).absolute()), *VERSIONS)
    except OSError:
        return ""
    name = function.__qualname__
    function.__qualname__ = f"{name}.{key}"  # the only part of the file's name that can be chosen
    kernel.enable_caching()
    function.__qualname__ = name
    kernel._cache.load_overload = partial(_load, kernel._cache.load_overload)
    return key


def _load(load: Callable[[Any, Any], Any], signature: Any, target: Any) -> Any:
    """Load a compiled kernel, but not the declarations that only compiling needs, which take three times as long."""
    target.refresh = partial(rtsys.initialize, target)  # compile_once holds numba's lock
    try:
        return load(signature, target)
    finally:
        vars(target).pop("refresh", None)  # it is the method again


def _remove_others(folder: str | None, module: str, key: str) -> None:
    """Remove what was compiled from earlier code of a module. Who still runs that code compiles again."""
    for path in Path(folder).glob(f"{module}.*.{'[0-9a-f]' * 16}-*.{PYTHON}*.nb[ic]") if folder else ():
        if f".{key}-" not in path.name:
            with contextlib.suppress(OSError):
                path.unlink()


@contextlib.contextmanager
def _locked(folder: str | None, name: str) -> Iterator[None]:
    """Hold the lock of a kernel among processes, where its folder can be written."""
    with contextlib.ExitStack() as stack:
        if folder:
            with contextlib.suppress(OSError):
                stream = stack.enter_context(Path(folder, name).open("w"))
                fcntl.flock(stream, fcntl.LOCK_EX)  # ends with the stream, also if the process is killed
        yield
