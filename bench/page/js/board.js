// A board: the digits of its cells (0 where one is open), those that are clues, and the candidates of each cell.

/**
 * The board of a grid with the candidates that the clues leave; its shape is from Python. The grid is a string with a
 * sign for each cell, or with pencilmarks a sign for each digit of each cell.
 */
export function boardOf(shape, grid) {
  const { size, symbols } = shape;
  const signs = grid.length / size ** 2;
  const digits = [...symbols].map((_, place) => place + 1);
  const texts = Array.from({ length: size ** 2 }, (_, cell) => grid.slice(cell * signs, (cell + 1) * signs));
  const left = texts.map((text) => digits.filter((digit) => text[signs > 1 ? digit - 1 : 0] === symbols[digit - 1]));
  const clues = new Map(left.flatMap((some, cell) => (some.length === 1 ? [[cell, some[0]]] : [])));
  const candidates = left.map((some) => new Set(signs > 1 ? some : digits));
  const board = { shape, values: texts.map(() => 0), clues, candidates };
  for (const [cell, digit] of clues) fillCell(board, cell, digit);
  return board;
}

function fillCell(board, cell, digit) {
  board.values[cell] = digit;
  board.candidates[cell].clear();
  const units = board.shape.units.filter((unit) => unit.includes(cell));
  for (const peer of units.flat()) board.candidates[peer].delete(digit);
}

/** Do what a step does to a board. */
export function applyStep(board, { placed, eliminated }) {
  if (placed) fillCell(board, ...placed);
  for (const [cell, digit] of eliminated) board.candidates[cell].delete(digit);
}
