// The admin page: sends a host action with the token in a header. The token comes from the address's fragment, which is
// never sent anywhere, and stays in this tab.

import { follow, replaceSection } from "./sections.js";

const KEY = "peloarena host token";
const said = document.getElementById("said");
const form = document.getElementById("token-form");

function token() { return sessionStorage.getItem(KEY) ?? ""; }

function take(found) {
  if (found) sessionStorage.setItem(KEY, found);
  form.hidden = Boolean(token());
}

function tell(text, bad) {
  said.textContent = text;
  said.classList.toggle("bad", Boolean(bad));
}

async function give(kind, target, reason) {
  const answer = await fetch("/host/order", {
    method: "POST",
    headers: { "content-type": "application/json", "x-host-token": token() },
    body: JSON.stringify({ kind, target, reason }),
  });
  const told = (await answer.text()).trim();
  tell(told, !answer.ok);
  if (answer.status === 403) { sessionStorage.removeItem(KEY); take(""); }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-order]");
  if (!button) return;
  const kind = button.dataset.order;
  const target = kind === "void" ? document.getElementById("game").value.trim() : button.dataset.target ?? "";
  const reason = document.getElementById("reason")?.value.trim() ?? "";
  if (kind === "void" && !target) { tell("Enter the name of the game.", true); return; }
  give(kind, target, reason).catch(() => tell("Connection to the host lost: try again.", true));
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  take(form.token.value.trim());
});

take(decodeURIComponent(location.hash.slice(1)));
if (location.hash) history.replaceState(null, "", location.pathname + location.search);

// A field must not be replaced while somebody types in it.
follow(document.body.dataset.stream, (section) => {
  const typed = Object.fromEntries([...document.querySelectorAll("main input")].map((one) => [one.id, one.value]));
  if (document.activeElement?.matches(`[data-section="${CSS.escape(section.id)}"] input`)) return;
  replaceSection(section);
  for (const [id, value] of Object.entries(typed)) { const field = document.getElementById(id); if (field && value) field.value = value; }
});
