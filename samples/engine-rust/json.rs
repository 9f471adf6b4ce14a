//! JSON, read only: as much of it as a bot needs.

pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value of a line; None if it is no JSON.
    pub fn read(text: &str) -> Option<Json> {
        let mut reader = Reader { text: text.as_bytes(), at: 0 };
        let value = reader.value()?;
        reader.space();
        if reader.at == reader.text.len() { Some(value) } else { None }
    }

    /// A field of an object; Null where there is none.
    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(fields) => fields.iter().find(|(key, _)| key == name).map_or(&Json::Null, |(_, value)| value),
            _ => &Json::Null,
        }
    }

    pub fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }

    pub fn number(&self) -> Option<f64> {
        if let Json::Number(number) = self { Some(*number) } else { None }
    }

    pub fn list(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        while self.at < self.text.len() && self.text[self.at].is_ascii_whitespace() {
            self.at += 1;
        }
    }

    fn is_next(&mut self, word: &str) -> bool {
        self.space();
        let found = self.text[self.at..].starts_with(word.as_bytes());
        if found {
            self.at += word.len();
        }
        found
    }

    fn value(&mut self) -> Option<Json> {
        self.space();
        match self.text.get(self.at)? {
            b'{' => self.object(),
            b'[' => self.list(),
            b'"' => self.string().map(Json::Text),
            b'n' => self.is_next("null").then(|| Json::Null),
            b't' => self.is_next("true").then(|| Json::Bool(true)),
            b'f' => self.is_next("false").then(|| Json::Bool(false)),
            _ => self.number(),
        }
    }

    fn object(&mut self) -> Option<Json> {
        self.at += 1;
        let mut fields = Vec::new();
        while !self.is_next("}") {
            if !fields.is_empty() && !self.is_next(",") {
                return None;
            }
            self.space();
            let key = self.string()?;
            if !self.is_next(":") {
                return None;
            }
            fields.push((key, self.value()?));
        }
        Some(Json::Object(fields))
    }

    fn list(&mut self) -> Option<Json> {
        self.at += 1;
        let mut items = Vec::new();
        while !self.is_next("]") {
            if !items.is_empty() && !self.is_next(",") {
                return None;
            }
            items.push(self.value()?);
        }
        Some(Json::List(items))
    }

    fn number(&mut self) -> Option<Json> {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|byte| !b"+-.eE0123456789".contains(byte)).unwrap_or(rest.len());
        let number = std::str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
        self.at += end;
        Some(Json::Number(number))
    }

    fn string(&mut self) -> Option<String> {
        if self.text.get(self.at) != Some(&b'"') {
            return None;
        }
        self.at += 1;
        let mut found = Vec::new();
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(found).ok(),
                b'\\' => found.extend(self.escaped()?.to_string().into_bytes()),
                _ => found.push(byte),
            }
        }
    }

    /// Halves of a pair (emoji in a bot's name) become a replacement character: names are nothing that we look at.
    fn escaped(&mut self) -> Option<char> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(match byte {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let digits = std::str::from_utf8(self.text.get(self.at..self.at + 4)?).ok()?;
                self.at += 4;
                char::from_u32(u32::from_str_radix(digits, 16).ok()?).unwrap_or('\u{fffd}')
            }
            other => other as char,
        })
    }
}
