//! What the referee says, as types. spec/PROTOCOL.md explains each field.
//!
//! Whatever a message leaves out is 0, "", false or empty here; fields that are not here are ignored.

#![allow(dead_code)] // a bot need not look at everything

use crate::json::Json;
use std::collections::BTreeMap;
use std::str::FromStr;

#[derive(Clone, Debug)]
pub enum Message {
    Hello(Hello),
    NewGame(Box<NewGame>),
    Decide(Box<Decide>),
    GameOver(GameOver),
    Quit,
    /// One of a later version: to be ignored.
    Unknown,
}

impl FromStr for Message {
    type Err = String;

    /// Reads a line.
    fn from_str(line: &str) -> Result<Message, String> {
        let json: Json = line.parse().map_err(|error| format!("{error}"))?;
        Ok(match json.get("type").text().unwrap_or_default() {
            "hello" => Message::Hello(FromJson::from_json(&json)?),
            "newgame" => Message::NewGame(Box::new(FromJson::from_json(&json)?)),
            "decide" => Message::Decide(Box::new(FromJson::from_json(&json)?)),
            "gameover" => Message::GameOver(FromJson::from_json(&json)?),
            "quit" => Message::Quit,
            _ => Message::Unknown,
        })
    }
}

/// What can be made of a JSON value; of null, which stands for a missing field, the default.
pub trait FromJson: Default {
    fn from_json(json: &Json) -> Result<Self, String>;
}

fn field<T: FromJson>(json: &Json, name: &str) -> Result<T, String> {
    T::from_json(json.get(name)).map_err(|error| format!("{name}: {error}"))
}

/// `Name { field: Type, ... }` becomes a struct with public fields that is read from a JSON object of the same names.
macro_rules! structs {
    ($($(#[$about:meta])* $name:ident { $($field:ident: $kind:ty),* $(,)? })*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, Default)]
        pub struct $name {
            $(pub $field: $kind,)*
        }

        impl FromJson for $name {
            fn from_json(json: &Json) -> Result<Self, String> {
                Ok($name { $($field: field(json, stringify!($field).trim_start_matches("r#"))?,)* })
            }
        }
    )*};
}

structs! {
    Hello { protocol: i64, referee: String }
    NewGame {
        game: String, seat: usize, seats: Vec<String>, options: Options, clock: Clock, random: i64,
        catalogue: Catalogue,
    }
    Options {
        players: i64, modules: Vec<String>, level: i64, rounds: i64, tiles_per_round: i64, components: String,
    }
    Clock { bank_ms: i64, increment_ms: i64, move_ms: Option<i64> }

    /// A question: one of `legal` is to be chosen.
    Decide {
        id: i64, kind: String, legal: Vec<Move>, bank_ms: i64, about: About, state: State, tiles: Vec<Tile>,
        events: Vec<Json>,
    }
    /// Which fields it has depends on `type`.
    Move {
        r#type: String, tile: String, coins: i64, resource: String, inhabitants: i64, give: String, given: i64,
        get: String, got: i64, goats: i64, chit: String, kind: String, way: String, mercenaries: i64, deck: String,
        seat: i64,
    }
    /// What is asked about. Which fields it has depends on the `kind` of the question.
    About {
        coins: i64, tile: String, kind: String, hungry: i64, done: Vec<Vec<String>>, resource: String, most: i64,
        deck: String, by: i64,
    }
    GameOver { ranks: Vec<i64>, result: Option<GameResult>, events: Vec<Json> }
    GameResult { seats: Vec<SeatResult>, level: i64, target: i64, passed: bool }
    SeatResult { score: i64, prestige: i64, population: i64, luxury: i64, rank: i64 }

    /// What all players see.
    State {
        you: usize, round: i64, rounds: i64, order: Vec<usize>, seats: Vec<Seat>, open: Vec<String>,
        conquest: Vec<String>, offers: Vec<Offer>, r#box: Vec<String>, stacks: BTreeMap<String, Vec<String>>,
        chits: BTreeMap<String, i64>, chit: String, pile: BTreeMap<String, i64>, pile_bottom: Vec<String>,
        parts: BTreeMap<String, Json>,
    }
    Seat {
        civilization: String, mat: String, wood: i64, stone: i64, food: i64, coin: i64, pop: i64, lux: i64,
        lands: Vec<String>, buildings: Vec<String>, marks: Vec<Marker>, bidding: String, taken: String,
        chosen: Vec<String>, extra_income: Vec<String>, income: Goods, any: i64, abilities: Vec<String>,
        protects: Vec<String>, parts: BTreeMap<String, Json>,
    }
    Offer { tile: String, seat: usize, coins: i64 }
    Marker { tile: String, coins: i64 }
    Goods { wood: i64, stone: i64, food: i64, coin: i64, pop: i64, lux: i64 }

    /// What is printed on the pieces in play.
    Catalogue {
        mats: BTreeMap<String, Mat>, civilizations: BTreeMap<String, Civilization>, tiles: BTreeMap<String, Tile>,
        cards: BTreeMap<String, Json>, abilities: BTreeMap<String, String>,
        chits: BTreeMap<String, BTreeMap<String, i64>>,
    }
    Mat {
        id: String, storage: Goods, income: Vec<Vec<i64>>, coins_per_point: i64, points_per_inhabitant: i64,
        abilities: Vec<String>, note: String, set: String,
    }
    Civilization {
        id: String, order: i64, start: Goods, income: Goods, any: i64, protects: Vec<String>,
        abilities: Vec<String>, set: String,
    }
    Tile {
        id: String, kind: String, points: i64, stack: String, name: String, min: i64, cost: Goods, once: Goods,
        income: Goods, any: i64, counters: BTreeMap<String, i64>, protects: Vec<String>, abilities: Vec<String>,
        supply: bool, terrain: String, set: String,
    }
}

impl Decide {
    /// My seat.
    pub fn me(&self) -> &Seat {
        &self.state.seats[self.state.you]
    }
}

impl Seat {
    /// What it has in store.
    pub fn stock(&self) -> Goods {
        Goods { wood: self.wood, stone: self.stone, food: self.food, coin: self.coin, pop: self.pop, lux: self.lux }
    }
}

impl Goods {
    const NAMES: [&'static str; 6] = ["wood", "stone", "food", "coin", "pop", "lux"];

    /// By name; there is none of what has another.
    pub fn get(&self, name: &str) -> i64 {
        match name {
            "wood" => self.wood,
            "stone" => self.stone,
            "food" => self.food,
            "coin" => self.coin,
            "pop" => self.pop,
            "lux" => self.lux,
            _ => 0,
        }
    }

    /// What the others are worth, when this is what one of each good is worth.
    pub fn times(&self, others: &Goods) -> i64 {
        Self::NAMES.iter().map(|good| self.get(good) * others.get(good)).sum()
    }
}

impl FromJson for Json {
    fn from_json(json: &Json) -> Result<Self, String> {
        Ok(json.clone())
    }
}

impl FromJson for bool {
    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Null => Ok(false),
            Json::Bool(value) => Ok(*value),
            other => Err(format!("true or false is wanted, not {other}")),
        }
    }
}

impl FromJson for i64 {
    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Null => Ok(0),
            Json::Int(number) => Ok(*number),
            other => Err(format!("an integer is wanted, not {other}")),
        }
    }
}

impl FromJson for usize {
    fn from_json(json: &Json) -> Result<Self, String> {
        i64::from_json(json)?.try_into().map_err(|_| format!("a number of a seat is wanted, not {json}"))
    }
}

impl FromJson for String {
    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Null => Ok(String::new()),
            Json::Text(text) => Ok(text.clone()),
            other => Err(format!("a text is wanted, not {other}")),
        }
    }
}

impl<T: FromJson> FromJson for Option<T> {
    fn from_json(json: &Json) -> Result<Self, String> {
        if let Json::Null = json {
            Ok(None)
        } else {
            T::from_json(json).map(Some)
        }
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Null => Ok(Vec::new()),
            Json::List(items) => items.iter().map(T::from_json).collect(),
            other => Err(format!("a list is wanted, not {other}")),
        }
    }
}

impl<T: FromJson> FromJson for BTreeMap<String, T> {
    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Null => Ok(BTreeMap::new()),
            Json::Object(fields) => {
                fields.iter().map(|(name, value)| Ok((name.clone(), T::from_json(value)?))).collect()
            }
            other => Err(format!("an object is wanted, not {other}")),
        }
    }
}
