// What the search of MkDocs expects, without a script in the page; results show only while something is sought.
var base_url = document.documentElement.dataset.base;
document.documentElement.classList.add("script");
document.addEventListener("input", function (event) {
  if (event.target.id === "mkdocs-search-query") {
    document.documentElement.classList.toggle("seeking", event.target.value !== "");
  }
});
document.addEventListener("submit", function (event) { event.preventDefault(); });
