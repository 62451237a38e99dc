"use strict";
const make = (tag, text, parent, kind) => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (kind) made.className = kind;
  parent.append(made);
  return made;
};
const save = (text, type, name) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};
const sort = (head) => {
  const body = head.closest("table").tBodies[0];
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => {
    const cell = row.cells[head.cellIndex];
    const text = cell.dataset.v ?? cell.textContent.trim();
    const value = parseFloat(text);
    return [Number.isNaN(value) ? null : value, text];
  };
  const rows = Array.from(body.rows, (row) => [key(row), row]);
  rows.sort(([[a, s]], [[b, t]]) => {
    if (a === null || b === null) return a === b ? s.localeCompare(t) : a === null ? 1 : -1;
    return a - b;
  });
  if (down) rows.reverse();
  body.append(...rows.map(([, row]) => row));
};
const field = (cell) => {
  const text = cell.textContent.trim();
  const safe = /^[=+@\t\r]/.test(text) && !/^[+-]?[\d.]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
};
for (const table of document.querySelectorAll("main table")) {
  for (const head of table.tHead.rows[0].cells) {
    const title = head.textContent;
    head.textContent = "";
    const button = make("button", title || "\u00a0", head);
    button.type = "button";
    if (!title) button.ariaLabel = "sort by the first column";
    button.addEventListener("click", () => sort(head));
  }
  const button = make("button", "CSV", table.caption, "tool");
  button.type = "button";
  button.ariaLabel = `Download as CSV: ${table.caption.firstChild.textContent}`;
  button.addEventListener("click", () => {
    const lines = Array.from(table.rows, (row) => Array.from(row.cells, field).join(","));
    save(lines.join("\r\n") + "\r\n", "text/csv", `${table.id}.csv`);
  });
}
for (const figure of document.querySelectorAll("main figure")) {
  const svg = figure.querySelector("svg");
  if (!svg) continue;
  const button = make("button", "SVG", figure.querySelector("figcaption"), "tool");
  button.type = "button";
  button.ariaLabel = `Download as SVG: ${figure.querySelector("strong").textContent}`;
  button.addEventListener("click", () => {
    const copy = svg.cloneNode(true);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    save(copy.outerHTML.replaceAll("currentColor", "#1a1a1a"), "image/svg+xml", `${figure.id}.svg`);
  });
}
const rows = document.querySelectorAll("main tbody tr");
if (rows.length > 12) {
  const form = document.createElement("div");
  form.className = "filter";
  document.querySelector("nav").after(form);
  const label = make("label", "Show rows with ", form);
  const words = document.createElement("input");
  words.type = "search";
  words.placeholder = "learner, dataset or metric";
  label.append(words);
  const only = make("label", "", form);
  const box = document.createElement("input");
  box.type = "checkbox";
  only.append(box, " significant only");
  const said = make("output", "", form);
  const verdict = new Map();
  for (const table of document.querySelectorAll("main table")) {
    const heads = Array.from(table.tHead.rows[0].cells, (head) => head.textContent.trim());
    verdict.set(table, heads.indexOf("verdict"));
  }
  if (Array.from(verdict.values()).every((place) => place < 0)) only.remove();
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const table = row.closest("table");
      const text = `${table.caption.textContent} ${table.tHead.textContent} ${row.textContent}`.toLowerCase();
      const place = verdict.get(table);
      const open = place >= 0 && /inconclusive|no verdict/.test(row.cells[place].textContent);
      row.hidden = !wanted.every((word) => text.includes(word)) || (box.checked && open);
      if (!row.hidden) shown += 1;
    }
    said.textContent = wanted.length || box.checked ? `${shown} of ${rows.length} rows` : "";
  };
  words.addEventListener("input", filter);
  box.addEventListener("change", filter);
}
const tip = make("div", "", document.body, "tip");
tip.hidden = true;
const point = (event) => {
  const mark = event.target.closest?.("svg [tabindex]");
  tip.hidden = !mark;
  if (!mark) return;
  const place = mark.getBoundingClientRect();
  tip.textContent = mark.getAttribute("aria-label");
  tip.style.left = `${Math.max(4, Math.min(place.left, innerWidth - 240)) + scrollX}px`;
  tip.style.top = `${place.bottom + scrollY + 6}px`;
};
for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, point);
