// The data of the page, read from the blocks embedded in it (gzip, then base64).

async function unpacked(id) {
  const letters = atob(document.getElementById(id).textContent.trim());
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) packed[i] = letters.charCodeAt(i); // ten times as fast as Uint8Array.from
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/**
 * The data of the run. `rows` are puzzles. The tables of times hold one number per strategy and row, strategy by
 * strategy: seconds, Infinity if not finished, NaN if not compared; those of forms one such table after another.
 */
export async function load() {
  const [text, numbers] = await Promise.all([unpacked("facts"), unpacked("numbers")]);
  const facts = JSON.parse(new TextDecoder().decode(text));
  const size = facts.strategies.length * facts.rows.puzzle.length;
  let read = 0;
  const tables = (number) => {
    const part = new Float32Array(numbers, 4 * read, size * number);
    read += size * number;
    return part;
  };
  const seen = new Set();
  const namesakes = new Set(facts.rows.puzzle.filter((name) => seen.has(name) || !seen.add(name))); // names of several
  return {
    ...facts, rowCount: facts.rows.puzzle.length, namesakes, times: tables(1), forms: tables(facts.formCount),
    counters: { conflicts: tables(1), guesses: tables(1) },
  };
}

/** The index of a strategy and a row in their table, the first or a later one. */
export function cellIndex(data, strategy, row, table = 0) {
  return (table * data.strategies.length + strategy) * data.rowCount + row;
}
