// The summary of a selection by the definitions of summary.csv and vbs.csv.

import { cellIndex } from "./data.js";
import { shownStrategies } from "./selection.js";

/** A summary of each shown strategy over the rows; shares are among all selected ones. */
export function summarize(data, state, rows) {
  const strategies = [...state.strategies].sort((a, b) => a - b);
  const shares = fastestShares(data, state, strategies, rows);
  const shown = new Set(shownStrategies(state));
  const lines = strategies.map((strategy, place) => ({
    strategy,
    ...countSummary(data, strategy, rows),
    ...timeSummary(data, state.clock, strategy, rows),
    fastest: shares[place],
    excluded: exclusion(data.strategies[strategy]),
  }));
  return lines.filter(({ strategy }) => shown.has(strategy));
}

/** Median, mean and score of each shown strategy over the rows. */
export function timesOfShown(data, state, rows) {
  return shownStrategies(state).map((strategy) => (
    { strategy, ...timeSummary(data, state.clock, strategy, rows), excluded: exclusion(data.strategies[strategy]) }));
}

/** Why a strategy has no times, or nothing. */
export function exclusion({ wrong, mistimed }) {
  if (wrong) return `WRONG (${wrong})`;
  return mistimed ? `MISTIMED (${mistimed})` : "";
}

function countSummary(data, strategy, rows) {
  let puzzles = 0;
  let measurements = 0;
  let solved = 0;
  for (const row of rows) {
    const cell = cellIndex(data, strategy, row);
    puzzles += data.measured[cell] > 0;
    measurements += data.measured[cell];
    solved += data.solved[cell];
  }
  return { puzzles, measurements, solved };
}

function timeSummary(data, clock, strategy, rows) {
  const times = [];
  let logs = 0;
  let scores = 0;
  for (const row of rows) {
    const cell = cellIndex(data, strategy, row);
    const value = data.times[clock][cell];
    if (Number.isNaN(value)) continue;
    times.push(value);
    logs += Math.log(value);
    scores += data.scores[clock][cell];
  }
  const sortedTimes = Float64Array.from(times).sort();
  const mean = Math.exp(logs / times.length);
  return {
    timed: times.length,
    finished: times.filter(Number.isFinite).length,
    median: quantile(sortedTimes, 0.5),
    gmean: Number.isFinite(mean) ? mean : NaN, // unknown if any puzzle was not finished
    par2: times.length ? scores / times.length : NaN,
    late: times.length > 0 && !Number.isFinite(sortedTimes[Math.floor((times.length - 1) / 2)]),
  };
}

/** A quantile of ascending values (linear between neighbours); NaN if it involves an unfinished solve. */
export function quantile(values, share) {
  if (!values.length) return NaN;
  const place = share * (values.length - 1);
  const below = Math.floor(place);
  const fraction = place - below;
  let value = values[below];
  if (fraction > 1e-9 && Number.isFinite(value)) value += fraction * (values[below + 1] - value);
  return Number.isFinite(value) ? value : NaN;
}

/** The share of puzzles on which each strategy is the fastest; tied strategies share a puzzle. */
function fastestShares(data, state, strategies, rows) {
  const times = data.times[state.clock];
  const places = placesByCollection(data, times, strategies, rows);
  const wins = strategies.map(() => 0);
  let compared = 0;
  for (const row of rows) {
    const rivals = places.get(data.rows.collection[row]);
    let best = rivals.length ? Infinity : NaN;
    let ties = [];
    for (const place of rivals) {
      const value = times[cellIndex(data, strategies[place], row)];
      if (value < best) [best, ties] = [value, [place]];
      else if (value === best) ties.push(place);
      else if (Number.isNaN(value)) best = NaN;
    }
    if (Number.isNaN(best)) continue; // not measured with all of them: no fastest
    compared += 1;
    if (best === Infinity) continue;
    for (const place of ties) wins[place] += 1 / ties.length;
  }
  const withTimes = new Set([...places.values()].flat());
  return wins.map((number, place) => (compared && withTimes.has(place) ? number / compared : NaN));
}

/** For each collection, the places of the strategies that have a time there. */
function placesByCollection(data, times, strategies, rows) {
  const places = new Map();
  for (const row of rows) {
    const collection = data.rows.collection[row];
    if (!places.has(collection)) places.set(collection, new Set());
    const members = places.get(collection);
    if (members.size === strategies.length) continue;
    strategies.forEach((strategy, place) => {
      if (!Number.isNaN(times[cellIndex(data, strategy, row)])) members.add(place);
    });
  }
  return new Map([...places].map(([collection, members]) => [collection, [...members].sort((a, b) => a - b)]));
}
