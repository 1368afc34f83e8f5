// Which puzzles are meant, and the summary of them: the definitions of summary.csv and vbs.csv.

import { at } from "./data.js";

/** The rows of the chosen task and collections. */
export function chosenRows(data, state) {
  const { task, collection } = data.rows;
  const rows = [];
  for (let row = 0; row < data.number; row++) {
    if (task[row] === state.task && state.collections.has(collection[row])) rows.push(row);
  }
  return rows;
}

/** The chosen strategies in the order of their names, or the only one that is to be seen. */
export function shownStrategies(state) {
  const chosen = [...state.strategies].sort((a, b) => a - b);
  return state.alone === null ? chosen : chosen.filter((strategy) => strategy === state.alone);
}

/** A summary of each chosen strategy over the rows. */
export function summarize(data, state, rows) {
  const strategies = [...state.strategies].sort((a, b) => a - b);
  const shares = fastestShares(data, state, strategies, rows);
  return strategies.map((strategy, place) => ({
    strategy,
    ...counted(data, strategy, rows),
    ...timed(data, state.clock, strategy, rows),
    fastest: shares[place],
    wrong: data.strategies[strategy].wrong,
  }));
}

function counted(data, strategy, rows) {
  let puzzles = 0;
  let measurements = 0;
  let solved = 0;
  for (const row of rows) {
    const here = at(data, strategy, row);
    puzzles += data.measured[here] > 0;
    measurements += data.measured[here];
    solved += data.solved[here];
  }
  return { puzzles, measurements, solved };
}

function timed(data, clock, strategy, rows) {
  const times = [];
  let logs = 0;
  let scores = 0;
  for (const row of rows) {
    const here = at(data, strategy, row);
    const own = data.times[clock][here];
    if (Number.isNaN(own)) continue;
    times.push(own);
    logs += Math.log(own);
    scores += data.scores[clock][here];
  }
  const sorted = Float64Array.from(times).sort();
  const mean = Math.exp(logs / times.length);
  return {
    median: quantile(sorted, 0.5),
    gmean: Number.isFinite(mean) ? mean : NaN, // unknown as soon as one was not finished
    par2: times.length ? scores / times.length : NaN,
    late: times.length > 0 && !Number.isFinite(sorted[Math.floor((times.length - 1) / 2)]),
  };
}

/** A quantile of sorted values (linear between neighbours); NaN if an unfinished solve takes part in it. */
export function quantile(sorted, share) {
  if (!sorted.length) return NaN;
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const fraction = place - below;
  let value = sorted[below];
  if (fraction > 1e-9 && Number.isFinite(value)) value += fraction * (sorted[below + 1] - value);
  return Number.isFinite(value) ? value : NaN;
}

/** The share of puzzles on which each strategy is the fastest; those who tie share a puzzle. */
function fastestShares(data, state, strategies, rows) {
  const times = data.times[state.clock];
  const part = takingPart(data, times, strategies, rows);
  const won = strategies.map(() => 0);
  let common = 0;
  for (const row of rows) {
    const rivals = part.get(data.rows.collection[row]);
    const own = rivals.map((place) => times[at(data, strategies[place], row)]);
    if (!own.length || own.some(Number.isNaN)) continue; // not measured by all: nobody can be the fastest
    common += 1;
    const best = Math.min(...own);
    if (best === Infinity) continue;
    const ties = rivals.filter((_, i) => own[i] === best);
    for (const place of ties) won[place] += 1 / ties.length;
  }
  const somewhere = new Set([...part.values()].flat());
  return won.map((number, place) => (common && somewhere.has(place) ? number / common : NaN));
}

/** For each collection the places of strategies that have a time there at all. */
function takingPart(data, times, strategies, rows) {
  const part = new Map();
  for (const row of rows) {
    const collection = data.rows.collection[row];
    if (!part.has(collection)) part.set(collection, new Set());
    const own = part.get(collection);
    if (own.size === strategies.length) continue;
    strategies.forEach((strategy, place) => {
      if (!Number.isNaN(times[at(data, strategy, row)])) own.add(place);
    });
  }
  return new Map([...part].map(([collection, places]) => [collection, [...places].sort((a, b) => a - b)]));
}
