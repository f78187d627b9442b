// Gives names to what the stock admin leaves without: fields in the rows of a table, fields in two parts,
// searching choices; and lets the keyboard scroll what is wider than the window.
"use strict";
{
  const text = (element) => (element ? element.textContent.trim().replace(/:$/, "") : "");

  /** The heading of the column that a cell of a table of forms stands in. */
  const heading = (cell) => {
    if (cell.classList.contains("delete")) return "Delete";
    const field = [...cell.classList].find((name) => name.startsWith("field-"));
    return field ? text(cell.closest("table").querySelector(`th.${field.replace("field-", "column-")}`)) : "";
  };

  /** A field's name as a person sees it. */
  const nameOf = (field) => {
    const cell = field.closest(".tabular td");
    if (cell) {
      const row = [...cell.closest("tbody").children].filter((each) => each.matches(".form-row"));
      return `${heading(cell)}, row ${row.indexOf(cell.closest("tr")) + 1}`;
    }
    const own = field.id && document.querySelector(`label[for="${CSS.escape(field.id)}"]`);
    return text(own || field.closest(".form-row")?.querySelector("legend, label"));
  };

  const name = () => {
    for (const field of document.querySelectorAll(".tabular td :is(input, select, textarea), .datetime input")) {
      if (field.type === "hidden" || field.labels?.length || field.hasAttribute("aria-label")) continue;
      const part = field.closest(".datetime") ? (field.matches(".vTimeField") ? ", time" : ", date") : "";
      field.setAttribute("aria-label", nameOf(field) + part);
    }
    for (const select of document.querySelectorAll("select.admin-autocomplete")) {
      const shown = select.parentElement.querySelector(".select2-selection__rendered");
      const box = shown?.closest(".select2-selection");
      if (!box) continue;
      shown.setAttribute("aria-label", nameOf(select));
      box.setAttribute("aria-label", `${nameOf(select)}: ${text(shown) || "nothing chosen"}`);
      box.removeAttribute("aria-labelledby");
    }
    for (const tip of document.querySelectorAll("span.help-tooltip[aria-label]")) tip.setAttribute("role", "img");
  };

  const scroll = () => {
    for (const box of document.querySelectorAll(".inline-group, .portal-table")) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };

  const both = () => { name(); scroll(); };
  window.addEventListener("load", both);
  window.addEventListener("resize", scroll);
  // select2 tells of a choice by jQuery alone
  window.django?.jQuery?.(document).on("change", "select.admin-autocomplete", () => setTimeout(name));
  document.addEventListener("formset:added", () => setTimeout(both));
}
