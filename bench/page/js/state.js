// What the reader has chosen, and who wants to know when it changes.

export function begin(data) {
  return {
    clock: "cpu",
    task: 0,
    collections: new Set(data.collections.keys()),
    strategies: new Set(data.strategies.keys()),
    alone: null, // the one strategy that is shown, or all of them
    measure: data.measures[0]?.key ?? null,
    size: null, // of the boards in the plot; null: whichever there are most of
    puzzle: null, // the row that was picked
  };
}

/** A state that tells its listeners of each change, with the names of what changed. */
export function observed(initial) {
  const state = { ...initial };
  const listeners = [];
  return {
    get now() {
      return state;
    },
    listen(listener) {
      listeners.push(listener);
    },
    change(changes) {
      Object.assign(state, changes);
      for (const listener of listeners) listener(state, new Set(Object.keys(changes)));
    },
  };
}
