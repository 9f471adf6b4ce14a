// The projector's programme: scenes that change by themselves; a featured game replayed slowly, with three sentences.

import { board } from "./board.js";
import { clear, h, svg } from "./dom.js";
import { standings, story, swings } from "./film.js";
import { follow, replaceSection } from "./sections.js";

const SECONDS = { standings: 16, pairings: 12, faults: 10, join: 10 };
const PROGRAMME = ["standings", "game", "pairings", "game", "faults", "game", "join"];
const STEP = 1500;
const LONGEST_GAME = 75;
const REMEMBERED = 40;
const LASTING = 4; // Seconds after which a running game is worth watching.
const LOOK_EVERY = 0.5;
const LONGEST_LOOK = 60;

const query = new URLSearchParams(location.search);
const fixed = query.get("scene");
const shown = [];
let place = -1;

const wait = (seconds) => new Promise((done) => setTimeout(done, seconds * 1000));
const scene = (name) => document.getElementById(`p-${name}`);

function light(name) {
  document.querySelectorAll(".scene").forEach((one) => one.classList.toggle("lit", one.id === `p-${name}`));
  document.body.dataset.scene = name;
}

async function run() {
  for (;;) {
    place = (place + 1) % PROGRAMME.length;
    const name = fixed ?? PROGRAMME[place];
    if (name === "game") { if (!(await live())) await game(); }
    else if (name === "live") { if (!(await live())) await wait(1); }
    else if (scene(name) && !scene(name).dataset.empty) { light(name); await wait(SECONDS[name] ?? 15); }
    else await wait(0.2);
  }
}

// ---- a running game: only if the gate allows spectating, and only if the game lasts

async function live() {
  try {
    const every = await asked("/live.json");
    const found = every?.find(({ seconds }) => seconds >= LASTING);
    if (!found) return false;
    let drawn = -1;
    const end = Date.now() + LONGEST_LOOK * 1000;
    while (Date.now() < end) {
      const answer = await fetch(`/live/${encodeURIComponent(found.game)}/position.json`);
      if (!answer.ok) break;
      const on = await answer.json();
      if (on && on.decisions !== drawn) { drawn = on.decisions; drawLive(on); }
      await wait(LOOK_EVERY);
    }
    return drawn >= 0;
  } catch { await wait(1); return false; }
}

async function asked(address) {
  const answer = await fetch(address);
  return answer.ok ? answer.json() : null;
}

function drawLive(on) {
  const where = on.position.round ? `Round ${on.position.round} of ${on.position.rounds}` : "Set-up";
  const who = on.position.asked?.seat;
  const now = who === undefined ? "" : h("p.now", null, h(`b.seat-name.seat-${who}`, null, on.seats[who].name), " is thinking");
  light("game");
  clear(scene("game"), h("h2", null, `${where} · being played now`), board({ ...on, seat: null }), now, h("p.story", { "aria-live": "polite" }, on.told.at(-1)?.text ?? ""));
}

// ---- the featured game

async function chosen() {
  const every = (await asked("/featured.json")) ?? [];
  // Recently shown games wait, the last one longest; a game that is on is never interrupted for a better one.
  const ago = ({ game }) => (shown.includes(game) ? shown.indexOf(game) : shown.length);
  return every.reduce((best, one) => (best && ago(best) >= ago(one) ? best : one), null);
}

async function game() {
  try {
    const found = await chosen();
    if (!found) { await wait(1); return; }
    const answer = await fetch(`/game/${encodeURIComponent(found.game)}/film.json`);
    if (!answer.ok) { await wait(1); return; }
    shown.unshift(found.game);
    shown.splice(REMEMBERED);
    await play(await answer.json(), found.why);
  } catch { await wait(2); }
}

async function play(film, why) {
  const told = story(film);
  const swing = swings(film);
  const every = standings(film);
  const turn = swing.indexOf(Math.max(...swing));
  const weights = swing.map((one) => Math.min(4, 0.5 + one * 0.4));
  const pace = Math.min(STEP, (LONGEST_GAME * 1000) / weights.reduce((sum, one) => sum + one, 1));
  light("game");
  for (let at = 0; at <= film.frames.length; at += 1) {
    const said = [at * 2 >= film.frames.length ? told[0] : "", at > turn ? told[1] : "", at === film.frames.length ? told[2] : ""];
    draw(film, at, why, said, every);
    await wait((pace * (weights[at] ?? 1)) / 1000);
  }
  await wait(9);
}

function draw(film, at, why, said, every) {
  const frame = film.frames[at];
  const position = frame?.position ?? film.end;
  const tile = frame ? position.tiles.find((one) => frame.chosen.includes(`${one.tile} `))?.tile : undefined;
  const where = frame ? (position.round ? `Round ${position.round} of ${position.rounds}` : "Set-up") : "The end";
  const now = frame ? h("p.now", null, h(`b.seat-name.seat-${frame.seat}`, null, film.seats[frame.seat].name), `: ${frame.chosen}`) : h("p.now", null, film.places);
  const last = said.filter(Boolean).at(-1) ?? "";
  clear(scene("game"), h("h2", null, `${where} · ${why}`), board({ position, seats: film.seats, seat: null, tile }), now, h("p.story", { "aria-live": "polite" }, frame ? last : said.filter(Boolean).join(" ")), graph(film, at, every));
}

function graph(film, at, every) {
  const most = Math.max(1, ...every.slice(0, at + 1).flat());
  const lines = film.seats.map((_, seat) => svg(`polyline.line.seat-${seat}`, { points: every.slice(0, at + 1).map((scores, place) => `${((place / film.frames.length) * 1000).toFixed(1)},${(100 - (scores[seat] / most) * 96).toFixed(1)}`).join(" ") }));
  return svg("svg.plot", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" }, lines);
}

follow(document.body.dataset.stream, replaceSection);
if (!fixed) scene("game").removeAttribute("data-empty");
run();
