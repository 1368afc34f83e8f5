// The state of the page in its address, so that a link shows what its sender saw.

const SORTS = { sort: "puzzleSort", "sort-pairs": "pairsSort" };

/** The part of an address after # for a state; what is as at the start is left out. */
export function addressOf(data, state, initial) {
  const parts = [];
  const add = (key, value) => parts.push(`${key}=${value}`);
  const names = (chosen) => [...chosen].sort((a, b) => a - b).map((one) => encodeURIComponent(data.strategies[one].name));
  if (state.puzzle !== null) add("p", encodeURIComponent(puzzleName(data, state.puzzle)));
  if (state.scope !== initial.scope) add("c", encodeURIComponent(data.scopes[state.scope].label));
  if (state.strategies.size) add("s", names(state.strategies));
  if (state.measure !== initial.measure) add("m", state.measure);
  if (state.query) add("q", encodeURIComponent(state.query));
  for (const [key, field] of Object.entries(SORTS)) {
    if (sortText(state[field]) !== sortText(initial[field])) add(key, sortText(state[field]));
  }
  if (state.at) add("at", state.at);
  return parts.length ? `#${parts.join("&")}` : "#";
}

/** The state that an address asks for; names that the run does not have are ignored. */
export function stateOf(data, hash, initial) {
  const pairs = hash.replace(/^#/, "").split("&").map((part) => part.split(/=(.*)/s));
  const asked = new Map(pairs.map(([key, value]) => [key, value ?? ""]));
  const state = { ...initial };
  const choose = (field, key, names, kept = (place) => place) => {
    const place = asked.has(key) ? names.indexOf(decoded(asked.get(key))) : -1;
    if (place >= 0) state[field] = kept(place);
  };
  const strategies = data.strategies.map(({ name }) => name);
  choose("scope", "c", data.scopes.map(({ label }) => label));
  choose("measure", "m", data.measures.map(({ key }) => key), (place) => data.measures[place].key);
  choose("puzzle", "p", [...data.rows.puzzle.keys()].map((row) => puzzleName(data, row)));
  const chosen = (asked.get("s") ?? "").split(",").map((name) => strategies.indexOf(decoded(name)));
  state.strategies = new Set(chosen.filter((place) => place >= 0));
  state.query = decoded(asked.get("q") ?? "");
  for (const [key, field] of Object.entries(SORTS)) if (asked.has(key)) state[field] = sortOf(asked.get(key));
  if (/^[a-z-]+$/.test(asked.get("at") ?? "")) state.at = asked.get("at");
  return state;
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

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The name of a puzzle, with its collection if another one has the same name. */
export function puzzleName(data, row) {
  const { puzzle, collection } = data.rows;
  return data.namesakes.has(puzzle[row]) ? `${data.collections[collection[row]]}/${puzzle[row]}` : puzzle[row];
}
