//! Parses the codes of number formats.

/// A token of a format.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Literal(String),
    /// Digit placeholders, as in the format: `#,##0.00`.
    Digits(String),
    Percent,
    /// `E+00`.
    Exponent,
    /// A repeated letter of a date, or an elapsed time (`[h]`).
    Date(String),
}

/// Splits a format into its sections: for positive numbers, negative ones, zero, and text.
pub(super) fn sections(code: &str) -> Vec<&str> {
    let (mut sections, mut from, mut quoted, mut escaped) = (Vec::new(), 0, false, false);
    for (at, c) in code.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' | '_' | '*' => escaped = !quoted,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                sections.push(&code[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    sections.push(&code[from..]);
    sections
}

/// Splits a section into tokens.
pub(super) fn tokens(section: &str) -> Vec<Token> {
    let mut scanner = Scanner { rest: section, tokens: Vec::new() };
    while let Some(c) = scanner.rest.chars().next() {
        scanner.take(c);
    }
    scanner.tokens
}

struct Scanner<'a> {
    rest: &'a str,
    tokens: Vec<Token>,
}

impl<'a> Scanner<'a> {
    /// Takes the token that starts with `c`.
    fn take(&mut self, c: char) {
        let rest = self.rest;
        match c {
            '"' => {
                self.skip(1);
                let text = self.until('"');
                self.literal(text);
            }
            '\\' => {
                self.skip(1);
                let text = self.next_char();
                self.literal(text);
            }
            // A space of a character's width, or a character that fills the cell.
            '_' | '*' => {
                self.skip(1);
                self.next_char();
            }
            '[' => self.bracket(),
            '0' | '#' | '?' | '.' => self.digits(),
            ',' if matches!(self.tokens.last(), Some(Token::Digits(_))) => self.digits(),
            '%' => {
                self.tokens.push(Token::Percent);
                self.skip(1);
            }
            'E' | 'e' if rest[1..].starts_with(['+', '-']) => {
                self.tokens.push(Token::Exponent);
                self.rest = rest[2..].trim_start_matches(['0', '#', '?']);
            }
            'G' | 'g' if rest.get(..7).is_some_and(|w| w.eq_ignore_ascii_case("general")) => self.skip(7),
            'A' | 'a' if rest.get(..5).is_some_and(|w| w.eq_ignore_ascii_case("am/pm")) => {
                self.tokens.push(Token::Date("am/pm".to_owned()));
                self.skip(5);
            }
            'y' | 'm' | 'd' | 'h' | 's' | 'Y' | 'M' | 'D' | 'H' | 'S' => {
                let end = rest.find(|other: char| !other.eq_ignore_ascii_case(&c)).unwrap_or(rest.len());
                self.tokens.push(Token::Date(rest[..end].to_ascii_lowercase()));
                self.skip(end);
            }
            '@' => self.skip(1),
            _ => {
                let text = self.next_char();
                self.literal(text);
            }
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    fn next_char(&mut self) -> &'a str {
        let (text, rest) = self.rest.split_at(self.rest.chars().next().map_or(0, char::len_utf8));
        self.rest = rest;
        text
    }

    /// Takes the text before `end`, and skips `end`.
    fn until(&mut self, end: char) -> &'a str {
        let (text, rest) = self.rest.split_once(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        text
    }

    fn literal(&mut self, text: &str) {
        match self.tokens.last_mut() {
            Some(Token::Literal(before)) => before.push_str(text),
            _ => self.tokens.push(Token::Literal(text.to_owned())),
        }
    }

    /// Takes a currency or an elapsed time; skips colours and conditions.
    fn bracket(&mut self) {
        self.skip(1);
        let inner = self.until(']');
        if let Some(currency) = inner.strip_prefix('$') {
            // The country of the format follows it.
            return self.literal(currency.split('-').next().unwrap_or(""));
        }
        let inner = inner.to_ascii_lowercase();
        if matches!(inner.as_str(), "h" | "hh" | "m" | "mm" | "s" | "ss") {
            self.tokens.push(Token::Date(format!("[{inner}]")));
        }
    }

    fn digits(&mut self) {
        let end = self.rest.find(|c| !matches!(c, '0' | '#' | '?' | '.' | ',')).unwrap_or(self.rest.len());
        let digits = &self.rest[..end];
        self.rest = &self.rest[end..];
        match self.tokens.last_mut() {
            // Fractions of a second are not shown.
            Some(Token::Date(_)) if digits.starts_with('.') && digits.contains('0') => {}
            Some(Token::Digits(before)) => before.push_str(digits),
            _ if digits.contains(['0', '#', '?']) => self.tokens.push(Token::Digits(digits.to_owned())),
            _ => self.literal(digits),
        }
    }
}
