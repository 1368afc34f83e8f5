"""HOW it is solved. One small file per family of strategies; knows no clock and no file."""

from solvers.registry import register
from solvers.strategy import GaveUp, Strategy, Task, Unsupported

__all__ = ["GaveUp", "Strategy", "Task", "Unsupported", "register"]
