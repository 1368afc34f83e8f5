// The two axes of the plot: where a puzzle and a time stand on them, and what is written at the ticks.

import { even, ticks } from "./ticks.js";
import { digits, seconds } from "./words.js";

/** The axis of a measure: logarithmic in 1 + the measure where that is how it spreads, else linear. */
export function difficultyAxis(measure) {
  const logarithmic = measure.scale === "log1p";
  const place = logarithmic ? (value) => Math.log10(1 + value) : (value) => value;
  const back = logarithmic ? (at) => 10 ** at - 1 : (at) => at;
  return {
    title: measure.axis + (logarithmic ? " (log scale of 1 + the number)" : ""),
    place,
    marks([low, high]) {
      const [from, to] = [Math.max(back(low), logarithmic ? 0 : back(low)), back(high)];
      const values = logarithmic ? ticks(from, to, place) : even(from, to, 7);
      return { tickvals: values.map(place), ticktext: values.map(digits) };
    },
  };
}

/** The axis of times. */
export function timeAxis(clock) {
  return {
    title: `${clock === "cpu" ? "CPU" : "wall"} time per solve (log scale)`,
    place: Math.log10,
    marks([low, high]) {
      const values = ticks(10 ** low, 10 ** high, Math.log10, 8);
      return { tickvals: values.map(Math.log10), ticktext: values.map(seconds) };
    },
  };
}

/** Words in lines of about so many letters. */
export function wrapped(words, letters) {
  const lines = [""];
  for (const word of words.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter(Boolean);
}

/** A range that holds all values, with some room on both sides. */
export function around(values, room = 0.04, least = 0.2) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return [0, 1];
  const more = Math.max((high - low) * room, (least - (high - low)) / 2, 0);
  return [low - more, high + more];
}
