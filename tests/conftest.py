"""What several test files share."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Examples are the same on every run and on every machine, and no test depends on the machine's speed.
settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")

TOP = Path(__file__).resolve().parent.parent  # of the checkout
SHARED_DATA = TOP.parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real collections kept beside the checkout, where there are any."""
    if not SHARED_DATA.is_dir():
        pytest.skip("no folder ../shared/data with real collections")
    return SHARED_DATA


def only_once(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path], None]) -> Path:
    """Return a folder that ``fill`` has filled, once for all processes of pytest-xdist."""
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, unfinished = shared / name, shared / f"{name}-unfinished"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            fill(unfinished)
            unfinished.rename(folder)
    return folder
