// The answer at a glance: a strip from easy to hard, coloured by the strategy that is shown to be faster than all others
// on the puzzles of that difficulty, grey where that is undecided; below it the crossovers, on the same scale.

import { difficultyAxis } from "./axes.js";
import { LETTER, inkOf, onResize, straight, widthOf, words } from "./chart.js";
import { breakable, byId, drawing, element, fill } from "./dom.js";
import { count, digits } from "./format.js";
import { shownStrategies } from "./selection.js";
import { marker, outlineAt } from "./symbols.js";

const MEASURE = "guesses";
const STRIPS = 3; // the first with all shown strategies, each further one without the winners above
const STRIP_PX = 34;
const NAME_PX = 21; // of the name above a strip
const CROSSING_PX = 21;
const CROSSINGS = 6; // crossovers that are drawn
const SIDE = 10;

/** The strips: names of what is left out, and the winner of each stretch (null: undecided), among these strategies. */
export function stripsOf(field, strategies) {
  const strips = [];
  let among = field.strategies.map((strategy, place) => ({ strategy, place }))
    .filter(({ strategy }) => strategies.includes(strategy));
  const participants = among.length;
  const out = [];
  while (among.length > 1 && strips.length < STRIPS) {
    const winners = field.stretches.map(({ faster }) => winnerOf(faster, among));
    const fresh = [...new Set(winners)].filter((winner) => winner !== null);
    if (strips.length && !fresh.length) break;
    strips.push({ without: [...out], winners });
    if (!fresh.length) break;
    out.push(...fresh);
    among = among.filter(({ strategy }) => !fresh.includes(strategy));
  }
  return { strips, participants };
}

/** The strategy that is shown to be faster than all others; null if there is none. */
function winnerOf(faster, among) {
  const beats = (one, other) => one.place === other.place || faster[one.place][other.place] === "1";
  return among.find((one) => among.every((other) => beats(one, other)))?.strategy ?? null;
}

export function answer(data, store) {
  const box = byId("strip");
  const measure = data.measures.find(({ key }) => key === MEASURE);
  let shown = null;
  let unnamed = new Set(); // winners that have a bar without room for their name
  onResize(() => shown && paint());

  function draw(size) {
    const strategies = shownStrategies(store.state);
    const field = data.winners.find((one) => one.size === size);
    const crossings = crossoversOf(data, size, strategies);
    const strips = field ? stripsOf(field, strategies) : { strips: [], participants: 0 };
    shown = { field, ...strips, crossings, size };
    byId("winners").hidden = !strips.strips.length && !crossings.length;
    paint();
    const number = crossings.length;
    byId("crossovers-count").textContent = number === 1 ? "1 crossover" : `${count(number)} crossovers`;
    fill(byId("crossovers"), ...crossings.map(({ sentence }) => element("li", {}, sentence)));
    byId("crossovers").closest("details").hidden = !crossings.length;
  }

  function paint() {
    const { strips, participants, crossings, size } = shown;
    unnamed = new Set();
    fill(box, strips.length && measure ? picture() : "");
    fill(byId("strip-key"), ...[...unnamed].map((strategy) => element("li", {}, marker(data.strategies[strategy]),
      breakable(data.strategies[strategy].name))));
    const more = strips.length > 1 ? " Each further strip leaves out the winners above it." : "";
    const number = crossings.filter(({ axis }) => axis === MEASURE).length;
    const some = number > CROSSINGS ? ` (${CROSSINGS} of ${number})` : "";
    const rings = number ? ` Rings: where the faster of two strategies changes${some}, with 95% intervals.` : "";
    byId("strip-note").textContent = strips.length
      ? `Coloured: shown to be faster, by CPU time, than all others of the ${participants} shown strategies on the `
        + `${size}×${size} puzzles of this difficulty, over all collections. Grey: not decided. All wins on boards of one`
        + ` size hold together with 95%.${more}${rings}`
      : `No winner by difficulty: the ${size}×${size} boards have too few puzzles, repetitions or strategies.`;
  }

  /** The winner of successive stretches in words. */
  function spanText(winner, first, last) {
    const stretches = shown.field.stretches.slice(first, last + 1);
    const puzzles = stretches.reduce((sum, stretch) => sum + stretch.puzzles, 0);
    const name = winner === null ? "not decided" : data.strategies[winner].name;
    return `${digits(stretches[0].lo)} to ${digits(stretches.at(-1).hi)} guesses (${count(puzzles)} puzzles): ${name}`;
  }

  function picture() {
    const { field, strips, crossings } = shown;
    const width = widthOf(box);
    const axis = difficultyAxis(measure);
    const [low, high] = [axis.position(field.stretches[0].lo), axis.position(field.stretches.at(-1).hi)];
    const padding = Math.max(0.02 * (high - low), 0.05);
    const atX = (position) => SIDE + ((position - low + padding) / (high - low + 2 * padding)) * (width - 2 * SIDE);
    const edges = [SIDE, ...field.stretches.slice(1).map((stretch, i) =>
      atX((axis.position(field.stretches[i].hi) + axis.position(stretch.lo)) / 2)), width - SIDE];
    const parts = [];
    let y = 0;
    for (const [number, strip] of strips.entries()) {
      parts.push(words(SIDE, y + 15, clipped(nameOfStrip(strips, number), width - 2 * SIDE), "name", "start"));
      parts.push(...bars(strip.winners, edges, y + NAME_PX));
      y += NAME_PX + STRIP_PX + 4;
    }
    parts.push(...scale(axis, atX, low - padding, high + padding, y));
    y += 44;
    const drawn = crossings.filter((one) => one.axis === MEASURE).slice(0, CROSSINGS);
    for (const crossing of drawn) {
      parts.push(...crossingRow(crossing, axis, atX, width, y));
      y += 2 * CROSSING_PX - 4;
    }
    const spoken = runsOf(strips[0].winners).map((run) => spanText(...run)).join("; ");
    return drawing("svg", { class: "chart", viewBox: `0 0 ${width} ${y + 2}`, role: "img",
      "aria-label": `Winner by difficulty. ${spoken}.` }, ...parts);
  }

  /** Which strategies a strip leaves out that the one above it does not. */
  function nameOfStrip(strips, number) {
    if (!number) return "all shown strategies";
    const names = strips[number].without.slice(strips[number - 1].without.length).map((one) => data.strategies[one].name);
    return `${number > 1 ? "also " : ""}without ${names.join(", ")}`;
  }

  /** The stretches of a strip; neighbours with the same winner become one bar with its name or marker. */
  function bars(winners, edges, top) {
    return runsOf(winners).flatMap(([winner, first, last]) => {
      const [left, right] = [edges[first], edges[last + 1]];
      const look = winner === null ? { class: "undecided" } : inkOf(data.strategies[winner]);
      const place = { x: left + 0.7, y: top, width: Math.max(1, right - left - 1.4), height: STRIP_PX };
      const bar = drawing("rect", { ...look, ...place, fill: winner === null ? null : "currentColor" },
        drawing("title", {}, spanText(winner, first, last)));
      const inner = edges.slice(first + 1, last + 1).map((x) => straight(x, top, x, top + STRIP_PX, "stretch"));
      return [bar, ...inner, ...(winner === null ? [] : labelOf(winner, left, right, top))];
    });
  }

  function labelOf(winner, left, right, top) {
    const strategy = data.strategies[winner];
    const middle = (left + right) / 2;
    const wide = strategy.name.length * LETTER + 10;
    if (wide <= right - left - 6) {
      const place = { x: middle - wide / 2, y: top + 8, width: wide, height: STRIP_PX - 16, rx: 3 };
      return [drawing("rect", { class: "plate", ...place }),
        words(middle, top + STRIP_PX / 2 + 4, strategy.name, "name", "middle")];
    }
    unnamed.add(winner);
    const d = outlineAt(strategy.symbol, middle, top + STRIP_PX / 2, 6);
    return [drawing("path", { d, class: "plate edged" }, drawing("title", {}, strategy.name))];
  }

  function crossingRow({ at, lo, hi, below, above }, axis, atX, width, top) {
    const inside = (value) => Math.min(Math.max(atX(axis.position(value)), SIDE), width - SIDE);
    const [x, left, right] = [at, lo, hi].map(inside);
    const text = `${data.strategies[below].name} → ${data.strategies[above].name}`;
    const y = top + 2 * CROSSING_PX - 14;
    const half = (Math.min(text.length * LETTER, width - 2 * SIDE)) / 2;
    const middle = Math.min(Math.max(x, SIDE + half), width - SIDE - half);
    return [words(middle, y - 9, clipped(text, width - 2 * SIDE), "name", "middle"),
      straight(left, y, right, y, "interval"), drawing("circle", { class: "ring", cx: x.toFixed(1), cy: y, r: 4.5 },
        drawing("title", {}, `${digits(at)} guesses`))];
  }
  return { draw };
}

/** Neighbours with the same winner: winner, first and last stretch. */
function runsOf(winners) {
  const runs = [];
  winners.forEach((winner, i) => {
    if (runs.length && runs.at(-1)[0] === winner) runs.at(-1)[2] = i;
    else runs.push([winner, i, i]);
  });
  return runs;
}

/** The axis of difficulty below the strips. */
function scale(axis, atX, low, high, top) {
  const room = atX(high) - atX(low);
  const title = axis.title.length * LETTER <= room ? axis.title : "guesses (log scale)";
  const { tickvals, ticktext } = axis.ticks([low, high]);
  const places = tickvals.map((value, i) => [atX(value), ticktext[i]]).filter(([x]) => x >= SIDE - 1);
  const ticks = places.filter(([x], i) => !i || x - places[i - 1][0] > 24).flatMap(([x, text]) =>
    [straight(x, top, x, top + 5, "axis"), words(x, top + 18, text, "tick", "middle")]);
  return [straight(atX(low), top, atX(high), top, "axis"), ...ticks,
    words((atX(low) + atX(high)) / 2, top + 36, title, "title", "middle")];
}

function clipped(text, room) {
  const letters = Math.floor(room / LETTER);
  return text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
}

/** The reported crossovers of the shown strategies, one for each pair and direction. */
function crossoversOf(data, size, strategies) {
  const seen = new Set();
  return data.crossings.filter(({ size: own, below, above }) => {
    const key = `${below} ${above}`;
    const isShown = own === size && strategies.includes(below) && strategies.includes(above) && !seen.has(key);
    if (isShown) seen.add(key);
    return isShown;
  });
}
