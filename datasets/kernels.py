"""Kernels: functions that numba compiles. Importing this module imports numba.

Numba keeps what it has compiled in a file beside the code. Of processes that need the same kernel at the same time,
each would compile it; here one does, and the others wait for its file.

Most kernels are called by other kernels only. Such a kernel becomes a part of its callers, and gets no machine code, no
wrapper for Python, and no file of its own, which would take half of the time (``Library``). Once Python calls it, it is
compiled anew. A constant argument is compiled as any other of its type.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import codegen, environment, event, sigutils, types
from numba.core.compiler_lock import global_compiler_lock

CodeLibrary: Any = codegen.JITCodeLibrary  # without types, as the functions of numba that are used here
lookup_environment: Any = environment.lookup_environment
normalize_signature: Any = sigutils.normalize_signature
WRAPPER, ENVIRONMENT = "_ZN7cpython", "_ZN08NumbaEnv"  # how names of functions for Python and of their globals begin

F = TypeVar("F", bound=Callable[..., Any])

_begun: list[str] = []  # the kernel that Python calls and is being compiled, and those within; under numba's lock


class Log(event.Listener):
    """Logs each kernel whose compilation begins; one that is loaded from its file is not compiled."""

    def on_start(self, begun: Any) -> None:
        logging.getLogger(__name__).info("compiling %s", begun.data["dispatcher"].__name__)

    def on_end(self, ended: Any) -> None: ...


event.register("numba:compile", Log())  # type: ignore[no-untyped-call]


class Library(CodeLibrary):  # type: ignore[misc]
    """The code of a kernel with all that it calls; machine code is made when the first function is to be run."""

    has_machine_code = False
    _compiled_object = None

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of a function, 0 if the library does not define it."""
        self._ensure_finalized()
        if not self.has_machine_code and self._defines(name):
            self._make_machine_code()
            for variable in self._final_module.global_variables:
                found = variable.name.startswith(ENVIRONMENT) and lookup_environment(variable.name)
                if found:
                    self._codegen.set_env(variable.name, found)
        return int(super().get_pointer_to_function(name)) if self.has_machine_code else 0

    def _defines(self, name: str) -> bool:
        return any(each.name == name and not each.is_declaration for each in self._final_module.functions)

    def _finalize_final_module(self) -> None:
        if self._compiled_object:  # loaded from a file
            self._make_machine_code()
        self._finalized = True

    def _make_machine_code(self) -> None:
        self.has_machine_code = True
        super()._finalize_final_module()


class LeanLibrary(Library):
    """A library that is optimized once more by what calls it, and therefore little by itself.

    Little is enough for it to be inlined. Without that, calls that pass many arrays remain, and some kernels take four
    times as long.
    """

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # the passes over all functions follow

    def _optimize_final_module(self) -> None:
        is_inner = not any(function.name.startswith(WRAPPER) for function in self._final_module.functions)
        passes = self._codegen._module_pass_manager(opt=2, loop_vectorize=False) if is_inner else None
        if isinstance(passes, tuple):  # since LLVM 20
            passes[0].run(self._final_module, passes[1])
        else:
            super()._optimize_final_module()


def njit(**options: Any) -> Callable[[F], F]:
    """Decorate a function that is compiled on its first call with arguments of certain types, once per machine.

    Args:
        options: of ``numba.njit``, such as ``nogil`` (other threads of Python run while the kernel does).
    """

    def kernel_of(function: F) -> F:
        kernel: Any = numba.njit(cache=True, **options)(function)
        if kernel is not function:  # else the environment forbids numba to compile
            _compile_by_need(kernel, f"{function.__module__}.{function.__qualname__}")
        return cast(F, kernel)

    return kernel_of


def _compile_by_need(kernel: Any, name: str) -> None:
    """Change how a kernel is compiled: for Python once per machine, for other kernels only as far as they need it."""
    compile_alone, add_for_python, save = kernel.compile, kernel.add_overload, kernel._cache.save_overload
    inner: set[Any] = set()  # the types of arguments for which only kernels can call it

    def compile_once(signature: Any) -> Any:
        arguments = tuple(map(types.unliteral, normalize_signature(signature)[0]))
        # Numba's own lock first: a thread that holds it may need this kernel, too.
        with global_compiler_lock:
            if arguments in inner and not _begun:
                inner.remove(arguments)
                del kernel.overloads[arguments]
            with contextlib.nullcontext() if _begun else _outermost(kernel, name):
                _begun.append(name)
                try:
                    return compile_alone(arguments)
                finally:
                    _begun.pop()

    def customize(flags: Any) -> Any:
        flags.no_cfunc_wrapper = True
        flags.no_cpython_wrapper = len(_begun) > 1
        return flags

    def add(result: Any) -> None:
        arguments = tuple(result.signature.args)
        if len(_begun) > 1 and not result.library._disable_inspection:  # compiled, not loaded from its file
            inner.add(arguments)
            kernel.overloads[arguments] = result
        else:
            add_for_python(result)

    kernel.compile, kernel.add_overload = compile_once, add
    kernel._compiler._customize_flags = customize
    kernel._cache.save_overload = lambda signature, result: None if len(_begun) > 1 else save(signature, result)


@contextlib.contextmanager
def _outermost(kernel: Any, name: str) -> Iterator[None]:
    """Compile a kernel that Python calls: hold its lock, and have all that it calls put into a ``Library``."""
    target = kernel.targetctx.codegen()
    library, set_environment = target._library_class, target.set_env

    def set_if_defined(variable: str, value: Any) -> None:
        if target._engine.is_symbol_defined(variable):
            set_environment(variable, value)

    with _locked(kernel.stats.cache_path, f"{name}.lock"):
        # Strategies are what a run measures: some kernels of theirs are a tenth slower if libraries are lean.
        target._library_class = Library if name.startswith("solvers.") else LeanLibrary
        target.set_env = set_if_defined
        try:
            yield
        finally:
            target._library_class = library
            del target.set_env


@contextlib.contextmanager
def _locked(folder: str | None, name: str) -> Iterator[None]:
    """Hold the lock of a kernel among processes, where its folder can be written."""
    with contextlib.ExitStack() as stack:
        if folder:
            with contextlib.suppress(OSError):
                stream = stack.enter_context(Path(folder, name).open("w"))
                fcntl.flock(stream, fcntl.LOCK_EX)  # ends with the stream, also if the process is killed
        yield
