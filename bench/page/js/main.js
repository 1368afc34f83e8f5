// Starts the page: loads the data, creates controls, plot and tables, and redraws them when the state changes.

import { addressOf, stateOf } from "./address.js";
import { cactus } from "./cactus.js";
import { card } from "./card.js";
import { load, loadDetails, unpackedText } from "./data.js";
import { byId, element } from "./dom.js";
import { downloads } from "./downloads.js";
import { filters, legend } from "./filters.js";
import { otherRun } from "./other-run.js";
import { plot } from "./plot.js";
import { puzzleTable } from "./puzzle-table.js";
import { puzzleSection } from "./puzzle.js";
import { scatter } from "./scatter.js";
import { ranges } from "./ranges.js";
import { ofOneSize, selectedRows } from "./selection.js";
import { summarize } from "./statistics.js";
import { answer } from "./strip.js";
import { pairTable, summaryTable } from "./tables.js";
import { verdictMap } from "./verdict-map.js";

const NOT_DRAWN = new Set(["at", "zoom", "other"]); // what nothing has to be drawn again for
const OF_PUZZLE = new Set(["puzzle", "own"]); // what changes the puzzle only
const OF_TABLE = new Set(["query", "hidden", "sort"]); // what changes the table of puzzles only

/** The state of the page at the start. */
function initialState(data) {
  return {
    clock: "cpu",
    task: 0,
    collections: new Set(data.collections.keys()),
    strategies: new Set(data.strategies.keys()),
    isolated: new Set(), // the only strategies shown; empty: all
    measure: data.measures[0]?.key ?? null,
    size: null, // of the boards; null: the most common size
    a: null, // the strategies of the scatter plot; null: the fastest two
    b: null,
    puzzle: null, // the pinned row
    own: null, // the grid of a pasted puzzle, shown while no row is pinned
    ranges: new Map(), // by key of a measure or a time: least and greatest value, null if open
    query: "", // of the table of puzzles, as are the next two
    hidden: new Set(), // keys of columns
    sort: { key: null, descending: false, page: 0 },
    summarySort: { key: "median", descending: false, page: 0 },
    pairsSort: { key: null, descending: false, page: 0 },
    other: null, // the title of the run that is shown beside this one
    zoom: null, // the ends of both axes of the plot; null: they hold everything
    at: "", // the section that was opened last
  };
}

/** A state that passes each change to its listeners, with the names of the changed fields. */
function observable(initial) {
  const state = { ...initial };
  const listeners = [];
  return {
    get state() {
      return state;
    },
    listen(listener) {
      listeners.push(listener);
    },
    change(changes) {
      Object.assign(state, changes);
      for (const listener of listeners) listener(state, new Set(Object.keys(changes)));
    },
  };
}

function scrollTo(id) {
  if (id) byId(id)?.scrollIntoView();
}

/** Unpack and run the plotting library. The content security policy allows it by its checksum. */
async function loadPlotly() {
  await wholePage();
  const script = element("script");
  script.textContent = await unpackedText("library");
  document.head.append(script);
  return window.Plotly;
}

async function start() {
  const data = await load();
  const initial = initialState(data);
  const store = observable(stateOf(data, location.hash, initial));
  const puzzleCard = card(data, store);
  const parts = {
    filters: filters(data, store), ranges: ranges(data, store), legend: legend(data, store),
    summary: summaryTable(data, store), puzzles: puzzleTable(data, store), pairs: pairTable(data, store),
    puzzle: puzzleSection(data, store), answer: answer(data, store), cactus: cactus(data, store),
    scatter: scatter(data, store), map: verdictMap(data, store), other: otherRun(data, store),
  };
  let chart = null;
  let summaryLines = [];
  let waiting = false;

  function draw(changed = new Set()) {
    if (changed.size === 1 && NOT_DRAWN.has([...changed][0])) return null;
    if (changed.size === 1 && changed.has("summarySort")) return parts.summary.draw(summaryLines);
    if (changed.size === 1 && changed.has("pairsSort")) return parts.pairs.draw();
    if (changed.size && [...changed].every((field) => OF_PUZZLE.has(field))) { // nothing else shows it
      puzzleCard.refresh();
      if (data.details) parts.puzzle.draw();
      parts.scatter.mark();
      return chart?.mark();
    }
    const rows = selectedRows(data, store.state);
    if (changed.size && [...changed].every((field) => OF_TABLE.has(field))) return parts.puzzles.draw(rows);
    const sized = ofOneSize(data, store.state, rows);
    summaryLines = summarize(data, store.state, sized.rows);
    parts.summary.draw(summaryLines);
    byId("summary-note").textContent = sized.note;
    parts.answer.draw(sized.size);
    parts.legend.draw();
    parts.filters.draw(sized);
    parts.ranges.draw();
    puzzleCard.refresh();
    return drawLater();
  }

  /** Draw the slower parts once per frame, after the faster ones are visible. */
  async function drawLater() {
    if (waiting) return;
    waiting = true;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    data.details ??= await loadDetails(data);
    waiting = false;
    const rows = selectedRows(data, store.state);
    const sized = ofOneSize(data, store.state, rows);
    parts.puzzle.draw();
    parts.cactus.draw(sized.rows);
    parts.scatter.draw(sized.rows, summaryLines);
    parts.map.draw(sized.rows);
    parts.other.draw(sized.rows);
    parts.puzzles.draw(rows);
    parts.pairs.draw();
    await drawChart();
  }

  async function drawChart() {
    if (!chart) return;
    await chart.draw(selectedRows(data, store.state));
    document.body.dataset.drawn = Number(document.body.dataset.drawn ?? 0) + 1;
  }

  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("#verdicts details")) folded.open = true;
  });
  store.listen((_, changed) => draw(changed));
  store.listen((state) => history.replaceState(null, "", addressOf(data, state, initial)));
  addEventListener("hashchange", () => store.change(stateOf(data, location.hash, initial)));
  for (const link of document.querySelectorAll("nav a")) link.addEventListener("click", openSection);
  downloads(data, store, () => chart, () => summaryLines);
  document.body.classList.add("interactive"); // sections have their widths from here on
  await draw();
  const hasPuzzle = store.state.puzzle !== null || store.state.own !== null;
  scrollTo(hasPuzzle && !store.state.at ? "puzzle" : store.state.at);

  /** Go to a section and keep the state in the address, which a plain link would replace. */
  function openSection(event) {
    event.preventDefault();
    const id = event.currentTarget.hash.slice(1);
    store.change({ at: id });
    scrollTo(id);
  }

  if (!data.measures.length) return;
  chart = plot(await loadPlotly(), data, store, puzzleCard);
  byId("plot-frame").removeAttribute("aria-busy");
  await drawChart();
}

start().catch((error) => {
  byId("failure").textContent =
    `The interactive part of this page does not work in this browser (${error.message}). ` +
    "The verdicts are complete without it.";
  byId("failure").hidden = false;
  throw error;
});
