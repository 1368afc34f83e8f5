// What the page shows as files: the selected times as CSV, its sections as SVG, the summary as a LaTeX table.

import { measureText } from "./card.js";
import { cellIndex } from "./data.js";
import { byId, element } from "./dom.js";
import { digits } from "./format.js";
import { selectedRows, shownStrategies } from "./selection.js";
import { snapshotOf } from "./snapshot.js";

export function downloads(data, store, chart, summaryLines) {
  byId("save-csv").addEventListener("click", () => save("view.csv", "text/csv", csvOf(data, store.state)));
  byId("save-latex").addEventListener("click", () =>
    save("summary.tex", "application/x-tex", latexOf(data, summaryLines())));
  byId("save-svg").addEventListener("click", async () => {
    const address = await chart().svg();
    save("plot.svg", "image/svg+xml", decodeURIComponent(address.slice(address.indexOf(",") + 1)));
  });
  for (const button of document.querySelectorAll("button[data-snapshot]")) {
    const part = button.dataset.snapshot;
    button.addEventListener("click", () => save(`${part}.svg`, "image/svg+xml", snapshotOf(byId(part))));
  }
}

/** The selected puzzles with their measures and the time of each shown strategy; empty if unknown, inf if not finished. */
export function csvOf(data, state) {
  const strategies = shownStrategies(state);
  const times = data.times[state.clock];
  const head = ["collection", "puzzle", ...data.measures.map(({ key }) => key),
    ...strategies.map((strategy) => data.strategies[strategy].name)];
  const lines = selectedRows(data, state).map((row) => [
    data.collections[data.rows.collection[row]], data.rows.puzzle[row],
    ...data.measures.map((measure) => measureText(measure, row).replace("–", "")),
    ...strategies.map((strategy) => exact(times[cellIndex(data, strategy, row)])),
  ]);
  return [head, ...lines].map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
}

function exact(value) {
  if (Number.isNaN(value)) return "";
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "inf";
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The summary of the selection as a booktabs table, times in milliseconds. */
export function latexOf(data, lines) {
  const milliseconds = (value) => (Number.isFinite(value) ? digits(1e3 * value) : "--");
  const rows = lines.map(({ strategy, puzzles, median, par2, solved, measurements }) => [
    `\\texttt{${escaped(data.strategies[strategy].name)}}`, puzzles, milliseconds(median), milliseconds(par2),
    `${solved}/${measurements}`,
  ].join(" & "));
  return ["\\begin{tabular}{@{}lrrrr@{}}", "\\toprule", "Strategy & Puzzles & Median (ms) & PAR-2 (ms) & Solved \\\\",
    "\\midrule", ...rows.map((row) => `${row} \\\\`), "\\bottomrule", "\\end{tabular}", ""].join("\n");
}

function escaped(text) {
  const special = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
  return text.replace(/[\\~^]|[_%&#${}]/g, (sign) => special[sign] ?? `\\${sign}`);
}

function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
