// A pasted puzzle, which the run did not measure: how hard it is, and what strategies made of puzzles that are as hard.

import { breakable, element } from "./dom.js";
import { count, seconds } from "./format.js";
import { timesOfShown } from "./statistics.js";
import { marker } from "./symbols.js";

const SCALE = "er"; // the measure that the steps of a puzzle yield
const LAST_RULE = 4.4; // on that scale; a puzzle that these rules do not solve is above

/** The row of a puzzle with this grid; null if the run does not have it. */
export function rowOfGrid(data, task, grid) {
  const isSame = (own, row) => data.rows.task[row] === task && plainGrid(own) === plainGrid(grid);
  const same = data.rows.grid.findIndex(isSame);
  return same < 0 ? null : same;
}

const plainGrid = (grid) => grid.replaceAll("0", ".").toUpperCase();

/**
 * The puzzles of the run that are as hard as this one by its hardest step, or else those nearest to it; for one that
 * needs a guess, all beyond the last rule. Null if the steps end early or the run has no rating of its board size.
 */
export function asHard(data, state, grid, { steps, stuck }) {
  const measure = data.measures.find(({ key }) => key === SCALE);
  if (!measure || stuck || !steps.length) return null;
  const isBeyond = steps.some((step) => !step.rating);
  const rating = isBeyond ? LAST_RULE : Math.max(...steps.map((step) => step.rating));
  const valueOf = (row) => measure.values[row] ?? (measure.texts?.[row] ? Infinity : null);
  const rows = [...data.rows.task.keys()].filter((row) => data.rows.task[row] === state.task
    && data.rows.grid[row].length === grid.length && valueOf(row) !== null);
  const away = (row) => Math.abs(valueOf(row) - rating);
  const least = rows.reduce((best, row) => Math.min(best, away(row)), Infinity);
  const isAlike = isBeyond ? (row) => valueOf(row) > LAST_RULE : (row) => away(row) === least;
  const alike = rows.filter(isAlike);
  const easier = rows.filter((row) => (isBeyond ? valueOf(row) <= rating : valueOf(row) < rating)).length;
  if (!alike.length) return null;
  const text = isBeyond ? `above ${LAST_RULE}` : String(measure.values[alike[0]] ?? measure.texts[alike[0]]);
  return { rating, isBeyond, isExact: isBeyond || least === 0, rows: alike, total: rows.length, easier, text };
}

/** What is known of a pasted puzzle, in words. */
export function ownFacts(grid, like) {
  const clues = [...grid].filter((cell) => cell !== ".").length;
  const start = `The run has no times of it. ${clues} clues`;
  if (!like) return `${start}.`;
  const share = Math.floor((100 * like.easier) / like.total);
  const hardest = like.isBeyond ? "beyond these rules (ER above 4.4)" : `rated ${like.rating.toFixed(1)} (ER)`;
  return `${start}; its hardest step is ${hardest}, harder than ${share}% of this run's ${count(like.total)} puzzles of its`
    + " size.";
}

/** The medians of the shown strategies on the puzzles that are as hard, fastest first. */
export function ownRows(data, state, like) {
  if (!like) return [];
  const limit = data.limits[state.clock];
  const key = ({ median, late }) => (Number.isNaN(median) ? (late ? 1e300 : Infinity) : median);
  const lines = timesOfShown(data, state, like.rows).filter(({ timed, excluded }) => timed && !excluded);
  lines.sort((a, b) => key(a) - key(b));
  const number = like.rows.length === 1 ? "the one puzzle" : `the ${count(like.rows.length)} puzzles`;
  const words = like.isBeyond ? "that the rules do not solve either" : like.isExact ? "rated the same" : "rated nearest";
  const note = element("p", { class: "note phases-legend" },
    `Not times of your puzzle: medians over ${number} of this run ${words} (ER ${like.text}).`
    + " Puzzles of one rating can differ much.");
  const titles = [["Strategy"], ["Median", "number"], ["Finished", "number"]];
  const head = element("tr", {}, ...titles.map(([title, kind]) => element("th", { scope: "col", class: kind }, title)));
  const body = lines.map(({ strategy, median, finished, timed }) => element("tr", {},
    element("th", { scope: "row" }, element("span", { class: "strategy" }, marker(data.strategies[strategy]),
      breakable(data.strategies[strategy].name))),
    element("td", { class: "number" }, Number.isNaN(median) ? `> ${seconds(limit)}` : seconds(median)),
    element("td", { class: "number" }, `${count(finished)} of ${count(timed)}`)));
  const caption = element("caption", { class: "visually-hidden" }, "Medians on puzzles that are as hard");
  return [note, element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...body))];
}
