"""Blocks of data inside of a page: compressed, in letters that no parser takes for markup."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from typing import Any


def packed(data: bytes) -> str:
    """The data as gzip in base64; the same letters for the same data."""
    return base64.b64encode(gzip.compress(data, compresslevel=9, mtime=0)).decode("ascii")


def packed_json(value: Any) -> str:
    """A value of JSON, packed.

    Raises:
        ValueError: a number in it is not finite, which JSON cannot say.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return packed(text.encode("utf-8", "replace"))


def checksum(script: str) -> str:
    """A script as a content security policy names it (W3C, Content Security Policy Level 3)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
