// Updates sections from the server by one stream per page: closed while the page is hidden, resumed where it broke off.

const RETRY_TOLD = 4000;

export function replaceSection({ id, html }, prepare) {
  const old = document.querySelector(`[data-section="${CSS.escape(id)}"]`);
  if (!old) return;
  const made = new DOMParser().parseFromString(html, "text/html").querySelector(`[data-section="${CSS.escape(id)}"]`);
  if (!made) return;
  made.classList.toggle("lit", old.classList.contains("lit"));
  const scrolled = [...old.querySelectorAll(".scroll")].map((one) => one.scrollLeft);
  const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  old.replaceWith(made);
  made.querySelectorAll(".scroll").forEach((one, at) => { one.scrollLeft = scrolled[at] ?? 0; });
  if (focused) made.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  prepare?.(made);
}

// Browsers allow six connections to a host: a hidden page gives up its one. Returns a function that ends the stream.
export function follow(address, take) {
  let source = null;
  let last = "";
  let over = false;
  const begin = () => {
    if (over || source || document.hidden) return;
    const asked = last ? `${address}${address.includes("?") ? "&" : "?"}last=${encodeURIComponent(last)}` : address;
    source = new EventSource(asked);
    source.addEventListener("section", (event) => { last = event.lastEventId; stale(false); take(JSON.parse(event.data)); });
    source.onopen = () => stale(false);
    source.onerror = () => stale(true);
  };
  const leave = () => { source?.close(); source = null; };
  begin();
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : begin()));
  addEventListener("pagehide", leave);
  return () => { over = true; leave(); };
}

let staleTimer = 0;

function stale(on) {
  if (on && !staleTimer) staleTimer = setTimeout(tell, RETRY_TOLD);
  if (on) return;
  clearTimeout(staleTimer);
  staleTimer = 0;
  document.querySelector(".stale")?.remove();
}

function tell() {
  const bar = document.createElement("p");
  bar.className = "stale";
  bar.setAttribute("role", "status");
  bar.textContent = "Connection to the host lost: this page may be out of date. It reconnects by itself.";
  document.querySelector("main").prepend(bar);
}
