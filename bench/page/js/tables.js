// Two tables of the page: the summary of the selection, and the verdicts on pairs.

import { breakable, byId, element } from "./dom.js";
import { count, percent, seconds } from "./format.js";
import { marker } from "./symbols.js";
import { table } from "./table.js";

/** The summary, which follows the filters. */
export function summaryTable(data, store) {
  const ordered = (summarySort) => store.change({ summarySort });
  const view = table(byId("summary-table"), "Summary of the selection", { ordered, pageSize: 100 });
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
  return { draw: (lines) => view.show(lines, columns, store.state.summarySort) };
}

function medianText(data, clock, { excluded, median, late }) {
  if (excluded) return excluded;
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

/** The verdicts on pairs of the selected strategies and collections. */
export function pairTable(data, store) {
  const view = table(byId("pair-table"), "Verdicts on pairs", { ordered: (pairsSort) => store.change({ pairsSort }) });
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
    view.show(rows.filter(isShown), columns, store.state.pairsSort);
  }
  return { draw };
}
