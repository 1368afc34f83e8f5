// What the page is about, unpacked from the blocks that stand in it: compressed, then written in letters (base64).

/** The bytes of a block of the page, by its id. */
export async function unpacked(id) {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export async function unpackedText(id) {
  return new TextDecoder().decode(await unpacked(id));
}

/**
 * The data of the run. `rows` are puzzles (times tasks, if there are several); tables of times hold a number per
 * strategy and row, strategy by strategy: seconds, Infinity where not finished, NaN where not compared.
 */
export async function load() {
  const [text, numbers] = await Promise.all([unpackedText("facts"), unpacked("numbers")]);
  const facts = JSON.parse(text);
  const size = facts.strategies.length * facts.rows.puzzle.length;
  const floats = (at) => new Float32Array(numbers, 4 * size * at, size);
  const counts = (at) => new Uint16Array(numbers, 16 * size + 2 * size * at, size);
  return {
    ...facts,
    number: facts.rows.puzzle.length,
    times: { cpu: floats(0), wall: floats(1) },
    scores: { cpu: floats(2), wall: floats(3) },
    measured: counts(0),
    solved: counts(1),
  };
}

/** Where the number of a strategy and a row stands. */
export function at(data, strategy, row) {
  return strategy * data.number + row;
}
