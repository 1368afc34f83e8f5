"""A vector of 32 words for compiled code: numba has no such type, but LLVM has one for any processor.

This module has no search: it provides the vector operations of ``bitboard_bands`` and its rounds, and bit counts to
both kernels.

Values of type ``Board`` are held in registers (two of AVX-512, four of AVX2, eight of SSE or NEON). They support
``& | ^ ~ -``, shifts, and the functions below; an integer operand stands for 32 copies of itself. The lanes contain the
27 words of a 9×9 board in this order: digits 0 .. 7 in band 0, the same in bands 1 and 2, then digit 8 in bands 0, 1
and 2; five lanes are padding. Bit k of a word of lanes is lane k, so the machine must be little-endian.

Importing this module imports numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.extending import lower_builtin, models, register_model, type_callable

intrinsic: Any = extending.intrinsic  # the decorated function is called without its first argument

LANES = 32
EVERY_LANE = (1 << LANES) - 1
WORD = ir.IntType(32)
VECTOR = ir.VectorType(WORD, LANES)
HALF = ir.IntType(16)
HALVES = ir.VectorType(HALF, 2 * LANES)
CELLS = ir.VectorType(ir.IntType(8), 32)
LONG = ir.IntType(64)
DIGITS = 16  # columns of an array for a number of each digit: nine, and padding


def lane_of(digit: int, band: int) -> int:
    """The lane of a digit (0 .. 8) in a band (0 .. 2)."""
    return 8 * band + digit if digit < 8 else 24 + band


BANDS = [band for band in range(3) for _ in range(8)] + [0, 1, 2] + [3] * 5  # of each lane; 3: padding


class BoardType(types.Type):
    """The type of 32 words."""

    def __init__(self) -> None:
        super().__init__(name="Board")


board_type = BoardType()


@register_model(BoardType)
class BoardModel(models.PrimitiveModel):
    def __init__(self, manager: Any, front_end_type: BoardType) -> None:
        super().__init__(manager, front_end_type, VECTOR)


def constant(words: Sequence[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(WORD, len(words)), [ir.Constant(WORD, word) for word in words])


def copies(builder: Any, value: Any) -> Any:
    """An integer in all lanes."""
    word = builder.trunc(value, WORD) if value.type.width > WORD.width else builder.zext(value, WORD)
    single = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), word, ir.Constant(WORD, 0))
    return builder.shuffle_vector(single, ir.Constant(VECTOR, ir.Undefined), constant([0] * LANES))


def define(function: Callable[..., Any], emit: Callable[..., Any]) -> None:
    """Define a Python operator for two boards, or for a board and an integer."""

    @type_callable(function)
    def _(context: Any) -> Any:
        def typer(a: Any, b: Any) -> Any:
            return a if isinstance(a, BoardType) and isinstance(b, BoardType | types.Integer) else None

        return typer

    @lower_builtin(function, BoardType, BoardType)
    def _(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return emit(builder, *arguments)

    @lower_builtin(function, BoardType, types.Integer)
    def _(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return emit(builder, arguments[0], copies(builder, arguments[1]))


define(operator.and_, lambda builder, a, b: builder.and_(a, b))
define(operator.or_, lambda builder, a, b: builder.or_(a, b))
define(operator.xor, lambda builder, a, b: builder.xor(a, b))
define(operator.sub, lambda builder, a, b: builder.sub(a, b))
define(operator.lshift, lambda builder, a, b: builder.shl(a, b))
define(operator.rshift, lambda builder, a, b: builder.lshr(a, b))


@type_callable(operator.invert)
def _type_invert(context: Any) -> Any:
    return lambda a: a if isinstance(a, BoardType) else None


@lower_builtin(operator.invert, BoardType)
def _lower_invert(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.not_(arguments[0])


def rearranged(sources: Sequence[int], others: Any = None) -> Any:
    """A function of a board whose result has in lane k the lane ``sources[k]`` of the board.

    Lanes from 32 on are those of ``others``.
    """

    @intrinsic
    def rearrange(typing_context: Any, board: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.shuffle_vector(arguments[0], others or arguments[0], constant(sources))

        return board_type(board_type), emit

    return rearrange


def exchanged_lanes(distance: int) -> list[int]:
    """Sources that exchange digits 0 .. 7 of each band with those ``distance`` lanes away (1, 2 or 4)."""
    return [lane ^ distance if lane < 24 else lane for lane in range(LANES)]


swap_fours = rearranged(exchanged_lanes(4))
swap_twos = rearranged(exchanged_lanes(2))
swap_ones = rearranged(exchanged_lanes(1))
from_ninth = rearranged(
    [24 + band if band < 3 else lane for lane, band in enumerate(BANDS)]
)  # digit 8 of the same band
from_first = rearranged(
    [8 * b if lane >= 24 and b < 3 else lane for lane, b in enumerate(BANDS)]
)  # for digit 8: lane 0
next_band = rearranged([lane_of(d, (b + 1) % 3) for b in range(3) for d in range(8)] + [25, 26, 24, 27, 28, 29, 30, 31])
last_band = rearranged([lane_of(d, (b + 2) % 3) for b in range(3) for d in range(8)] + [26, 24, 25, 27, 28, 29, 30, 31])


@intrinsic
def swap_halves(typing_context: Any, board: Any) -> Any:
    """Exchange the lower and the upper 16 bits of each word."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(_halves(builder, arguments[0], [k ^ 1 for k in range(2 * LANES)]), VECTOR)

    return board_type(board_type), emit


@intrinsic
def from_next_and_last_column(typing_context: Any, board: Any) -> Any:
    """Turn the lowest nine bits of each word within groups of three: each bit is that of the next column, and in the
    upper half that of the last column. The other bits are undefined."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        twice = _halves(builder, arguments[0], [k & ~1 for k in range(2 * LANES)])
        right, left = builder.lshr(twice, _alternating(1, 2)), builder.shl(twice, _alternating(2, 1))
        right = builder.and_(right, _alternating(0o333, 0o111))
        left = builder.and_(left, _alternating(0xFFFF & ~0o333, 0xFFFF & ~0o111))
        return builder.bitcast(builder.or_(right, left), VECTOR)

    return board_type(board_type), emit


def _halves(builder: Any, board: Any, sources: Sequence[int]) -> Any:
    """The halves of words, rearranged."""
    halves = builder.bitcast(board, HALVES)
    return builder.shuffle_vector(halves, halves, constant(sources))


def _alternating(low: int, high: int) -> ir.Constant:
    return ir.Constant(HALVES, [ir.Constant(HALF, number) for number in (low, high) * LANES])


# While clues are loaded, padding contains the empty cells of each band. These are copied to the lanes of the band, and
# all bits of the padding are set.
open_cells = rearranged([27 + band if band < 3 else LANES for band in BANDS], constant([-1] * LANES))


@intrinsic
def occupied(typing_context: Any, board: Any) -> Any:
    """A bit for each lane that is not 0."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        flags = builder.icmp_unsigned("!=", arguments[0], constant([0] * LANES))
        return builder.zext(builder.bitcast(flags, WORD), ir.IntType(64))

    return types.int64(board_type), emit


@intrinsic
def every_band(typing_context: Any) -> Any:
    """All bits in all lanes except padding."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return constant([-1 if band < 3 else 0 for band in BANDS])

    return board_type(), emit


@intrinsic
def word_of(typing_context: Any, board: Any, lane: Any) -> Any:
    """The word in one lane."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = builder.extract_element(arguments[0], builder.trunc(arguments[1], WORD))
        return builder.zext(word, ir.IntType(64))

    return types.int64(board_type, types.int64), emit


def lanes_of(numbers: Sequence[int]) -> Any:
    """A function of an integer whose result has all bits in the lanes of that number."""

    @intrinsic
    def only(typing_context: Any, number: Any) -> Any:
        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            here = builder.icmp_unsigned("==", constant(numbers), copies(builder, arguments[0]))
            return builder.sext(here, VECTOR)

        return board_type(types.int64), emit

    return only


only_lane, only_band = lanes_of(range(LANES)), lanes_of(BANDS)


def _address(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    first = builder.gep(data, [builder.mul(row, ir.Constant(row.type, LANES))])
    return builder.bitcast(first, VECTOR.as_pointer())


@intrinsic
def fetch(typing_context: Any, rows: Any, row: Any) -> Any:
    """A row of an array of 32 columns (32-bit integers)."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_address(context, builder, signature.args[0], *arguments), align=4)

    return board_type(rows, types.int64), emit


@intrinsic
def put(typing_context: Any, rows: Any, row: Any, board: Any) -> Any:
    """Write a row of an array of 32 columns."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, row, board = arguments
        builder.store(board, _address(context, builder, signature.args[0], array, row), align=4)
        return context.get_dummy_value()

    return types.none(rows, types.int64, board_type), emit


def number_of(emit_number: Callable[..., Any]) -> Any:
    """A function of a 64-bit integer, given what emits its code."""

    @intrinsic
    def number(typing_context: Any, word: Any) -> Any:
        return types.int64(types.int64), lambda _, builder, __, arguments: emit_number(builder, arguments[0])

    return number


ones_in = number_of(lambda builder, word: builder.ctpop(word))
lowest_in = number_of(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 0)))  # 64 if there is none


@intrinsic
def add_empty(typing_context: Any, counts: Any, board: Any) -> Any:
    """Add 1 to the count of each lane that is 0 (an array of one row of 32 columns)."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _address(context, builder, signature.args[0], arguments[0], ir.Constant(LONG, 0))
        empty = builder.icmp_unsigned("==", arguments[1], constant([0] * LANES))
        builder.store(builder.sub(builder.load(place, align=4), builder.sext(empty, VECTOR)), place, align=4)
        return context.get_dummy_value()

    return types.none(counts, board_type), emit


@intrinsic
def put_digits(typing_context: Any, places: Any, board: Any) -> Any:
    """Write the places of each digit to an array of 16 columns (64-bit integers).

    Row 0 receives those in bands 0 and 1, row 1 those in band 2.
    """

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, board = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        words = [_words_of_band(builder, board, band) for band in range(3)]
        low = builder.or_(words[0], builder.shl(words[1], ir.Constant(words[1].type, [27] * DIGITS)))
        for row, value in enumerate((low, words[2])):
            first = builder.gep(data, [ir.Constant(LONG, DIGITS * row)])
            builder.store(value, builder.bitcast(first, value.type.as_pointer()), align=8)
        return context.get_dummy_value()

    return types.none(places, board_type), emit


def _words_of_band(builder: Any, board: Any, band: int) -> Any:
    """The words of digits 0 .. 8 in a band, as 64-bit integers; the rest is padding."""
    lanes = [lane_of(min(digit, 8), band) for digit in range(DIGITS)]
    return builder.zext(builder.shuffle_vector(board, board, constant(lanes)), ir.VectorType(LONG, DIGITS))


@intrinsic
def cells_equal(typing_context: Any, cells: Any, start: Any, value: Any) -> Any:
    """A bit for each of the 32 cells from ``start`` on (an array of bytes) that is equal to an integer."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        block = builder.load(_cells_from(context, builder, signature.args[0], *arguments[:2]), align=1)
        byte = builder.trunc(arguments[2], ir.IntType(8))
        single = builder.insert_element(ir.Constant(CELLS, ir.Undefined), byte, ir.Constant(WORD, 0))
        values = builder.shuffle_vector(single, single, constant([0] * 32))
        return builder.zext(builder.bitcast(builder.icmp_unsigned("==", block, values), WORD), LONG)

    return types.int64(cells, types.int64, types.int64), emit


@intrinsic
def put_cells(typing_context: Any, cells: Any, board: Any) -> Any:
    """Write the digits (1 .. 9) of a board with one candidate in each cell to an array of 81 bytes."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bands = [_digits_of_band(builder, arguments[1], band) for band in range(3)]
        for start in (0, 27, 49):  # 32 cells each: from 27 cells of a band and some of the next, or of the one before
            band = min(start // 27, 1)
            sources = [start - 27 * band + cell for cell in range(32)]
            sources = [source if source < 27 else source + 5 for source in sources]  # the next begins at 32
            block = builder.shuffle_vector(bands[band], bands[band + 1], constant(sources))
            first = ir.Constant(LONG, start)
            builder.store(block, _cells_from(context, builder, signature.args[0], arguments[0], first), align=1)
        return context.get_dummy_value()

    return types.none(cells, board_type), emit


@intrinsic
def merge_cells(typing_context: Any, cells: Any, others: Any, decided: Any, kept: Any) -> Any:
    """Write 81 bytes to an array: those of others where a byte of ``kept`` is not 0, and decided ones elsewhere."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        for start in (0, 27, 49):
            first = ir.Constant(LONG, start)
            places = [
                _cells_from(context, builder, *pair, first) for pair in zip(signature.args, arguments, strict=True)
            ]
            others, decided, kept = (builder.load(place, align=1) for place in places[1:])
            keep = builder.icmp_unsigned("!=", kept, ir.Constant(CELLS, [0] * 32))
            builder.store(builder.select(keep, others, decided), places[0], align=1)
        return context.get_dummy_value()

    return types.none(cells, others, decided, kept), emit


def _digits_of_band(builder: Any, board: Any, band: int) -> Any:
    """The digits (1 .. 9) of 27 cells, and five bytes of padding."""
    digits = ir.Constant(CELLS, [0] * 32)
    for digit in range(9):
        word = builder.extract_element(board, ir.Constant(WORD, lane_of(digit, band)))
        here = builder.bitcast(word, ir.VectorType(ir.IntType(1), 32))
        digits = builder.select(here, ir.Constant(CELLS, [digit + 1] * 32), digits)
    return digits


def _cells_from(context: Any, builder: Any, array_type: Any, array: Any, start: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [start]), CELLS.as_pointer())
