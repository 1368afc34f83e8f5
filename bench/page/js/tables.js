// The tables of the page: the summary of what is chosen, every puzzle, every pair.

import { textOf } from "./card.js";
import { at } from "./data.js";
import { breakable, byId, element } from "./dom.js";
import { shownStrategies } from "./statistics.js";
import { marker } from "./symbols.js";
import { table } from "./table.js";
import { count, digits, percent, seconds, time } from "./words.js";

/** The summary that the filters make anew. */
export function summaryTable(data, store) {
  const sheet = table(byId("summary-table"), "Summary of what is chosen", { sort: { key: "median", falling: false }, most: 100 });
  const known = (value) => (Number.isNaN(value) ? "–" : seconds(value));
  const columns = [
    { key: "strategy", title: "Strategy", value: ({ strategy }) => data.strategies[strategy].name, cell: ({ strategy }) => named(data, strategy) },
    { ...number("median", "Median"), cell: (line) => medianOf(data, store.now.clock, line) },
    { ...number("gmean", "Geometric mean", known), hint: "only where everything was finished" },
    { ...number("par2", "PAR-2", known), hint: "mean, an unfinished solve counted as twice the limit" },
    { ...number("fastest", "Fastest on", percent), hint: "share of the puzzles that all chosen strategies were measured on" },
    number("puzzles", "Puzzles", count),
    { ...number("solved", "Solved"), cell: ({ solved, measurements }) => `${count(solved)} of ${count(measurements)}`, hint: "solves finished with a right answer" },
  ];
  return { draw: (lines) => sheet.show(lines, columns) };
}

function medianOf(data, clock, { wrong, median, late }) {
  if (wrong) return `WRONG (${wrong})`;
  if (!Number.isNaN(median)) return seconds(median);
  return late ? `> ${seconds(data.limits[clock])}` : "–";
}

function number(key, title, words) {
  return { key, title, numeric: true, value: (line) => line[key], cell: words && ((line) => words(line[key])) };
}

function named(data, strategy) {
  return element("span", { class: "strategy" }, marker(data.strategies[strategy]), breakable(data.strategies[strategy].name));
}

/** Every puzzle, with the time of each strategy that is shown. */
export function puzzleTable(data, store) {
  const sheet = table(byId("puzzle-table"), "Every puzzle");
  const search = byId("puzzle-search");
  search.addEventListener("input", () => store.change({ sought: search.value }));
  const names = data.rows.puzzle.map((puzzle, row) => `${data.collections[data.rows.collection[row]]} ${puzzle}`.toLowerCase());
  const fixed = [
    { key: "puzzle", title: "Puzzle", value: (row) => data.rows.puzzle[row], cell: (row) => opener(row) },
    { key: "collection", title: "Collection", value: (row) => data.rows.collection[row], cell: (row) => data.collections[data.rows.collection[row]] },
    ...data.measures.map((measure) => ({
      key: `measure ${measure.key}`, title: measure.title, numeric: true,
      value: (row) => measure.values[row] ?? (measure.texts?.[row] ? Infinity : null), cell: (row) => textOf(measure, row),
    })),
  ];

  function opener(row) {
    const pick = () => store.change({ puzzle: row });
    return element("button", { type: "button", class: "link", click: pick, focus: pick }, data.rows.puzzle[row]);
  }

  function draw(rows) {
    const strategies = shownStrategies(store.now);
    const times = data.times[store.now.clock];
    const of = (strategy) => ({
      key: `time ${strategy}`, title: data.strategies[strategy].name, numeric: true,
      value: (row) => times[at(data, strategy, row)], cell: (row) => time(times[at(data, strategy, row)], `> ${seconds(data.limits[store.now.clock])}`),
    });
    const wanted = search.value.toLowerCase().split(/\s+/);
    const found = rows.filter((row) => wanted.every((part) => names[row].includes(part)));
    sheet.show(found, [...fixed, ...bests(strategies, times), ...strategies.map(of)]);
  }

  /** Who is the fastest on a puzzle, worked out once for each of them. */
  function bests(strategies, times) {
    const known = new Map();
    const best = (row) => {
      if (!known.has(row)) {
        let [least, who] = [NaN, null];
        for (const strategy of strategies) {
          const own = times[at(data, strategy, row)];
          if (own < least || (Number.isNaN(least) && Number.isFinite(own))) [least, who] = [own, strategy];
        }
        known.set(row, [least, who]);
      }
      return known.get(row);
    };
    const name = (row) => (best(row)[1] === null ? null : data.strategies[best(row)[1]].name);
    return [
      { key: "fastest", title: "Fastest", value: name, cell: (row) => name(row) ?? "nobody" },
      { key: "best", title: "Its time", numeric: true, value: (row) => best(row)[0], cell: (row) => time(best(row)[0]) },
    ];
  }
  return { draw };
}

/** The verdicts on pairs: of the chosen strategies and collections. */
export function pairTable(data, store) {
  const sheet = table(byId("pair-table"), "Verdicts on pairs");
  const { pairs } = data;
  const all = [...pairs.a.keys()];
  const name = (which) => (row) => data.strategies[pairs[which][row]].name;
  const columns = [
    { key: "a", title: "A", value: name("a"), cell: (row) => named(data, pairs.a[row]) },
    { key: "b", title: "B", value: name("b"), cell: (row) => named(data, pairs.b[row]) },
    { key: "collection", title: "Collection", value: (row) => pairs.collection[row], cell: (row) => data.collections[pairs.collection[row]] },
    { key: "clock", title: "Clock", value: (row) => pairs.clock[row] },
    { key: "verdict", title: "Verdict", value: (row) => verdict(pairs.verdict[row]) },
    { key: "ratio", title: "Time of A / time of B", numeric: true, value: (row) => pairs.ratio[row] ?? pairs.at_least[row] ?? pairs.at_most[row], cell: ratio },
    { key: "interval", title: "95% interval", numeric: true, value: (row) => pairs.ratio_lo[row], cell: interval },
    { key: "p_holm", title: "p (Holm)", numeric: true, value: (row) => pairs.p_holm[row], cell: (row) => probability(pairs.p_holm[row]) },
    ...["wins", "ties", "losses", "n_puzzles"].map((key) => ({ key, title: key.replace("n_", ""), numeric: true, value: (row) => pairs[key][row] })),
  ];

  function ratio(row) {
    if (pairs.ratio[row] !== null) return digits(pairs.ratio[row]);
    if (pairs.at_least[row] !== null) return `≥ ${digits(pairs.at_least[row])}`;
    return pairs.at_most[row] === null ? "–" : `≤ ${digits(pairs.at_most[row])}`;
  }

  function interval(row) {
    const [low, high] = [pairs.ratio_lo[row], pairs.ratio_hi[row]];
    return low === null && high === null ? "–" : `${low === null ? "…" : digits(low)} to ${high === null ? "…" : digits(high)}`;
  }

  function draw() {
    const { strategies, collections, alone } = store.now;
    const seen = (row) =>
      collections.has(pairs.collection[row]) && strategies.has(pairs.a[row]) && strategies.has(pairs.b[row]) &&
      (alone === null || pairs.a[row] === alone || pairs.b[row] === alone);
    sheet.show(all.filter(seen), columns);
  }
  return { draw };
}

/** A verdict with the names that the columns have. */
function verdict(word) {
  return word.replace("a_faster", "A faster").replace("b_faster", "B faster").replaceAll("_", " ");
}

function probability(value) {
  if (value === null) return "–";
  return value < 0.001 ? "< 0.001" : value.toFixed(3);
}
