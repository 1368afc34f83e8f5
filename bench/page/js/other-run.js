// A second run, dropped onto the page as its report.html: medians side by side, which are no verdicts.

import { cellIndex, load } from "./data.js";
import { breakable, byId, element } from "./dom.js";
import { count, digits, seconds } from "./format.js";
import { shownStrategies } from "./selection.js";
import { quantile } from "./statistics.js";
import { marker } from "./symbols.js";
import { table } from "./table.js";

/**
 * A line per strategy and collection that both runs have: medians over the puzzles (of the same name and grid, with the
 * same task) that both have a time of, and how many of these each finished. `rows` are those of this run to compare.
 */
export function sideBySide(data, other, state, rows) {
  const matches = rowsByPuzzle(other);
  const lines = [];
  for (const strategy of shownStrategies(state)) {
    const twin = other.strategies.findIndex(({ name }) => name === data.strategies[strategy].name);
    if (twin < 0) continue;
    const times = new Map(); // by collection: pairs of times
    for (const row of rows) {
      const match = matches.get(keyOf(data, row));
      if (match === undefined) continue;
      const there = other.times[state.clock][cellIndex(other, twin, match)];
      const pair = [data.times[state.clock][cellIndex(data, strategy, row)], there];
      if (pair.some(Number.isNaN)) continue;
      const collection = data.rows.collection[row];
      if (!times.has(collection)) times.set(collection, []);
      times.get(collection).push(pair);
    }
    for (const [collection, pairs] of [...times].sort(([a], [b]) => a - b)) {
      lines.push({ strategy, collection, puzzles: pairs.length, here: figuresOf(pairs, 0), there: figuresOf(pairs, 1) });
    }
  }
  return lines;
}

function figuresOf(pairs, place) {
  const values = Float64Array.from(pairs.map((pair) => pair[place])).sort();
  return { median: quantile(values, 0.5), finished: values.filter(Number.isFinite).length };
}

function keyOf({ tasks, rows, collections }, row) {
  return [tasks[rows.task[row]], collections[rows.collection[row]], rows.puzzle[row], rows.grid[row]].join("\n");
}

function rowsByPuzzle(other) {
  return new Map(other.rows.puzzle.map((_, row) => [keyOf(other, row), row]));
}

export function otherRun(data, store) {
  let other = null; // its data, name and line of facts
  let latestRows = [];
  const problem = byId("other-problem");
  byId("other-file").addEventListener("change", ({ target }) => target.files.length && open(target.files[0]));
  byId("other-remove").addEventListener("click", () => {
    other = null;
    byId("other-file").value = "";
    store.change({ other: null });
    draw(latestRows);
  });
  document.addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    byId("other-drop").classList.add("over");
  });
  document.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) byId("other-drop").classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    byId("other-drop").classList.remove("over");
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    byId("other").scrollIntoView();
    open(file);
  });

  async function open(file) {
    problem.textContent = "";
    try {
      const page = new DOMParser().parseFromString(await file.text(), "text/html"); // which runs no scripts
      const facts = page.querySelector(".facts")?.textContent ?? "";
      const read = { data: await load(page), title: page.title, facts };
      sideBySide(data, read.data, store.state, latestRows); // fails here if the data are not those of a run
      other = read;
      store.change({ other: other.title });
    } catch {
      problem.textContent = `${file.name} is not the report.html of a run, or another version of sudoku-bench wrote it: `
        + "sudoku-bench report RUN writes it again.";
    }
    draw(latestRows);
  }

  const timeText = (value, limit) => (Number.isNaN(value) ? `> ${seconds(limit)}` : seconds(value));
  const finishedText = ({ finished }, puzzles) => `${count(finished)} of ${count(puzzles)}`;
  const ratioOf = ({ here, there }) => there.median / here.median;
  let view = null;

  function columns() {
    const { clock } = store.state;
    const limit = other.data.limits[clock];
    return [
      { key: "strategy", title: "Strategy", value: ({ strategy }) => data.strategies[strategy].name,
        cell: ({ strategy }) => element("span", { class: "strategy" }, marker(data.strategies[strategy]),
          breakable(data.strategies[strategy].name)) },
      { key: "collection", title: "Collection", value: ({ collection }) => collection,
        cell: ({ collection }) => data.collections[collection] },
      { key: "puzzles", title: "Puzzles in both", numeric: true, value: ({ puzzles }) => puzzles },
      { key: "here", title: "Median here", numeric: true, value: ({ here }) => here.median,
        cell: ({ here }) => timeText(here.median, data.limits[clock]) },
      { key: "there", title: "Median there", numeric: true, value: ({ there }) => there.median,
        cell: ({ there }) => timeText(there.median, limit) },
      { key: "ratio", title: "There / here", numeric: true, value: ratioOf,
        cell: (line) => (Number.isNaN(ratioOf(line)) ? "–" : digits(ratioOf(line))) },
      { key: "solved", title: "Finished here", numeric: true, value: ({ here }) => here.finished,
        cell: ({ here, puzzles }) => finishedText(here, puzzles) },
      { key: "solved there", title: "Finished there", numeric: true, value: ({ there }) => there.finished,
        cell: ({ there, puzzles }) => finishedText(there, puzzles) },
    ];
  }

  function draw(rows) {
    latestRows = rows;
    const asked = store.state.other; // perhaps a run that this page does not hold
    const isShown = other !== null && other.title === asked;
    byId("other-result").hidden = !isShown;
    byId("other-asked").textContent = isShown || asked === null ? ""
      : `This link was made with another run beside this one, “${asked}”. Drop its report.html to see both.`;
    if (!isShown) return;
    view ??= table(byId("other-table"), "Medians of both runs");
    const lines = sideBySide(data, other.data, store.state, rows);
    view.show(lines, columns());
    byId("other-title").textContent = other.title;
    byId("other-facts").textContent = other.facts;
    const { clock } = store.state;
    const limits = [data.limits[clock], other.data.limits[clock]].map(seconds);
    const none = "The runs have no strategy and puzzle of this selection in common.";
    byId("other-note").textContent = lines.length ? notes(limits) : none;
  }

  function notes([here, there]) {
    const names = new Set(other.data.strategies.map(({ name }) => name));
    const shown = shownStrategies(store.state).map((strategy) => data.strategies[strategy].name);
    const missing = shown.filter((name) => !names.has(name));
    const only = missing.length ? ` Not in the other run: ${missing.join(", ")}.` : "";
    const limits = here === there ? "" : ` The time limits differ: ${here} here, ${there} there.`;
    return `Medians over the puzzles that both runs have a time of, within the selection above.${limits}${only}`;
  }
  return { draw };
}
