"""What makes each encoding."""

from __future__ import annotations

from collections.abc import Callable

from datasets.shape import Shape
from solvers.sat.amo import Scheme
from solvers.sat.encodings.binary import direct_log, log_difference, log_only
from solvers.sat.encodings.direct import complete, minimal, natural, no_cell_amo
from solvers.sat.encodings.encoding import Encoding
from solvers.sat.encodings.support import support
from solvers.sat.encodings.triads import augmented, complete_augmented
from solvers.sat.encodings.unary import direct_order, order_only

WITH_SCHEME: dict[str, Callable[[Shape, Scheme], Encoding]] = {
    "minimal": minimal,
    "natural": natural,
    "no-cell-amo": no_cell_amo,
    "complete": complete,
}
ALONE: dict[str, Callable[[Shape], Encoding]] = {
    "augmented": augmented,
    "complete-augmented": complete_augmented,
    "order": order_only,
    "direct-order": direct_order,
    "direct-log": direct_log,
    "log": log_only,
    "log-difference": log_difference,
    "support": support,
}
