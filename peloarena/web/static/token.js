// A bot's token: it comes from the address's fragment, which is never sent anywhere, and stays in this tab.

const KEY = "peloarena entry token";

export function kept() { return sessionStorage.getItem(KEY) ?? ""; }

export function keep(token) {
  if (token) sessionStorage.setItem(KEY, token);
  document.querySelectorAll("form.with-token input[name=token]").forEach((field) => { field.value ||= kept(); });
}

document.addEventListener("submit", (event) => {
  if (event.target.matches("form.with-token")) keep(event.target.token.value.trim());
});

keep(location.pathname === "/enter" ? decodeURIComponent(location.hash.slice(1)) : "");
