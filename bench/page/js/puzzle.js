// One puzzle: its board, and what every strategy made of it.

import { puzzleName } from "./address.js";
import { boardOf } from "./board.js";
import { boardDrawing } from "./board-view.js";
import { copyButtons } from "./copy.js";
import { cellIndex } from "./data.js";
import { byId, drawing, element, fill } from "./dom.js";
import { count, seconds, time } from "./format.js";
import { strategyName } from "./pair-table.js";
import { measureText } from "./puzzle-table.js";
import { fastestFirst, openedRow, timeOf } from "./selection.js";
import { inkOf } from "./symbols.js";

const DOTS_WIDTH = 300; // of the drawing of times, in its own units

export function puzzleSection(data, store) {
  return () => {
    const row = openedRow(data, store.state);
    byId("puzzle").hidden = row === undefined;
    if (row === undefined) return;
    byId("puzzle-title").textContent = puzzleName(data, row);
    byId("puzzle-facts").textContent = factsOf(data, row);
    fill(byId("puzzle-board"), ...drawn(data, row));
    const isTimed = fastestFirst(data, store.state, row).length > 0;
    fill(byId("puzzle-rows"), isTimed ? rowsOf(data, store.state, row) : "No strategy that is shown has a time here.");
  };
}

/** A puzzle with the candidates that its clues leave, and buttons to copy it. */
function drawn(data, row) {
  const [grid, shape] = [data.rows.grid[row], data.shapes[data.rows.shape[row]]];
  const command = shape.layout ? {} : { command: `sudoku-bench show ${grid}` }; // cells do not say the layout
  const buttons = copyButtons({ [`${grid.length} characters`]: grid, ...command });
  return [boardDrawing(boardOf(shape, grid), "The puzzle with its candidates."), buttons];
}

/** The collection of a puzzle, and how hard it is. */
function factsOf(data, row) {
  const parts = [data.collections[data.rows.collection[row]],
    ...data.measures.map((measure) => [measure.title, measureText(measure, row)]).filter(([, text]) => text !== "–")
      .map(([title, text]) => `${title} ${text}`)];
  return parts.join("; ");
}

/** A row per strategy: the times of its forms, and its conflicts or guesses. */
function rowsOf(data, state, row) {
  const strategies = fastestFirst(data, state, row);
  const forms = new Map(strategies.map((strategy) => [strategy, formsOf(data, strategy, row)]));
  const times = [...forms.values()].flat();
  const finished = times.filter(Number.isFinite);
  const ends = [Math.min(...finished, data.limit), times.includes(Infinity) ? data.limit : Math.max(...finished)];
  const head = element("tr", {}, ...["Strategy", "Median", `Forms: ${seconds(ends[0])} to ${seconds(ends[1])} (log; hollow: not finished)`,
    "Conflicts", "Guesses"].map((name) => element("th", { scope: "col" }, name)));
  const lines = strategies.map((strategy) => element(
    "tr", {},
    element("th", { scope: "row" }, strategyName(data.strategies[strategy])),
    element("td", { class: "number" }, time(timeOf(data, strategy, row), `> ${seconds(data.limit)}`)),
    element("td", {}, dots(data.strategies[strategy], forms.get(strategy), ends)),
    ...["conflicts", "guesses"].map((name) => element("td", { class: "number" }, counterOf(data, name, strategy, row))),
  ));
  const caption = element("caption", { class: "visually-hidden" }, "What every strategy made of this puzzle");
  return element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...lines));
}

function formsOf(data, strategy, row) {
  const times = Array.from({ length: data.formCount }, (_, form) => data.forms[cellIndex(data, strategy, row, form)]);
  return times.filter((value) => !Number.isNaN(value));
}

/** A dot per form between two ends on a log scale; a hollow one at the upper end was not finished. */
function dots(strategy, times, [low, high]) {
  const at = (value) => 8 + ((DOTS_WIDTH - 16) * Math.log(Math.min(value, high) / low)) / (Math.log(high / low) || 1);
  const marks = times.map((value) => drawing("circle", {
    cx: at(value).toFixed(1), cy: 7, r: 4, class: Number.isFinite(value) ? "dot" : "dot late",
  }));
  const text = times.map((value) => time(value)).join(", ");
  return drawing("svg", { ...inkOf(strategy, "dots"), viewBox: `0 0 ${DOTS_WIDTH} 14`, role: "img",
    "aria-label": `Times of the forms: ${text}` }, drawing("line", { x1: 0, y1: 7, x2: DOTS_WIDTH, y2: 7 }), ...marks);
}

function counterOf(data, name, strategy, row) {
  const value = data.counters[name][cellIndex(data, strategy, row)];
  return Number.isNaN(value) ? "–" : count(Math.round(value));
}
