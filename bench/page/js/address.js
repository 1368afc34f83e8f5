// The state of the page in its address, so that a link shows what its sender saw.

import { gridOf } from "./paste.js";

const LISTS = { c: ["collections", (data) => data.collections], s: ["strategies", (data) => data.strategies.map(nameOf)] };
const SORTS = { sort: "sort", "sort-summary": "summarySort", "sort-pairs": "pairsSort" };
const nameOf = ({ name }) => name;

/** The part of an address after # for a state; what is as at the start is left out. */
export function addressOf(data, state, initial) {
  const parts = [];
  const add = (key, value) => parts.push(`${key}=${value}`);
  if (state.puzzle !== null) add("p", encodeURIComponent(puzzleName(data, state.puzzle)));
  else if (state.own !== null) add("own", state.own);
  for (const [key, [field, names]] of Object.entries(LISTS)) {
    if (state[field].size !== names(data).length) add(key, listOf(names(data), state[field]));
  }
  if (state.isolated.size) add("i", listOf(data.strategies.map(nameOf), state.isolated));
  if (state.clock !== initial.clock) add("clock", state.clock);
  if (state.task !== initial.task) add("t", encodeURIComponent(data.tasks[state.task]));
  if (state.measure !== initial.measure) add("m", state.measure);
  if (state.size !== initial.size) add("size", state.size);
  if (state.query) add("q", encodeURIComponent(state.query));
  if (state.hidden.size) add("hide", [...state.hidden].map(encodeURIComponent).join(","));
  if (state.ranges.size) add("r", [...state.ranges].map(rangeText).join(","));
  for (const [key, field] of Object.entries(SORTS)) {
    if (sortText(state[field]) !== sortText(initial[field])) add(key, sortText(state[field]));
  }
  for (const key of ["a", "b"]) {
    if (state[key] !== null) add(key, encodeURIComponent(data.strategies[state[key]].name));
  }
  if (state.zoom) add("zoom", state.zoom.map((end) => Number(end.toPrecision(5))).join(","));
  if (state.other !== null) add("other", encodeURIComponent(state.other));
  if (state.at !== initial.at) add("at", state.at);
  return parts.length ? `#${parts.join("&")}` : "#";
}

/** The changes of the state that an address asks for; names that the run does not have are ignored. */
export function stateOf(data, hash, initial) {
  const asked = new Map(hash.replace(/^#/, "").split("&").filter(Boolean).map((part) => {
    const [key, ...rest] = part.split("=");
    return [key, rest.join("=")];
  }));
  const state = { ...initial };
  for (const [key, [field, names]] of Object.entries(LISTS)) {
    if (asked.has(key)) state[field] = numbersOf(names(data), asked.get(key));
  }
  if (asked.has("i")) state.isolated = numbersOf(data.strategies.map(nameOf), asked.get("i"));
  if (["cpu", "wall"].includes(asked.get("clock"))) state.clock = asked.get("clock");
  const task = data.tasks.indexOf(decoded(asked.get("t") ?? ""));
  if (task >= 0) state.task = task;
  if (data.measures.some(({ key }) => key === asked.get("m"))) state.measure = asked.get("m");
  if (Number(asked.get("size")) in data.boxes) state.size = Number(asked.get("size"));
  if (asked.has("q")) state.query = decoded(asked.get("q"));
  if (asked.has("hide")) state.hidden = new Set(asked.get("hide").split(",").map(decoded).filter((key) => key !== ""));
  if (asked.has("r")) state.ranges = new Map(asked.get("r").split(",").map(rangeOf).filter(Boolean));
  for (const [key, field] of Object.entries(SORTS)) {
    if (asked.has(key)) state[field] = sortOf(asked.get(key));
  }
  for (const key of ["a", "b"]) {
    const strategy = data.strategies.findIndex(({ name }) => asked.has(key) && name === decoded(asked.get(key)));
    if (strategy >= 0) state[key] = strategy;
  }
  if (asked.has("p")) state.puzzle = puzzleNamed(data, decoded(asked.get("p")), state.task);
  const zoom = (asked.get("zoom") ?? "").split(",").map(Number);
  if (zoom.length === 4 && zoom.every(Number.isFinite) && zoom[0] < zoom[1] && zoom[2] < zoom[3]) state.zoom = zoom;
  const own = gridOf(asked.get("own") ?? "", Object.keys(data.boxes).map(Number));
  if (!own.problem) state.own = own.grid;
  if (asked.has("other")) state.other = decoded(asked.get("other"));
  if (/^[a-z-]+$/.test(asked.get("at") ?? "")) state.at = asked.get("at");
  return state;
}

function rangeText([key, ends]) {
  return [encodeURIComponent(key), ...ends.map((end) => end ?? "")].join(":");
}

/** A key with its ends; null if there is no end or one is no number. */
function rangeOf(text) {
  const [key, ...ends] = text.split(":");
  const numbers = ends.map((end) => (end === "" ? null : Number(end)));
  const isRange = numbers.length === 2 && numbers.some((end) => end !== null) && !numbers.some(Number.isNaN);
  return isRange ? [decoded(key), numbers] : null;
}

/** The order of a table, -guesses:3 for its third page from the largest number of guesses down. */
function sortText({ key, descending, page }) {
  return `${descending ? "-" : ""}${encodeURIComponent(key ?? "")}${page ? `:${page + 1}` : ""}`;
}

function sortOf(text) {
  const descending = text.startsWith("-");
  const [key, page] = (descending ? text.slice(1) : text).split(":");
  return { key: decoded(key) || null, descending, page: /^[1-9]\d{0,8}$/.test(page ?? "") ? Number(page) - 1 : 0 };
}

function listOf(names, chosen) {
  return [...chosen].sort((a, b) => a - b).map((number) => encodeURIComponent(names[number])).join(",");
}

function numbersOf(names, text) {
  return new Set(text.split(",").map((name) => names.indexOf(decoded(name))).filter((number) => number >= 0));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The name of a puzzle, with its collection if another one has the same name. */
export function puzzleName(data, row) {
  const { puzzle, collection, task } = data.rows;
  const same = puzzle.filter((name, other) => name === puzzle[row] && task[other] === task[row]);
  return same.length > 1 ? `${data.collections[collection[row]]}/${puzzle[row]}` : puzzle[row];
}

function puzzleNamed(data, name, wantedTask) {
  const { puzzle, collection, task } = data.rows;
  const row = puzzle.findIndex((own, i) => task[i] === wantedTask
    && (own === name || `${data.collections[collection[i]]}/${own}` === name));
  return row < 0 ? null : row;
}
