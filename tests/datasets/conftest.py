"""The folder of real collections, for tests of the package ``datasets``."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.conftest import SHARED_DATA


@pytest.fixture
def shared_data(request: pytest.FixtureRequest) -> Path:
    """Folder of real collections beside the checkout; without it, skip and state what stays unchecked.

    The first line of the test's docstring names the property; the project's own puzzles cannot check it.
    """
    description = inspect.getdoc(request.function)
    assert description, f"{request.function.__name__} needs a docstring that says what it checks"
    if not SHARED_DATA.is_dir():
        pytest.skip(f"no folder ../shared/data with real collections; not checked: {description.splitlines()[0]}")
    return SHARED_DATA
