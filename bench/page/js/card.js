// The card of one puzzle: its board, its difficulty, and the times of all strategies.

import { cellIndex } from "./data.js";
import { breakable, byId, drawing, element, fill } from "./dom.js";
import { time } from "./format.js";
import { marker } from "./symbols.js";

const EMPTY = ".0";

export function card(data, store) {
  const box = byId("card");
  let shownRow = null;

  /** Show a row; highlight the time of `strategy`. */
  function show(row, strategy = null) {
    shownRow = row;
    const { collection, puzzle, grid } = data.rows;
    const collectionName = element("span", {}, data.collections[collection[row]]);
    const heading = element("h3", {}, puzzle[row], " ", collectionName);
    const unpin = element("button", { type: "button", click: () => store.change({ puzzle: null }) }, "Unpin");
    const size = Math.round(Math.sqrt(grid[row].length));
    fill(
      box,
      element("div", { class: "card-head" }, heading, store.state.puzzle === row ? unpin : ""),
      grid[row] ? board(grid[row], data.boxes[size]) : "",
      measureList(data, row),
      timeList(data, store.state, row, strategy),
    );
  }

  /** Show the pinned puzzle, or else the last one, with the current times. */
  function refresh() {
    const pinned = store.state.puzzle;
    if (pinned !== null) show(pinned);
    else if (shownRow !== null) show(shownRow);
  }

  /** The card in one sentence, for screen readers. */
  function announcement() {
    const [heading, first] = [box.querySelector("h3"), box.querySelector(".times li")];
    return `${heading.textContent}: ${first ? `fastest ${first.textContent}` : "no times"}`;
  }
  return { show, refresh, announcement };
}

/** A drawing of a grid (its cells in one string), with boxes of this many rows and columns. */
function board(grid, [boxRows, boxColumns]) {
  const size = Math.round(Math.sqrt(grid.length));
  const clues = [...grid].filter((cell) => !EMPTY.includes(cell)).length;
  const lines = [];
  for (let i = 0; i <= size; i++) {
    lines.push(gridLine(0, i, size, i, i % boxRows === 0), gridLine(i, 0, i, size, i % boxColumns === 0));
  }
  const numerals = [...grid].map((cell, i) =>
    EMPTY.includes(cell) ? "" : drawing("text", { x: (i % size) + 0.5, y: Math.floor(i / size) + 0.5 }, cell),
  );
  return drawing(
    "svg",
    { class: "board", viewBox: `-0.1 -0.1 ${size + 0.2} ${size + 0.2}`, role: "img",
      "aria-label": `Board of ${size} by ${size} cells with ${clues} clues` },
    ...lines,
    ...numerals.filter(Boolean),
  );
}

function gridLine(x1, y1, x2, y2, thick) {
  return drawing("line", { x1, y1, x2, y2, class: thick ? "thick" : null });
}

function measureList(data, row) {
  const known = data.measures.filter((measure) => measureText(measure, row) !== "–");
  const items = known.flatMap((measure) => [
    element("dt", {}, measure.title),
    element("dd", {}, measureText(measure, row)),
  ]);
  return element("dl", {}, ...items);
}

/** The value of a measure for a row, as text. */
export function measureText(measure, row) {
  return measure.texts?.[row] ?? (measure.values[row] === null ? "–" : String(measure.values[row]));
}

function timeList(data, state, row, highlighted) {
  const times = [];
  for (const strategy of state.strategies) {
    const value = data.times[state.clock][cellIndex(data, strategy, row)];
    if (!Number.isNaN(value)) times.push([value, strategy]);
  }
  times.sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0]));
  const items = times.map(([value, strategy]) =>
    element("li", { class: strategy === highlighted ? "here" : null }, marker(data.strategies[strategy]),
      element("span", { class: "name" }, breakable(data.strategies[strategy].name)), " ",
      element("span", { class: "number" }, time(value))),
  );
  const clock = state.clock === "cpu" ? "CPU" : "wall";
  return element("ol", { class: "times", "aria-label": `Median ${clock} times, fastest first` }, ...items);
}
