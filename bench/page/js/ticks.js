// Round places on an axis, for whatever part of it is in view.

/** Up to about `most` round values between two bounds of a scale on which `forward` is linear. */
export function ticks(low, high, forward, most = 7) {
  const levels = [[1, 2, 5], [1, 3], [1]].map((digits) => powers(low, high, digits));
  const chosen = levels.find((values) => values.length <= most) ?? levels[2];
  if (chosen.length < 3) return levels[0].length >= 3 ? levels[0] : even(low, high, 5);
  return apart(chosen, forward, (forward(high) - forward(low)) / (most * 1.6));
}

/** 0, if it is in view, and these digits in all powers of ten that are. */
function powers(low, high, digits) {
  const found = low <= 0 && high >= 0 ? [0] : [];
  const first = low <= 0 ? 0 : Math.floor(Math.log10(low)); // next to 0 there is no end of small powers
  for (let power = first; power <= Math.ceil(Math.log10(high)); power++) {
    for (const digit of digits) found.push(Number(`${digit}e${power}`));
  }
  return found.filter((value) => value >= low && value <= high);
}

/** Round values in even steps. */
export function even(low, high, most) {
  const rough = (high - low) / most || 1;
  const scale = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((digit) => digit * scale).find((size) => size >= rough);
  const found = [];
  for (let n = Math.ceil(low / step); n * step <= high; n++) found.push(Number((n * step).toPrecision(12)));
  return found;
}

function apart(values, forward, room) {
  const kept = [];
  for (const value of values) {
    if (!kept.length || forward(value) - forward(kept[kept.length - 1]) >= room) kept.push(value);
  }
  return kept;
}
