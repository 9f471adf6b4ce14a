//! JSON: a value, its reader (`line.parse::<Json>()`) and its writer (`to_string()`). Standard library only.

#![allow(dead_code)] // a bot need not use everything

use std::fmt;
use std::str::FromStr;

/// Lists and objects inside each other: deeper ones are refused, so that no line can exhaust the stack.
const DEEPEST: usize = 128;

#[derive(Clone, Debug, Default, PartialEq)]
pub enum Json {
    #[default]
    Null,
    Bool(bool),
    /// A number without fraction and exponent that fits.
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A field of an object; Null where there is none.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => fields.iter().rfind(|(key, _)| key == name).map_or(&Json::Null, |(_, value)| value),
            _ => &Json::Null,
        }
    }

    pub fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    pub fn int(&self) -> Option<i64> {
        if let Json::Int(number) = self {
            Some(*number)
        } else {
            None
        }
    }

    /// Of any number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Json::Int(number) => Some(*number as f64),
            Json::Float(number) => Some(*number),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Json]> {
        if let Json::List(items) = self {
            Some(items)
        } else {
            None
        }
    }
}

/// What was wrong, and at which byte.
#[derive(Debug)]
pub struct Error(&'static str, usize);

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        write!(out, "{} at byte {}", self.0, self.1)
    }
}

impl std::error::Error for Error {}

type Result<T> = std::result::Result<T, Error>;

impl FromStr for Json {
    type Err = Error;

    fn from_str(text: &str) -> Result<Json> {
        let mut reader = Reader { text, at: 0, depth: 0 };
        let value = reader.value()?;
        reader.space();
        if reader.at == text.len() {
            Ok(value)
        } else {
            reader.fail("more than one value")
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, what: &'static str) -> Result<T> {
        Err(Error(what, self.at))
    }

    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) -> usize {
        let start = self.at;
        while self.at < self.text.len() && wanted(self.peek()) {
            self.at += 1;
        }
        self.at - start
    }

    fn space(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    }

    /// Goes on behind this mark, if it is what comes next.
    fn found(&mut self, mark: u8) -> bool {
        self.space();
        let found = self.peek() == mark;
        self.at += found as usize;
        found
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json> {
        if !self.text[self.at..].starts_with(word) {
            return self.fail("no value");
        }
        self.at += word.len();
        Ok(value)
    }

    fn value(&mut self) -> Result<Json> {
        self.space();
        match self.peek() {
            b'{' | b'[' if self.depth == DEEPEST => self.fail("nested too deeply"),
            b'{' => Ok(Json::Object(self.items(b'}', Self::field)?)),
            b'[' => Ok(Json::List(self.items(b']', Self::value)?)),
            b'"' => Ok(Json::Text(self.string()?)),
            b't' => self.word("true", Json::Bool(true)),
            b'f' => self.word("false", Json::Bool(false)),
            b'n' => self.word("null", Json::Null),
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.fail("no value"),
        }
    }

    fn items<T>(&mut self, end: u8, item: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.at += 1;
        self.depth += 1;
        let mut items = Vec::new();
        if !self.found(end) {
            items.push(item(self)?);
            while self.found(b',') {
                items.push(item(self)?);
            }
            if !self.found(end) {
                return self.fail("neither a comma nor the end of a list or an object");
            }
        }
        self.depth -= 1;
        Ok(items)
    }

    fn field(&mut self) -> Result<(String, Json)> {
        self.space();
        let name = self.string()?;
        if !self.found(b':') {
            return self.fail("no colon");
        }
        Ok((name, self.value()?))
    }

    fn digits(&mut self) -> Result<usize> {
        match self.skip_while(|byte| byte.is_ascii_digit()) {
            0 => self.fail("no digit"),
            count => Ok(count),
        }
    }

    fn number(&mut self) -> Result<Json> {
        let start = self.at;
        self.at += (self.peek() == b'-') as usize;
        if self.peek() == b'0' {
            self.at += 1; // nothing may follow a leading zero
        } else {
            self.digits()?;
        }
        let whole = self.at;
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), b'e' | b'E') {
            self.at += 1;
            self.at += matches!(self.peek(), b'+' | b'-') as usize;
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if let (true, Ok(number)) = (self.at == whole, text.parse()) {
            return Ok(Json::Int(number));
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Json::Float(number)),
            _ => self.fail("too large a number"),
        }
    }

    fn string(&mut self) -> Result<String> {
        if self.peek() != b'"' {
            return self.fail("no string");
        }
        self.at += 1;
        let mut string = String::new();
        loop {
            let start = self.at;
            self.skip_while(|byte| byte >= b' ' && byte != b'"' && byte != b'\\');
            string.push_str(&self.text[start..self.at]);
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Ok(string);
                }
                b'\\' => string.push(self.escaped()?),
                _ => return self.fail("a string without an end, or a control character in it"),
            }
        }
    }

    fn escaped(&mut self) -> Result<char> {
        self.at += 2;
        Ok(match self.text.as_bytes().get(self.at - 1) {
            Some(plain @ (b'"' | b'\\' | b'/')) => char::from(*plain),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.character(),
            _ => return self.fail("an unknown escape"),
        })
    }

    /// `\u` and four digits, or two of these: characters beyond 16 bits are written as a pair of surrogates.
    fn character(&mut self) -> Result<char> {
        let first = self.four_digits()?;
        if !(0xD800..0xDC00).contains(&first) {
            return char::from_u32(first).map_or_else(|| self.fail("half a character"), Ok);
        }
        if !self.text[self.at..].starts_with("\\u") {
            return self.fail("half a character");
        }
        self.at += 2;
        let second = self.four_digits()?;
        if !(0xDC00..0xE000).contains(&second) {
            return self.fail("half a character");
        }
        Ok(char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)).expect("below 0x110000"))
    }

    fn four_digits(&mut self) -> Result<u32> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4).unwrap_or_default();
        if digits.len() < 4 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return self.fail("four hexadecimal digits are wanted");
        }
        self.at += 4;
        Ok(digits.iter().fold(0, |sum, digit| sum * 16 + char::from(*digit).to_digit(16).expect("checked")))
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Json::Null => out.write_str("null"),
            Json::Bool(value) => write!(out, "{value}"),
            Json::Int(number) => write!(out, "{number}"),
            Json::Float(number) => write!(out, "{number:?}"),
            Json::Text(text) => write_string(out, text),
            Json::List(items) => write_items(out, ['[', ']'], items, |out, item| write!(out, "{item}")),
            Json::Object(fields) => write_items(out, ['{', '}'], fields, |out, (name, value)| {
                write_string(out, name)?;
                write!(out, ":{value}")
            }),
        }
    }
}

fn write_items<T>(
    out: &mut fmt::Formatter,
    [start, end]: [char; 2],
    items: &[T],
    write_item: impl Fn(&mut fmt::Formatter, &T) -> fmt::Result,
) -> fmt::Result {
    write!(out, "{start}")?;
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            out.write_str(",")?;
        }
        write_item(out, item)?;
    }
    write!(out, "{end}")
}

fn write_string(out: &mut fmt::Formatter, text: &str) -> fmt::Result {
    out.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(out, "\\{character}")?,
            '\0'..='\u{1f}' => write!(out, "\\u{:04x}", character as u32)?,
            _ => write!(out, "{character}")?,
        }
    }
    out.write_str("\"")
}
