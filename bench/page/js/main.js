// Puts the page together: data in, controls and tables up, and drawn anew whenever the reader chooses otherwise.

import { card } from "./card.js";
import { load, unpackedText } from "./data.js";
import { byId, element } from "./dom.js";
import { filters } from "./filters.js";
import { legend } from "./legend.js";
import { plot } from "./plot.js";
import { begin, observed } from "./state.js";
import { chosenRows, summarize } from "./statistics.js";
import { pairTable, puzzleTable, summaryTable } from "./tables.js";

/** The plotting library, unpacked and run. The page's policy knows it by its checksum. */
async function plotting() {
  const script = element("script");
  script.textContent = await unpackedText("library");
  document.head.append(script);
  return window.Plotly;
}

async function start() {
  const data = await load();
  const store = observed(begin(data));
  const puzzleCard = card(data, store);
  const parts = {
    filters: filters(data, store), legend: legend(data, store),
    summary: summaryTable(data, store), puzzles: puzzleTable(data, store), pairs: pairTable(data, store),
  };
  let picture = null;
  let waiting = false;

  function draw(changed = new Set()) {
    if (changed.size === 1 && changed.has("puzzle")) return puzzleCard.again(); // nothing else shows it
    const rows = chosenRows(data, store.now);
    if (changed.size === 1 && changed.has("sought")) return parts.puzzles.draw(rows);
    parts.summary.draw(summarize(data, store.now, rows));
    parts.legend.draw();
    parts.filters.draw(picture?.shown());
    puzzleCard.again();
    parts.puzzles.draw(rows);
    parts.pairs.draw();
    if (picture && !waiting) {
      waiting = true; // once per frame, after what is quick has been shown
      requestAnimationFrame(() => setTimeout(paint));
    }
    return null;
  }

  async function paint() {
    waiting = false;
    await picture.draw(chosenRows(data, store.now));
    parts.filters.draw(picture.shown());
    document.body.dataset.drawn = Number(document.body.dataset.drawn ?? 0) + 1;
  }

  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("#verdicts details")) folded.open = true;
  });
  store.listen((_, changed) => draw(changed));
  draw();
  document.body.classList.add("alive");
  if (!data.measures.length) return;
  picture = plot(await plotting(), data, store, puzzleCard);
  byId("plot-frame").removeAttribute("aria-busy");
  await paint();
}

start().catch((error) => {
  byId("trouble").textContent = `The interactive part of this page does not work in this browser (${error.message}). The verdicts are complete without it.`;
  byId("trouble").hidden = false;
  throw error;
});
