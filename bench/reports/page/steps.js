// A slider through the steps of a solution, by mouse and by keyboard.

const { shape, grid, steps, summary, command } = data;
let at = 0;
const view = element("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": "Board" });
const slider = element("input", { type: "range", min: 0, max: steps.length, "aria-label": "Step", input: () => go(+slider.value) });
const number = element("span", { class: "number" });
const words = element("p", { id: "words", role: "status" });
const [back, next] = [["Previous step", "◀", -1], ["Next step", "▶", 1]].map(([label, sign, way]) =>
  element("button", { type: "button", "aria-label": label, click: () => go(at + way) }, sign));
const controls = element("div", { class: "controls", hidden: steps.length ? null : "" }, back, slider, next, number);

byId("steps").classList.toggle("large", shape.size > 16); // beside such a board there is no room for text
byId("steps").append(view, element("div", { id: "stepping" }, controls, words), element("div", {},
  element("p", { class: "note" }, summary), element("ol", { class: "scroll", tabindex: 0 }, ...steps.map(({ line }) => element("li", {}, line))),
  element("p", { class: "note" }, "To copy: ", element("code", {}, command))));
document.body.classList.add("interactive");
document.addEventListener("keydown", (event) => {
  const target = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length }[event.key];
  if (target === undefined || event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  go(target);
});
go(0);
if (data.paper) {
  const solved = boardOf(shape, grid);
  for (const one of steps) applyStep(solved, one);
  view.after(boardDrawing(solved, "The solution."));
  document.body.classList.add("paper");
}

/** Show the board before step `place` (from 1), with that step lit; 0 shows the start. */
function go(place) {
  at = Math.min(Math.max(place, 0), steps.length);
  const [step, board] = [steps[at - 1], boardOf(shape, grid)];
  for (const one of steps.slice(0, Math.max(0, at - 1))) applyStep(board, one);
  words.textContent = step?.line ?? "The puzzle with its candidates.";
  view.replaceChildren(boardDrawing(board, words.textContent, step));
  view.querySelector(".target, .struck")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  slider.value = at;
  number.textContent = `${at} of ${steps.length}`;
  [back.disabled, next.disabled] = [at === 0, at === steps.length];
}
