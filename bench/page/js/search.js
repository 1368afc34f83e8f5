// A small search for one solution of a puzzle, for guesses and for puzzles that a reader pastes.

const MOST_NODES = 200000; // beyond this the search gives up: a page must not hang

/** A solution of a board with these digits (0 where open); null if there is none, or none was found in time. */
export function guessFor(shape, digits) {
  return search(shape, digits, 1).solutions[0] ?? null;
}

/** Up to `limit` solutions, and whether the search is complete. */
export function search(shape, digits, limit) {
  const full = 2 ** shape.size - 1;
  const state = { values: digits.map(() => 0), masks: digits.map(() => full) };
  const result = { solutions: [], complete: true };
  if (!digits.every((digit, cell) => !digit || place(shape, state, cell, digit - 1))) return result;
  let nodes = 0;

  function visit({ values, masks }) {
    nodes += 1;
    if (nodes > MOST_NODES) result.complete = false;
    if (!result.complete || result.solutions.length >= limit) return;
    const choice = narrowest(shape, values, masks);
    if (choice === null) result.solutions.push(values);
    for (const [cell, digit] of choice ?? []) {
      const next = { values: [...values], masks: [...masks] };
      if (place(shape, next, cell, digit)) visit(next);
    }
  }

  visit(state);
  return result;
}

/** Fill a cell; false if the digit is not possible there, or leaves a peer without candidates. */
function place(shape, state, cell, digit) {
  const bit = 1 << digit;
  if (state.values[cell] === digit + 1) return true;
  if (state.values[cell] || !(state.masks[cell] & bit)) return false;
  state.values[cell] = digit + 1;
  state.masks[cell] = bit;
  for (const peer of shape.peers[cell]) {
    if (state.values[peer] === digit + 1) return false;
    if (state.values[peer]) continue;
    state.masks[peer] &= ~bit;
    if (!state.masks[peer]) return false;
  }
  return true;
}

/** The choices of the cell with the fewest candidates, or of the digit with the fewest places in a unit; null if full. */
function narrowest(shape, values, masks) {
  let [best, least] = [null, Infinity];
  for (const [cell, value] of values.entries()) {
    if (value) continue;
    const digits = [];
    for (let digit = 0; masks[cell] >> digit; digit++) if ((masks[cell] >> digit) & 1) digits.push(digit);
    if (digits.length < least) [best, least] = [digits.map((digit) => [cell, digit]), digits.length];
    if (least === 1) return best;
  }
  if (best === null || least <= 2) return best;
  for (const unit of shape.units) {
    for (let digit = 0; digit < shape.size; digit++) {
      if (unit.some((cell) => values[cell] === digit + 1)) continue;
      const cells = unit.filter((cell) => !values[cell] && (masks[cell] >> digit) & 1);
      if (cells.length < least) [best, least] = [cells.map((cell) => [cell, digit]), cells.length];
      if (least <= 1) return best;
    }
  }
  return best;
}
