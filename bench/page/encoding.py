"""Values of data frames as JSON, and bytes as text of an HTML file."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

PACKING = 6  # of gzip: half the time of 9, for 1% more bytes


def codes(values: pd.Series[Any], names: Sequence[str]) -> list[int]:
    """Return the position of each value among the names."""
    return [int(code) for code in pd.Index(names).get_indexer(pd.Index(values.astype(str)))]


def plain(values: Any) -> list[float | int | None]:
    """Return numbers with five significant digits for JSON, None for unknown or infinite ones."""
    return [_short(number) if math.isfinite(number) else None for number in np.asarray(values, np.float64).tolist()]


def _short(number: float) -> float | int:
    rounded = float(f"{number:.5g}")
    return int(rounded) if rounded.is_integer() else rounded


def packed(data: bytes) -> str:
    """Return the data as gzip in base64, the same text for the same data. It contains no markup."""
    return base64.b64encode(gzip.compress(data, compresslevel=PACKING, mtime=0)).decode("ascii")


def packed_json(value: Any) -> str:
    """Return a JSON value, packed.

    Raises:
        ValueError: a number is not finite, which JSON cannot represent.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return packed(text.encode("utf-8", "replace"))
