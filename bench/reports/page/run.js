// The page of a run: curves, puzzle and tables show what the form of the filters selects.

const { strategies, scopes, puzzles, pairs, second, boards, solves } = data;
const form = byId("filters");
const times = puzzles.columns.filter(({ kind }) => kind === "time");
const showPuzzles = tableIn(byId("puzzle-table"), "All puzzles", puzzles, open);
const showPairs = tableIn(byId("pair-table"), "Verdicts on pairs", pairs);
const showSolves = tableIn(byId("solves"), "What every strategy made of this puzzle", { sort: 1, columns: [
  { title: "Strategy", kind: "strategy" }, { title: "Median", kind: "time" }, { title: "Each form", kind: "times" },
  { title: "Conflicts", kind: "number" }, { title: "Guesses", kind: "number" }] });
let opened = null; // the row of the puzzle that the reader chose

function open(row) {
  opened = row;
  update();
  byId("puzzle").scrollIntoView();
}

/** Show what the form selects. */
function update() {
  const scope = scopes[form.elements.scope.selectedIndex];
  const chosen = new FormData(form).getAll("strategy");
  const isChosen = (name) => !chosen.length || chosen.includes(name);
  const isInside = (columns) => (row) => columns.every(({ kind }, place) =>
    (kind !== "collection" || scope.collections.includes(row[place])) && (kind !== "size" || row[place] === scope.size));
  const inside = scope ? puzzles.rows.filter(isInside(puzzles.columns)) : [];
  showPuzzles(inside, puzzles.columns.filter((column) => !times.includes(column) || isChosen(column.title)));
  showPairs(pairs.rows.filter(isInside(pairs.columns)).filter(([a, b]) => isChosen(a) || isChosen(b)));
  if (scope) showCurves(scope, chosen);
  const hardest = inside.reduce((best, row) => ((row[3] ?? -1) > (best[3] ?? -1) ? row : best), inside[0]); // by guesses
  showPuzzle(opened ?? hardest, isChosen);
}

/** The curves of a board size, with the marks of its chosen collections; without a choice of strategies as in print. */
function showCurves({ size, collections }, chosen) {
  const figures = [...document.querySelectorAll("#curves figure")];
  for (const figure of figures) figure.hidden = figure.dataset.board !== size;
  byId("no-curves").hidden = figures.some(({ hidden }) => !hidden);
  for (const part of document.querySelectorAll("#curves [data-strategy]")) {
    const { strategy, collection, named } = part.dataset;
    const isOn = chosen.length ? chosen.includes(strategies[strategy]) : named;
    part.classList.toggle("off", !isOn || (collection !== "" && !collections.includes(data.collections[collection])));
  }
}

/** A puzzle with its candidates, how hard it is, and what the chosen strategies made of it. */
function showPuzzle(row, isChosen) {
  byId("puzzle").hidden = !row;
  if (!row) return;
  const place = puzzles.rows.indexOf(row);
  const first = puzzles.columns.length - times.length;
  const [shape, grid] = boards[place];
  byId("puzzle-name").textContent = row[0];
  byId("puzzle-facts").textContent = puzzles.columns.slice(1, first).map(({ title }, i) => `${title} ${textOf(row[i + 1])}`).join("; ");
  byId("puzzle-command").textContent = `sudoku-bench show ${grid}`;
  byId("board").replaceChildren(boardDrawing(boardOf(data.shapes[shape], grid), "The puzzle with its candidates."));
  showSolves(strategies.flatMap((name, i) => {
    const [forms, ...counters] = solves[place][i] ?? [];
    return forms && isChosen(name) ? [[name, row[first + i], forms.map((one) => textOf(one, "time")).join(", "), ...counters]] : [];
  }));
}

if (second) tableIn(byId("second-table"), "What stood in a second run", second);
document.body.classList.add("interactive");
form.addEventListener("input", update);
addEventListener("beforeprint", () => document.querySelectorAll("#answer details").forEach((one) => { one.open = true; }));
update();
