// The life of a page: sections that come anew, tables that can be sorted, "my bot" kept in the address.

import { follow, replaceSection } from "./sections.js";

// ---- tables

function value(row, column) {
  const text = row.cells[column]?.textContent.trim() ?? "";
  const number = Number.parseFloat(text.replace("−", "-").replace(/[^0-9.eE+-]/g, ""));
  return Number.isNaN(number) || /^[A-Za-z]/.test(text) ? text.toLowerCase() : number;
}

function sortBy(table, column, down) {
  const rows = [...table.tBodies[0].rows];
  rows.sort((a, b) => {
    const [x, y] = [value(a, column), value(b, column)];
    if (x === "" || y === "") return (x === "") - (y === "");
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
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
      const down = cell.getAttribute("aria-sort") === "ascending" || (!cell.hasAttribute("aria-sort") && cell.className.includes("number") && column > 0);
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
