// The verdict map, which the page holds complete: strategies that are not shown are hidden, the others get their marker.

import { shownStrategies } from "./selection.js";
import { marker } from "./symbols.js";

export function mapRows(data, store) {
  const rows = new Map([...document.querySelectorAll("#map [data-strategy]")].map((row) => [row.dataset.strategy, row]));
  for (const strategy of data.strategies) rows.get(strategy.name)?.firstChild.prepend(marker(strategy), " ");
  return () => {
    const shown = new Set(shownStrategies(data, store.state).map((one) => data.strategies[one].name));
    for (const [name, row] of rows) row.hidden = !shown.has(name);
  };
}
