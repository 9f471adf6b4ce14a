// The life of a page: sections that come anew from the server, tables that can be sorted, "my bot" kept in the address.

const RETRY_TOLD = 4000;

// ---- sections

function replaceSection({ id, html }) {
  const old = document.querySelector(`[data-section="${CSS.escape(id)}"]`);
  if (!old) return;
  const made = new DOMParser().parseFromString(html, "text/html").querySelector(`[data-section="${CSS.escape(id)}"]`);
  if (!made) return;
  const scrolled = [...old.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(made);
  made.querySelectorAll(".scroll").forEach((one, at) => { one.scrollLeft = scrolled[at] ?? 0; });
  if (focused) made.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  prepare(made);
}

let source = null;
let last = "";
let staleTimer = 0;

function follow(address) {
  if (source || document.hidden) return;
  const asked = last ? `${address}${address.includes("?") ? "&" : "?"}last=${encodeURIComponent(last)}` : address;
  source = new EventSource(asked);
  source.addEventListener("section", (event) => { last = event.lastEventId; told(false); replaceSection(JSON.parse(event.data)); });
  source.onopen = () => told(false);
  source.onerror = () => { if (!staleTimer) staleTimer = setTimeout(() => told(true), RETRY_TOLD); };
}

function leave() {
  source?.close();
  source = null;
}

function told(stale) {
  clearTimeout(staleTimer);
  staleTimer = 0;
  let bar = document.querySelector(".stale");
  if (!stale) { bar?.remove(); return; }
  if (bar) return;
  bar = document.createElement("p");
  bar.className = "stale";
  bar.setAttribute("role", "status");
  bar.textContent = "The page has lost its host: what you see is as of then. It tries again by itself.";
  document.querySelector("main").prepend(bar);
}

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
if (stream) {
  follow(stream);
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : follow(stream)));
  addEventListener("pagehide", leave);
}
