// Browsers read no search index from disk: say what to do in place of the search.
if (location.protocol === "file:") {
  document.querySelectorAll(".md-search, label[for=__search]").forEach((part) => part.remove());
  const note = document.createElement("div");
  note.className = "from-disk";
  note.innerHTML = "To search, run <code>python -m http.server -d build/site</code> and open http://localhost:8000";
  document.querySelector(".md-container").prepend(note);
}

// What scrolls sideways can be scrolled by keyboard.
addEventListener("load", () =>
  document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code").forEach((part) => {
    part.tabIndex = 0;
  }),
);
