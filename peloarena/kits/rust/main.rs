//! @NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.
//!
//! Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals
//! the first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the
//! numbers, then the functions, then the idea.

mod json;
mod messages;

use messages::{Decide, Goods, Message, Move, NewGame, Tile};
use std::{cmp::Reverse, error::Error, io};

/// One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts.
const WORTH: Goods = Goods { wood: 3, stone: 3, food: 5, coin: 5, pop: 20, lux: 3 };
const POINT: i64 = 10; // of prestige
const ANY: i64 = 3; // good, in an income

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = NewGame::default();
    for line in io::stdin().lines() {
        match line?.parse()? {
            Message::Hello(_) => println!(r#"{{"type":"hello","name":"@NAME@"}}"#),
            Message::NewGame(newgame) => {
                game = *newgame;
                println!(r#"{{"type":"ready"}}"#);
            }
            Message::Decide(decide) => {
                println!(r#"{{"type":"answer","id":{},"index":{}}}"#, decide.id, choose(&decide, &game));
            }
            Message::Quit => break,
            Message::GameOver(_) | Message::Unknown => {}
        }
    }
    Ok(())
}

/// The place of the best move in `legal`.
fn choose(decide: &Decide, game: &NewGame) -> usize {
    let liked = |&index: &usize| (liking(&decide.legal[index], decide, game), Reverse(index));
    (0..decide.legal.len()).max_by_key(liked).unwrap_or(0)
}

/// How much I like a move. `about` tells what the question is about: here the coins of a bid that was outbid.
fn liking(mv: &Move, decide: &Decide, game: &NewGame) -> i64 {
    match mv.r#type.as_str() {
        "bid" => value(&mv.tile, decide, game) - WORTH.coin * mv.coins,
        "take_aid" | "move_bid" | "buy_sea" => value(&mv.tile, decide, game),
        "pass" => 3 * WORTH.coin,                            // passing brings 3 coins
        "withdraw" => WORTH.coin * (decide.about.coins + 1), // the bid comes back, and a coin with it
        "feed" => mv.inhabitants,
        "hire" => mv.mercenaries + 1,
        "take_any" | "extra_income" => -decide.me().stock().get(&mv.resource), // what I have least of
        "strengthen" => 2,
        "pay" | "keep" | "complete" | "skip" | "refuse" => 1, // keep what you have, leave alone what you do not know
        _ => 0,
    }
}

/// What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost.
fn value(name: &str, decide: &Decide, game: &NewGame) -> i64 {
    let tile = &game.catalogue.tiles[name];
    let rounds = decide.state.rounds - decide.state.round + 1;
    let income = WORTH.times(&tile.income) + ANY * tile.any;
    let value = POINT * tile.points + WORTH.times(&tile.once) + rounds * income - 2 * WORTH.times(&tile.cost);
    if fits(tile, decide, game) {
        value
    } else {
        0
    }
}

/// Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food.
fn fits(tile: &Tile, decide: &Decide, game: &NewGame) -> bool {
    let me = decide.me();
    if tile.kind != "land" || me.lands.is_empty() || me.abilities.iter().any(|ability| ability == "free_placement") {
        return true;
    }
    let last = &game.catalogue.tiles[&me.lands[me.lands.len() - 1]];
    ["wood", "stone", "food"].iter().any(|good| last.income.get(good) > 0 && tile.income.get(good) > 0)
}
