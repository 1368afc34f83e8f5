"""Steps of the explainer scale in words: which cells, which rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from datasets import naming
from datasets.difficulty.explainer import found as records
from datasets.difficulty.explainer import hints as forcing
from datasets.difficulty.explainer import ladder as step
from datasets.difficulty.explainer import store as stores
from datasets.difficulty.explainer.found import CYCLE, Found
from datasets.difficulty.explainer.grid import HOME, KINDS, N_LITERALS, SHAPE, UNITS, Ints
from datasets.difficulty.explainer.hints import Hints
from datasets.difficulty.explainer.nested import Room
from datasets.difficulty.explainer.store import (
    ASSUMED,
    BY_CHAIN,
    BY_HIDDEN_PAIR,
    BY_LOCKED,
    BY_NAKED_PAIR,
    BY_X_WING,
    Store,
    chain_of,
)
from datasets.naming import listed

NAMES = {
    step.LAST_CELL: "last cell",
    step.HIDDEN_IN_BOX: "hidden single in a box",
    step.HIDDEN_IN_LINE: "hidden single in a line",
    step.DIRECT_POINTING: "direct pointing",
    step.DIRECT_CLAIMING: "direct claiming",
    step.DIRECT_PAIR: "direct hidden pair",
    step.NAKED_SINGLE: "naked single",
    step.DIRECT_TRIPLET: "direct hidden triplet",
    step.POINTING: "pointing",
    step.CLAIMING: "claiming",
    step.NAKED_PAIR: "naked pair",
    step.X_WING: "X-wing",
    step.HIDDEN_PAIR: "hidden pair",
    step.NAKED_TRIPLET: "naked triplet",
    step.SWORDFISH: "swordfish",
    step.HIDDEN_TRIPLET: "hidden triplet",
    step.XY_WING: "XY-wing",
    step.XYZ_WING: "XYZ-wing",
    step.UNIQUE_LOOP: "unique loop",
    step.NAKED_QUAD: "naked quad",
    step.JELLYFISH: "jellyfish",
    step.HIDDEN_QUAD: "hidden quad",
    step.GRAVE: "bivalue universal grave",
    step.PAIR_EXCLUSION: "aligned pair exclusion",
    step.WALK: "chain or cycle",
    step.TRIPLET_EXCLUSION: "aligned triplet exclusion",
    step.NISHIO: "Nishio",
    step.MULTIPLE: "forcing chains",
    step.DYNAMIC: "dynamic forcing chains",
    step.DYNAMIC_PATTERNS: "dynamic forcing chains with patterns",
    step.DYNAMIC_WALKS: "dynamic forcing chains with nested chains",
    step.DYNAMIC_MULTIPLE: "dynamic forcing chains with nested forcing chains",
    step.DYNAMIC_DYNAMIC: "dynamic forcing chains with nested dynamic forcing chains",
}
BY_PATTERN = {
    BY_LOCKED: "locked candidates",
    BY_HIDDEN_PAIR: "a hidden pair",
    BY_NAKED_PAIR: "a naked pair",
    BY_X_WING: "an X-wing",
}
cell_name, unit_name = partial(naming.cell_name, SHAPE), partial(naming.unit_name, SHAPE)


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(9) if mask >> bit & 1]


def _cells(cells: Iterable[int]) -> str:
    return listed(map(cell_name, cells))


def _digits(digits: Iterable[int], joint: str = "and") -> str:
    return listed((str(digit + 1) for digit in digits), joint)


def literal_text(literal: int) -> str:
    """Say what a literal claims, such as ``r1c5 is not 3``."""
    cell, digit = (literal >> 1) // 9, (literal >> 1) % 9
    return f"{cell_name(cell)} is {'' if literal & 1 else 'not '}{digit + 1}"


def reasons(technique: int, note: Ints, room: Room, filled: tuple[int, int] | None) -> tuple[str, ...]:
    """Return sentences that explain the step that was found last.

    Args:
        note: its pattern.
        room: the room in which it was found.
        filled: the cell that it fills and the digit (from 1), if any.
    """
    if technique >= step.FIRST_CHAIN:
        return tuple(_hint_text(room.outer.hints, room.outer.store))
    if technique == step.WALK:
        return tuple(_walk_text(room.found))
    numbers = [int(number) for number in note]
    if technique < step.POINTING and filled:
        return (_single_text(technique, numbers, *filled),)
    if technique < step.UNIQUE_LOOP or technique in (step.NAKED_QUAD, step.JELLYFISH, step.HIDDEN_QUAD):
        return (_set_text(technique, numbers),)
    return (_uniqueness_text(technique, numbers),)


def _single_text(technique: int, note: list[int], cell: int, digit: int) -> str:
    name = cell_name(cell)
    match technique:
        case step.LAST_CELL:
            return f"{name} is the last open cell of {unit_name(note[0])}."
        case step.HIDDEN_IN_BOX | step.HIDDEN_IN_LINE:
            return f"{name} is the only place for {digit} in {unit_name(note[0])}."
        case step.NAKED_SINGLE:
            return f"{digit} is the only candidate of {name}."
        case step.DIRECT_POINTING | step.DIRECT_CLAIMING:
            return f"{_locked_text(note)}; that leaves {name} as the only place for {digit} in a unit."
    places, digits = _bits(note[1]), [member for member in note[2:6] if member >= 0]
    cells = _cells(UNITS[note[0], places])
    return (
        f"In {unit_name(note[0])}, {_digits(digits)} can only be in {cells};"
        f" that leaves {name} as the only place for {digit}."
    )


def _locked_text(note: list[int]) -> str:
    unit, other, digit = note[:3]
    where, value = unit_name(other), digit + 1
    return f"In {unit_name(unit)}, all places for {value} are in {where}, so the rest of {where} has no {value}"


def _set_text(technique: int, note: list[int]) -> str:
    members, union = [member for member in note[2:6] if member >= 0], _bits(note[1])
    if technique in (step.POINTING, step.CLAIMING):
        return f"{_locked_text(note)}."
    if technique in (step.XY_WING, step.XYZ_WING):
        return (
            f"Whatever {cell_name(note[0])} holds, it or one of the cells {_cells(note[1:3])} is {note[3] + 1},"
            f" so no cell that sees all of these is {note[3] + 1}."
        )
    if technique in (step.X_WING, step.SWORDFISH, step.JELLYFISH):
        lines = listed(unit_name(note[0] + member) for member in members)
        across = listed(unit_name(9 - note[0] + place) for place in union)
        return f"In {lines}, {note[7] + 1} can only be in {across}, so the rest of these has no {note[7] + 1}."
    if technique in (step.NAKED_PAIR, step.NAKED_TRIPLET, step.NAKED_QUAD):
        cells = _cells(UNITS[note[0], members])
        return f"In {unit_name(note[0])}, {cells} together hold {_digits(union)}, so no other cell does."
    cells = _cells(UNITS[note[0], union])
    return f"In {unit_name(note[0])}, {_digits(members)} can only be in {cells}, so these hold nothing else."


def _uniqueness_text(technique: int, note: list[int]) -> str:
    if technique == step.UNIQUE_LOOP:
        kind, n, pair = note[:3]
        return (
            f"Type {kind}: if {_cells(note[3 : 3 + n])} held only {_digits(_bits(pair))}, these could be exchanged"
            " and the puzzle would have two solutions."
        )
    if technique == step.GRAVE:
        kind, n, digits = note[:3]
        surplus = f"{_digits(_bits(digits), 'or')} in {_cells(note[3 : 3 + n])}"
        return (
            f"Type {kind}: without {surplus}, all open cells would have two candidates and all digits two places in a"
            " unit, and the puzzle two solutions."
        )
    bases = [cell for cell in note[:3] if cell >= 0]
    return (
        f"Of all combinations for {_cells(bases)}, those with what is eliminated give two cells of a unit the same"
        " digit or leave a cell that sees them all without a candidate."
    )


def _walk_text(found: Found) -> Iterator[str]:
    record = found.record[0]
    path = found.path[record[records.BEGIN] : record[records.END]][::-1].tolist()
    links = [f"{literal_text(literal)} ({_place(literal, link)})" for literal, link in path[1:]]
    yield f"If {literal_text(path[0][0])}, then {', then '.join(links)}."
    if record[records.KIND] == CYCLE:
        yield "The links close a cycle, so one end of each is true, and no cell that sees both ends holds their digit."
    else:
        yield f"So {literal_text(path[-1][0])}."


def _place(literal: int, link: int) -> str:
    """Say where a link leads to a literal: in a cell or a unit."""
    unit = int(HOME[(literal >> 1) // 9, KINDS[link - 1]])
    return "in the cell" if link == 0 else f"in {unit_name(unit)}"


def _hint_text(hints: Hints, store: Store) -> Iterator[str]:
    """Explain the best hint: its conclusion, then each of its chains."""
    hint = hints.record[forcing.BEST].tolist()
    ends = hint[forcing.ENDS : forcing.ENDS + hint[forcing.N_ENDS]]
    origin, conclusion = hint[forcing.ORIGIN], literal_text(hint[forcing.CONCLUSION])
    match hint[forcing.KIND]:
        case forcing.CONTRADICTION:
            absurd = literal_text(int(store.node[ends[0], stores.LITERAL]))
            yield f"If {literal_text(origin)}, then {absurd} and is not, which cannot be; so {conclusion}."
        case forcing.DOUBLE:
            yield f"Whether {literal_text(origin)} or not, {conclusion}."
        case forcing.CELL:
            yield f"Whatever {cell_name(origin)} holds, {conclusion}."
        case _:
            yield f"Wherever {origin % 9 + 1} is in {unit_name(origin // 9)}, {conclusion}."
    chain = np.empty(N_LITERALS + 1, dtype=np.int64)
    for number, end in enumerate(ends, 1):
        nodes = sorted(chain[: chain_of(store, end, chain)].tolist())
        yield f"Chain {number}: " + "; ".join(_node_text(store, node) for node in nodes) + "."


def _node_text(store: Store, number: int) -> str:
    node = store.node[number].tolist()
    parents = store.parent[node[stores.FIRST_PARENT] : node[stores.END_PARENT]]
    literal, cause = literal_text(node[stores.LITERAL]), node[stores.CAUSE]
    if cause == ASSUMED:
        return f"assume {literal}"
    if cause == BY_CHAIN:
        length, _, conclusion = store.nest[node[stores.NEST]].tolist()
        by = f"by a nested chain of {length} literals that shows {literal_text(conclusion)}"
    else:
        by = f"by {BY_PATTERN[cause]}" if cause in BY_PATTERN else _place(node[stores.LITERAL], cause)
    return f"{literal} {by}, as {listed(literal_text(int(store.node[parent, stores.LITERAL])) for parent in parents)}"
