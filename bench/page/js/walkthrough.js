// A puzzle solved step by step: always the easiest step that applies, and a guess where none does. The same steps in the
// same order as datasets/steps, whose tests compare both; this copy lets a reader paste a puzzle without a program.

import { bitsOf, solutionsOf } from "./search.js";

const SETS = { 2: "pair", 3: "triplet" };
const FISH = { 2: "X-wing", 3: "swordfish" };

/** The symbols of digits, from 1 on. */
export const SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The units, peers and homes of a board of `size` rows with boxes of these many rows and columns. */
export function boardShape(size, [boxRows, boxColumns]) {
  const cells = Array.from({ length: size * size }, (_, cell) => cell);
  const across = size / boxColumns;
  const boxOf = (cell) => Math.floor(Math.floor(cell / size) / boxRows) * across
    + Math.floor((cell % size) / boxColumns);
  const kinds = [(cell) => Math.floor(cell / size), (cell) => cell % size, boxOf];
  const units = kinds.flatMap((kind) => Array.from({ length: size }, (_, n) => cells.filter((c) => kind(c) === n)));
  const homes = cells.map(() => []);
  units.forEach((unit, number) => unit.forEach((cell, place) => homes[cell].push([number, place])));
  const peers = cells.map((cell) => {
    const seen = new Set(homes[cell].flatMap(([unit]) => units[unit]));
    seen.delete(cell);
    return [...seen].sort((a, b) => a - b);
  });
  return { size, units, homes, peers, boxRows, boxColumns };
}

/** The digits of a grid in one string, 0 for an empty cell. */
export function digitsOf(grid) {
  return [...grid].map((letter) => SYMBOLS.indexOf(letter.toUpperCase()) + 1);
}

/** The state of a board: digits (0 where open), candidates of cells and spots of digits in units, as bit masks. */
export function boardOf(shape, digits) {
  const full = 2 ** shape.size - 1;
  const board = {
    shape, values: digits.map(() => 0), candidates: digits.map(() => full),
    spots: shape.units.map(() => Array(shape.size).fill(full)),
  };
  digits.forEach((digit, cell) => {
    if (digit) fillCell(board, cell, digit - 1);
  });
  return board;
}

function fillCell(board, cell, digit) {
  board.values[cell] = digit + 1;
  for (let other = 0; other < board.shape.size; other++) strike(board, cell, other);
  for (const peer of board.shape.peers[cell]) strike(board, peer, digit);
}

function strike(board, cell, digit) {
  board.candidates[cell] &= ~(1 << digit);
  for (const [unit, place] of board.shape.homes[cell]) board.spots[unit][digit] &= ~(1 << place);
}

/** Do what a step does to a board. */
export function applyStep(board, step) {
  if (step.placed) fillCell(board, step.placed[0], step.placed[1] - 1);
  for (const [cell, digit] of step.eliminated) strike(board, cell, digit - 1);
}

/**
 * The steps that solve a puzzle. `stuck` says why they end early, if they do; `several`, whether it has more than one
 * solution, as far as the search for a guess could tell.
 */
export function walkthrough(shape, digits) {
  const board = boardOf(shape, digits);
  const steps = [];
  let found = { solutions: [], complete: true };
  if (shape.units.some((unit) => hasTwice(unit.map((cell) => digits[cell])))) {
    return { steps, stuck: "Two equal clues see each other: this puzzle has no solution.", several: false };
  }
  while (board.values.includes(0)) {
    let step = LADDER.reduce((earlier, find) => earlier ?? find(board), null);
    if (!step) {
      if (!found.solutions.length) found = solutionsOf(board, 2);
      if (!found.solutions.length) return { steps, stuck: NOTHING[found.complete], several: false };
      step = guessStep(board, found.solutions[0]);
    }
    applyStep(board, step);
    steps.push(step);
  }
  return { steps, stuck: "", several: found.solutions.length > 1 };
}

const NOTHING = {
  true: "This puzzle has no solution: after these steps, every choice ends in a contradiction.",
  false: "After these steps no rule applies, and no solution was found in time for a guess.",
};

const hasTwice = (digits) => digits.some((digit, i) => digit && digits.indexOf(digit) !== i);

const LADDER = [
  lastCell, (b) => hiddenSingle(b, true), (b) => hiddenSingle(b, false), (b) => directLocked(b, true),
  (b) => directLocked(b, false), (b) => directSet(b, 2), nakedSingle, (b) => directSet(b, 3), (b) => locked(b, true),
  (b) => locked(b, false), (b) => nakedSet(b, 2), (b) => fish(b, 2), (b) => hiddenSet(b, 2), (b) => nakedSet(b, 3),
  (b) => fish(b, 3), (b) => hiddenSet(b, 3), (b) => wing(b, 2), (b) => wing(b, 3),
];

const isSingle = (mask) => mask !== 0 && (mask & (mask - 1)) === 0;
const bitCount = (mask) => bitsOf(mask).length;
const cellsAt = (board, unit, places) => bitsOf(places).map((place) => board.shape.units[unit][place]);

/** The name of a cell: r1c5. */
export function cellName({ size }, cell) {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}

function unitName({ size }, unit) {
  return `${["row", "column", "box"][Math.floor(unit / size)]} ${(unit % size) + 1}`;
}

/** Names joined by commas and a last word. */
export function listed(names, joint = "and") {
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${joint} ${names.at(-1)}` : names.join("");
}

function placedStep(rating, technique, cell, digit, because, reason) {
  return { rating, technique, placed: [cell, digit + 1], eliminated: [], because, reason: `${reason}.` };
}

function eliminationStep(rating, technique, eliminated, because, reason) {
  return { rating, technique, placed: null, eliminated, because, reason: `${reason}.` };
}

function lastCell(board) {
  for (const [unit, cells] of board.shape.units.entries()) {
    const open = cells.filter((cell) => board.candidates[cell]);
    if (open.length !== 1) continue;
    const reason = `${cellName(board.shape, open[0])} is the last open cell of ${unitName(board.shape, unit)}`;
    return placedStep(1, "last cell", open[0], bitsOf(board.candidates[open[0]])[0], cells, reason);
  }
  return null;
}

function unitNumbers({ size }, inBoxes) {
  const [first, last] = inBoxes ? [2 * size, 3 * size] : [0, 2 * size];
  return Array.from({ length: last - first }, (_, n) => first + n);
}

function hiddenSingle(board, inBoxes) {
  const [rating, technique] = inBoxes ? [1.2, "hidden single in a box"] : [1.5, "hidden single in a line"];
  for (const unit of unitNumbers(board.shape, inBoxes)) {
    for (const [digit, places] of board.spots[unit].entries()) {
      if (!isSingle(places)) continue;
      const [cell] = cellsAt(board, unit, places);
      const because = board.shape.units[unit];
      return placedStep(rating, technique, cell, digit, because, onlyPlace(board, cell, digit, unit));
    }
  }
  return null;
}

function nakedSingle(board) {
  const cell = board.candidates.findIndex(isSingle);
  if (cell < 0) return null;
  const [digit] = bitsOf(board.candidates[cell]);
  const reason = `${SYMBOLS[digit]} is the only candidate of ${cellName(board.shape, cell)}`;
  return placedStep(2.3, "naked single", cell, digit, [cell], reason);
}

/** All pairs of units where all places for a digit in the first are also in the second. */
function* lockedUnits(board, inBoxes) {
  for (const unit of unitNumbers(board.shape, inBoxes)) {
    for (const [digit, places] of board.spots[unit].entries()) {
      for (const kind of inBoxes ? [0, 1] : [2]) {
        const others = new Set(cellsAt(board, unit, places).map((cell) => board.shape.homes[cell][kind][0]));
        if (others.size === 1) yield [unit, [...others][0], digit];
      }
    }
  }
}

function directLocked(board, inBoxes) {
  const { size, units } = board.shape;
  const [rating, technique] = inBoxes ? [1.7, "direct pointing"] : [1.9, "direct claiming"];
  for (const [unit, other, digit] of lockedUnits(board, inBoxes)) {
    const first = unit - (unit % size);
    for (let third = first; third < first + size; third++) {
      const places = board.spots[third][digit];
      const shared = units[third].reduce((mask, cell, place) => mask | (Number(units[other].includes(cell)) << place), 0);
      const outside = places & ~shared;
      if (third === unit || outside === places || !isSingle(outside)) continue;
      const [cell] = cellsAt(board, third, outside);
      const reason = `${lockedReason(board, unit, other, digit)}; ${onlyPlace(board, cell, digit, third)}`;
      return placedStep(rating, technique, cell, digit, cellsAt(board, unit, board.spots[unit][digit]), reason);
    }
  }
  return null;
}

/** The sets of `count` items whose masks have `count` bits together, where some item outside has one of them too. */
function* closedSets(masks, count) {
  const able = [...masks.keys()].filter((item) => {
    const number = bitCount(masks[item]);
    return number >= 2 && number <= count;
  });
  for (const members of combinations(able, count)) {
    const union = members.reduce((mask, item) => mask | masks[item], 0);
    if (bitCount(union) === count && masks.some((mask) => mask & union && mask & ~union)) yield [members, union];
  }
}

function* combinations(items, count, start = 0) {
  if (!count) {
    yield [];
    return;
  }
  for (let i = start; i <= items.length - count; i++) {
    for (const rest of combinations(items, count - 1, i + 1)) yield [items[i], ...rest];
  }
}

function directSet(board, count) {
  for (const [unit, masks] of board.spots.entries()) {
    for (const [members, union] of closedSets(masks, count)) {
      for (const [digit, places] of masks.entries()) {
        if (members.includes(digit) || !(places & union) || !isSingle(places & ~union)) continue;
        const [cell] = cellsAt(board, unit, places & ~union);
        const reason = `${hiddenReason(board, unit, members, union)}; ${onlyPlace(board, cell, digit, unit)}`;
        const [rating, technique] = [count === 2 ? 2 : 2.5, `direct hidden ${SETS[count]}`];
        return placedStep(rating, technique, cell, digit, cellsAt(board, unit, union), reason);
      }
    }
  }
  return null;
}

function locked(board, inBoxes) {
  const { units } = board.shape;
  for (const [unit, other, digit] of lockedUnits(board, inBoxes)) {
    const outside = units[other].filter((cell) => !units[unit].includes(cell));
    const gone = candidatesIn(board, outside.map((cell) => [cell, 1 << digit]));
    if (!gone.length) continue;
    const because = cellsAt(board, unit, board.spots[unit][digit]);
    const [rating, technique] = inBoxes ? [2.6, "pointing"] : [2.8, "claiming"];
    return eliminationStep(rating, technique, gone, because, lockedReason(board, unit, other, digit));
  }
  return null;
}

function nakedSet(board, count) {
  const { shape } = board;
  for (const [unit, cells] of shape.units.entries()) {
    for (const [members, union] of closedSets(cells.map((cell) => board.candidates[cell]), count)) {
      const others = cells.filter((_, place) => !members.includes(place));
      const because = members.map((place) => cells[place]);
      const names = listed(because.map((cell) => cellName(shape, cell)));
      const digits = listed(bitsOf(union).map((digit) => SYMBOLS[digit]));
      const gone = candidatesIn(board, others.map((cell) => [cell, union]));
      const reason = `in ${unitName(shape, unit)}, ${names} together hold ${digits}`;
      return eliminationStep(count === 2 ? 3 : 3.6, `naked ${SETS[count]}`, gone, because, reason);
    }
  }
  return null;
}

function hiddenSet(board, count) {
  for (const [unit, masks] of board.spots.entries()) {
    for (const [members, union] of closedSets(masks, count)) {
      const digits = members.reduce((mask, digit) => mask | (1 << digit), 0);
      const because = cellsAt(board, unit, union);
      const gone = candidatesIn(board, because.map((cell) => [cell, ~digits]));
      const reason = hiddenReason(board, unit, members, union);
      return eliminationStep(count === 2 ? 3.4 : 4, `hidden ${SETS[count]}`, gone, because, reason);
    }
  }
  return null;
}

function fish(board, count) {
  const { shape } = board;
  for (const base of [0, shape.size]) {
    for (let digit = 0; digit < shape.size; digit++) {
      const masks = Array.from({ length: shape.size }, (_, line) => board.spots[base + line][digit]);
      for (const [members, union] of closedSets(masks, count)) {
        const others = [...masks.keys()].filter((line) => !members.includes(line));
        const crossed = others.flatMap((line) => cellsAt(board, base + line, union));
        const gone = candidatesIn(board, crossed.map((cell) => [cell, 1 << digit]));
        const because = members.flatMap((line) => cellsAt(board, base + line, masks[line]));
        const lines = listed(members.map((line) => unitName(shape, base + line)));
        const across = listed(bitsOf(union).map((place) => unitName(shape, shape.size - base + place)));
        const reason = `in ${lines}, ${SYMBOLS[digit]} can only be in ${across}`;
        return eliminationStep(count === 2 ? 3.2 : 3.8, FISH[count], gone, because, reason);
      }
    }
  }
  return null;
}

function wing(board, count) {
  const { shape, candidates } = board;
  for (const [pivot, mask] of candidates.entries()) {
    if (bitCount(mask) !== count) continue;
    const pairs = shape.peers[pivot].filter((peer) => bitCount(candidates[peer]) === 2);
    for (const [first, second] of combinations(pairs, 2)) {
      const common = candidates[first] & candidates[second];
      if (!isSingle(common) || (mask & ~common) !== (candidates[first] ^ candidates[second])) continue;
      const holders = [first, second, ...(mask & common ? [pivot] : [])];
      const sees = (cell) => holders.every((holder) => shape.peers[holder].includes(cell));
      const seeing = shape.peers[first].filter((cell) => cell !== pivot && sees(cell));
      const gone = candidatesIn(board, seeing.map((cell) => [cell, common]));
      if (!gone.length) continue;
      const names = listed(holders.map((cell) => cellName(shape, cell)), "or");
      const reason = `whatever ${cellName(shape, pivot)} holds, ${names} is ${SYMBOLS[bitsOf(common)[0]]}`;
      const [rating, technique] = holders.length === 2 ? [4.2, "XY-wing"] : [4.4, "XYZ-wing"];
      return eliminationStep(rating, technique, gone, [pivot, first, second], reason);
    }
  }
  return null;
}

/** A guess in the first of the cells with the fewest candidates, with the digit of a solution. */
function guessStep(board, solution) {
  const { shape, candidates, values } = board;
  const open = [...values.keys()].filter((cell) => !values[cell]);
  const cell = open.reduce((best, one) => (bitCount(candidates[one]) < bitCount(candidates[best]) ? one : best));
  const digits = listed(bitsOf(candidates[cell]).map((digit) => SYMBOLS[digit]), "or");
  const reason = `no rule applies; ${cellName(shape, cell)} could be ${digits}`;
  return placedStep(0, "guess", cell, solution[cell] - 1, [cell], reason);
}

/** The candidates of cells that are in their masks, as cells and digits. */
function candidatesIn(board, masks) {
  return masks.flatMap(([cell, mask]) => bitsOf(board.candidates[cell] & mask).map((digit) => [cell, digit + 1]));
}

function onlyPlace(board, cell, digit, unit) {
  return `${cellName(board.shape, cell)} is the only place for ${SYMBOLS[digit]} in ${unitName(board.shape, unit)}`;
}

function lockedReason(board, unit, other, digit) {
  const [where, inside] = [unitName(board.shape, unit), unitName(board.shape, other)];
  return `in ${where}, all places for ${SYMBOLS[digit]} are in ${inside}`;
}

function hiddenReason(board, unit, digits, places) {
  const cells = listed(cellsAt(board, unit, places).map((cell) => cellName(board.shape, cell)));
  return `in ${unitName(board.shape, unit)}, ${listed(digits.map((digit) => SYMBOLS[digit]))} can only be in ${cells}`;
}
