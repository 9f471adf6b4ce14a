// Live pages: sections that are updated, tables that can be sorted, "my bot" kept in the address.

import { follow, replaceSection } from "./sections.js";

// ---- tables

// Sort key by the column's heading: a number, or a word in which 2 sorts before 10. Null if the cell says nothing.
function value(row, column, isNumber) {
  const text = row.cells[column]?.textContent.trim() ?? "";
  if (!isNumber) return text && text !== "–" ? text : null;
  const number = Number.parseFloat(text.replace("−", "-").replace(/[^0-9.+-]/g, ""));
  return Number.isNaN(number) ? null : number;
}

function sortBy(table, column, down) {
  const isNumber = table.tHead.rows[0].cells[column]?.classList.contains("number");
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const [x, y] = [value(a, column, isNumber), value(b, column, isNumber)];
    if (x === null || y === null) return (x === null) - (y === null);
    const order = isNumber ? x - y : x.localeCompare(y, undefined, { numeric: true, sensitivity: "base" });
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows);
  [...table.tHead.rows[0].cells].forEach((cell, at) => {
    if (at === column) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
}

function sortable(table) {
  const name = table.caption?.textContent ?? "";
  [...table.tHead.rows[0].cells].forEach((cell, column) => {
    if (!cell.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...cell.childNodes);
    button.addEventListener("click", () => {
      const down = cell.getAttribute("aria-sort") === "ascending" || (!cell.hasAttribute("aria-sort") && cell.classList.contains("number") && column > 0);
      sortBy(table, column, down);
      setQuery("sort", `${name}.${column}.${down ? "down" : "up"}`);
    });
    cell.append(button);
  });
  const [which, column, way] = (query().get("sort") ?? "").split(".");
  if (which === name && column) sortBy(table, Number(column), way === "down");
}

// ---- the address

function query() { return new URLSearchParams(location.search); }

function setQuery(key, text) {
  const found = query();
  if (text) found.set(key, text); else found.delete(key);
  const told = found.toString();
  history.replaceState(null, "", told ? `?${told}` : location.pathname);
}

function markMine(root) {
  const mine = query().get("my");
  if (!mine) return;
  root.querySelectorAll("[data-bot]").forEach((row) => row.classList.toggle("mine", row.dataset.bot === mine));
}

function prepare(root) {
  root.querySelectorAll("table.sortable").forEach(sortable);
  markMine(root);
}

prepare(document);
const stream = document.body.dataset.stream;
if (stream) follow(stream, (section) => replaceSection(section, prepare));
