"""Layouts: which sets of cells are units, besides rows and columns.

A layout is a text of words joined by ``+``; without any, the boxes are units:

- ``latin``: no boxes; ``jigsaw=TEXT``: regions in place of boxes, a letter for each cell, row by row;
- ``x``: both diagonals; ``windoku``: windows as large as boxes, a cell apart and from the border (square boxes only);
  ``disjoint``: the cells in the same place of each box; ``unit=0,10,20``: these cells, N or fewer.

There are no sums (killer cages) and no order (thermometers): those are other constraints.
"""

from __future__ import annotations

from collections.abc import Iterator

Units = tuple[tuple[int, ...], ...]

LAYOUTS = ("x", "windoku", "disjoint", "jigsaw", "latin")  # in messages; `jigsaw` needs a map of regions
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of regions
LATIN, JIGSAW, UNIT = "latin", "jigsaw=", "unit="


def canonical(layout: str, box_rows: int, box_cols: int) -> str:
    """The layout in its only spelling: each word once and in one order, regions lettered as they appear.

    Raises:
        ValueError: a word is none of a layout, or does not suit boards with such boxes.
    """
    words = {_canonical_word(word, box_rows * box_cols) for word in layout.split("+")}
    in_place_of_boxes = [word for word in words if without_boxes(word)]
    if len(in_place_of_boxes) > 1:
        raise ValueError(f"the layout {layout} has several words for what is in place of boxes")
    if words & {"windoku", "disjoint"} and in_place_of_boxes:
        raise ValueError(f"the layout {layout} has no boxes, from which windows and disjoint groups are derived")
    if "windoku" in words and box_rows != box_cols:
        raise ValueError("windows are for boards with square boxes, such as 4x4, 9x9 and 16x16")
    return "+".join([*in_place_of_boxes, *sorted(words.difference(in_place_of_boxes))])


def _canonical_word(word: str, size: int) -> str:
    if word.startswith(JIGSAW):
        regions = word.removeprefix(JIGSAW)
        letters = dict(zip(dict.fromkeys(regions), LETTERS, strict=False))
        if len(regions) != size**2 or sorted(map(regions.count, letters)) != [size] * size:
            raise ValueError(f"the regions of a {size}x{size} board are {size} letters, each for {size} cells")
        return JIGSAW + "".join(letters[region] for region in regions)
    if word.startswith(UNIT):
        cells = [int(cell) if cell.isdecimal() else -1 for cell in word.removeprefix(UNIT).split(",")]
        if not 1 < len(set(cells)) == len(cells) <= size or not 0 <= min(cells) <= max(cells) < size**2:
            raise ValueError(f"a unit of a {size}x{size} board is 2 to {size} different cells of it, not {word}")
        return UNIT + ",".join(map(str, sorted(cells)))
    if word not in (LATIN, "x", "windoku", "disjoint"):
        raise ValueError(f"{word!r} is no layout; choose of {', '.join(LAYOUTS)}, and give jigsaw its regions")
    return word


def without_boxes(layout: str) -> bool:
    """Whether something else, or nothing, is in place of boxes; such boards have the shape 1×N."""
    return layout.startswith((LATIN, JIGSAW))


def regions_of(layout: str) -> Units:
    """The regions of a jigsaw, empty for any other layout."""
    first = layout.partition("+")[0]
    if not first.startswith(JIGSAW):
        return ()
    regions = first.removeprefix(JIGSAW)
    return tuple(
        tuple(cell for cell, here in enumerate(regions) if here == letter) for letter in dict.fromkeys(regions)
    )


def further_units(layout: str, boxes: Units, box_rows: int, box_cols: int) -> Iterator[tuple[str, Units]]:
    """Yield the units that a layout adds to rows, columns and boxes or regions, each kind with its name."""
    size = box_rows * box_cols
    for word in layout.split("+"):
        if word == "x":
            yield "diagonal", (tuple(range(0, size**2, size + 1)), tuple(range(size - 1, size**2 - 1, size - 1)))
        elif word == "windoku":
            starts = range(1, size - box_rows, box_rows + 1)
            corners = [row * size + col for row in starts for col in starts]
            yield "window", tuple(tuple(corner + cell for cell in boxes[0]) for corner in corners)
        elif word == "disjoint":
            yield "group", tuple(zip(*boxes, strict=True))
        elif word.startswith(UNIT):
            yield "unit", (tuple(map(int, word.removeprefix(UNIT).split(","))),)
