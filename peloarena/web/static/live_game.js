// A running game: redraws the board after every move that the server reports, and shows the latest moves.

import { board, boardWords } from "./board.js";
import { clear, h } from "./dom.js";
import { follow } from "./sections.js";

const place = document.getElementById("live");
const words = document.getElementById("live-words");
const account = document.getElementById("live-account");

function liveWords(on) {
  const asked = on.position.asked ? ` ${on.seats[on.position.asked.seat].name} to move: ${on.position.asked.text}.` : "";
  return `${boardWords(on)}${asked}`;
}

function show(on) {
  if (on.over) { over(on.open); return; }
  words.textContent = `Being played · ${on.decisions} decisions so far. ${liveWords(on)}`;
  clear(place, board({ ...on, seat: null }));
  clear(account, h("h2", null, "Latest moves"), ...[...on.told].reverse().map((line) => h(line.style === "plain" ? "p" : `p.${line.style}`, null, line.text)));
}

function over(open) {
  leave();
  const game = place.dataset.game;
  const link = open ? h("a", { href: `/game/${encodeURIComponent(game)}` }, "Replay it, decision by decision.") : "";
  clear(words, "The game is over. ", link);
}

const leave = follow(place.dataset.live, show);
