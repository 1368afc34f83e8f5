"""Check the marked numbers of a document against a run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from sudoku_bench.bench.reports.marks import Claim, Quantity, in_latex, in_markdown, quantity_of
from sudoku_bench.bench.reports.numbers import PERCENT, SECONDS, Number, near
from sudoku_bench.datasets.errors import InputError

UNITS_S = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
PERCENTS, TIMES = ("%", "percent"), ("×", "x", "times")


def text_of_notebook(text: str, document: str) -> str:
    """Return the Markdown of a notebook, each line at its place in the file.

    Raises:
        InputError: the file is no notebook.
    """
    lines: dict[int, str] = {}
    offset = 0
    try:
        cells = [cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        for part in (part for source in cells for part in ([source] if isinstance(source, str) else source)):
            found = max(text.find(json.dumps(part, ensure_ascii=ascii_only), offset) for ascii_only in (False, True))
            offset = max(offset, found)
            first = text.count("\n", 0, offset)
            for number, line in enumerate(part.splitlines(), first):
                lines[number] = lines.get(number, "") + line
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        raise InputError(f"{document}: is no notebook") from None
    return "\n".join(lines.get(number, "") for number in range(max(lines, default=0) + 1))


def claims_of(text: str, is_latex: bool, numbers: Mapping[str, Number], document: str) -> list[Claim]:
    """Return the marked numbers of a text.

    Args:
        numbers: the numbers of the run.
        document: name of the document, for error messages.

    Raises:
        InputError: the text has no mark, a mark names a number that the run does not have, or a mark has no number.
    """
    claims = list(in_latex(text) if is_latex else in_markdown(text, numbers))
    if not claims:
        example = r"\claim{NAME}{1.66}" if is_latex else "1.66<!-- NAME -->"
        raise InputError(f"{document}: has no marked numbers; mark them as {example} (names: writeup/numbers.csv)")
    for claim in claims:
        place = f"{document}:{claim.line}"
        if claim.name not in numbers:
            similar = near(claim.name, numbers)
            hint = f"did you mean {' or '.join(similar)}?" if similar else "writeup/numbers.csv lists all names"
            raise InputError(f"{place}: the run has no number {claim.name}; {hint}")
        if numbers[claim.name].value is not None and not quantity_of(claim.text):
            raise InputError(f"{place}: no number before the mark {claim.name}; put the mark right after its number")
    return claims


def fault_of(claim: Claim, number: Number) -> str:
    """Return what is wrong with a claim, preceded by its line number; empty if it agrees with the run."""
    if number.value is None:
        text = re.sub(r"[`*_]", "", claim.text).rstrip()
        agrees, end = text.endswith(re.sub(r"[`*_]", "", number.text)), text[-40:].strip()
        return "" if agrees else f"{claim.line}: says ...{end}, the run says {number.text} ({claim.name})"
    quantity = quantity_of(claim.text)
    assert quantity is not None  # checked by claims_of
    scale = _scale(quantity.unit, number.unit)
    if scale is None:
        unit = "" if quantity.unit else " without a unit"
        return f"{claim.line}: says {quantity.text}{unit}, the run says {number.text} ({claim.name})"
    if _agrees(quantity, number.value / scale):
        return ""
    suffix = quantity.unit if quantity.unit in ("", "%", *TIMES) else f" {quantity.unit}"
    value = f"{number.value / scale:,.{max(0, quantity.decimals + 1)}f}{suffix}"
    expected = number.text if not number.unit and float(number.value).is_integer() else value
    return f"{claim.line}: says {quantity.text}, the run says {expected} ({claim.name})"


def _scale(claimed_unit: str, unit: str) -> float | None:
    """Return the size of the claimed unit in the unit of the number; None if they are incompatible."""
    if unit == SECONDS:
        return UNITS_S.get(claimed_unit)
    if unit == PERCENT:
        return 1.0 if claimed_unit in PERCENTS else None
    return 1.0 if not claimed_unit or claimed_unit in TIMES else None


def _agrees(quantity: Quantity, value: float) -> bool:
    """Return whether the value satisfies the claimed bound, or equals the claim at the claim's decimals."""
    if quantity.bound:
        beyond = value < quantity.value if quantity.bound in "<≤" else value > quantity.value
        return beyond or (quantity.bound in "≤≥" and value == quantity.value)
    return abs(value - quantity.value) <= 0.5 * 10.0**-quantity.decimals * (1 + 1e-9)
