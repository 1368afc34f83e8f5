// The table of puzzles: how hard each is and how long the shown strategies took, to sort and to search.

import { byId, element } from "./dom.js";
import { count, digits, seconds, time } from "./format.js";
import { measureValue, selectedRows, shownStrategies, timeOf } from "./selection.js";
import { table } from "./table.js";

export function puzzleTable(data, store) {
  const { collection, puzzle } = data.rows;
  const view = table(byId("puzzle-table"), "All puzzles", (puzzleSort) => store.change({ puzzleSort }));
  const search = byId("puzzle-search");
  search.addEventListener("input", () => store.change({ query: search.value }));
  const names = puzzle.map((name, row) => `${data.collections[collection[row]]} ${name}`.toLowerCase());
  const columns = [
    { key: "puzzle", title: "Puzzle", value: (row) => puzzle[row], cell: puzzleButton },
    { key: "collection", title: "Collection", value: (row) => collection[row],
      cell: (row) => data.collections[collection[row]] },
    ...data.measures.map((measure) => ({
      key: measure.key, title: measure.title, numeric: true, value: (row) => measureValue(measure, row),
      cell: (row) => measureText(measure, row),
    })),
  ];

  function puzzleButton(row) {
    const pin = () => store.change({ puzzle: row });
    const open = () => byId("puzzle").scrollIntoView({ block: "start" });
    return element("button", { type: "button", class: "link", click: open, focus: pin }, puzzle[row]);
  }

  function timeColumn(strategy) {
    const { name } = data.strategies[strategy];
    return { key: `time ${name}`, title: name, numeric: true, value: (row) => timeOf(data, strategy, row),
      cell: (row) => time(timeOf(data, strategy, row), `> ${seconds(data.limit)}`) };
  }

  return () => {
    const { query, puzzleSort } = store.state;
    const rows = selectedRows(data, store.state);
    const words = query.toLowerCase().split(/\s+/);
    const matches = rows.filter((row) => words.every((word) => names[row].includes(word)));
    if (search.value !== query) search.value = query;
    view.show(matches, [...columns, ...shownStrategies(data, store.state).map(timeColumn)], puzzleSort);
    byId("puzzles-count").textContent = `${count(matches.length)} of ${count(data.rowCount)} puzzles`;
  };
}

/** The value of a measure for a row, as text. */
export function measureText(measure, row) {
  const value = measure.values[row];
  return measure.texts?.[row] ?? (value === null ? "–" : digits(value));
}
