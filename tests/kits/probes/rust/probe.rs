//! Prints what the kit's types hold of each message; see tests/kits/probing.py.

mod json;
mod messages;

use json::Json;
use messages::*;
use std::collections::BTreeMap;
use std::fmt::Display;

#[derive(Default)]
struct Words(Vec<String>);

impl Words {
    fn add(&mut self, word: impl Display) -> &mut Self {
        let word = word.to_string().replace(' ', "_");
        self.0.push(if word.is_empty() { "-".into() } else { word });
        self
    }

    fn list(&mut self, items: &[impl Display]) -> &mut Self {
        self.add(joined(items, ","))
    }

    fn map(&mut self, items: &BTreeMap<String, impl Display>) -> &mut Self {
        self.list(&items.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>())
    }

    fn goods(&mut self, goods: &Goods) -> &mut Self {
        self.add(joined(&[goods.wood, goods.stone, goods.food, goods.coin, goods.pop, goods.lux], "/"))
    }

    fn tile(&mut self, tile: &Tile) {
        self.add(&tile.id).add(&tile.kind).add(tile.points).add(&tile.stack).add(&tile.name).add(tile.min);
        self.goods(&tile.cost).goods(&tile.once).goods(&tile.income).add(tile.any).map(&tile.counters);
        self.list(&tile.protects).list(&tile.abilities).add(tile.supply as i32).add(&tile.terrain).add(&tile.set);
    }

    fn seat(&mut self, seat: &Seat) {
        let marks: Vec<_> = seat.marks.iter().map(|mark| format!("{}:{}", mark.tile, mark.coins)).collect();
        self.add(&seat.civilization).add(&seat.mat).goods(&seat.stock()).list(&seat.lands).list(&seat.buildings);
        self.list(&marks).add(&seat.bidding).add(&seat.taken).list(&seat.chosen).list(&seat.extra_income);
        self.goods(&seat.income).add(seat.any).list(&seat.abilities).list(&seat.protects);
    }

    fn newgame(&mut self, game: &NewGame) {
        let (options, clock, pieces) = (&game.options, &game.clock, &game.catalogue);
        self.add("newgame").add(&game.game).add(game.seat).list(&game.seats).add(options.players);
        self.list(&options.modules).add(options.level).add(options.rounds).add(options.tiles_per_round);
        self.add(&options.components).add(clock.bank_ms).add(clock.increment_ms).add(or_none(clock.move_ms));
        self.add(game.random);
        for mat in pieces.mats.values() {
            let rows: Vec<_> = mat.income.iter().map(|row| joined(row, ":")).collect();
            self.add(&mat.id).goods(&mat.storage).list(&rows).add(mat.coins_per_point).add(mat.points_per_inhabitant);
            self.list(&mat.abilities).add(&mat.note).add(&mat.set);
        }
        for civilization in pieces.civilizations.values() {
            self.add(&civilization.id).add(civilization.order).goods(&civilization.start).goods(&civilization.income);
            self.add(civilization.any).list(&civilization.protects).list(&civilization.abilities);
            self.add(&civilization.set);
        }
        pieces.tiles.values().for_each(|tile| self.tile(tile));
        self.map(&pieces.abilities);
        for (set, chits) in &pieces.chits {
            self.add(set).map(chits);
        }
    }

    fn decide(&mut self, decide: &Decide) {
        let about = &decide.about;
        let done: Vec<_> = about.done.iter().map(|pair| joined(pair, ":")).collect();
        self.add("decide").add(decide.id).add(&decide.kind).add(decide.bank_ms);
        for each in &decide.legal {
            self.add(said(each));
        }
        self.add(about.coins).add(&about.tile).add(&about.kind).add(about.hungry).list(&done).add(&about.resource);
        self.add(about.most).add(&about.deck).add(about.by).add(decide.events.len());
        if decide.state.seats.is_empty() {
            self.add("none");
        } else {
            self.state(&decide.state);
            decide.tiles.iter().for_each(|tile| self.tile(tile));
        }
    }

    fn state(&mut self, state: &State) {
        let offers: Vec<_> =
            state.offers.iter().map(|offer| format!("{}:{}:{}", offer.tile, offer.seat, offer.coins)).collect();
        self.add(state.you).add(state.round).add(state.rounds).list(&state.order);
        state.seats.iter().for_each(|seat| self.seat(seat));
        self.list(&state.open).list(&state.conquest).list(&offers).list(&state.r#box);
        for (stack, tiles) in &state.stacks {
            self.add(stack).list(tiles);
        }
        self.map(&state.chits).add(&state.chit).map(&state.pile).list(&state.pile_bottom);
    }

    fn gameover(&mut self, over: &GameOver) {
        self.add("gameover").list(&over.ranks);
        if let Some(result) = &over.result {
            for seat in &result.seats {
                self.add(seat.score).add(seat.prestige).add(seat.population).add(seat.luxury).add(seat.rank);
            }
            self.add(result.level).add(result.target).add(result.passed as i32);
        } else {
            self.add("none");
        }
    }

    /// What a bot says needs no types: it is written as text.
    fn own(&mut self, json: &Json) {
        let text = |name| json.get(name).text().unwrap_or_default();
        self.add(text("type"));
        match text("type") {
            "hello" => {
                self.add(text("name")).add(text("version")).add(text("wants"));
            }
            "answer" => {
                let chosen: Option<Move> = FromJson::from_json(json.get("move")).unwrap();
                self.add(or_none(json.get("id").int())).add(or_none(json.get("index").int()));
                self.add(or_none(chosen.as_ref().map(said))).add(text("note"));
            }
            _ => {}
        }
    }
}

fn joined(items: &[impl Display], between: &str) -> String {
    items.iter().map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

fn or_none(value: Option<impl Display>) -> String {
    value.map_or("none".into(), |value| value.to_string())
}

fn said(m: &Move) -> String {
    let fields: [(&str, &dyn Display); 16] = [
        ("type", &m.r#type), ("tile", &m.tile), ("coins", &m.coins), ("resource", &m.resource),
        ("inhabitants", &m.inhabitants), ("give", &m.give), ("given", &m.given), ("get", &m.get), ("got", &m.got),
        ("goats", &m.goats), ("chit", &m.chit), ("kind", &m.kind), ("way", &m.way), ("mercenaries", &m.mercenaries),
        ("deck", &m.deck), ("seat", &m.seat),
    ];
    let words: Vec<_> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let filled = words.iter().filter(|word| !word.ends_with('=') && !word.ends_with("=0"));
    joined(&filled.collect::<Vec<_>>(), ";")
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (kind, text) = line.split_once('\t').unwrap();
        let mut words = Words::default();
        match kind {
            "seat" => words.seat(&FromJson::from_json(&text.parse().unwrap()).unwrap()),
            "from" => words.own(&text.parse().unwrap()),
            _ => match text.parse().unwrap() {
                Message::Hello(hello) => {
                    words.add("hello").add(hello.protocol).add(hello.referee);
                }
                Message::NewGame(game) => words.newgame(&game),
                Message::Decide(decide) => words.decide(&decide),
                Message::GameOver(over) => words.gameover(&over),
                Message::Quit => {
                    words.add("quit");
                }
                Message::Unknown => panic!("unknown: {text}"),
            },
        }
        println!("{}", words.0.join(" "));
    }
}
