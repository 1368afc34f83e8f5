"""Numbers with their units, as texts write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

QUANTITY = re.compile(
    r"(?P<bound>[<>≤≥]?)\s*[×≈~]?(?<![\w.,])(?P<sign>[-−+]?)(?P<digits>\d[\d,]*(?:\.\d+)?)(?:e(?P<power>[-+]?\d+))?"
    r"\s*(?P<unit>%|percent|ns|us|µs|ms|s|min|×|x|times)?$"
)


@dataclass(frozen=True)
class Quantity:
    """A number as a text writes it: ``bound`` is ``<`` or the like, or empty; ``decimals`` are those that it shows."""

    shown: str
    bound: str
    value: float
    decimals: int
    unit: str


def quantity_of(said: str) -> Quantity | None:
    """The number, with its unit, that a text ends with."""
    match = QUANTITY.search(said.replace("μ", "µ").rstrip())
    if not match:
        return None
    power = int(match["power"] or 0)
    digits = match["digits"].replace(",", "")
    value = float(f"{digits}e{power}") * (-1 if match["sign"] in ("-", "−") else 1)
    return Quantity(match[0].strip(), match["bound"], value, len(digits.partition(".")[2]) - power, match["unit"] or "")
