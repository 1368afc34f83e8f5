// The table of puzzles: a reader chooses its columns, sorts it, searches it and turns its pages.

import { measureText } from "./card.js";
import { cellIndex } from "./data.js";
import { byId, element, fill } from "./dom.js";
import { count, seconds, time } from "./format.js";
import { fastestOf, measureValue, shownStrategies, timeKey } from "./selection.js";
import { table } from "./table.js";

const TIMES = "times"; // the key under which all columns of times are hidden

/** All selected puzzles, with the time of each selected strategy. */
export function puzzleTable(data, store) {
  const { collection, puzzle } = data.rows;
  const view = table(byId("puzzle-table"), "All puzzles", { ordered: (sort) => store.change({ sort }) });
  const search = byId("puzzle-search");
  search.addEventListener("input", () => store.change({ query: search.value }));
  const names = puzzle.map((name, row) => `${data.collections[collection[row]]} ${name}`.toLowerCase());
  const nameColumn = { key: "puzzle", title: "Puzzle", value: (row) => puzzle[row], cell: puzzleButton };
  const fixedColumns = [
    { key: "collection", title: "Collection", value: (row) => collection[row],
      cell: (row) => data.collections[collection[row]] },
    ...data.measures.map((measure) => ({
      key: measure.key, title: measure.title, numeric: true,
      value: (row) => measureValue(measure, row),
      cell: (row) => measureText(measure, row),
    })),
  ];
  const choices = [...fixedColumns, ...fastestColumns([], null)];
  const columnMenu = columnChoice([...choices, { key: TIMES, title: "times of strategies" }], store);

  function puzzleButton(row) {
    const pin = () => store.change({ puzzle: row });
    const open = () => byId("puzzle").scrollIntoView({ block: "start" });
    return element("button", { type: "button", class: "link", click: open, focus: pin }, puzzle[row]);
  }

  function timeColumn(strategy) {
    const times = data.times[store.state.clock];
    const unfinished = `> ${seconds(data.limits[store.state.clock])}`;
    return {
      key: timeKey(data, strategy), title: data.strategies[strategy].name, numeric: true,
      value: (row) => times[cellIndex(data, strategy, row)],
      cell: (row) => time(times[cellIndex(data, strategy, row)], unfinished),
    };
  }

  function draw(rows) {
    const { clock, hidden, query, sort } = store.state;
    const strategies = shownStrategies(store.state);
    const columns = [...fixedColumns, ...fastestColumns(strategies, data.times[clock]), ...strategies.map(timeColumn)];
    const shown = columns.filter(({ key }) => !hidden.has(key.startsWith("time ") ? TIMES : key));
    const words = query.toLowerCase().split(/\s+/);
    const matches = rows.filter((row) => words.every((word) => names[row].includes(word)));
    const ofTask = data.rows.task.filter((task) => task === store.state.task).length;
    if (search.value !== query) search.value = query;
    view.show(matches, [nameColumn, ...shown], sort);
    columnMenu.draw();
    byId("puzzles-count").textContent = `${count(matches.length)} of ${count(ofTask)} puzzles`;
  }

  /** The fastest strategy on each puzzle and its time, computed once per puzzle. */
  function fastestColumns(strategies, times) {
    const results = new Map();
    const fastest = (row) => {
      if (!results.has(row)) {
        const { best, winner } = fastestOf(times, data, strategies, row);
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

/** The menu of columns: a checkbox each. */
function columnChoice(columns, store) {
  const boxes = columns.map(({ key, title }) => {
    const input = element("input", { type: "checkbox", value: key, change: read });
    return element("label", { class: "check" }, input, title);
  });
  fill(byId("columns"), ...boxes);

  function read() {
    const hidden = boxes.map((box) => box.firstChild).filter(({ checked }) => !checked).map(({ value }) => value);
    store.change({ hidden: new Set(hidden) });
  }

  function draw() {
    for (const { firstChild } of boxes) firstChild.checked = !store.state.hidden.has(firstChild.value);
    const shown = boxes.filter(({ firstChild }) => firstChild.checked).length;
    byId("columns-count").textContent = `${shown} of ${boxes.length}`;
  }
  return { draw };
}
