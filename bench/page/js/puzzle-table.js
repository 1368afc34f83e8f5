// The table of puzzles: a reader chooses its columns, filters them by ranges, and sorts and searches it.

import { measureText } from "./card.js";
import { cellIndex } from "./data.js";
import { byId, element, fill } from "./dom.js";
import { count, seconds, time } from "./format.js";
import { shownStrategies } from "./statistics.js";
import { table } from "./table.js";

const TIMES = "times"; // the key under which all columns of times are hidden

/** All selected puzzles, with the time of each selected strategy. */
export function puzzleTable(data, store) {
  const { collection, puzzle } = data.rows;
  const view = table(byId("puzzle-table"), "All puzzles", { sorted: (sort) => store.change({ sort }) });
  const search = byId("puzzle-search");
  search.addEventListener("input", () => store.change({ query: search.value }));
  const names = puzzle.map((name, row) => `${data.collections[collection[row]]} ${name}`.toLowerCase());
  const nameColumn = { key: "puzzle", title: "Puzzle", value: (row) => puzzle[row], cell: puzzleButton };
  const fixedColumns = [
    { key: "collection", title: "Collection", value: (row) => collection[row],
      cell: (row) => data.collections[collection[row]] },
    ...data.measures.map((measure) => ({
      key: measure.key, title: measure.title, numeric: true,
      value: (row) => measure.values[row] ?? (measure.texts?.[row] ? Infinity : null),
      cell: (row) => measureText(measure, row),
    })),
  ];
  const choices = [...fixedColumns, ...fastestColumns([], null)];
  const timeColumns = data.strategies.map((_, strategy) => timeColumn(strategy));
  const columnMenu = columnChoice([...choices, { key: TIMES, title: "times of strategies" }], store);
  const rangeMenu = rangeChoice([...choices.filter(({ numeric }) => numeric), ...timeColumns], store);

  function puzzleButton(row) {
    const pin = () => store.change({ puzzle: row });
    const open = () => byId("puzzle").scrollIntoView({ block: "start" });
    return element("button", { type: "button", class: "link", click: open, focus: pin }, puzzle[row]);
  }

  function timeColumn(strategy) {
    const times = data.times[store.state.clock];
    const unfinished = `> ${seconds(data.limits[store.state.clock])}`;
    return {
      key: timeKey(data, strategy), title: data.strategies[strategy].name, numeric: true, isTime: true,
      value: (row) => times[cellIndex(data, strategy, row)],
      cell: (row) => time(times[cellIndex(data, strategy, row)], unfinished),
    };
  }

  function draw(rows) {
    const { clock, hidden, ranges, query, sort } = store.state;
    const strategies = shownStrategies(store.state);
    const columns = [...fixedColumns, ...fastestColumns(strategies, data.times[clock]), ...strategies.map(timeColumn)];
    const shown = columns.filter(({ key }) => !hidden.has(key.startsWith("time ") ? TIMES : key));
    const limits = columns.filter(({ key }) => ranges.has(key)).map((column) => [column, ...ranges.get(column.key)]);
    const words = query.toLowerCase().split(/\s+/);
    const matches = rows.filter((row) => words.every((word) => names[row].includes(word))
      && limits.every(([column, low, high]) => isWithin(column, row, low, high)));
    if (search.value !== query) search.value = query;
    view.show(matches, [nameColumn, ...shown], sort);
    columnMenu.draw();
    rangeMenu.draw(new Set(columns.map(({ key }) => key)));
    byId("puzzles-count").textContent = `${count(matches.length)} of ${count(rows.length)} puzzles`;
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
      { key: "best", title: "Fastest time", numeric: true, isTime: true, value: (row) => fastest(row).best,
        cell: (row) => time(fastest(row).best) },
    ];
  }
  return { draw };
}

/** The key of the column of a strategy's times, which an address can hold. */
export function timeKey(data, strategy) {
  return `time ${data.strategies[strategy].name}`;
}

/** Whether a value is known and within bounds (null: none); times are compared in milliseconds. */
function isWithin(column, row, low, high) {
  const value = column.value(row);
  if (value === null || value === undefined || Number.isNaN(value)) return false;
  const number = column.isTime ? 1e3 * value : value;
  return (low === null || number >= low) && (high === null || number <= high);
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

/** The menu of ranges: two numbers for each numeric column. */
function rangeChoice(columns, store) {
  const lines = columns.map(({ key, title, isTime }) => {
    const name = isTime ? `${title} (ms)` : title;
    const ends = ["from", "to"].map((end) =>
      element("input", { type: "number", step: "any", "aria-label": `${name}, ${end}`, placeholder: end, input: read }));
    return { key, ends, line: element("div", { class: "range" }, element("span", {}, name), ...ends) };
  });
  fill(byId("ranges"), ...lines.map(({ line }) => line));
  byId("ranges-clear").addEventListener("click", () => store.change({ ranges: new Map() }));

  function read() {
    const chosen = lines.map(({ key, ends }) => [key, ends.map(({ value }) => (value === "" ? null : Number(value)))]);
    store.change({ ranges: new Map(chosen.filter(([, ends]) => ends.some((end) => end !== null))) });
  }

  /** Show the ranges of the state; those of columns that do not apply now are hidden. */
  function draw(known) {
    const { ranges } = store.state;
    for (const { key, ends, line } of lines) {
      line.hidden = !known.has(key);
      ends.forEach((input, i) => {
        const wanted = ranges.get(key)?.[i] ?? null;
        if (document.activeElement !== input) input.value = wanted ?? "";
      });
    }
    byId("ranges-count").textContent = ranges.size ? `(${ranges.size})` : "";
  }
  return { draw };
}
