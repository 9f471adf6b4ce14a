// The replay page: board, scrubber, log, graphs, keys. The address holds the state, so that a link shows the same.

import { board } from "./board.js";
import { clear, h, svg } from "./dom.js";
import { nextMark, rounds, standings, swings } from "./film.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const STEP = 1400;
const MARKS = { disaster: "disaster", supply: "supply round", loss: "loss", verdict: "verdict" };
const MARK_SIGNS = { verdict: "✕", disaster: "▲", supply: "●", loss: "▼" };

function placed(span, share) {
  span.style.left = `${(share * 100).toFixed(2)}%`;
  return span;
}

class Replay {
  constructor(place, film) {
    this.place = place;
    this.film = film;
    this.rounds = rounds(film);
    this.standings = standings(film);
    this.swings = swings(film);
    this.timer = 0;
    this.readAddress();
    this.frame = h("div.stage");
    this.now = h("section.card.now", { "aria-live": "polite" });
    this.heading = h("p.where");
    this.scrub = h("input.scrub", { type: "range", min: 0, max: film.frames.length, "aria-label": "decision", oninput: (event) => this.go(Number(event.target.value)) });
    this.graph = h("section.card.graph");
    this.times = h("section.card.graph.times");
    this.playButton = h("button.play", { type: "button", onclick: () => this.toggle() }, "▶ Play");
    this.speedButton = h("button", { type: "button", title: "speed", onclick: () => this.faster(1, true) });
    this.lingerButton = h("button", { type: "button", onclick: () => this.setLinger(!this.linger) });
    this.seatButton = h("button", { type: "button", onclick: () => this.nextSeat() });
    clear(place, this.header(), this.strip(), this.controls(), this.frame, h("div.below", null, this.now, h("div", null, this.graph, this.times)));
    this.show();
    if (this.playing) this.play();
  }

  readAddress() {
    const query = new URLSearchParams(location.search);
    const last = this.film.frames.length;
    const asked = query.get("decision");
    this.at = asked === "end" ? last : Math.min(last, Math.max(0, (Number.parseInt(asked, 10) || 1) - 1));
    const seat = Number.parseInt(query.get("seat"), 10);
    this.seat = seat >= 1 && seat <= this.film.seats.length ? seat - 1 : null;
    this.speed = SPEEDS.includes(Number(query.get("speed"))) ? Number(query.get("speed")) : 1;
    this.linger = query.get("linger") !== "0";
    this.playing = query.get("play") === "1";
    this.spoils = query.get("spoil") !== "0";
  }

  writeAddress() {
    if (this.film.offline) return;
    const query = new URLSearchParams(location.search);
    const told = { decision: this.at >= this.film.frames.length ? "end" : this.at + 1, seat: this.seat === null ? "" : this.seat + 1, speed: this.speed === 1 ? "" : this.speed, linger: this.linger ? "" : "0" };
    for (const [key, value] of Object.entries(told)) if (value === "") query.delete(key); else query.set(key, value);
    history.replaceState(null, "", `?${query}`);
  }

  // ---- parts that stay

  header() {
    const seats = this.film.seats.map((seat, at) => [at ? h("span.small", null, " – ") : null, h(`b.seat-name.seat-${at}`, null, seat.name)]);
    return h("div.film-head", null, h("p.players", null, seats), this.heading);
  }

  strip() {
    const total = this.film.frames.length + 1;
    const bands = this.rounds.map(({ round, from, to }) => svg("rect", { x: (from / total) * 1000, y: 0, width: ((to - from + 1) / total) * 1000, height: 26, class: round % 2 ? "odd" : "even" }));
    // Words must not be stretched with the strip: they are positioned over it by percentages.
    const labels = this.rounds.map(({ round, from, to }) => placed(h("span.round", null, round ? String(round) : "set-up"), (from + to + 1) / 2 / total));
    const marks = this.spoils ? this.film.frames.flatMap((frame, at) => (frame.marks ?? []).slice(0, 1).map((mark) => placed(h(`span.mark.${mark}`, { title: `${MARKS[mark]}, decision ${frame.number}` }, MARK_SIGNS[mark]), (at + 0.5) / total))) : [];
    this.cursor = svg("line.cursor", { y1: 0, y2: 46 });
    const drawn = svg("svg.strip", { viewBox: "0 0 1000 46", preserveAspectRatio: "none", "aria-hidden": "true", onclick: (event) => this.go(Math.floor(((event.offsetX / drawn.clientWidth) || 0) * total)) }, bands, this.cursor);
    return h("div.strips", null, drawn, h("div.strip-labels", { "aria-hidden": "true" }, labels, marks), this.scrub);
  }

  controls() {
    const button = (text, title, go) => h("button", { type: "button", title, "aria-label": title, onclick: go }, text);
    return h("div.controls", { role: "group", "aria-label": "replay" },
      button("|◀", "first decision (Home)", () => this.go(0)), button("◀◀", "back one round (↑)", () => this.round(-1)), button("◀", "back one decision (←)", () => this.step(-1)),
      this.playButton,
      button("▶", "forward one decision (→)", () => this.step(1)), button("▶▶", "forward one round (↓)", () => this.round(1)), button("▶|", "end (End)", () => this.go(this.film.frames.length)),
      button("◆ next highlight", "next highlight (n)", () => this.mark(1)),
      this.speedButton, this.lingerButton, this.seatButton, button("?", "keys", () => document.getElementById("keys")?.showModal()));
  }

  // ---- moving

  go(at) {
    this.at = Math.min(this.film.frames.length, Math.max(0, at));
    this.show();
  }

  step(by) { this.go(this.at + by); }

  round(by) {
    const here = this.rounds.findIndex(({ from, to }) => this.at >= from && this.at <= to);
    const now = here < 0 ? this.rounds.length : here;
    if (by < 0 && here >= 0 && this.at > this.rounds[here].from) this.go(this.rounds[here].from);
    else this.go(this.rounds[now + by]?.from ?? (by > 0 ? this.film.frames.length : 0));
  }

  mark(by) { this.go(nextMark(this.film, this.at, by)); }

  toggle() { if (this.playing) this.stop(); else this.play(); }

  play() {
    if (this.at >= this.film.frames.length) this.go(0);
    this.playing = true;
    this.playButton.textContent = "❚❚ Stop";
    this.wait();
  }

  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    this.playButton.textContent = "▶ Play";
  }

  wait() {
    clearTimeout(this.timer);
    const swing = this.linger ? Math.min(4, 0.55 + (this.swings[this.at] ?? 0) * 0.35) : 1;
    this.timer = setTimeout(() => {
      if (this.at >= this.film.frames.length) { this.stop(); parent?.postMessage?.({ peloarena: "over", game: this.film.game }, "*"); return; }
      this.step(1);
      this.wait();
    }, (STEP * swing) / this.speed);
  }

  faster(by, around) {
    const at = SPEEDS.indexOf(this.speed) + by;
    this.speed = SPEEDS[around ? at % SPEEDS.length : Math.min(SPEEDS.length - 1, Math.max(0, at))];
    if (this.playing) this.wait();
    this.show();
  }

  setLinger(on) { this.linger = on; this.show(); }

  nextSeat() {
    this.seat = this.seat === null ? 0 : this.seat + 1 >= this.film.seats.length ? null : this.seat + 1;
    this.show();
  }

  // ---- showing

  show() {
    const frame = this.film.frames[this.at];
    const position = frame ? frame.position : this.film.end;
    const tile = frame ? position.tiles.find((one) => frame.chosen.includes(`${one.tile} `))?.tile : undefined;
    clear(this.frame, board({ position, seats: this.film.seats, seat: this.seat, tile }));
    this.heading.textContent = frame ? `${position.round ? `Round ${position.round} of ${position.rounds}` : "Set-up"} · decision ${frame.number} of ${this.film.frames.length}` : "The end";
    clear(this.now, ...(frame ? this.decision(frame) : this.ending()));
    this.scrub.value = this.at;
    this.scrub.setAttribute("aria-valuetext", this.heading.textContent);
    const x = ((this.at + 0.5) / (this.film.frames.length + 1)) * 1000;
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    this.speedButton.textContent = `${this.speed}×`;
    this.lingerButton.textContent = this.linger ? "slow at key moments" : "even speed";
    this.seatButton.textContent = this.seat === null ? "seat order" : `seat of ${this.film.seats[this.seat].name}`;
    this.drawGraphs();
    this.writeAddress();
    parent?.postMessage?.({ peloarena: "decision", game: this.film.game, decision: this.at + 1 }, "*");
  }

  decision(frame) {
    const about = [frame.seconds === undefined || frame.seconds === null ? "" : `${(frame.seconds * 1000).toFixed(1)} ms`, frame.cpu === undefined || frame.cpu === null ? "" : `CPU ${(frame.cpu * 1000).toFixed(1)} ms`, frame.bank === undefined || frame.bank === null ? "" : `${frame.bank.toFixed(1)} s left`].filter(Boolean).join(" · ");
    return [
      h("h2", null, "Now"),
      h("p.asked", null, h(`b.seat-name.seat-${frame.seat}`, null, this.film.seats[frame.seat].name), ": ", frame.asks),
      ...(frame.verdicts ?? []).map((text) => h("p.verdict", null, text)),
      h("p.chosen", null, "→ ", h("b", null, frame.chosen), frame.by ? ` ${frame.by}` : ""),
      frame.note ? h("p.note-of-bot", null, `“${frame.note}”`) : "",
      about ? h("p.small", null, about) : "",
      h("details.choices", { open: frame.choices.length <= 6 }, h("summary", null, `${frame.legal} legal ${frame.legal === 1 ? "move" : "moves"}`), h("ul", null, frame.choices.map((choice) => h(choice.chosen ? "li.taken" : "li", null, choice.text)))),
      h("h2", null, "Result"),
      h("ul.told", null, frame.told.length ? frame.told.map((line) => h(`li.${line.style}`, null, line.text)) : h("li.aside", null, "nothing more")),
    ];
  }

  ending() {
    const rows = this.film.finals.map((seat) => h("tr", null, h("td.number", null, String(seat.rank)), h("th", { scope: "row" }, seat.name), h("td.number.strong", null, String(seat.score)), h("td", null, seat.prestige), h("td", null, seat.population)));
    return [h("h2", null, "The end"), h("p.chosen", null, this.film.places), ...this.film.last_verdicts.map((text) => h("p.verdict", null, text)),
      rows.length ? h("div.scroll", null, h("table", null, h("thead", null, h("tr", null, ["", "", "score", "tiles and coins", "inhabitants"].map((text) => h("th", null, text)))), h("tbody", null, rows))) : ""];
  }

  drawGraphs() {
    const last = this.film.frames.length;
    const until = this.spoils ? last : this.at;
    const most = Math.max(1, ...this.standings.flat());
    const x = (at) => (at / Math.max(1, last)) * 600;
    const y = (score) => 96 - (score / most) * 90;
    const lines = this.film.seats.map((_, seat) => svg(`polyline.line.seat-${seat}`, { points: this.standings.slice(0, until + 1).map((scores, at) => `${x(at).toFixed(1)},${y(scores[seat]).toFixed(1)}`).join(" ") }));
    const cursor = () => svg("line.cursor", { x1: x(this.at), x2: x(this.at), y1: 0, y2: 100 });
    const told = this.film.seats.map((seat, at) => `${seat.name} ${this.standings[this.at][at]}`).join(", ");
    clear(this.graph, h("h2", null, "Score so far"), svg("svg.plot", { viewBox: "0 0 600 100", role: "img", "aria-label": `Score if the game ended now: ${told}`, onclick: (event) => this.jump(event) }, lines, cursor()));
    const slowest = Math.max(1e-6, ...this.film.frames.map((frame) => frame.seconds ?? 0));
    const bars = this.film.frames.slice(0, until + 1).map((frame, at) => svg(`rect.bar.seat-${frame.seat}`, { x: x(at), width: Math.max(1, 600 / (last + 1) - 0.6), y: 60 - ((frame.seconds ?? 0) / slowest) * 56, height: ((frame.seconds ?? 0) / slowest) * 56 }));
    clear(this.times, h("h2", null, `Thinking time (max ${(slowest * 1000).toFixed(0)} ms)`), svg("svg.plot.short", { viewBox: "0 0 600 60", preserveAspectRatio: "none", role: "img", "aria-label": "Time of each decision", onclick: (event) => this.jump(event) }, bars, svg("line.cursor", { x1: x(this.at), x2: x(this.at), y1: 0, y2: 60 })));
  }

  jump(event) {
    const box = event.currentTarget.getBoundingClientRect();
    this.go(Math.round(((event.clientX - box.left) / box.width) * this.film.frames.length));
  }

  keys() {
    const does = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), ArrowUp: () => this.round(-1), ArrowDown: () => this.round(1),
      Home: () => this.go(0), End: () => this.go(this.film.frames.length), " ": () => this.toggle(), n: () => this.mark(1), p: () => this.mark(-1),
      f: () => this.nextSeat(), l: () => this.setLinger(!this.linger), "+": () => this.faster(1), "-": () => this.faster(-1), "?": () => document.getElementById("keys")?.showModal(),
    };
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const action = does[event.key];
      if (!action || (event.key === " " && event.target instanceof HTMLButtonElement)) return;
      event.preventDefault();
      action();
    });
  }
}

export async function start(place, load) {
  const film = await load();
  const replay = new Replay(place, film);
  replay.keys();
  fold(document.getElementById("account"), replay);
  return replay;
}

// A small page has no game log of its own: the replay contains all its words.
function wordsOf(film) {
  const line = ({ text, style }, number) => h(`p.${style}`, null, number ? h("a", { href: `?decision=${number}` }, `${number}.`) : "", number ? " " : "", text);
  const frames = film.frames.flatMap((frame) => {
    const first = frame.told.findIndex((one) => one.style !== "round");
    return [...(frame.verdicts ?? []).map((text) => h("p.verdict", null, text)), ...frame.told.map((one, at) => line(one, at === first ? frame.number : 0))];
  });
  return [h("h2", null, "Game log"), ...film.opening.map((one) => line(one, 0)), ...frames, ...film.last_verdicts.map((text) => h("p.verdict", null, text)), h("p.places", null, film.places)];
}

// The whole game log stays, folded, and its numbers link to the board.
function fold(account, replay) {
  if (!account) return;
  if (!account.childElementCount) account.append(...wordsOf(replay.film));
  const details = h("details.account.card", null, h("summary", null, "Full game log"));
  account.replaceWith(details);
  account.classList.remove("card");
  details.append(account);
  account.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='?decision=']");
    if (!link) return;
    event.preventDefault();
    replay.go(Number.parseInt(new URLSearchParams(link.getAttribute("href")).get("decision"), 10) - 1);
    scrollTo({ top: 0 });
  });
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error("the replay could not be loaded");
  return answer.json();
}

// A self-contained page embeds its replay: gzip in letters.
async function unpacked(id) {
  const letters = JSON.parse(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
  const film = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  return { ...film, offline: true };
}

const mount = document.getElementById("replay");
if (mount) {
  const load = () => (mount.dataset.packed ? unpacked(mount.dataset.packed) : fetched(mount.dataset.film));
  start(mount, load).catch(() => { mount.textContent = "The board could not be loaded. The game log is below."; });
}
