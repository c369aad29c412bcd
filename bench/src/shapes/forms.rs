//! Texts of one shape at any length: a few characters that are special to the parser, repeated. Such texts expose
//! superlinear time, because they trigger any per-position scan at every position.

use render_core::random::Chance;

/// Strings to repeat, grouped by their characters. `#` stands for a number that grows with each repetition.
const ALPHABETS: &[&[&str]] = &[
    &["1", "7", "12", "1,000", "3.5", "٣", "१", "1.", "2020", "#", "½", "12 300 "],
    &["\u{301}", "e\u{301}", "0\u{301}", "\u{94d}", "क\u{93f}", "\u{64e}", "\u{e34}", "\u{20dd}", "ü"],
    &["\"", "'", "“", "”", "«", "»", "„", "‘", "’", "「", "」", "“a", "a”", "\"a\" "],
    &["[", "]", "](", ")", "(", "![", "[a](b)", "[^1]", "[^#]: ", "[#]: /u\n", "<", "<a", "<!--", "&", "&amp;", "<b>"],
    &["*", "**", "_", "__", "~~", "`", "``", "```\n", "a*", "*a", "_a_ ", "**a** ", "`a` ", "\\", "$", "^"],
    &["|", "|a", "|-", "| a | b |\n|---|---|\n", "|#|b|\n", "a | b\n", "|:-", "a\t", ";"],
    &["😀", "👩\u{200d}", "👩‍👩‍👧", "🇩", "🇩🇪", "\u{fe0f}", "\u{200d}", "🏽", "1\u{fe0f}\u{20e3}"],
    &["\u{202e}", "\u{202d}", "\u{202c}", "\u{2066}", "\u{2069}", "\u{200f}", "א", "ا", "a\u{202e}b "],
    &["- ", "* ", "+ ", "1. ", "#. ", "a) ", "• ", "- [ ] a\n", "- a\n", "  - a\n", "#. a\n", "- a: b\n", "— "],
    &["> ", ">", "> a\n", ">> ", "> > > ", "> “a” — B\n", "    "],
    &["# ", "## a\n\n", "## a #\n\nb\n\n", "### ", "a\n===\n", "a\n---\n", "#", "***\n", "Step #: a\n\n"],
    &["a", "ab", "Aa", "word ", "Word ", "word# ", "pneumono", "I", "x-", "a-b", "don't ", "A", "the "],
    &[
        "\n", "\n\n", "\r\n", "\r", "\u{2028}", "\u{85}", " ", "\u{a0}", "\t", "\u{3000}", "  \n", "\u{200b}",
        "\u{feff}",
    ],
    &["日", "本語", "です。", "東京", "、", "。", "第#章", "「あ」", "ーー", "万", "億", "한국", "漢字"],
    &["ก", "ไทย", "ภาษา", "ๆ", "ก่", "ខ", "ລາວ", "မြ"],
    &["http://a.b/", "https://a.b/c?d=e ", "www.a.de", "a@b.c ", "://", "//", "/", "@a ", "#a ", "a.com ", "."],
    &["2020-01-01", "1 May 2020, ", "Monday ", "10:30 ", "12/3/45 ", "Q3 ", "3 weeks ", "May ", "1990s ", "1.5."],
    &["$", "€5", "$1.5m ", "12 % ", "%", "£", "5 kg ", "USD 3 ", "1 million ", "10-", "+", "±", "3x ", "1/2 "],
    &["a.b.c.", "e.g. ", "Dr. ", "U.S.", "No. ", "etc.", "St. A", "z. B. ", ". ", "! ", "? ", "...", "…", "A. "],
    &["By Ada Moor ", "said A B. ", "“A b c d,” said Ada. ", "Ada: ", "Q: a?\n", "A: b\n", "vs ", "Pros:\n", "Cons:\n"],
    &["Myth: a. ", "Fact: b. ", "Mon: a\n", "1990: a\n", "9:00 a\n", "a → b ", "a: 5\n", "a – b\n", "Name: #\n"],
    &[
        "Call us today. ",
        "Sign up at a.b. ",
        "According to A, ",
        "However, ",
        "It grew by 5 % in 2020. ",
        "Ada Moor founded Acme in 1990. ",
        "This is the one that matters most to all of us. ",
        "Not a b c. ",
        "We rose by # % in May, which was good. ",
        "Water the garden before the sun is up. ",
    ],
];

/// How a text is built from its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The unit, repeated.
    Repeated,
    /// The first half of its tokens repeated, then the rest repeated as often.
    Nested,
    /// The unit, repeated, with one or two line breaks after a number of repetitions.
    Broken(usize, &'static str),
}

/// A shape: its texts differ only in length.
#[derive(Debug, Clone)]
pub struct Shape {
    form: Form,
    before: &'static str,
    unit: Vec<&'static str>,
    behind: &'static str,
    /// Whether its words must stay whole.
    pub exact: bool,
}

/// Optional text before and after.
const AROUND: &[&str] = &[
    "",
    "",
    "",
    "# A title\n\n",
    "A title of some words\n\nA sentence under it. ",
    "- ",
    "1. ",
    "\"",
    "> ",
    "|",
    "a ",
    "```\n",
];

/// Returns `count` shapes, the same for the same seed. The first are the single strings of the alphabets.
#[allow(dead_code, reason = "tests look at mixtures alone")]
pub fn shapes(seed: u64, count: usize) -> Vec<Shape> {
    let single =
        |unit: &'static str| Shape { form: Form::Repeated, before: "", unit: vec![unit], behind: "", exact: false };
    let singles = ALPHABETS.iter().flat_map(|alphabet| alphabet.iter()).map(|unit| single(unit));
    singles.chain(mixed(seed, count)).take(count).collect()
}

/// Returns `count` shapes of several strings each, the same for the same seed.
pub fn mixed(seed: u64, count: usize) -> Vec<Shape> {
    let mut chance = Chance::new(seed);
    std::iter::repeat_with(|| shape(&mut chance)).take(count).collect()
}

fn shape(chance: &mut Chance) -> Shape {
    let (one, other) = (chance.of(ALPHABETS), chance.of(ALPHABETS));
    let tokens = 2 + chance.below(4);
    let unit = (0..tokens).map(|i| if i % 2 == 0 { chance.of(one) } else { chance.of(other) }).collect();
    let form = match chance.below(8) {
        0..4 => Form::Repeated,
        4 => Form::Nested,
        5 => Form::Broken(1 + chance.below(3), "\n"),
        6 => Form::Broken(1 + chance.below(30), "\n\n"),
        _ => Form::Broken(1 + chance.below(300), "\n\n"),
    };
    let (before, behind) = (chance.of(AROUND), chance.of(AROUND));
    Shape { form, before, unit, behind, exact: chance.below(6) == 0 }
}

impl Shape {
    /// Returns a text of this shape with about `chars` characters, never more.
    pub fn text(&self, chars: usize) -> String {
        let around = self.before.chars().count() + self.behind.chars().count();
        let mut out = String::from(self.before);
        let room = chars.saturating_sub(around);
        match self.form {
            Form::Repeated => fill(&mut out, &self.unit, usize::MAX, "", room),
            Form::Broken(every, mark) => fill(&mut out, &self.unit, every, mark, room),
            Form::Nested => {
                let (openers, closers) = self.unit.split_at(self.unit.len().div_ceil(2));
                fill(&mut out, openers, usize::MAX, "", room / 2);
                fill(&mut out, closers, usize::MAX, "", room / 2);
            }
        }
        out + self.behind
    }
}

/// Appends `unit` as often as it fits, with `mark` after every n-th.
fn fill(out: &mut String, unit: &[&str], every: usize, mark: &str, mut room: usize) {
    for n in 1.. {
        let mut next = unit.concat();
        // A heading's mark, which is followed by a space, stays.
        if next.contains('#') && !next.contains("# ") || next.contains("# %") {
            next = next.replacen('#', &n.to_string(), 1);
        }
        if n % every == 0 {
            next += mark;
        }
        let chars = next.chars().count();
        if chars == 0 || chars > room {
            return;
        }
        room -= chars;
        *out += &next;
    }
}

impl std::fmt::Display for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { form, before, unit, behind, exact } = self;
        write!(f, "{form:?} {before:?} {unit:?} {behind:?}{}", if *exact { " exact" } else { "" })
    }
}
