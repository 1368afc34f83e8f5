// Browsers read no search index from disk: say what to do in place of the search.
if (location.protocol === "file:") {
  document.querySelectorAll(".md-search, label[for=__search]").forEach((part) => part.remove());
  const note = document.createElement("div");
  note.className = "from-disk";
  note.innerHTML = "To search, run <code>python -m http.server -d build/site</code> and open http://localhost:8000";
  document.querySelector(".md-container").prepend(note);
}
