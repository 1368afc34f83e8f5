// Round places on an axis, for whatever part of it is in view.

/** Up to about `most` round values between two bounds of a scale on which `forward` is linear. */
export function ticks(low, high, forward, most = 7) {
  const steps = [];
  if (low <= 0 && high >= 0) steps.push(0);
  for (let power = Math.floor(Math.log10(Math.max(low, 1e-12))); power <= Math.ceil(Math.log10(high)); power++) {
    if (low <= 0 && power < 0) continue; // next to 0 there is no end of small powers
    for (const digit of [1, 2, 5]) steps.push(Number(`${digit}e${power}`));
  }
  const inside = steps.filter((value) => value >= low && value <= high);
  const tens = inside.filter((value) => value === 0 || Number.isInteger(Math.log10(value)) || String(value).startsWith("1"));
  const coarse = tens.length >= 3 ? tens : inside;
  const chosen = inside.length <= most ? inside : coarse;
  if (chosen.length < 3) return even(low, high, 5);
  return apart(chosen, forward, (forward(high) - forward(low)) / (most * 1.6));
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
