// @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
//
// Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
// the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
// numbers, then the functions, then the idea.
import { createInterface } from "readline";
import type { Decide, FromBot, Good, Goods, Move, NewGame, Seat, State, Tile, ToBot } from "./messages";

// One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts.
const WORTH: Required<Goods> = { wood: 3, stone: 3, food: 5, coin: 5, pop: 20, lux: 3 };
const POINT = 10; // a point of prestige
const ANY = 3; // an income of "any" good

let game: NewGame;

/** The place of the best move in `legal`. */
function choose(decide: Decide): number {
  const likings = decide.legal.map((move) => liking(move, decide));
  return likings.indexOf(Math.max(...likings));
}

/** How much I like a move. `about` tells what the question is about: here the coins of a bid that was outbid. */
function liking(move: Move, { state, about }: Decide): number {
  if (!state) return 0; // it comes unless `hello` wants only events
  switch (move.type) {
    case "bid": return value(move.tile, state) - WORTH.coin * move.coins;
    case "take_aid": case "move_bid": case "buy_sea": return value(move.tile, state);
    case "pass": return 3 * WORTH.coin; // passing brings 3 coins
    case "withdraw": return WORTH.coin * ((about?.coins ?? 0) + 1); // the bid comes back, and a coin with it
    case "feed": return move.inhabitants;
    case "hire": return move.mercenaries + 1;
    case "take_any": case "extra_income": return -mySeat(state)[move.resource]; // what I have least of
    case "pay": case "keep": case "complete": return 1; // keep what you have,
    case "skip": case "refuse": return 1; // leave alone what you do not know
    case "strengthen": return 2;
    default: return 0;
  }
}

/** What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost. */
function value(id: string, state: State): number {
  const tile = game.catalogue.tiles[id];
  if (!fits(tile, mySeat(state))) return 0;
  const rounds = state.rounds - state.round + 1;
  const income = worth(tile.income) + ANY * (tile.any ?? 0);
  return POINT * (tile.points ?? 0) + worth(tile.once) + rounds * income - 2 * worth(tile.cost);
}

/** Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food. */
function fits(tile: Tile, me: Seat): boolean {
  if (tile.kind !== "land" || me.lands.length === 0 || me.abilities.includes("free_placement")) return true;
  const last = game.catalogue.tiles[me.lands[me.lands.length - 1]].income ?? {};
  const goods: Good[] = ["wood", "stone", "food"];
  return goods.some((good) => (last[good] ?? 0) > 0 && (tile.income?.[good] ?? 0) > 0);
}

function worth(goods: Goods = {}): number {
  return (Object.keys(WORTH) as Good[]).reduce((total, good) => total + WORTH[good] * (goods[good] ?? 0), 0);
}

function mySeat(state: State): Seat {
  return state.seats[state.you];
}

function reply(message: ToBot): FromBot | undefined {
  switch (message.type) {
    case "hello": return { type: "hello", name: "@NAME@" };
    case "newgame": game = message; return { type: "ready" };
    case "decide": return { type: "answer", id: message.id, index: choose(message) };
    case "quit": process.exit(0);
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const answer = reply(JSON.parse(line) as ToBot);
  if (answer) process.stdout.write(JSON.stringify(answer) + "\n");
});
