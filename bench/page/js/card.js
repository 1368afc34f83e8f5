// The card of one puzzle: its board, its difficulty, and how long everybody took.

import { board } from "./board.js";
import { at } from "./data.js";
import { breakable, byId, element, fill } from "./dom.js";
import { marker } from "./symbols.js";
import { time } from "./words.js";

export function card(data, store) {
  const box = byId("card");
  let shown = null;

  /** Show a row; of a point, `strategy` is whose it is. */
  function show(row, strategy = null) {
    shown = row;
    const { collection, puzzle, grid } = data.rows;
    const name = element("h3", {}, puzzle[row], " ", element("span", {}, data.collections[collection[row]]));
    const picked = store.now.puzzle === row;
    const hint = picked ? element("button", { type: "button", click: () => store.change({ puzzle: null }) }, "Let go") : "";
    const size = Math.round(Math.sqrt(grid[row].length));
    const drawn = grid[row] ? board(grid[row], data.boxes[size]) : "";
    fill(box, element("div", { class: "card-head" }, name, hint), drawn, measures(data, row), times(data, store.now, row, strategy));
  }

  function again() {
    const picked = store.now.puzzle;
    if (picked !== null) show(picked);
    else if (shown !== null) show(shown);
  }
  /** The card in a sentence. */
  function spoken() {
    const [name, first] = [box.querySelector("h3"), box.querySelector(".times li")];
    return `${name.textContent}: ${first ? `fastest ${first.textContent}` : "no times"}`;
  }
  return { show, again, spoken };
}

function measures(data, row) {
  const known = data.measures.filter((measure) => textOf(measure, row) !== "–");
  const items = known.flatMap((measure) => [element("dt", {}, measure.title), element("dd", {}, textOf(measure, row))]);
  return element("dl", {}, ...items);
}

/** What a measure says of a row, in words. */
export function textOf(measure, row) {
  return measure.texts?.[row] ?? (measure.values[row] === null ? "–" : String(measure.values[row]));
}

function times(data, state, row, strategy) {
  const found = [];
  for (const own of state.strategies) {
    const value = data.times[state.clock][at(data, own, row)];
    if (!Number.isNaN(value)) found.push([value, own]);
  }
  found.sort((a, b) => (a[0] === b[0] ? a[1] - b[1] : a[0] - b[0]));
  const lines = found.map(([value, own]) =>
    element("li", { class: own === strategy ? "here" : null }, marker(data.strategies[own]),
      element("span", { class: "name" }, breakable(data.strategies[own].name)), " ", element("span", { class: "number" }, time(value))),
  );
  return element("ol", { class: "times", "aria-label": `Median ${state.clock === "cpu" ? "CPU" : "wall"} times, fastest first` }, ...lines);
}
