// A puzzle as a small drawing of its board.

import { drawing } from "./dom.js";

const EMPTY = ".0";

/** The board of a grid (its cells in one line), with boxes of so many rows and columns. */
export function board(grid, [boxRows, boxColumns]) {
  const size = Math.round(Math.sqrt(grid.length));
  const clues = [...grid].filter((cell) => !EMPTY.includes(cell)).length;
  const lines = [];
  for (let i = 0; i <= size; i++) {
    lines.push(stroke(0, i, size, i, i % boxRows === 0), stroke(i, 0, i, size, i % boxColumns === 0));
  }
  const digits = [...grid].map((cell, i) =>
    EMPTY.includes(cell) ? "" : drawing("text", { x: (i % size) + 0.5, y: Math.floor(i / size) + 0.5 }, cell),
  );
  return drawing(
    "svg",
    { class: "board", viewBox: `-0.1 -0.1 ${size + 0.2} ${size + 0.2}`, role: "img",
      "aria-label": `Board of ${size} by ${size} cells with ${clues} clues` },
    ...lines,
    ...digits.filter(Boolean),
  );
}

function stroke(x1, y1, x2, y2, thick) {
  return drawing("line", { x1, y1, x2, y2, class: thick ? "thick" : null });
}
