// The data of the page, read from the blocks embedded in it (gzip, then base64).

const PHASE_COUNT = 5;

/** The bytes of a block of a page (this one or another run's), by its id. */
async function unpacked(id, page = document) {
  const letters = atob(page.getElementById(id).textContent.trim());
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i); // ten times as fast as Uint8Array.from
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** A block of the page as text. */
export async function unpackedText(id, page = document) {
  return new TextDecoder().decode(await unpacked(id, page));
}

/** Wait until the page has been read to its end: blocks that are needed later stand behind this script. */
export function wholePage() {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => { document.addEventListener("DOMContentLoaded", done, { once: true }); });
}

/**
 * The data of the run of a page. `rows` are puzzles (one row per task if there are several). The tables of times hold one number
 * per strategy and row, strategy by strategy: seconds, Infinity if not finished, NaN if not compared.
 */
export async function load(page = document) {
  const [text, numbers] = await Promise.all([unpackedText("facts", page), unpacked("numbers", page)]);
  const facts = JSON.parse(text);
  const size = facts.strategies.length * facts.rows.puzzle.length;
  const floats = (table) => new Float32Array(numbers, 4 * size * table, size);
  const counts = (table) => new Uint16Array(numbers, 4 * size * 4 + 2 * size * table, size);
  return {
    ...facts,
    rowCount: facts.rows.puzzle.length,
    times: { cpu: floats(0), wall: floats(1) },
    scores: { cpu: floats(2), wall: floats(3) },
    measured: counts(0),
    solved: counts(1),
    details: null, // until they are loaded
  };
}

/** What only single puzzles show: times of forms, phases and counters, a table for each strategy and row. */
export async function loadDetails(data) {
  await wholePage();
  const numbers = await unpacked("details");
  const size = data.strategies.length * data.rowCount;
  const tables = (first, number) => new Float32Array(numbers, 4 * size * first, size * number);
  const counted = data.formCount + PHASE_COUNT;
  return {
    forms: tables(0, data.formCount),
    phases: tables(data.formCount, PHASE_COUNT),
    counters: { conflicts: tables(counted, 1), guesses: tables(counted + 1, 1) },
  };
}

/** The index of a form (or a phase), a strategy and a row in their tables. */
export function formIndex(data, form, strategy, row) {
  return (form * data.strategies.length + strategy) * data.rowCount + row;
}

/** The index of a strategy and a row in the tables. */
export function cellIndex(data, strategy, row) {
  return strategy * data.rowCount + row;
}
