// @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
//
// Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
// the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
// numbers, then the functions, then the idea.
"use strict";

// One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts.
const WORTH = { wood: 3, stone: 3, food: 5, coin: 5, pop: 20, lux: 3 };
const POINT = 10; // a point of prestige
const ANY = 3; // an income of "any" good

let game = null; // the newgame message

/** How much I like each type of move; keep what you have, leave alone what you do not know. */
const LIKINGS = {
  bid: (move, state) => value(move.tile, state) - WORTH.coin * move.coins,
  take_aid: (move, state) => value(move.tile, state),
  move_bid: (move, state) => value(move.tile, state),
  buy_sea: (move, state) => value(move.tile, state),
  pass: () => 3 * WORTH.coin, // passing brings 3 coins
  withdraw: (move, state, about) => WORTH.coin * (about.coins + 1), // the bid comes back, and a coin with it
  feed: (move) => move.inhabitants,
  hire: (move) => move.mercenaries + 1,
  take_any: (move, state) => -(mySeat(state)[move.resource] || 0), // what I have least of
  extra_income: (move, state) => -(mySeat(state)[move.resource] || 0),
  pay: () => 1,
  keep: () => 1,
  complete: () => 1,
  skip: () => 1,
  refuse: () => 1,
  strengthen: () => 2,
};

/** The place of the best move in `legal`. `about` tells what the question is about, if there is anything to tell. */
function choose({ legal, state, about }) {
  const likings = legal.map((move) => (LIKINGS[move.type] || (() => 0))(move, state, about));
  return likings.indexOf(Math.max(...likings));
}

/** What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost. */
function value(id, state) {
  const tile = game.catalogue.tiles[id];
  if (!fits(tile, state)) return 0;
  const rounds = state.rounds - state.round + 1;
  const income = worth(tile.income) + ANY * (tile.any || 0);
  return POINT * (tile.points || 0) + worth(tile.once) + rounds * income - 2 * worth(tile.cost);
}

/** Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food. */
function fits(tile, state) {
  const { lands, abilities } = mySeat(state);
  if (tile.kind !== "land" || lands.length === 0 || abilities.includes("free_placement")) return true;
  const last = game.catalogue.tiles[lands[lands.length - 1]].income || {};
  const income = tile.income || {};
  return ["wood", "stone", "food"].some((good) => last[good] > 0 && income[good] > 0);
}

function worth(goods = {}) {
  return Object.keys(WORTH).reduce((total, good) => total + WORTH[good] * (goods[good] || 0), 0);
}

function mySeat(state) {
  return state.seats[state.you];
}

const REPLIES = {
  hello: () => ({ type: "hello", name: "@NAME@" }),
  newgame: (message) => ((game = message), { type: "ready" }),
  decide: (message) => ({ type: "answer", id: message.id, index: choose(message) }),
  quit: () => process.exit(0),
};

require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const answer = REPLIES[message.type]?.(message);
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});
