"""Is what a text says what the run says?"""

from __future__ import annotations

import re
from collections.abc import Mapping

from bench.writeup.marks import Claim, in_latex, in_markdown
from bench.writeup.numbers import PERCENT, SECONDS, Number, near
from bench.writeup.quantity import Quantity, quantity_of
from datasets.errors import InputError

UNITS_S = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0}
PERCENTS, TIMES = ("%", "percent"), ("×", "x", "times")


def claims_of(text: str, is_latex: bool, known: Mapping[str, Number], document: str) -> list[Claim]:
    """The marked numbers of a text.

    Args:
        known: the numbers of the run; document: its name, for messages.

    Raises:
        InputError: there is no mark, one names what the run has not, or one has no number.
    """
    found = list(in_latex(text) if is_latex else in_markdown(text, known, document))
    if not found:
        how = r"\claim{NAME}{1.66}" if is_latex else "1.66<!-- NAME -->"
        raise InputError(f"{document}: marks no number as one of a run; write {how} (names: writeup/numbers.csv)")
    for claim in found:
        place = f"{document}:{claim.line}"
        if claim.name not in known:
            alike = near(claim.name, known)
            hint = f"did you mean {' or '.join(alike)}?" if alike else "writeup/numbers.csv has all names"
            raise InputError(f"{place}: the run has no number {claim.name}; {hint}")
        if known[claim.name].value is not None and not quantity_of(claim.said):
            raise InputError(f"{place}: no number stands before the mark {claim.name}; put the mark right after it")
    return found


def fault_of(claim: Claim, number: Number) -> str:
    """What is wrong with a claim, after the number of its line; empty if the run says the same."""
    if number.value is None:
        words = re.sub(r"[`*_]", "", claim.said).rstrip()
        right, said = words.endswith(re.sub(r"[`*_]", "", number.text)), words[-40:].strip()
        return "" if right else f"{claim.line}: says ...{said}, the run says {number.text} ({claim.name})"
    quantity = quantity_of(claim.said)
    assert quantity is not None  # claims_of has seen to that
    scale = _scale(quantity.unit, number.unit)
    if scale is None:
        unit = "" if quantity.unit else " without a unit"
        return f"{claim.line}: says {quantity.shown}{unit}, the run says {number.text} ({claim.name})"
    if _holds(quantity, number.value / scale):
        return ""
    value = f"{number.value / scale:,.{max(0, quantity.decimals + 1)}f}{_unit(quantity.unit)}"
    told = number.text if not number.unit and float(number.value).is_integer() else value
    return f"{claim.line}: says {quantity.shown}, the run says {told} ({claim.name})"


def _scale(said: str, meant: str) -> float | None:
    """What one of the unit that is said comes to in the unit that is meant; None if they do not go together."""
    if meant == SECONDS:
        return UNITS_S.get(said)
    if meant == PERCENT:
        return 1.0 if said in PERCENTS else None
    return 1.0 if not said or said in TIMES else None


def _unit(said: str) -> str:
    return said if said in ("%", "×", "x") or not said else f" {said}"


def _holds(quantity: Quantity, value: float) -> bool:
    """Is the value what is said, rounded to as many digits? Or does it keep the bound?"""
    if quantity.bound:
        beyond = value < quantity.value if quantity.bound in "<≤" else value > quantity.value
        return beyond or (quantity.bound in "≤≥" and value == quantity.value)
    return abs(value - quantity.value) <= 0.5 * 10.0**-quantity.decimals * (1 + 1e-9)
