// tiny-js: values a tile by what it gives, and bids as little as it can. Written from spec/PROTOCOL.md alone,
// without any package.
"use strict";

const STORED = ["wood", "stone", "food"];
const POINT = 1.5; // what a point is worth; everything below is measured against it
const INHABITANT = 2.5; // three points, but someone must feed them
const INCOME = { wood: 0.3, stone: 0.3, food: 0.5, coin: 0.4, pop: 2, lux: 0.2 }; // each round that is left
const COIN = 0.5;
const COST = 0.3; // of a good paid for a building

let game = null; // the newgame message

function sum(goods, weight) {
  return Object.entries(goods || {}).reduce((total, [good, amount]) => total + amount * weight(good), 0);
}

/** The lands must share wood, stone or food with their neighbour (R4b). */
function placeable(tile, me) {
  const last = game.catalogue.tiles[me.lands.at(-1)];
  if (!last || me.abilities.includes("free_placement")) return true;
  return STORED.some((good) => (last.income || {})[good] > 0 && (tile.income || {})[good] > 0);
}

/** A building is paid, or marked with a coin (R4a). */
function payable(tile, me, coins) {
  const cost = tile.cost || {};
  return coins >= 1 || Object.keys(cost).every((good) => me[good] >= cost[good]);
}

/** What a tile is worth to me with this number of coins left after the bid. */
function value(tile, state, coins) {
  const me = state.seats[state.you];
  const usable = tile.kind === "land" ? placeable(tile, me) : payable(tile, me, coins);
  if (!usable) return -100;
  const left = state.rounds - state.round + 1;
  const once = sum(tile.once, (good) => (good === "pop" ? INHABITANT : COIN));
  const income = left * (sum(tile.income, (good) => INCOME[good]) + (tile.any || 0) * INCOME.wood);
  return POINT * tile.points + once + income - COST * sum(tile.cost, () => 1);
}

function scarcest(goods, me) {
  return (move) => -me[move[goods]];
}

/** How much I like a move of each kind; unknown ones are all alike. */
const LIKING = {
  bid: (move, state, tiles) => {
    const coins = state.seats[state.you].coin - move.coins;
    return value(tiles[move.tile], state, coins) - COIN * move.coins;
  },
  take_aid: (move, state, tiles) => value(tiles[move.tile], state, state.seats[state.you].coin) - 3,
  pass: () => 3 * COIN,
  move_bid: (move, state, tiles) => value(tiles[move.tile], state, state.seats[state.you].coin),
  withdraw: () => 4 * COIN,
  pay: () => 1,
  complete: () => 1,
  keep: () => 1,
  feed: (move) => move.inhabitants,
  take_any: (move, state) => scarcest("resource", state.seats[state.you])(move),
  extra_income: (move) => INCOME[move.resource],
  buy_sea: () => 1,
  hire: (move) => move.mercenaries,
  skip: () => 0.5,
  refuse: () => 0.5,
};

function choose(question) {
  const tiles = Object.fromEntries(question.tiles.map((tile) => [tile.id, tile]));
  const likings = question.legal.map((move) => (LIKING[move.type] || (() => 0))(move, question.state, tiles));
  return likings.indexOf(Math.max(...likings));
}

const REPLIES = {
  hello: () => ({ type: "hello", name: "tiny-js", version: "1", wants: "state" }),
  newgame: (message) => {
    game = message;
    return { type: "ready" };
  },
  decide: (message) => ({ type: "answer", id: message.id, index: choose(message) }),
  quit: () => process.exit(0),
};

require("readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const message = JSON.parse(line);
    const reply = REPLIES[message.type];
    const answer = reply && reply(message);
    if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
  });
