// One puzzle: its steps, what every strategy made of it, and the way to the next one.

import { puzzleName } from "./address.js";
import { cellIndex, formIndex } from "./data.js";
import { breakable, byId, drawing, element, fill } from "./dom.js";
import { count, digits, seconds, time } from "./format.js";
import { asHard, ownFacts, ownRows, rowOfGrid } from "./own-puzzle.js";
import { pasteForm } from "./paste.js";
import { selectedRows, shownStrategies } from "./selection.js";
import { stepper } from "./stepper.js";
import { marker } from "./symbols.js";

const PHASES = ["encode", "load", "search", "decode", "release"];
const DOTS_WIDTH = 300; // of the drawing of times, in its own units

export function puzzleSection(data, store) {
  const view = stepper(byId("steps"));
  let shown = null; // the grid that the stepper shows, and its steps
  pasteForm(byId("paste"), Object.keys(data.boxes).map(Number), (grid) => {
    const row = rowOfGrid(data, store.state.task, grid);
    store.change(row === null ? { own: grid, puzzle: null } : { puzzle: row });
  });
  byId("puzzle-previous").addEventListener("click", () => go(-1));
  byId("puzzle-next").addEventListener("click", () => go(1));

  /** Pin the next or previous puzzle of the selection. */
  function go(by) {
    const rows = selectedRows(data, store.state);
    if (!rows.length) return;
    const place = showsOwn() ? -1 : rows.indexOf(current());
    store.change({ puzzle: rows[Math.min(Math.max(place + by, 0), rows.length - 1)] });
  }

  function current() {
    return store.state.puzzle ?? selectedRows(data, store.state)[0] ?? null;
  }

  function showsOwn() {
    return store.state.puzzle === null && store.state.own !== null;
  }

  /** Show the pinned puzzle, else the reader's own one, else the first of the selection. */
  function draw() {
    if (showsOwn()) return drawOwn(store.state.own);
    const row = current();
    byId("puzzle").hidden = row === null;
    if (row === null) return null;
    byId("puzzle-title").textContent = puzzleName(data, row);
    fill(byId("puzzle-facts"), factsOf(data, store.state, row));
    fill(byId("puzzle-rows"), ...rowsOf(data, store.state, row));
    return showSteps(data.rows.grid[row]);
  }

  function drawOwn(grid) {
    const like = asHard(data, store.state, grid, showSteps(grid));
    byId("puzzle").hidden = false;
    byId("puzzle-title").textContent = "of your own";
    fill(byId("puzzle-facts"), ownFacts(grid, like));
    fill(byId("puzzle-rows"), ...ownRows(data, store.state, like));
  }

  /** Show the steps of a grid, unless they are there already; return them. */
  function showSteps(grid) {
    if (grid && grid !== shown?.grid) shown = { grid, ...view.show(grid, data.boxes[Math.round(Math.sqrt(grid.length))]) };
    return shown;
  }
  return { draw };
}

/** The collection of a puzzle, and how hard it is compared with the others of the run. */
function factsOf(data, state, row) {
  const collection = data.collections[data.rows.collection[row]];
  const measure = data.measures.find(({ values }) => values[row] !== null);
  if (!measure) return collection;
  const size = data.rows.grid[row].length;
  const others = [...data.rows.task.keys()].filter((other) =>
    data.rows.task[other] === state.task && data.rows.grid[other].length === size && measure.values[other] !== null);
  const easier = others.filter((other) => measure.values[other] < measure.values[row]).length;
  const share = Math.floor((100 * easier) / others.length);
  return `${collection}; harder than ${share}% of this run's ${count(others.length)} puzzles of its size (${measure.title}: `
    + `${digits(measure.values[row])})`;
}

/** A row per strategy: the times of its forms, its phases, and its conflicts or guesses. */
function rowsOf(data, state, row) {
  const strategies = shownStrategies(state).filter((one) => !Number.isNaN(data.times.cpu[cellIndex(data, one, row)]));
  const median = (strategy) => data.times.cpu[cellIndex(data, strategy, row)];
  strategies.sort((a, b) => (median(a) === median(b) ? a - b : median(a) - median(b)));
  const forms = new Map(strategies.map((strategy) => [strategy, formsOf(data, strategy, row)]));
  const finished = [...forms.values()].flat().filter(Number.isFinite);
  const late = [...forms.values()].flat().includes(Infinity);
  const ends = [Math.min(...finished, data.limits.cpu), late ? data.limits.cpu : Math.max(...finished)];
  const at = positionOf(ends);
  const head = element("tr", {}, ...["Strategy", "Median", `Forms: ${seconds(ends[0])} to ${seconds(ends[1])} (log)`,
    "Phases", "Conflicts", "Guesses"].map((name) => element("th", { scope: "col" }, name)));
  const lines = strategies.map((strategy) => element(
    "tr", {},
    element("th", { scope: "row" }, element("span", { class: "strategy" }, marker(data.strategies[strategy]),
      breakable(data.strategies[strategy].name))),
    element("td", { class: "number" }, time(median(strategy), `> ${seconds(data.limits.cpu)}`)),
    element("td", {}, dots(data.strategies[strategy], forms.get(strategy), at, data.limits.cpu)),
    element("td", {}, phaseBar(data, strategy, row)),
    ...["conflicts", "guesses"].map((name) => element("td", { class: "number" }, counterOf(data, name, strategy, row))),
  ));
  const caption = element("caption", { class: "visually-hidden" }, "What every strategy made of this puzzle");
  const legend = PHASES.map((name) => element("span", {}, drawing("svg", { class: "swatch", viewBox: "0 0 10 10",
    "aria-hidden": "true" }, drawing("rect", { width: 10, height: 10, class: `phase ${name}` })), name));
  const note = element("p", { class: "note phases-legend" }, "Phases: ", ...legend, "hollow: not finished");
  return [element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...lines)), note];
}

function formsOf(data, strategy, row) {
  const times = Array.from({ length: data.formCount }, (_, form) => data.details.forms[formIndex(data, form, strategy, row)]);
  return times.filter((value) => !Number.isNaN(value));
}

function positionOf([low, high]) {
  const span = Math.log(high / low) || 1;
  return (value) => 8 + ((DOTS_WIDTH - 16) * Math.log(value / low)) / span;
}

/** A dot per form; a hollow one at the limit was not finished. */
function dots(strategy, times, at, limit) {
  const marks = times.map((value) => drawing("circle", {
    cx: at(Math.min(value, limit)).toFixed(1), cy: 7, r: 4, class: Number.isFinite(value) ? "dot" : "dot late",
  }));
  const text = times.map((value) => time(value)).join(", ");
  const look = strategy.colour === "#000000" ? { class: "dots ink" } : { class: "dots", color: strategy.colour };
  return drawing("svg", { ...look, viewBox: `0 0 ${DOTS_WIDTH} 14`, role: "img", "aria-label": `Times of the forms: ${text}` },
    drawing("line", { x1: 0, y1: 7, x2: DOTS_WIDTH, y2: 7 }), ...marks);
}

/** A bar divided into the phases of a solve. */
function phaseBar(data, strategy, row) {
  const values = PHASES.map((_, phase) => data.details.phases[formIndex(data, phase, strategy, row)]);
  const total = values.reduce((sum, value) => sum + (value > 0 ? value : 0), 0);
  if (!total) return "–";
  let left = 0;
  const parts = values.map((value, phase) => {
    const width = value > 0 ? (100 * value) / total : 0;
    const part = drawing("rect", { x: left, y: 0, width, height: 10, class: `phase ${PHASES[phase]}` });
    left += width;
    return part;
  });
  const text = PHASES.map((name, i) => `${name} ${values[i] > 0 ? seconds(values[i]) : "0"}`).join(", ");
  return drawing("svg", { class: "phase-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img",
    "aria-label": text }, drawing("title", {}, text), ...parts);
}

function counterOf(data, name, strategy, row) {
  const value = data.details.counters[name][cellIndex(data, strategy, row)];
  return Number.isNaN(value) ? "–" : count(Math.round(value));
}
