// Formats numbers, with the same units as the figures.

const UNITS = [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9]];

/** A time in a suitable unit: 250 µs, 3.2 ms, 1.5 s. */
export function seconds(value) {
  const [unit, scale] = UNITS.find(([, size]) => value >= size * 0.9999) ?? UNITS[3];
  return `${digits(value / scale)} ${unit}`;
}

/** A time that may be unknown (a dash) or not finished. */
export function time(value, unfinished = "not finished") {
  if (Number.isNaN(value)) return "–";
  return Number.isFinite(value) ? seconds(value) : unfinished;
}

/** A number with three significant digits; very small numbers have an exponent. */
export function digits(value) {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value) * 1.0005)));
  return places > 6 ? value.toExponential(2) : String(Number(value.toFixed(places)));
}

const whole = new Intl.NumberFormat("en");

/** A whole number with thousands separators. */
export function count(number) {
  return whole.format(number);
}
