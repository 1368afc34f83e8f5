"""Messages between runner and worker: JSON objects, one a line."""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]


def error_line(error: BaseException) -> str:
    """Return an exception as one short line."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # its __str__ fails
        text = ""
    return f"{type(error).__name__}: {text}"[:300] if text else type(error).__name__
