// A board with the candidates that are left, and its drawing, in which the cells of a step are lit.

const MARK_PX = 9; // height of a candidate that can be read

/** The board of a grid: a string with a sign for each cell, or with pencilmarks one for each digit of each cell. */
function boardOf(shape, grid) {
  const { size, symbols } = shape;
  const [signs, cells] = [grid.length / size ** 2, [...Array(size ** 2).keys()]];
  const left = cells.map((cell) => [...symbols].flatMap((symbol, at) =>
    (grid[cell * signs + (signs > 1 ? at : 0)] === symbol ? [at + 1] : [])));
  const candidates = left.map((some) => new Set(signs > 1 ? some : [...symbols].map((_, at) => at + 1)));
  const board = { shape, candidates, values: cells.map(() => 0), clues: cells.filter((cell) => left[cell].length === 1) };
  for (const cell of board.clues) fillCell(board, cell, left[cell][0]);
  return board;
}

function fillCell(board, cell, digit) {
  board.values[cell] = digit;
  board.candidates[cell].clear();
  for (const unit of board.shape.units) if (unit.includes(cell)) for (const peer of unit) board.candidates[peer].delete(digit);
}

/** Do what a step does to a board. */
function applyStep(board, { placed, eliminated }) {
  if (placed) fillCell(board, ...placed);
  for (const [cell, digit] of eliminated) board.candidates[cell].delete(digit);
}

/** A drawing of a board before a step, in words for those who cannot see it; cells of further units are shaded. */
function boardDrawing({ shape, values, candidates, clues }, words, { placed, eliminated = [], because = [] } = {}) {
  const { size, borders, marked, markRows, markColumns, symbols } = shape;
  const [x, y, gone] = [(cell) => cell % size, (cell) => Math.floor(cell / size), new Set(eliminated.map(String))];
  const lit = new Map([...eliminated.map(([cell]) => [cell, "struck"]), ...because.map((cell) => [cell, "because"]),
    ...(placed ? [[placed[0], "target"]] : [])]);
  const square = (cell, kind) => drawing("rect", { x: x(cell), y: y(cell), width: 1, height: 1, class: kind });
  const line = (x1, y1, x2, y2, kind = null) => drawing("line", { x1, y1, x2, y2, class: kind });
  const text = (left, top, kind, digit, px = 0.68) =>
    drawing("text", { x: left, y: top, class: kind, style: `font-size: ${px}px` }, symbols[digit - 1]);
  const mark = (cell) => (digit) => text(x(cell) + (((digit - 1) % markColumns) + 0.5) / markColumns,
    y(cell) + (Math.floor((digit - 1) / markColumns) + 0.53) / markRows,
    gone.has(`${cell},${digit}`) ? "mark gone" : "mark", digit, 0.86 / Math.max(markRows, markColumns));
  const content = (value, cell) => {
    const own = placed?.[0] === cell ? placed[1] : 0;
    if (!value && !own) return [...candidates[cell]].map(mark(cell));
    return [text(x(cell) + 0.5, y(cell) + 0.52, own ? "placed" : clues.includes(cell) ? "clue" : "filled", value || own)];
  };
  return drawing("svg", { class: "board", viewBox: `-0.08 -0.08 ${size + 0.16} ${size + 0.16}`, role: "img",
    style: `--least: ${size * Math.max(markRows, markColumns) * MARK_PX}px`, "aria-label": `${size} by ${size} board. ${words}` },
    ...marked.map((cell) => square(cell, "marked")), ...[...lit].map(([cell, kind]) => square(cell, kind)),
    ...Array.from({ length: size + 1 }, (_, i) => [line(0, i, size, i), line(i, 0, i, size)]).flat(),
    ...[0, size].flatMap((i) => [line(0, i, size, i, "thick"), line(i, 0, i, size, "thick")]),
    ...borders.map(([row, column, across]) => line(column, row, column + across, row + !across, "thick")),
    ...values.flatMap(content));
}
