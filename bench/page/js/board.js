// A board: the digits of its cells (0 where one is open), and the candidates of each.

/** The board of a grid (its cells in one string), with the candidates that the clues leave; its shape is from Python. */
export function boardOf(shape, grid) {
  const digits = [...shape.symbols].map((_, place) => place + 1);
  const board = { shape, values: [...grid].map(() => 0), candidates: [...grid].map(() => new Set(digits)) };
  [...grid].forEach((letter, cell) => {
    const digit = shape.symbols.indexOf(letter) + 1;
    if (digit) fillCell(board, cell, digit);
  });
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
