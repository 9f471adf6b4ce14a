// The messages between referee and bot (spec/PROTOCOL.md). Fields with a `?` are left out when they are empty, 0 or
// false. New modules bring new fields and moves: ignore what you do not know.

export type ToBot = Hello | NewGame | Decide | GameOver | Quit;
export type FromBot = BotHello | Ready | Answer;

export interface Hello { type: "hello"; protocol: number; referee: string }
export interface BotHello { type: "hello"; name: string; version?: string; wants?: "state" | "events" | "both" }
export interface Ready { type: "ready" }
export interface Quit { type: "quit" }

export interface Answer {
  type: "answer";
  id: number;
  index?: number; // either this
  move?: Move; // or this
  note?: string;
}

export interface NewGame {
  type: "newgame";
  game: string;
  seat: number;
  seats: string[];
  options: Options;
  clock: Clock;
  random: number;
  catalogue: Catalogue;
}

export interface Decide {
  type: "decide";
  id: number;
  kind: string;
  legal: Move[];
  bank_ms: number;
  about?: About;
  state?: State; // with `wants` "state" (the default) or "both"
  tiles?: Tile[]; // with `state`: those on display
  events?: Event[]; // with `wants` "events" or "both"
}

export interface GameOver { type: "gameover"; ranks: number[]; result: Result | null; events?: Event[] }

export interface Result {
  seats: { score: number; prestige: number; population: number; luxury: number; rank: number }[];
  level?: number; // this and the next two: solo
  target?: number;
  passed?: boolean;
}

export interface Options {
  players: number;
  modules: string[];
  level: number;
  rounds: number;
  tiles_per_round: number;
  components?: string;
}

export interface Clock { bank_ms: number; increment_ms: number; move_ms: number | null }

// -- moves and what they are about ---------------------------------------------------------------------------------

export type Move =
  | { type: "bid"; tile: string; coins: number }
  | { type: "pass" | "withdraw" | "skip" | "accept" | "refuse" }
  | { type: "take_aid" | "move_bid" | "mark" | "keep" | "lose" | "buy_sea" | "strengthen" | "surrender"; tile: string }
  | { type: "pay" | "complete"; tile: string; way?: string }
  | { type: "extra_income" | "take_any"; resource: Good }
  | { type: "feed" | "sacrifice"; inhabitants: number }
  | { type: "trade"; give: Good; given: number; get: Good; got: number }
  | { type: "exchange"; resource: Good; goats: number }
  | { type: "replace_chit"; chit: string }
  | { type: "ward_off"; kind: string }
  | { type: "hire"; mercenaries: number }
  | { type: "offer_swap"; deck: string; seat: number; coins: number };

export interface About {
  coins?: number;
  tile?: string;
  kind?: string;
  hungry?: number;
  done?: [string, string][];
  resource?: Good;
  most?: number;
  deck?: string;
  by?: number;
}

export interface Event { type: string; [field: string]: unknown }

// -- the table -----------------------------------------------------------------------------------------------------

export type Good = "wood" | "stone" | "food" | "coin" | "pop" | "lux";
export type Goods = { [good in Good]?: number };
export type Parts = { [part: string]: { type: string; [field: string]: unknown } };
export type Counts = { [kind: string]: number };

export interface State {
  you: number;
  round: number;
  rounds: number;
  order: number[];
  seats: Seat[];
  open: string[];
  conquest: string[];
  offers: { tile: string; seat: number; coins: number }[];
  box: string[];
  stacks: { [stack: string]: string[] };
  chits: Counts;
  chit: string;
  pile: Counts;
  pile_bottom: string[];
  parts: Parts;
  agenda: unknown[]; // for peloarena's own engine
}

export interface Seat {
  civilization: string;
  mat: string;
  wood: number;
  stone: number;
  food: number;
  coin: number;
  pop: number;
  lux: number;
  lands: string[];
  buildings: string[];
  marks: { tile: string; coins: number }[];
  bidding: "" | "bid" | "passed" | "withdrew" | "aid";
  taken: string;
  chosen: Good[];
  extra_income: Good[];
  income: Goods;
  any: number;
  abilities: string[];
  protects: string[];
  parts: Parts;
}

// -- what is printed on the pieces -----------------------------------------------------------------------------------

export interface Catalogue {
  mats: { [id: string]: Mat };
  civilizations: { [id: string]: Civilization };
  tiles: { [id: string]: Tile };
  cards: { [table: string]: { [id: string]: unknown } };
  abilities: { [ability: string]: string };
  chits: { [set: string]: Counts };
}

interface Piece { id: string; set?: string; source?: string; reconstructed?: string[]; abilities?: string[] }

export interface Tile extends Piece {
  kind: "land" | "building" | "sea";
  points?: number;
  stack?: string;
  name?: string;
  min?: number;
  cost?: Goods;
  once?: Goods;
  income?: Goods;
  any?: number;
  counters?: Counts;
  protects?: string[];
  supply?: boolean;
  terrain?: string;
  with_set?: string;
}

export interface Civilization extends Piece {
  order: number;
  start?: Goods;
  income?: Goods;
  any?: number;
  protects?: string[];
}

export interface Mat extends Piece {
  storage: Goods;
  income: [number, number, number][]; // inhabitants from, coins, luxury
  coins_per_point: number;
  points_per_inhabitant: number;
  note?: string;
}
