"""What several test files share."""

from __future__ import annotations

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
