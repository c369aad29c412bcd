//! Detects text that is not text: glyphs whose codes stand for other characters than they show, as in charts and in
//! fonts without a mapping. It judges how characters follow one another in each script.

/// Minimum characters to judge a font.
const SAMPLE: usize = 12;
/// Like [`SAMPLE`], for fonts that are judged by their vowels: the minimum of letters.
const LETTERS: usize = 60;
/// Consecutive letters that form a word.
const WORD: usize = 3;
/// Characters of the longest name or factor in a formula; a number may have more.
const NAME: usize = 5;
/// Operators of formulas, of one character and of two.
const OPERATORS: &str = "+-*/^=<>|~±×÷·−≤≥≠≈";
const PAIRS: [&str; 8] = ["<=", ">=", "==", "!=", ":=", "->", "=>", "**"];

/// Counts the characters of a text by type.
#[derive(Debug, Default)]
struct Counts {
    all: usize,
    letters: usize,
    ascii_letters: usize,
    digits: usize,
    /// ASCII signs other than those that occur beside words and within numbers.
    signs: usize,
    /// The number of different signs.
    different: usize,
    /// Letters that are part of words.
    in_words: usize,
    /// Changes from lower to upper case within words.
    bumps: usize,
    /// Letters of scripts with vowel letters, and those that are vowels.
    judged: usize,
    vowels: usize,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Self::default();
        let mut seen = [false; 128];
        let (mut row, mut last) = (0, ' ');
        for c in text.chars().chain([' ']) {
            if c.is_alphabetic() {
                row += 1;
                counts.letters += 1;
                counts.ascii_letters += usize::from(c.is_ascii_alphabetic());
                counts.bumps += usize::from(last.is_lowercase() && c.is_uppercase());
                if is_judged(c) {
                    counts.judged += 1;
                    counts.vowels += usize::from(is_vowel(c));
                }
            } else {
                counts.in_words += if row >= WORD { row } else { 0 };
                row = 0;
                counts.digits += usize::from(c.is_numeric());
                if is_sign(c) {
                    counts.signs += 1;
                    counts.different += usize::from(!std::mem::replace(&mut seen[c as usize], true));
                }
            }
            counts.all += usize::from(!c.is_whitespace());
            last = c;
        }
        counts
    }

    /// Returns whether signs are scattered among letters and digits that form no words.
    fn is_strewn(&self, least: usize) -> bool {
        self.all >= least
            && self.different >= 4
            && 10 * self.signs >= 3 * self.all
            && 3 * self.in_words < self.letters.max(1)
    }
}

/// Returns whether a font's output is not text. If it is `guessed` from the codes of its glyphs, it must look like
/// words; the file's own mapping counts as text unless it clearly isn't.
pub fn is_noise(text: &str, guessed: bool) -> bool {
    let counts = Counts::of(text);
    if guessed {
        let words = 2 * counts.letters > counts.all && 20 * counts.ascii_letters >= 17 * counts.letters;
        let spoken = (20..=60).contains(&(100 * counts.vowels / counts.judged.max(1)));
        let cased = 12 * counts.bumps < counts.letters;
        let numbers = 10 * counts.digits >= 6 * counts.all;
        return counts.all < SAMPLE || !(words && spoken && cased && 5 * counts.signs < counts.all || numbers);
    }
    let unspoken = counts.judged >= LETTERS && 100 * counts.vowels < 15 * counts.judged;
    unspoken && 2 * counts.judged > counts.all || counts.is_strewn(SAMPLE)
}

/// Removes the words of a line that are not text.
pub fn without_noise(text: &str) -> String {
    if Counts::of(text).is_strewn(6) && !is_formula(text) {
        return String::new();
    }
    let kept = |word: &&str| !Counts::of(word).is_strewn(8) || is_formula(word);
    if text.split(' ').all(|word| kept(&word)) {
        return text.to_owned();
    }
    text.split(' ').filter(kept).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// What may follow in a formula.
#[derive(Debug, Clone, Copy)]
enum Wanted {
    /// A name, a number or a bracket, with or without a sign.
    Operand,
    /// The same after a sign.
    Signed,
    /// An operator, or the end.
    Operator,
}

/// Returns whether short names and numbers alternate with operators, as in a formula.
fn is_formula(text: &str) -> bool {
    let mut rest = text.trim_end_matches([',', '.', ';', ':']).trim();
    let mut wanted = Wanted::Operand;
    while let Some(first) = rest.chars().next() {
        let (token, behind) = rest.split_at(token_length(rest));
        let is_operator = PAIRS.contains(&token) || OPERATORS.contains(first);
        wanted = match (wanted, first) {
            (_, c) if c.is_alphanumeric() && !is_operand(token) => return false,
            (Wanted::Operand | Wanted::Signed, c) if c.is_alphanumeric() => Wanted::Operator,
            // "2 (a + b) x": adjacent operands are multiplied, but two numbers are not.
            (Wanted::Operator, c) if c.is_alphabetic() => Wanted::Operator,
            (_, '(' | '[' | '{') => Wanted::Operand,
            (Wanted::Operator, ')' | ']' | '}') => Wanted::Operator,
            (Wanted::Operator, _) if is_operator => Wanted::Operand,
            (Wanted::Operator, '!' | '%' | '\'') => Wanted::Operator,
            (Wanted::Operator, ',' | ';') => Wanted::Operand,
            (Wanted::Operand, '-' | '+' | '−' | '±') => Wanted::Signed,
            _ => return false,
        };
        rest = behind.trim_start();
    }
    true
}

/// Returns the length of the first token of a formula: a name or a number, an operator, a bracket.
fn token_length(text: &str) -> usize {
    let mut chars = text.chars().peekable();
    let mut length = 0;
    while let Some(c) = chars.next() {
        let within_number = matches!(c, '.' | ',') && chars.peek().is_some_and(|c| c.is_numeric());
        if !(c.is_alphanumeric() || length > 0 && (c == '_' || within_number)) {
            break;
        }
        length += c.len_utf8();
    }
    match length {
        0 if PAIRS.iter().any(|pair| text.starts_with(pair)) => 2,
        0 => text.chars().next().map_or(0, char::len_utf8),
        _ => length,
    }
}

fn is_operand(token: &str) -> bool {
    token.chars().count() <= NAME || token.chars().all(|c| c.is_numeric() || matches!(c, '.' | ','))
}

fn is_sign(c: char) -> bool {
    c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '-' | '\'' | '"' | '(' | ')' | '[' | ']' | '_')
}

/// Returns whether a letter is Latin, Greek or Cyrillic.
fn is_judged(c: char) -> bool {
    matches!(c, 'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' | '\u{386}'..='\u{3ff}' | '\u{400}'..='\u{52f}')
}

fn is_vowel(c: char) -> bool {
    let c = c.to_lowercase().next().unwrap_or(c);
    // Latin letters with a diacritic are nearly all vowels.
    "aeiouyæœøıαεηιουωάέήίόύώϊϋаеёиоуыэюяієїѣў".contains(c)
        || matches!(c, '\u{e0}'..='\u{e6}' | '\u{e8}'..='\u{ef}' | '\u{f2}'..='\u{f6}' | '\u{f8}'..='\u{fd}' | '\u{101}' | '\u{103}' | '\u{105}' | '\u{113}' | '\u{119}' | '\u{11b}' | '\u{12b}' | '\u{14d}' | '\u{151}' | '\u{16b}' | '\u{16f}' | '\u{171}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_of_charts_are_no_text() {
        for noise in ["6/J/27+*?:#0%1$23#", "!\"#$%&'()*+,-./012", "8&=;3+:/7 <@>4 *$#%!9"] {
            assert_eq!(without_noise(noise), "", "{noise}");
        }
        assert_eq!(without_noise("Figure 3 6/J/27+*?:#0%1$23# shows it"), "Figure 3 shows it");
        for text in [
            "It costs $12.50 (+3%) & more: see https://example.org/a?b=c&d=e#f",
            "if (a[i] != b[i]) { return foo(&bar, \"x\") || baz; }",
            "+49 (0)30/1234-56, 12/03/2026 10:30",
            "a + b = c",
            "x² + y² = (a + b)²",
            "==========",
            "¿Qué? ¡Sí!",
            "価格：１２％（税込）＋送料",
            "C++ & C#, AT&T",
            "12.5%",
            "",
        ] {
            assert_eq!(without_noise(text), text);
        }
    }

    #[test]
    fn formulas_are_text_whatever_their_signs() {
        for formula in [
            "a + b = c * d / e",
            "f(x) = a*x^2 + b*x + c",
            "2x <= 3*y^2 + 4/z - r",
            "n! / (k! * (n - k)!) = C",
            "x = -b / 2 * a + 3^k,",
            "p = 5% * q / r + 10,000",
        ] {
            assert!(Counts::of(formula).is_strewn(6), "{formula} is no case of it");
            assert_eq!(without_noise(formula), formula);
        }
        assert!(is_formula("P(A|B) = P(B|A)*P(A)/P(B) (3)") && is_formula("x_1 >= sin(2y + [z])"));
        let said = "The curve f(x)=a*x^2+b*x+c/d falls";
        assert_eq!(without_noise(said), said);
        for noise in ["6/J/27+*?:#0%1$23#", "a + * = c * d / e", "2 3 = 4 * 5 / 6 + 7", "^*/=+<", "J6K27B/3*1=4+8^2"] {
            assert!(!is_formula(noise), "{noise}");
        }
    }

    const ENGLISH: &str =
        "The sea rises and falls twice a day, and the moon pulls at the water: 12 metres in some bays.";

    /// Returns a text whose codes are the glyph IDs of a common font: 29 less than in ASCII.
    fn shifted(text: &str) -> String {
        text.bytes().map(|b| char::from(b.saturating_sub(29))).collect()
    }

    #[test]
    fn a_font_is_judged_by_its_script() {
        for text in [
            ENGLISH,
            "Die Gezeiten steigen und fallen zweimal am Tag, weil der Mond an dem Wasser zieht.",
            "Žluťoučký kůň příšerně úpěl ďábelské ódy a vlk zmrzl, hrst zrn a prst z vrby jsou pryč.",
            "Приливы поднимаются и опускаются дважды в сутки, и море отступает далеко от берега.",
            "Η θάλασσα ανεβαίνει και κατεβαίνει δύο φορές την ημέρα, γιατί την τραβά η σελήνη.",
            "潮は一日に二度満ちて引きます。海岸では注意が必要です。",
            "المد والجزر يحدثان مرتين في اليوم بسبب جاذبية القمر للمياه في البحار والمحيطات.",
            "0 10 20 30 40 50 60 70 80 90 100",
            "fn main() { let x = vec![1, 2, 3]; println!(\"{}\", x.len()); }",
        ] {
            assert!(!is_noise(text, false), "{text}");
            assert!(is_noise(&shifted(text), true), "{}", shifted(text));
        }
        assert!(!is_noise(ENGLISH, true));
        assert!(is_noise(&shifted(ENGLISH), false));
        // Too short to decide, and letters of another alphabet with Latin codes.
        assert!(is_noise("The sea", true));
        assert!(is_noise("Ïðèëèâû ïîäíèìàþòñÿ è îïóñêàþòñÿ äâàæäû â ñóòêè", true));
    }
}
