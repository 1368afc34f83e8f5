// The table of pairs, with the values and texts that the run's table has: its rows follow the filters.

import { breakable, byId, element } from "./dom.js";
import { scopeOf, shownStrategies } from "./selection.js";
import { marker } from "./symbols.js";
import { table } from "./table.js";

export function pairTable(data, store) {
  const { columns, collection, strategies, sentences } = data.pairs;
  const view = table(byId("pairs-table"), "Verdicts on pairs", (pairsSort) => store.change({ pairsSort }));
  const shownColumns = columns.map((column) => columnOf(data, column, sentences));
  return () => {
    const shown = new Set(shownStrategies(data, store.state));
    const { collections } = scopeOf(data, store.state);
    const rows = [...collection.keys()].filter((row) =>
      collections.includes(collection[row]) && strategies[row].some((one) => shown.has(one)));
    view.show(rows, shownColumns, store.state.pairsSort);
  };
}

function columnOf(data, { key, title, kind, hint, values, texts }, sentences) {
  const column = { key, title, hint, numeric: kind === "number", value: (row) => values[row],
    cell: (row) => texts?.[row] ?? String(values[row] ?? "–") };
  if (kind === "strategy") return { ...column, ...strategyColumn(data, values) };
  if (key !== "finding") return column;
  return { ...column, cell: (row) => element("span", { title: sentences[row] }, values[row]) };
}

function strategyColumn(data, values) {
  return { value: (row) => data.strategies[values[row]].name, cell: (row) => strategyName(data.strategies[values[row]]) };
}

/** The marker and the name of a strategy. */
export function strategyName(strategy) {
  return element("span", { class: "strategy" }, marker(strategy), breakable(strategy.name));
}
