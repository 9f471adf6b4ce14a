// The board: draws a position that the server sends, and knows no rules. One function for every page.

import { h } from "./dom.js";
import { GOODS, GOOD_WORDS, hasIcon, icon } from "./icons.js";

const TERRAINS = ["field", "forest", "hills", "mountain"];
const LAST_ROWS = 6;

// ---- small parts

function goods(values, sign) {
  return GOODS.filter((good) => values[good]).map((good) => {
    const number = values[good];
    const text = sign && number > 0 ? `+${number}` : String(number).replace("-", "−");
    return h("span.good", { title: `${text} ${GOOD_WORDS[good]}` }, icon(good, GOOD_WORDS[good]), text);
  });
}

function extras(tile) {
  const found = tile.any ? [h("span.good", { title: `+${tile.any} of any kind` }, icon("any", "of any kind"), `+${tile.any}`)] : [];
  for (const [name, count] of Object.entries(tile.counters ?? {})) if (count) found.push(h("span.good", null, `+${count} ${name}`));
  return found;
}

function terrainClass(tile) {
  const words = TERRAINS.filter((word) => tile.title.includes(word));
  if (words.length) return `.land.${words.join("-")}`;
  return tile.kind === "land" || tile.land ? ".land" : ".building";
}

function points(number) {
  return h("span.points", { title: `${number} points` }, String(number), icon("star", "points"));
}

// ---- tiles on display

function price(tile, names) {
  if (tile.bid) {
    return h(`span.bid.seat-${tile.bid.seat}`, null, icon("coin", "coins"), h("b", null, String(tile.bid.coins)), " ", names[tile.bid.seat]);
  }
  const least = tile.min + tile.surcharge;
  const told = tile.surcharge ? `${tile.min}+${tile.surcharge}` : String(tile.min);
  return h("span.price", { title: `costs at least ${least} coins` }, "from ", icon("coin", "coins"), h("b", null, told));
}

function tileCard(tile, names, chosen) {
  const rows = [];
  const once = goods(tile.once, true);
  const each = [...goods(tile.income, true), ...extras(tile)];
  const cost = goods(tile.cost, false);
  if (cost.length) rows.push(h("div.row", null, h("span.what", null, "cost"), cost));
  if (once.length) rows.push(h("div.row", null, h("span.what", null, "at once"), once));
  if (each.length) rows.push(h("div.row", null, h("span.what", null, "a round"), each));
  for (const note of tile.notes) rows.push(h("div.note", null, note));
  return h(`li.tile${terrainClass(tile)}${chosen ? ".chosen" : ""}${tile.bid ? `.held.seat-${tile.bid.seat}` : ""}`, null,
    h("div.band", null, h("b", null, tile.title), h("span", null, tile.tile)),
    h("div.inside", null, points(tile.points), rows),
    h("div.foot", null, price(tile, names)));
}

function row(title, tiles, names, chosen) {
  if (!tiles.length) return null;
  return h("section.row-of-tiles", null, h("h3", null, title),
    h("ol.tiles", null, tiles.map((tile) => tileCard(tile, names, chosen === tile.tile))));
}

// ---- seats

function held(tile, land) {
  const gives = goods(tile.income, true);
  const told = `${tile.tile} ${tile.title}, ${tile.points} points`;
  return h(`li.held-tile${terrainClass({ ...tile, land })}${tile.marked ? ".marked" : ""}`, { title: told },
    h("span.band", null, land ? `${tile.tile} ${tile.title.replace(" and ", "/")}` : tile.title),
    h("span.inside", null, gives, points(tile.points)),
    tile.marked ? h("span.mark", { title: "still to be paid in the next supply round" }, "unpaid ", icon("coin", "coins"), String(tile.marked)) : null);
}

const PART_WORDS = {
  herd: (part) => [`${part.goats} goats`],
  hero_seat: (part) => [`hero ${part.hero}${part.turned ? ", turned" : ""}${part.spent ? ", spent" : ""}`],
  strength_seat: (part) => [`strength ${part.strength}`, `${part.cloverleaves} cloverleaves`, ...(part.mercenaries ? [`${part.mercenaries} ${part.mercenaries === 1 ? "mercenary" : "mercenaries"}`] : [])],
  sacrum_seat: (part) => [`${part.given} given up`],
  sea_seat: (part, text) => (part.tiles.length ? [text.replace(/^sea seat: /, "sea ")] : []),
};

function seatParts(seat) {
  const words = seat.parts.flatMap(({ part, text }) => (PART_WORDS[part.type] ? PART_WORDS[part.type](part, text) : text ? [text] : []));
  return words.map((word) => h("span.chip", null, word));
}

const BIDDING = { pass: "passed", passed: "passed", withdrawn: "withdrew" };

function seatPanel(seat, view) {
  const who = view.seats[seat.seat];
  const asked = view.position.asked?.seat === seat.seat;
  const shields = seat.protects.map((kind) => h("span.chip", { title: `protected from ${kind}` }, icon("shield", "protected from"), kind));
  const turn = view.position.order.indexOf(seat.seat) + 1;
  return h(`article.seat.seat-${seat.seat}${asked ? ".asked" : ""}${view.seat === seat.seat ? ".viewed" : ""}`, { "aria-label": who.name },
    h("header", null,
      h("b.name", null, who.name), h("span.civilization", null, who.civilization),
      h("span.turn", { title: "position in the turn order" }, `${turn}.`),
      BIDDING[seat.bidding] ? h("span.chip", null, BIDDING[seat.bidding]) : null,
      h("span.totals", { title: "points of tiles and coins · points of inhabitants: the lower one counts" }, `${seat.prestige}`, icon("star", "prestige"), ` · ${seat.population}`, icon("pop", "population")),
      h("b.score", { title: "score if the game ended now" }, String(seat.score))),
    h("ul.stock", null, GOODS.map((good) => {
      const most = seat.storage[good];
      const each = seat.income[good];
      return h("li", { title: `${seat.stock[good] ?? 0} ${GOOD_WORDS[good]}${most ? `, room for ${most}` : ""}${each ? `, ${each} a round` : ""}` },
        icon(good, GOOD_WORDS[good]), h("b", null, String(seat.stock[good] ?? 0)),
        most ? h("span.most", null, `/${most}`) : null,
        each ? h("span.each", null, each > 0 ? `+${each}` : `−${-each}`) : null);
    }), seat.any ? h("li", null, icon("any", "of any kind"), h("span.each", null, `+${seat.any}`)) : null),
    h("ol.held", { "aria-label": "lands, then buildings" }, seat.lands.map((tile) => held(tile, true)), seat.buildings.map((tile) => held(tile, false))),
    h("div.chips", null, shields, seatParts(seat)));
}

// ---- chits and the modules' parts on the table

function chits(position) {
  const { drawn, left, strikes_at: strikes } = position.chits;
  const rows = Object.entries(drawn).map(([kind, count]) => {
    const word = kind.replaceAll("_", " ");
    const most = kind.startsWith("persians") ? count : Math.max(strikes, count);
    const dots = Array.from({ length: most }, (_, at) => h(`i.chit${at < count ? ".drawn" : ""}`));
    return h("li", { title: `${count} drawn` }, hasIcon(kind) ? icon(kind) : icon("blank"), h("span", null, word), h("span.dots", { role: "img", "aria-label": `${count} drawn` }, dots));
  });
  return h("section.chits", null, h("h3", null, `Disasters (strike at ${strikes})`),
    rows.length ? h("ul", null, rows) : h("p.small", null, "No chit is drawn yet."), h("p.small", null, `${left} chits left`));
}

function tableParts(view) {
  const lines = view.position.parts.flatMap(({ part, text }) => {
    if (part.type === "aid") return part.holder === null || part.holder === undefined ? ["aid: nobody has it"] : [`aid: ${view.seats[part.holder].name} has it`];
    return text ? [text] : [];
  });
  return lines.length ? h("section.table-parts", null, h("h3", null, "On the table"), h("ul", null, lines.slice(0, LAST_ROWS).map((line) => h("li", null, line)))) : null;
}

// ---- the whole

export function boardWords(view) {
  const { position } = view;
  const seats = position.seats.map((seat) => `${view.seats[seat.seat].name} ${seat.score}`).join(", ");
  return `${position.round ? `Round ${position.round} of ${position.rounds}` : "Set-up"}. If it ended now: ${seats}.`;
}

// view: {position, seats: [{name, civilization}], seat: the highlighted seat, or null, tile: the tile being chosen}
export function board(view) {
  const { position } = view;
  const names = view.seats.map((seat) => seat.name);
  const open = position.tiles.filter((tile) => tile.row === "open");
  const conquest = position.tiles.filter((tile) => tile.row === "conquest");
  const surcharge = conquest[0]?.surcharge ?? 3;
  const order = view.seat === null || view.seat === undefined ? position.seats : [...position.seats.slice(view.seat), ...position.seats.slice(0, view.seat)];
  return h(`div.board.seats-${position.seats.length}`, { role: "group", "aria-label": boardWords(view) },
    h("div.display", null, row("On offer", open, names, view.tile), row(`Conquer: ${surcharge} extra, cannot be outbid`, conquest, names, view.tile),
      position.tiles.length ? null : h("p.small.no-tiles", null, "No tiles are on display."), tableParts(view)),
    h("div.seats", null, order.map((seat) => seatPanel(seat, view))),
    chits(position));
}
