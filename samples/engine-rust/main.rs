//! Flat Monte Carlo in Rust, with `peloarena engine` for the rules: it makes a game of each question, and plays random games to
//! their end after each legal move for as long as the clock allows. Standard library only.

mod json;

use json::Json;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Playouts of one request: enough to hide the way there and back, few enough to mind the clock.
const BATCH: usize = 8;
/// Decisions that the bank has to last for: about half of those in a game.
const DECISIONS_LEFT: f64 = 16.0;
/// Milliseconds for all that is not thinking.
const MARGIN: f64 = 100.0;

/// The line service (spec/ENGINE.md), a process of our own inside the room.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Engine {
    /// `python` is what bot.toml's `{python}` stands for: the interpreter that has peloarena.
    fn start(python: &str) -> io::Result<Engine> {
        let mut process = Command::new(python)
            .args(["-m", "peloarena", "engine"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        Ok(Engine { process, input, output, requests: 0 })
    }

    /// One line there, one line back.
    fn ask(&mut self, request: &str) -> Json {
        self.requests += 1;
        writeln!(self.input, "{request}").expect("the engine is gone");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the engine is gone");
        let reply: Json = line.parse().expect("the engine answers in JSON");
        assert!(reply.get("type").text() != Some("error"), "engine: {:?}", reply.get("error").text());
        reply
    }
}

fn main() -> io::Result<()> {
    let python = std::env::args().nth(1).expect("bot.toml gives the interpreter");
    let mut engine = Engine::start(&python)?;
    let mut newgame = String::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let message: Json = line.parse().expect("the referee speaks JSON");
        match message.get("type").text().unwrap_or_default() {
            "hello" => println!(r#"{{"type":"hello","name":"engine-rust"}}"#),
            "newgame" => {
                newgame = line;
                engine.ask(r#"{"type":"hello"}"#); // so that it is there when the clock starts
                println!(r#"{{"type":"ready"}}"#);
            }
            "decide" => {
                let id = message.get("id").number().unwrap();
                let index = best_move(&mut engine, &newgame, &line, &message);
                println!(r#"{{"type":"answer","id":{id},"index":{index}}}"#);
            }
            "quit" => break,
            _ => {}
        }
    }
    drop(engine.input); // at the end of its input the engine leaves
    engine.process.wait()?;
    Ok(())
}

/// Both messages go to the engine as they came; each round of requests gives every move that is left a few playouts, and
/// the worse half is given up whenever a share of the time is over.
fn best_move(engine: &mut Engine, newgame: &str, decide: &str, question: &Json) -> usize {
    let told: Json = newgame.parse().expect("it was read before");
    let (seat, began) = (told.get("seat").number().unwrap(), Instant::now());
    let seconds = budget(question.get("bank_ms").number().unwrap(), told.get("clock"));
    let request = format!(r#"{{"type":"from_decide","random":{},"newgame":{newgame},"decide":{decide}}}"#, engine.requests);
    let made = engine.ask(&request);
    let (game, moves) = (made.get("game").number().unwrap(), made.get("moves").number().unwrap() as usize);
    let (mut totals, mut playouts) = (vec![0.0; moves], vec![0.0; moves]);
    let mut left: Vec<usize> = (0..moves).collect();
    let halvings = (moves as f64).log2().ceil() as u32;
    for half in 1..=halvings {
        while began.elapsed() < seconds * half / halvings {
            for &index in left.iter().take_while(|_| began.elapsed() < seconds) {
                let random = engine.requests; // another number each time: hidden things are drawn anew for each playout
                let reply = engine.ask(&format!(
                    r#"{{"type":"playout","game":{game},"index":{index},"seat":{seat},"random":{random},"playouts":{BATCH}}}"#
                ));
                totals[index] += reply.get("ahead").list().unwrap()[seat as usize].number().unwrap();
                playouts[index] += BATCH as f64;
            }
        }
        let mean = |index: usize| if playouts[index] > 0.0 { totals[index] / playouts[index] } else { f64::MIN };
        left.sort_by(|one, other| mean(*other).total_cmp(&mean(*one)));
        left.truncate((left.len() + 1) / 2);
    }
    engine.ask(&format!(r#"{{"type":"drop","game":{game}}}"#));
    left[0]
}

/// A share of the bank and the increment; never all of the bank, never more than a move may take.
fn budget(bank: f64, clock: &Json) -> Duration {
    let most = clock.get("move_ms").number().map_or(bank, |limit| bank.min(limit));
    let wanted = bank / DECISIONS_LEFT + clock.get("increment_ms").number().unwrap();
    Duration::from_secs_f64((wanted.min(most * 0.8) - MARGIN).max(0.0) / 1000.0)
}
