// The state of the page in its address, so that a link shows what its sender saw.

/** The part of an address after # for a state; what is as at the start is left out. */
export function addressOf(data, state, initial) {
  const parts = new URLSearchParams();
  if (state.puzzle !== null) parts.append("p", puzzleName(data, state.puzzle));
  if (state.scope !== initial.scope) parts.append("c", data.scopes[state.scope].label);
  for (const one of [...state.strategies].sort((a, b) => a - b)) parts.append("s", data.strategies[one].name);
  if (state.measure !== initial.measure) parts.append("m", state.measure);
  if (state.query) parts.append("q", state.query);
  return `#${parts}`;
}

/** The state that an address asks for; names that the run does not have are ignored. */
export function stateOf(data, hash, initial) {
  const asked = new URLSearchParams(hash.slice(1));
  const placed = (key, names, otherwise) => (names.includes(asked.get(key)) ? names.indexOf(asked.get(key)) : otherwise);
  const chosen = asked.getAll("s").map((asked_) => data.strategies.findIndex(({ name }) => name === asked_));
  return {
    ...initial,
    scope: placed("c", data.scopes.map(({ label }) => label), initial.scope),
    measure: data.measures.find(({ key }) => key === asked.get("m"))?.key ?? initial.measure,
    puzzle: placed("p", data.rows.puzzle.map((_, row) => puzzleName(data, row)), null),
    strategies: new Set(chosen.filter((place) => place >= 0)),
    query: asked.get("q") ?? "",
  };
}

/** The name of a puzzle, with its collection if another one has the same name. */
export function puzzleName(data, row) {
  const { puzzle, collection } = data.rows;
  return data.namesakes.has(puzzle[row]) ? `${data.collections[collection[row]]}/${puzzle[row]}` : puzzle[row];
}
