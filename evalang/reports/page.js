"use strict";
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.parentElement;
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
  });
}
