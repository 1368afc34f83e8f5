// Starts the page: loads the data, creates its parts, and draws those again that a change of the state concerns.

import { addressOf, stateOf } from "./address.js";
import { load } from "./data.js";
import { byId } from "./dom.js";
import { filters } from "./filters.js";
import { pairTable } from "./pair-table.js";
import { plot } from "./plot.js";
import { puzzleSection } from "./puzzle.js";
import { puzzleTable } from "./puzzle-table.js";

const UNSORTED = { key: null, descending: false, page: 0 };
const SELECTION = ["scope", "strategies"];

/** The parts of the page: a function that creates one and returns what draws it, and the fields that it shows. */
const PARTS = [
  [filters, SELECTION],
  [plot, [...SELECTION, "measure", "puzzle"]],
  [puzzleSection, [...SELECTION, "measure", "puzzle"]],
  [puzzleTable, [...SELECTION, "query", "puzzleSort"]],
  [pairTable, [...SELECTION, "pairsSort"]],
];

/** The state of the page at the start. */
function initialState(data) {
  return {
    scope: 0, // which of the scopes: all puzzles of a board size, or a collection
    strategies: new Set(), // those shown; empty: all
    measure: data.measures[0]?.key ?? null,
    puzzle: null, // the pinned row
    query: "", // of the table of puzzles
    puzzleSort: UNSORTED,
    pairsSort: { ...UNSORTED, key: "ratio" }, // those that are nearest to each other first
  };
}

/** A state that passes each change to its listeners, with the names of the changed fields. */
function observable(state) {
  const listeners = [];
  return {
    state,
    listen: (listener) => listeners.push(listener),
    change(changes) {
      Object.assign(state, changes);
      for (const listener of listeners) listener(new Set(Object.keys(changes)));
    },
  };
}

async function start() {
  const data = await load();
  const initial = initialState(data);
  const store = observable(stateOf(data, location.hash, initial));
  document.body.classList.add("interactive"); // sections have their widths from here on
  const parts = PARTS.map(([create, fields]) => ({ draw: create(data, store), fields }));

  function draw(changed) {
    for (const part of parts) if (part.fields.some((field) => changed.has(field))) part.draw();
    document.body.dataset.drawn = Number(document.body.dataset.drawn ?? 0) + 1;
  }

  store.listen(draw);
  store.listen(() => history.replaceState(null, "", addressOf(data, store.state, initial)));
  addEventListener("hashchange", () => store.change(stateOf(data, location.hash, initial)));
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("#verdicts details")) folded.open = true;
  });
  for (const link of document.querySelectorAll("nav a")) link.addEventListener("click", (event) => {
    event.preventDefault(); // a plain link would replace the state in the address
    byId(link.hash.slice(1)).scrollIntoView();
  });
  draw(new Set(Object.keys(initial)));
  byId(store.state.puzzle === null ? location.hash.slice(1) : "puzzle")?.scrollIntoView();
}

start().catch((error) => {
  byId("failure").textContent =
    `The interactive part of this page does not work in this browser (${error.message}). ` +
    "The verdicts are complete without it.";
  byId("failure").hidden = false;
  throw error;
});
