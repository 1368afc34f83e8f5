// The menu of ranges, which filter the puzzles of the whole page: two numbers for each measure and each strategy's time.

import { byId, element, fill } from "./dom.js";
import { rangedColumns } from "./selection.js";

export function ranges(data, store) {
  const everything = { ...store.state, strategies: new Set(data.strategies.keys()), isolated: new Set() };
  const lines = rangedColumns(data, everything).map(({ key, title, isTime }) => {
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

  /** Show the ranges of the state; those of strategies that are not shown are hidden, and do not filter. */
  function draw() {
    const known = new Set(rangedColumns(data, store.state).map(({ key }) => key));
    for (const { key, ends, line } of lines) {
      line.hidden = !known.has(key);
      ends.forEach((input, i) => {
        const wanted = store.state.ranges.get(key)?.[i] ?? null;
        if (document.activeElement !== input) input.value = wanted ?? "";
      });
    }
    const applied = [...store.state.ranges.keys()].filter((key) => known.has(key)).length;
    byId("ranges-count").textContent = applied ? `(${applied})` : "";
  }
  return { draw };
}
