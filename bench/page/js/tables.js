// The tables of the page: the summary of the selection, all puzzles, all pairs.

import { measureText } from "./card.js";
import { cellIndex } from "./data.js";
import { breakable, byId, element } from "./dom.js";
import { count, percent, seconds, time } from "./format.js";
import { shownStrategies } from "./statistics.js";
import { marker } from "./symbols.js";
import { table } from "./table.js";

/** The summary, which follows the filters. */
export function summaryTable(data, store) {
  const sort = { key: "median", descending: false };
  const view = table(byId("summary-table"), "Summary of the selection", { sort, pageSize: 100 });
  const timeText = (value) => (Number.isNaN(value) ? "–" : seconds(value));
  const columns = [
    { key: "strategy", title: "Strategy", value: ({ strategy }) => data.strategies[strategy].name,
      cell: ({ strategy }) => strategyCell(data, strategy) },
    { ...number("median", "Median"), cell: (line) => medianText(data, store.state.clock, line) },
    { ...number("gmean", "Geometric mean", timeText), hint: "only if all puzzles were finished" },
    { ...number("par2", "PAR-2", timeText), hint: "mean time; an unfinished solve counts as twice the limit" },
    { ...number("fastest", "Fastest on", percent),
      hint: "share of the puzzles measured with all selected strategies" },
    number("puzzles", "Puzzles", count),
    { ...number("solved", "Solved"), cell: ({ solved, measurements }) => `${count(solved)} of ${count(measurements)}`,
      hint: "solves finished with a correct answer" },
  ];
  return { draw: (lines) => view.show(lines, columns) };
}

function medianText(data, clock, { wrong, mistimed, median, late }) {
  if (wrong) return `WRONG (${wrong})`;
  if (mistimed) return `MISTIMED (${mistimed})`;
  if (!Number.isNaN(median)) return seconds(median);
  return late ? `> ${seconds(data.limits[clock])}` : "–";
}

function number(key, title, format) {
  return { key, title, numeric: true, value: (line) => line[key], cell: format && ((line) => format(line[key])) };
}

function strategyCell(data, strategy) {
  const shown = data.strategies[strategy];
  return element("span", { class: "strategy" }, marker(shown), breakable(shown.name));
}

/** All selected puzzles, with the time of each selected strategy. */
export function puzzleTable(data, store) {
  const { collection, puzzle } = data.rows;
  const view = table(byId("puzzle-table"), "All puzzles");
  const search = byId("puzzle-search");
  search.addEventListener("input", () => store.change({ query: search.value }));
  const names = puzzle.map((name, row) => `${data.collections[collection[row]]} ${name}`.toLowerCase());
  const fixedColumns = [
    { key: "puzzle", title: "Puzzle", value: (row) => puzzle[row], cell: puzzleButton },
    { key: "collection", title: "Collection", value: (row) => collection[row],
      cell: (row) => data.collections[collection[row]] },
    ...data.measures.map((measure) => ({
      key: `measure ${measure.key}`, title: measure.title, numeric: true,
      value: (row) => measure.values[row] ?? (measure.texts?.[row] ? Infinity : null),
      cell: (row) => measureText(measure, row),
    })),
  ];

  function puzzleButton(row) {
    const pin = () => store.change({ puzzle: row });
    const open = () => byId("puzzle").scrollIntoView({ block: "start" });
    return element("button", { type: "button", class: "link", click: open, focus: pin }, puzzle[row]);
  }

  function draw(rows) {
    const strategies = shownStrategies(store.state);
    const times = data.times[store.state.clock];
    const unfinished = `> ${seconds(data.limits[store.state.clock])}`;
    const timeColumn = (strategy) => ({
      key: `time ${strategy}`, title: data.strategies[strategy].name, numeric: true,
      value: (row) => times[cellIndex(data, strategy, row)],
      cell: (row) => time(times[cellIndex(data, strategy, row)], unfinished),
    });
    const parts = search.value.toLowerCase().split(/\s+/);
    const matches = rows.filter((row) => parts.every((part) => names[row].includes(part)));
    view.show(matches, [...fixedColumns, ...fastestColumns(strategies, times), ...strategies.map(timeColumn)]);
  }

  /** The fastest strategy on each puzzle and its time, computed once per puzzle. */
  function fastestColumns(strategies, times) {
    const results = new Map();
    const fastest = (row) => {
      if (!results.has(row)) {
        let [best, winner] = [NaN, null];
        for (const strategy of strategies) {
          const value = times[cellIndex(data, strategy, row)];
          if (value < best || (Number.isNaN(best) && Number.isFinite(value))) [best, winner] = [value, strategy];
        }
        results.set(row, { best, name: winner === null ? null : data.strategies[winner].name });
      }
      return results.get(row);
    };
    return [
      { key: "fastest", title: "Fastest", value: (row) => fastest(row).name,
        cell: (row) => fastest(row).name ?? "none" },
      { key: "best", title: "Fastest time", numeric: true, value: (row) => fastest(row).best,
        cell: (row) => time(fastest(row).best) },
    ];
  }
  return { draw };
}

/** The verdicts on pairs of the selected strategies and collections. */
export function pairTable(data, store) {
  const view = table(byId("pair-table"), "Verdicts on pairs");
  const { pairs } = data;
  const rows = [...pairs.a.keys()];
  const strategyColumn = (key, title) => ({
    key, title, value: (row) => data.strategies[pairs[key][row]].name,
    cell: (row) => strategyCell(data, pairs[key][row]),
  });
  const columns = [
    strategyColumn("a", "A"),
    strategyColumn("b", "B"),
    { key: "collection", title: "Collection", value: (row) => pairs.collection[row],
      cell: (row) => data.collections[pairs.collection[row]] },
    { key: "clock", title: "Clock", value: (row) => pairs.clock[row] },
    { key: "finding", title: "A is", value: (row) => pairs.finding[row],
      cell: (row) => element("span", { title: pairs.sentence[row] }, pairs.finding[row]) },
    { key: "ratio", title: "Time of A / time of B", numeric: true,
      value: (row) => pairs.ratio[row] ?? pairs.at_least[row] ?? pairs.at_most[row],
      cell: (row) => pairs.ratio_text[row] || "–" },
    { key: "interval", title: "Interval that decided", numeric: true, value: (row) => pairs.decided_lo[row],
      cell: (row) => pairs.interval[row] || "–", hint: "without 1 if the times differ, with 1 if that is not decided" },
    { key: "p_holm", title: "p (Holm)", numeric: true, value: (row) => pairs.p_holm[row],
      cell: (row) => pairs.p[row] || "–", hint: "p-value of a ratio of 1, corrected for all pairs of the run" },
    ...["wins", "ties", "losses", "n_puzzles"].map((key) => (
      { key, title: key.replace("n_", ""), numeric: true, value: (row) => pairs[key][row] }
    )),
  ];

  function draw() {
    const { strategies, collections, isolated, clock } = store.state;
    const isShown = (row) =>
      pairs.clock[row] === clock && collections.has(pairs.collection[row]) &&
      strategies.has(pairs.a[row]) && strategies.has(pairs.b[row]) &&
      (!isolated.size || isolated.has(pairs.a[row]) || isolated.has(pairs.b[row]));
    byId("pairs-note").textContent = clock === "cpu" ? ""
      : "By wall time, only strategies with several threads or processes are compared.";
    view.show(rows.filter(isShown), columns);
  }
  return { draw };
}
