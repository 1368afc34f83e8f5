"""Steps that hold only for puzzles with one solution, on 9×9 boards: unique loops and bivalue universal graves.

Each function returns the first of the easiest steps of its kind, or None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_, or_

from sudoku_bench.datasets.naming import listed
from sudoku_bench.datasets.steps.board import Board, Candidate, Step, bits, is_single
from sudoku_bench.datasets.steps.eliminations import candidates

KINDS = (2, 0, 1)  # of units, in the order in which they are looked at: box, row, column
SPARE = 2  # cells of a loop that may have several other digits
BY_LENGTH = {4: 45, 6: 46, 8: 47}  # ratings of loops in tenths
LONG = 50  # of longer loops

Masks = dict[int, int]  # digits by cell
Conclusion = tuple[int, int, Masks]  # rating in tenths, type, and what it eliminates


def unique_loop(board: Board) -> Step | None:
    """Return a step by a *unique loop*: a closed walk through cells with the same two digits, within units.

    Each unit holds two of its cells, of even and odd number, or none. If they held nothing else, the two digits could
    be exchanged along the loop; so one of them must hold something else.
    """
    found = (
        (rating, kind, loop, gone)
        for start, pair in enumerate(board.candidates)
        if pair.bit_count() == 2
        for loop in _loops(board, start)
        for rating, kind, masks in _conclusions(board, loop, pair)
        if (gone := candidates(board, masks.items()))
    )
    best = min(found, key=lambda step: step[:2], default=None)
    if best is None:
        return None
    rating, _, loop, gone = best
    digits = listed(map(board.digit_name, bits(reduce(and_, (board.candidates[cell] for cell in loop)))))
    reason = f"{listed(map(board.cell_name, loop))} could exchange {digits} if they held nothing else."
    return Step(rating / 10, "unique rectangle" if len(loop) == 4 else "unique loop", None, gone, loop, reason)


def _loops(board: Board, start: int) -> Iterator[tuple[int, ...]]:
    """Yield the loops through a cell with two candidates, depth first."""
    pair = board.candidates[start]
    fitting = [[cell for cell in cells if board.candidates[cell] & pair == pair] for cells in board.units]

    def walk(
        cells: tuple[int, ...], entered: tuple[frozenset[int], ...], by: int, spare: int, others: int
    ) -> Iterator[tuple[int, ...]]:
        """Go on from the last cell; ``entered`` has the units of cells of even and odd number, ``by`` a kind."""
        for kind in KINDS:
            for cell in fitting[board.homes[cells[-1]][kind][0]] if kind != by else ():
                if cell == start and len(cells) > 3:
                    if entered[0] == entered[1]:
                        yield cells
                    continue
                own, odd = frozenset(unit for unit, _ in board.homes[cell]), len(cells) % 2
                more = board.candidates[cell] & ~pair
                if cell in cells or own & entered[odd] or not (not more or is_single(others | more) or spare > 0):
                    continue
                after = (entered[0], entered[1] | own) if odd else (entered[0] | own, entered[1])
                yield from walk((*cells, cell), after, kind, spare - bool(more), others | more)

    own = frozenset(unit for unit, _ in board.homes[start])
    return walk((start,), (own, frozenset()), -1, SPARE, 0)


def _conclusions(board: Board, loop: tuple[int, ...], pair: int) -> Iterator[Conclusion]:
    """Yield what follows from a loop."""
    rating = BY_LENGTH.get(len(loop), LONG)
    rich = [cell for cell in loop if board.candidates[cell] != pair]
    others = reduce(or_, (board.candidates[cell] & ~pair for cell in rich), 0)
    if len(rich) == 1:
        yield rating, 1, {rich[0]: pair}
    elif is_single(others):  # it is in one of the cells that have it, so not in a cell that sees all of these
        yield rating, 2, dict.fromkeys(_seeing(board, rich), others)
    if len(rich) != 2:
        return
    first, second = rich
    for kind in KINDS if not is_single(others) else ():
        (unit, place), (same, other) = board.homes[first][kind], board.homes[second][kind]
        if unit == same:
            yield from _with_naked_set(board, rating, unit, 1 << place | 1 << other, others, rich)
            yield from _with_hidden_set(board, rating, unit, place, other, pair, others)
    for digit in bits(pair):  # it has no other places in a unit of both cells: the other digit is in neither of them
        for kind in KINDS:
            (unit, place), (same, other) = board.homes[first][kind], board.homes[second][kind]
            if unit == same and not board.spots[unit][digit] & ~(1 << place | 1 << other):
                yield rating, 4, dict.fromkeys(rich, pair & ~(1 << digit))


def _with_naked_set(
    board: Board, rating: int, unit: int, own: int, others: int, rich: list[int]
) -> Iterator[Conclusion]:
    """Two cells, together like one with their other digits: a naked set with further cells of their unit."""
    cells = board.units[unit]
    masks, shared = [board.candidates[cell] for cell in cells], others
    for cell in rich:
        shared &= board.candidates[cell]
    most = min(7, sum(map(bool, masks)) // 2)
    for members in range(1, 1 << len(cells)):
        degree = members.bit_count() + 1
        if members & own or not others.bit_count() <= degree <= most:
            continue
        union = _union(masks, members)
        if union and (union | others).bit_count() == degree == (union | shared).bit_count():
            rest = [cell for place, cell in enumerate(cells) if not (members | own) >> place & 1]
            yield rating + degree - 1, 3, dict.fromkeys(rest, union | others)


def _with_hidden_set(
    board: Board, rating: int, unit: int, first: int, second: int, pair: int, others: int
) -> Iterator[Conclusion]:
    """Two cells, together like one with the loop's digits: a hidden set with further digits of their unit."""
    cells = board.units[unit]
    n_open = sum(board.candidates[cell] != 0 for cell in cells)
    for further in range(1 << board.size):
        degree = further.bit_count() + 2
        if further & (pair | others) or 2 * degree >= n_open or degree > 7:
            continue
        places = [board.spots[unit][digit] & ~(1 << second) for digit in bits(further | pair)]
        union = reduce(or_, places)
        if all(places) and union.bit_count() == degree:
            yield rating + degree - 2, 3, {cells[k]: ~(further | pair) for k in bits(union) if k != first}


def universal_grave(board: Board) -> Step | None:
    """Return a step by a *grave*: all cells have two candidates, and digits two places, but for a surplus.

    Without the surplus all candidates could be exchanged, so one of its candidates must be true.
    """
    surplus = _surplus(board)
    if surplus is None:
        return None
    of_cells, digits = surplus
    cells, near = list(of_cells), _seeing(board, of_cells)
    if len(cells) == 1:
        rating, gone = 56, candidates(board, [(cells[0], ~digits)])
    else:
        rating, gone = 57, candidates(board, [(cell, digits) for cell in near]) if is_single(digits) else ()
        if len(cells) == 2 and (near or is_single(digits)):
            gone = gone or _of_two(board, of_cells, digits)
        if not gone and near and not is_single(digits):
            rating, gone = _grave_with_naked_set(board, cells, digits, near)
    if not gone:
        return None
    reason = f"without other digits in {listed(map(board.cell_name, cells))}, each open cell could change its digit."
    return Step(rating / 10, "bivalue universal grave", None, gone, tuple(cells), reason)


def _surplus(board: Board) -> tuple[Masks, int] | None:
    """Return the surplus of cells, in the order in which it is found, and its digits; None if there is no grave.

    Where a digit has one place or more than two in a unit, and only one of these cells is *rich* (three candidates or
    more), it is surplus there. If only one digit is affected, it is surplus in all the rich cells.
    """
    surplus, digits, affected, rich = Masks(), 0, 0, set[int]()
    for unit in (unit for kind in KINDS for unit in range(kind * board.size, (kind + 1) * board.size)):
        for digit, places in enumerate(board.spots[unit]):
            if places.bit_count() in (0, 2):
                continue
            here = [cell for cell in board.cells_at(unit, places) if board.candidates[cell].bit_count() > 2]
            if not here:
                return None
            affected |= 1 << digit
            rich.update(here)
            if len(here) == 1:
                surplus[here[0]] = surplus.get(here[0], 0) | 1 << digit
                digits |= 1 << digit
                if len(surplus) > 1 and digits.bit_count() > 1 and not _seeing(board, surplus):
                    return None
    if is_single(affected):
        surplus |= {cell: affected for cell in sorted(rich) if cell not in surplus}
    rest = [mask & ~surplus.get(cell, 0) for cell, mask in enumerate(board.candidates)]
    is_bivalue = all(left.bit_count() == 2 for left, mask in zip(rest, board.candidates, strict=True) if mask) and all(
        sum(rest[cell] >> digit & 1 for cell in cells) in (0, 2) for cells in board.units for digit in range(board.size)
    )
    return (surplus, digits) if surplus and is_bivalue else None


def _of_two(board: Board, surplus: Masks, digits: int) -> tuple[Candidate, ...]:
    """Two cells of a unit that share a digit: the one without surplus holds it, so the third digit is in neither."""
    one, other = surplus
    shared = board.candidates[one] & board.candidates[other] & ~digits
    if not is_single(shared) or not board.sees(one, other):
        return ()
    return candidates(board, [(cell, ~surplus[cell] & ~shared) for cell in surplus])


def _grave_with_naked_set(
    board: Board, surplus: list[int], digits: int, near: set[int]
) -> tuple[int, tuple[Candidate, ...]]:
    """The cells with surplus, like one with these digits: a naked set with further cells of their unit."""
    for degree in range(2, 7):
        for kind in KINDS:
            unit = board.homes[surplus[0]][kind][0]
            if any(board.homes[cell][kind][0] != unit for cell in surplus):
                continue
            cells = [cell for cell in board.units[unit] if cell in near]
            masks = [board.candidates[cell] for cell in cells]
            for members in range(1 << len(cells)):
                union = _union(masks, members) if members.bit_count() == degree - 1 else 0
                if union.bit_count() != degree or digits & ~union:
                    continue
                rest = [(cell, union) for place, cell in enumerate(cells) if not members >> place & 1]
                if gone := candidates(board, rest):
                    return 56 + degree, gone
    return 0, ()


def _union(masks: list[int], members: int) -> int:
    """Return the candidates of some cells together; 0 if one of them has fewer than two."""
    chosen = [masks[place] for place in bits(members)]
    return reduce(or_, chosen) if all(mask.bit_count() > 1 for mask in chosen) else 0


def _seeing(board: Board, cells: Iterable[int]) -> set[int]:
    """Return the cells that see all of some cells."""
    return set.intersection(*(set(board.peers[cell]) for cell in cells))
