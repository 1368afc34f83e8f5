// Drawings of a board: clues, filled cells and pencil marks, with the cells of a step lit.

import { drawing } from "./dom.js";

const MARK_PX = 9; // height of a candidate that can be read

/**
 * A drawing of a board (`boardOf`) before a step, in words for those who cannot see it. Without a step nothing is lit.
 * Cells of diagonals, windows and other further units are shaded.
 */
export function boardDrawing(board, words, step) {
  const { size, borders, marked, markRows, markColumns } = board.shape;
  const cells = [...board.values.keys()];
  const label = `${size} by ${size} board. ${words}`;
  const view = `-0.08 -0.08 ${size + 0.16} ${size + 0.16}`;
  const style = `--least: ${size * Math.max(markRows, markColumns) * MARK_PX}px`;
  return drawing(
    "svg", { class: "board steps-board", style, viewBox: view, role: "img", "aria-label": label },
    ...marked.map((cell) => square(cell, size, "marked")),
    ...cells.flatMap((cell) => shading(cell, size, step)),
    ...Array.from({ length: size + 1 }, (_, i) => [
      line(0, i, size, i, i % size === 0), line(i, 0, i, size, i % size === 0),
    ]).flat(),
    ...borders.map(([row, column, across]) => line(column, row, column + across, row + !across, true)),
    ...cells.flatMap((cell) => content(board, cell, step)),
  );
}

function line(x1, y1, x2, y2, thick) {
  return drawing("line", { x1, y1, x2, y2, class: thick ? "thick" : null });
}

function shading(cell, size, step) {
  const kind = step?.placed?.[0] === cell ? "target" : step?.because.includes(cell) ? "because" : null;
  const struck = step?.eliminated.some(([other]) => other === cell);
  return kind || struck ? [square(cell, size, kind ?? "struck")] : [];
}

function square(cell, size, kind) {
  return drawing("rect", { x: cell % size, y: Math.floor(cell / size), width: 1, height: 1, class: kind });
}

function content(board, cell, step) {
  const { size, symbols } = board.shape;
  const [x, y] = [cell % size, Math.floor(cell / size)];
  const placed = step?.placed?.[0] === cell ? step.placed[1] : 0;
  const digit = board.values[cell] || placed;
  if (digit) {
    const kind = placed ? "placed" : board.clues.has(cell) ? "clue" : "filled";
    return [drawing("text", { x: x + 0.5, y: y + 0.52, class: kind }, symbols[digit - 1])];
  }
  const isStruck = (mark) => step?.eliminated.some(([other, digit]) => other === cell && digit === mark) ?? false;
  return [...board.candidates[cell]].flatMap((mark) => pencilMark(board.shape, x, y, mark, isStruck(mark)));
}

/** A pencil mark at its place within a cell; one that a step eliminates is crossed out. */
function pencilMark({ markRows, markColumns, symbols }, x, y, mark, struck) {
  const [rows, columns] = [markRows + 0.2, markColumns + 0.2]; // a tenth of a mark is free at each side
  const left = x + (((mark - 1) % markColumns) + 0.6) / columns;
  const top = y + (Math.floor((mark - 1) / markColumns) + 0.55) / rows;
  const size = 0.96 / Math.max(rows, columns);
  const text = drawing(
    "text", { x: left, y: top, class: struck ? "mark gone" : "mark", style: `font-size: ${size}px` }, symbols[mark - 1],
  );
  if (!struck) return [text];
  const [half, high] = [0.42 / markColumns, 0.36 / markRows];
  const cross = { x1: left - half, y1: top + high, x2: left + half, y2: top - high, class: "cross" };
  return [text, drawing("line", cross)];
}
