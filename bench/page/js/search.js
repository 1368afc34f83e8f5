// A small search for the solutions of a board in any state, for guesses.

const MOST_NODES = 50000; // beyond this the search gives up: a page must not hang

/** Up to `limit` solutions of a board (its digits and candidates), and whether the search is complete. */
export function solutionsOf({ shape, values, candidates }, limit) {
  const result = { solutions: [], complete: true };
  let nodes = 0;

  function visit(values, masks) {
    nodes += 1;
    if (nodes > MOST_NODES) result.complete = false;
    if (!result.complete || result.solutions.length >= limit) return;
    const choice = narrowest(shape, values, masks);
    if (choice === null) result.solutions.push(values);
    for (const [cell, digit] of choice ?? []) {
      const next = { values: [...values], masks: [...masks] };
      if (place(shape, next, cell, digit)) visit(next.values, next.masks);
    }
  }

  visit(values, candidates);
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

/** The choices of a single, else of the cell with the fewest candidates; none at a dead end, null if the board is full. */
function narrowest(shape, values, masks) {
  let [best, least] = [-1, Infinity];
  for (let cell = 0; cell < values.length; cell++) {
    if (values[cell]) continue;
    const number = bitsOf(masks[cell]).length;
    if (number < least) [best, least] = [cell, number];
    if (least < 2) return choicesOf(cell, masks[cell]);
  }
  if (best < 0) return null;
  for (const unit of shape.units) {
    let [once, twice] = [0, 0];
    for (const cell of unit) {
      const mask = values[cell] ? 1 << (values[cell] - 1) : masks[cell];
      twice |= once & mask;
      once |= mask;
    }
    if (once !== 2 ** shape.size - 1) return []; // a digit has no place left
    const single = unit.find((cell) => !values[cell] && masks[cell] & once & ~twice);
    if (single !== undefined) return choicesOf(single, masks[single] & once & ~twice).slice(0, 1);
  }
  return choicesOf(best, masks[best]);
}

function choicesOf(cell, mask) {
  return bitsOf(mask).map((digit) => [cell, digit]);
}

/** The positions of the bits of a mask, the lowest first. */
export function bitsOf(mask) {
  const places = [];
  for (let place = 0; mask >> place; place++) if ((mask >> place) & 1) places.push(place);
  return places;
}
