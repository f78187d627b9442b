/* Typing a crosstable: keys between the cells, names beside them, and saving of every row as it is left. */
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form[data-draft]");
  if (!form) return;
  const body = form.querySelector("table.typed tbody");
  const state = document.getElementById("save-state");
  // The only markup that a script of these pages may insert: what the portal has written and escaped itself.
  const asIs = { createHTML: (html) => html };
  const ours = window.trustedTypes ? window.trustedTypes.createPolicy("portal", asIs) : asIs;
  const words = state.dataset; // what is said here, in the language of the page
  const trouble = document.getElementById("trouble");
  const lines = document.getElementById("lines");
  const namesOf = document.getElementById("names");
  const names = namesOf ? JSON.parse(namesOf.textContent) : null;
  const across = form.dataset.draft === "across";
  const fields = [...body.querySelectorAll("tr:first-child input")].map((input) => input.dataset.field);

  let edits = 0; // how often something was typed; saved up to savedEdits
  let savedEdits = "unsaved" in form.dataset ? -1 : 0;
  let blocked = Boolean(trouble.querySelector(".conflict")); // the user decides what comes next
  let leaving = false;
  let running = null;
  let timer = 0;
  let touched = new Set();

  const dirty = () => edits !== savedEdits;
  const cell = (field, row) => document.getElementById(`${field}-${row}`);
  const rowOf = (input) => Number(input.closest("tr").dataset.row);
  const tell = (text) => {
    if (state.textContent !== text) state.textContent = text;
  };

  // --- saving -------------------------------------------------------------------------------

  function cookie(name) {
    const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
    return found ? found.slice(name.length + 1) : "";
  }

  function request(keepalive) {
    const data = new URLSearchParams(new FormData(form));
    const headers = { Accept: "application/json" };
    const token = cookie(form.dataset.csrf); // newer than the form's after signing in again elsewhere
    if (token) {
      data.delete("csrfmiddlewaretoken");
      headers["X-CSRFToken"] = token;
    }
    data.delete("lines");
    return fetch(form.action, { method: "POST", body: data, headers, redirect: "manual", keepalive });
  }

  function later(seconds) {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => save(), seconds * 1000);
  }

  function save(keepalive = false) {
    window.clearTimeout(timer);
    if (running) return running;
    if (!dirty() || blocked) return Promise.resolve();
    running = attempt(keepalive).finally(() => {
      running = null;
    });
    return running;
  }

  /* Saves until nothing is left to save, or it does not succeed. */
  async function saveAll() {
    if (running) await running;
    for (let before = null; dirty() && !blocked && before !== savedEdits; ) {
      before = savedEdits;
      await save();
    }
    return !dirty();
  }

  async function attempt(keepalive) {
    const upTo = edits;
    const rows = touched;
    touched = new Set();
    try {
      const answer = await request(keepalive);
      if (answer.type === "opaqueredirect" || answer.status === 403) {
        throw new Error(words.signedOut);
      }
      if (!answer.ok) throw new Error(words.answers.replace("{status}", answer.status));
      const said = await answer.json();
      if (said.outcome === "saved") {
        form.elements.token.value = said.token;
        savedEdits = upTo;
        show(said, rows);
        if (dirty()) later(1);
      } else {
        tell(words.seeAbove);
        if (said.outcome === "stale") {
          blocked = true;
          trouble.innerHTML = ours.createHTML(said.html);
          trouble.focus();
        } else trouble.replaceChildren(refusal(said.faults)); // the next change may mend it
      }
    } catch (error) {
      rows.forEach((row) => touched.add(row));
      tell(`${words.notSaved} ${error instanceof TypeError ? words.unreached : error.message}`);
      later(3);
    }
  }

  function refusal(faults) {
    const box = document.createElement("div");
    box.className = "alert alert-danger";
    box.setAttribute("role", "alert");
    box.append(`${words.notSaved} ${faults.join(" ")}`);
    return box;
  }

  function show(said, rows) {
    trouble.replaceChildren();
    const news = [];
    for (const line of body.rows) {
      const row = line.dataset.row;
      if (touched.has(Number(row))) continue; // typed on since: the next save tells
      const fault = said.faults[row];
      document.getElementById(`fault-${row}`).textContent = fault ? fault.text : "";
      for (const input of line.querySelectorAll("input")) {
        if (fault && fault.fields.includes(input.dataset.field)) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
      }
      if (!across) document.getElementById(`person-${row}`).textContent = said.people[`person-${row}`] ?? "";
      if (fault && rows.has(Number(row))) news.push(`${across ? words.board : words.row} ${row}: ${fault.text}`);
    }
    tell([words.saved.replace("{time}", said.saved), ...news].join(" "));
  }

  // --- names and who is on no board ---------------------------------------------------------

  const number = (text) => (/^[0-9]{1,4}$/.test(text.trim()) ? String(Number(text)) : "");

  function name(input) {
    if (!names || input.dataset.field === "result") return;
    const text = input.value.trim();
    const place = document.getElementById(`name-${input.dataset.field}-${rowOf(input)}`);
    place.textContent = text ? (names[number(text)] ?? words.nobody) : "";
  }

  function unpaired() {
    if (!names) return;
    const seen = new Set();
    for (const input of body.querySelectorAll("input:not([data-field=result])")) seen.add(number(input.value));
    const rest = Object.keys(names).filter((each) => !seen.has(each));
    const list = document.getElementById("unpaired-list");
    list.replaceChildren(
      ...rest.map((each) => {
        const item = document.createElement("li");
        item.textContent = `${each} ${names[each]}`;
        return item;
      }),
    );
    document.getElementById("unpaired-count").textContent = String(rest.length);
  }

  // --- keys ---------------------------------------------------------------------------------

  function addRow() {
    const row = body.rows.length + 1;
    if (row > Number(form.dataset.maxRows)) return;
    const template = document.getElementById("new-row").innerHTML;
    body.insertAdjacentHTML("beforeend", ours.createHTML(template.replaceAll("__n__", String(row))));
    if (!across) {
      const starts = [...body.querySelectorAll("input[data-field=start]")].map((each) => Number(number(each.value)));
      cell("start", row).value = String(Math.max(0, ...starts) + 1);
    }
  }

  function go(field, row) {
    if (row > body.rows.length) addRow();
    const target = cell(field, row);
    if (target) target.focus();
  }

  function enter(input) {
    const row = rowOf(input);
    const at = fields.indexOf(input.dataset.field);
    if (!across) go(input.dataset.field, row + 1);
    else if (at === fields.length - 1) go(fields[0], row + 1);
    else if (input.dataset.field === "result" && /^[hfuz]$/i.test(input.value.trim())) go(fields[0], row + 1);
    else go(fields[at + 1], row);
  }

  function arrow(event, input) {
    const row = rowOf(input);
    const at = fields.indexOf(input.dataset.field);
    const { selectionStart: from, selectionEnd: to, value } = input;
    if (event.key === "ArrowDown") go(input.dataset.field, row + 1);
    else if (event.key === "ArrowUp") go(input.dataset.field, row - 1);
    else if (event.key === "ArrowRight" && to === value.length && at < fields.length - 1) go(fields[at + 1], row);
    else if (event.key === "ArrowLeft" && from === 0 && at > 0) go(fields[at - 1], row);
    else return;
    event.preventDefault();
  }

  body.addEventListener("keydown", (event) => {
    const input = event.target;
    if (!input.dataset.field || event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      enter(input);
    } else if (event.key.startsWith("Arrow") && !event.shiftKey) arrow(event, input);
  });

  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    // On a Mac, Alt changes the letter; there the place of the key tells it.
    const letter = /^[a-z]$/i.test(event.key) ? event.key.toLowerCase() : event.code.replace("Key", "").toLowerCase();
    const button = form.querySelector(`button[accesskey="${CSS.escape(letter)}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });

  // --- changes ------------------------------------------------------------------------------

  function changed() {
    edits += 1;
    if (blocked) return;
    tell(words.notYet);
    later(1.5);
  }

  body.addEventListener("input", (event) => {
    touched.add(rowOf(event.target));
    name(event.target);
    if (across) unpaired();
    changed();
  });

  body.addEventListener("focusin", (event) => {
    event.target.select();
  });

  body.addEventListener("focusout", (event) => {
    const next = event.relatedTarget;
    if (dirty() && (!next || !next.closest("tr") || next.closest("tr") !== event.target.closest("tr"))) save();
  });

  if (!across) {
    body.addEventListener("paste", (event) => {
      const text = event.clipboardData.getData("text/plain");
      if (!/[\r\n]/.test(text.trim())) return;
      event.preventDefault();
      lines.value = text;
      form.requestSubmit(form.querySelector("button[value=paste]"));
    });
  }

  // --- leaving ------------------------------------------------------------------------------

  // What is typed is saved before the page is given up: without a network the page stays.
  form.addEventListener("submit", async (event) => {
    window.clearTimeout(timer);
    if (!blocked && (running || dirty())) {
      event.preventDefault();
      if (await saveAll()) form.requestSubmit(event.submitter);
    } else leaving = true;
  });

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.matches("[data-drop]")) leaving = true;
    else if (dirty() && !blocked && link.closest(".steps-nav, .breadcrumbs")) {
      event.preventDefault();
      if (await saveAll()) window.location.assign(link.href);
    }
  });

  document.querySelector("form[data-drop]")?.addEventListener("submit", () => {
    leaving = true;
  });

  window.addEventListener("beforeunload", (event) => {
    if (!leaving && (dirty() || (lines && lines.value !== lines.defaultValue))) event.preventDefault();
  });

  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden" && !leaving) save(true);
  });

  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload(); // the page of the history may be old
  });

  // --- start --------------------------------------------------------------------------------

  const wanted = window.location.hash ? document.getElementById(window.location.hash.slice(1)) : null;
  if (wanted && wanted.matches("input")) wanted.focus();
  else if (trouble.childElementCount) trouble.focus();
  else document.getElementById(body.dataset.focus)?.focus();
});
