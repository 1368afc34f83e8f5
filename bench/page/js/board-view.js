// Drawings of a board: clues, filled cells and pencil marks, with the cells of a step lit.

import { drawing } from "./dom.js";

/**
 * A drawing of a board (`boardOf`) before a step, in words for those who cannot see it; `grid` is the puzzle. Without a
 * step nothing is lit.
 */
export function boardDrawing(board, grid, words, step) {
  const { size, boxRows, boxColumns } = board.shape;
  const cells = [...board.values.keys()];
  const label = `${size} by ${size} board. ${words}`;
  const view = `-0.08 -0.08 ${size + 0.16} ${size + 0.16}`;
  return drawing(
    "svg", { class: "board steps-board", viewBox: view, role: "img", "aria-label": label },
    ...cells.flatMap((cell) => shading(cell, size, step)),
    ...Array.from({ length: size + 1 }, (_, i) => [
      line(0, i, size, i, i % boxRows === 0), line(i, 0, i, size, i % boxColumns === 0),
    ]).flat(),
    ...cells.flatMap((cell) => content(board, grid, cell, step)),
  );
}

function line(x1, y1, x2, y2, thick) {
  return drawing("line", { x1, y1, x2, y2, class: thick ? "thick" : null });
}

function shading(cell, size, step) {
  const kind = step?.placed?.[0] === cell ? "target" : step?.because.includes(cell) ? "because" : null;
  const struck = step?.eliminated.some(([other]) => other === cell);
  if (!kind && !struck) return [];
  const place = { x: cell % size, y: Math.floor(cell / size), width: 1, height: 1 };
  return [drawing("rect", { ...place, class: kind ?? "struck" })];
}

function content(board, grid, cell, step) {
  const { size, symbols } = board.shape;
  const [x, y] = [cell % size, Math.floor(cell / size)];
  const placed = step?.placed?.[0] === cell ? step.placed[1] : 0;
  const digit = board.values[cell] || placed;
  if (digit) {
    const kind = placed ? "placed" : symbols.includes(grid[cell]) ? "clue" : "filled";
    return [drawing("text", { x: x + 0.5, y: y + 0.52, class: kind }, symbols[digit - 1])];
  }
  return [...board.candidates[cell]].flatMap((mark) => pencilMark(board.shape, x, y, mark, isStruck(step, cell, mark)));
}

function isStruck(step, cell, mark) {
  return step?.eliminated.some(([other, digit]) => other === cell && digit === mark) ?? false;
}

/** A pencil mark at its place within a cell; one that a step eliminates is crossed out. */
function pencilMark({ boxRows, boxColumns, symbols }, x, y, mark, struck) {
  const left = x + (((mark - 1) % boxColumns) + 0.5) / boxColumns;
  const top = y + (Math.floor((mark - 1) / boxColumns) + 0.5) / boxRows;
  const size = 0.86 / Math.max(boxRows, boxColumns);
  const text = drawing(
    "text", { x: left, y: top, class: struck ? "mark gone" : "mark", style: `font-size: ${size}px` }, symbols[mark - 1],
  );
  if (!struck) return [text];
  const [half, high] = [0.42 / boxColumns, 0.36 / boxRows];
  const cross = { x1: left - half, y1: top + high, x2: left + half, y2: top - high, class: "cross" };
  return [text, drawing("line", cross)];
}
