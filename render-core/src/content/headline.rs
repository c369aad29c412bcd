//! What a headline promises: a number of things, a figure, a comparison, instructions. The word lists are cautious,
//! because a missed promise costs a page nothing, while a false one spoils its layout.

use std::ops::Range;

use super::counted;
use super::entities::{CURRENCY_WORDS, PERCENT_WORDS, is_currency};
use super::number;
use super::segment::trimmed;
use super::words::{self, Words};

/// Maximum characters of a headline that is analysed.
const LONGEST: usize = 90;
/// Maximum characters of a figure at poster size.
const FIGURE: usize = 9;
/// Maximum characters of an amount at poster size, and the value from which an amount needs no unit.
const AMOUNT: usize = 12;
const LARGE: f64 = 1000.0;
/// English words after a multiple, besides comparatives, separated by white space.
const MULTIPLIED: &str = "more less as the return returns growth increase improvement speedup what since in over";
/// Words before an amount that are checked for a bound: "at least", "up to".
const BOUND: usize = 3;
/// Maximum characters of a word that is joined to the key after it.
const SHORT: usize = 3;
/// Maximum characters and words of a side of a comparison.
const SIDE: (usize, usize) = (42, 7);
/// Maximum words of a side that is joined by a mere "or".
const OPTION: usize = 3;
/// Signs between a number and the counted thing, in scripts without spaces.
const COUNTERS: [&str; 16] =
    ["つ", "個", "个", "种", "種", "選", "条", "條", "点", "點", "项", "項", "件", "招", "步", "가지"];

/// Words that compare two things, in any language, separated by `|`.
const AGAINST: &str = "vs.|vs|versus|बनाम";
/// By language: words that prefer one thing to another, and words that ask which, separated by `|`.
const BY_LANGUAGE: [(&str, &str, &str); 22] = [
    ("en", "instead of|rather than", "or"),
    ("de", "anstelle von|statt", "oder"),
    ("fr", "plutôt que|au lieu de", "ou"),
    ("es", "en lugar de|en vez de", "o"),
    ("it", "invece di|anziché", "o"),
    ("pt", "em vez de|ao invés de", "ou"),
    ("nl", "in plaats van", "of"),
    ("sv", "istället för|i stället för", "eller"),
    ("da", "i stedet for", "eller"),
    ("nb", "i stedet for", "eller"),
    ("no", "i stedet for", "eller"),
    ("pl", "zamiast", "czy|albo|lub"),
    ("cs", "místo", "nebo"),
    ("ro", "în loc de", "sau"),
    ("ru", "вместо", "или"),
    ("uk", "замість", "або|чи"),
    ("el", "αντί για", "ή"),
    ("tr", "", "ya da|veya"),
    ("fi", "", "vai"),
    ("ar", "بدلا من|بدلًا من", "أم|أو"),
    ("zh", "而不是", "还是"),
    ("id", "", "atau"),
];

/// Openings of headlines that give instructions, in any language, separated by `|`.
const HOW_TO: &str = "how to|a guide to|the guide to|a beginner's guide to|step by step|wie man|wie sie|\
    wie du|wie ihr|wie wir|anleitung|schritt für schritt|comment|pas à pas|cómo|como fazer|guía|paso a paso|come fare|come si|guida|\
    passo dopo passo|passo a passo|hoe|handleiding|stap voor stap|hur|hur man|hvordan|sådan|jak|krok po kroku|jak na|\
    cum|как|шаг за шагом|як|πώς|πως|nasıl|kuinka|hogyan|كيف|كيفية|कैसे|如何|怎样|怎么|bagaimana cara";
/// The same for languages that put them last or in the middle, as parts of words.
const HOW_PARTS: [&str; 4] = ["する方法", "方法", "のやり方", "하는 법"];

/// A headline in three pieces, as byte ranges: before the key, the key, and after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pieces {
    /// The text before the key.
    pub before: Range<usize>,
    /// A number, a figure, or the word between two sides.
    pub key: Range<usize>,
    /// The text after the key.
    pub after: Range<usize>,
}

impl Pieces {
    /// Splits around a key. A short word before the key is joined to it instead of taking its own line ("A $5", "Top
    /// 10").
    fn around(text: &str, key: Range<usize>) -> Self {
        let before = text.get(..key.start).unwrap_or_default().trim();
        let key = if before.chars().count() <= SHORT { 0..key.end } else { key };
        Self::parted(text, key)
    }

    fn parted(text: &str, key: Range<usize>) -> Self {
        let part = |range| trimmed(text, range);
        Self { before: part(0..key.start), key: part(key.clone()), after: part(key.end..text.len()) }
    }
}

/// Returns the number of things that a headline promises ("7 ways to…", "Six ways to…"). `language` is a primary
/// subtag.
pub fn promise(title: &str, language: &str) -> Option<(u32, Pieces)> {
    let lexicon = words::of(language);
    let counted = counted::count(short(title)?, &(0..title.len()), lexicon)?;
    // Accept "The 7 habits" and "Top 10 tools", but not "Route 66 diners".
    let before = title[..counted.at.start].trim().to_lowercase();
    let named = !before.is_empty() && !before.contains(char::is_whitespace);
    if named && before != "top" && !words::has(lexicon.function, &before) && !before.contains(words::is_unspaced) {
        return None;
    }
    let behind = &title[counted.at.end..];
    let counter = COUNTERS.iter().find(|c| behind.starts_with(**c)).map_or(0, |c| c.len());
    let pieces = Pieces::around(title, counted.at.start..counted.at.end + counter);
    (!pieces.after.is_empty()).then_some((counted.number, pieces))
}

/// Returns the only figure of a headline: a share, a multiple, an amount of money, a number with its unit.
pub fn figure(title: &str, language: &str) -> Option<Pieces> {
    let title = short(title)?;
    // "In 5 steps" is a count.
    if promise(title, language).is_some() {
        return None;
    }
    let lexicon = words::of(language);
    let mut numbers = number::all(title).into_iter();
    let (Some(only), None) = (numbers.next(), numbers.next()) else { return None };
    let key = measured(title, only.range, lexicon)?;
    let pieces = Pieces::around(title, key);
    let says =
        [&pieces.before, &pieces.after].into_iter().any(|part| title[part.clone()].contains(char::is_alphabetic));
    (says && title[pieces.key.clone()].chars().count() <= FIGURE).then_some(pieces)
}

/// Returns the range of the only amount in a text: a share, a multiple, a sum of money, a number with its unit, or a
/// number in the thousands or more. A small number includes its unit. Returns `None` if the text states none or
/// several, or if the amount is a bound or the end of a range.
pub fn amount(text: &str, language: &str) -> Option<Range<usize>> {
    let lexicon = words::of(language);
    let stated = number::all(text).into_iter().filter_map(|found| {
        let digits = &text[found.range.clone()];
        // "34 million" and "4,000", whatever the comma means. A year does not count.
        let large = found.values.iter().any(|value| *value >= LARGE)
            && digits.contains(|c: char| c.is_alphabetic() || matches!(c, ',' | '.') || number::is_space(c));
        let key = measured(text, found.range.clone(), lexicon).or(large.then_some(found.range))?;
        // A large number needs no unit.
        let unit = unit(text, key.end, lexicon).filter(|_| !large).map_or(0, str::len);
        Some(key.start..key.end + unit)
    });
    let stated: Vec<Range<usize>> = stated.collect();
    let [only] = stated.as_slice() else { return None };
    let before = &text[..only.start];
    let dash = before.ends_with(['-', '–', '—', '−']) || text[only.end..].starts_with(['-', '–', '—', '−']);
    let near: Vec<&str> = before.split_whitespace().rev().take(BOUND).collect();
    let bound = near.iter().rev().copied().collect::<Vec<_>>().join(" ");
    let whole = !dash && !words::holds(lexicon.limits, &bound);
    (whole && text[only.clone()].chars().count() <= AMOUNT).then(|| only.clone())
}

/// Whether the text after "10x" makes it a multiple ("10x faster"). In "the 10x programme" it is a name.
pub(super) fn multiplies(behind: &str, lexicon: &Words) -> bool {
    let next = behind.split_whitespace().next().unwrap_or("").trim_end_matches(|c: char| !c.is_alphabetic());
    lexicon.code != "en" || next.ends_with("er") || words::has(MULTIPLIED, next)
}

/// Returns the space and the unit word after a number that ends at `end`.
pub(super) fn unit<'t>(text: &'t str, end: usize, lexicon: &Words) -> Option<&'t str> {
    let behind = text.get(end..)?;
    let space: usize = behind.chars().take_while(|c| number::is_space(*c)).map(char::len_utf8).sum();
    let word = behind[space..].split(|c: char| !c.is_alphabetic() && !words::is_mark(c)).next().unwrap_or_default();
    let lower = word.to_lowercase();
    let known =
        words::has(PERCENT_WORDS, &lower) || words::has(CURRENCY_WORDS, &lower) || words::has(lexicon.units, &lower);
    (space > 0 && known).then(|| &behind[..space + word.len()])
}

/// Returns a number with the sign that makes it a figure. A unit word is left to the text after it.
pub(super) fn measured(text: &str, at: Range<usize>, lexicon: &Words) -> Option<Range<usize>> {
    let (before, behind) = (&text[..at.start], &text[at.end..]);
    let space: usize = behind.chars().take_while(|c| number::is_space(*c)).map(char::len_utf8).sum();
    let mut next = behind[space..].chars();
    let (sign, then) = (next.next(), next.next());
    if let Some(c) = before.chars().next_back().filter(|c| is_currency(*c)) {
        return Some(at.start - c.len_utf8()..at.end);
    }
    if let Some(c) = sign.filter(|c| matches!(c, '%' | '٪' | '％' | '‰' | '×') || is_currency(*c)) {
        return Some(at.start..at.end + space + c.len_utf8());
    }
    let whole = then.is_none_or(|c| !c.is_alphanumeric());
    if space == 0 && matches!(sign, Some('x' | 'X')) && whole && multiplies(&behind[1..], lexicon) {
        return Some(at.start..at.end + 1);
    }
    unit(text, at.end, lexicon).map(|_| at)
}

/// Returns the two things that a headline compares, and the word between them.
pub fn sides(title: &str, language: &str) -> Option<Pieces> {
    let title = short(title)?;
    if title.contains([':', ';', ',', '–', '—', '.']) && !title.contains("vs.") {
        return None;
    }
    let (_, prefers, which) = BY_LANGUAGE.iter().find(|(code, ..)| *code == language).unwrap_or(&("", "", ""));
    let count = |side: &Range<usize>| title[side.clone()].split_whitespace().count();
    let fits = |pieces: &Pieces| {
        let fits =
            |side: &Range<usize>| title[side.clone()].chars().count() <= SIDE.0 && (1..=SIDE.1).contains(&count(side));
        fits(&pieces.before) && fits(&pieces.after)
    };
    let split = |list: &str| {
        let at = list.split('|').find_map(|word| alone(title, word))?;
        Some(Pieces::parted(title, at)).filter(fits)
    };
    // In a list of several things, "or" compares nothing.
    let option = |pieces: &Pieces| count(&pieces.before) <= OPTION && count(&pieces.after) <= OPTION;
    split(AGAINST).or_else(|| split(prefers)).or_else(|| split(which).filter(option))
}

/// Returns the position of a word that occurs exactly once, at word boundaries. In scripts without spaces, it may be
/// anywhere.
fn alone(text: &str, word: &str) -> Option<Range<usize>> {
    if word.is_empty() {
        return None;
    }
    let lower = words::lower_in_place(text);
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !words::is_unspaced(c));
    let whole = |at: &usize| {
        !is_letter(lower[..*at].chars().next_back()) && !is_letter(lower[at + word.len()..].chars().next())
    };
    let mut found = lower.match_indices(word).map(|(at, _)| at).filter(whole);
    let (Some(at), None) = (found.next(), found.next()) else { return None };
    Some(at..at + word.len())
}

/// Whether a headline gives instructions.
pub fn instructs(title: &str) -> bool {
    words::opens_with(HOW_TO, title) || words::is_imperative(title) || HOW_PARTS.iter().any(|part| title.contains(part))
}

/// Returns a headline that is short enough to be analysed.
fn short(title: &str) -> Option<&str> {
    title.chars().nth(LONGEST).is_none().then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = fn(&str, &str) -> Option<Pieces>;

    /// Returns the text of the pieces.
    fn texts(read: Read, title: &str, language: &str) -> Option<[String; 3]> {
        let pieces = read(title, language)?;
        Some([pieces.before, pieces.key, pieces.after].map(|range| title[range].to_owned()))
    }

    fn pieces(before: &str, key: &str, after: &str) -> [String; 3] {
        [before, key, after].map(str::to_owned)
    }

    fn counted(title: &str, language: &str) -> Option<(u32, [String; 3])> {
        Some((promise(title, language)?.0, texts(|t, l| Some(promise(t, l)?.1), title, language)?))
    }

    #[test]
    fn a_promise_is_a_number_of_things() {
        assert_eq!(counted("7 ways to mend a fence", "en"), Some((7, pieces("", "7", "ways to mend a fence"))));
        assert_eq!(counted("Six ways to mend a fence", "en"), Some((6, pieces("", "Six", "ways to mend a fence"))));
        assert_eq!(counted("Sleep better in 5 steps", "en"), Some((5, pieces("Sleep better in", "5", "steps"))));
        assert_eq!(counted("Fünf Wege zum Garten", "de"), Some((5, pieces("", "Fünf", "Wege zum Garten"))));
        assert_eq!(counted("5つの習慣", "ja"), Some((5, pieces("", "5つ", "の習慣"))));
        assert_eq!(counted("Top 10 tools", "en"), Some((10, pieces("", "Top 10", "tools"))));
        assert_eq!(counted("The 7 habits of trees", "en"), Some((7, pieces("", "The 7", "habits of trees"))));
        for none in ["30 % off", "3 in 4 agree", "Route 66 diners", "In 2024 it rained", "A fence"] {
            assert_eq!(counted(none, "en"), None, "{none}");
        }
    }

    #[test]
    fn a_figure_has_a_unit() {
        assert_eq!(texts(figure, "How we saved 30 % of water", "en"), Some(pieces("How we saved", "30 %", "of water")));
        assert_eq!(texts(figure, "A $5 fix for leaks", "en"), Some(pieces("", "A $5", "fix for leaks")));
        assert_eq!(texts(figure, "Ship 10x faster", "en"), Some(pieces("Ship", "10x", "faster")));
        assert_eq!(texts(figure, "In 100 days to a garden", "en"), Some(pieces("", "In 100", "days to a garden")));
        assert_eq!(texts(figure, "De 20 € à rien", "fr"), Some(pieces("", "De 20 €", "à rien")));
        for none in ["The year 2024", "Sleep better in 5 steps", "30 %", "From 30 % to 60 %", "Two fences"] {
            assert_eq!(texts(figure, none, "en"), None, "{none}");
        }
    }

    #[test]
    fn an_amount_is_whole() {
        let stated = |text: &'static str| amount(text, "en").map(|at| &text[at]);
        assert_eq!(stated("The crew saved 20 percent of the rope."), Some("20 percent"));
        assert_eq!(stated("The crew saved 4,000 litres of oil."), Some("4,000"));
        assert_eq!(stated("The crew should spend 4–6 weeks on it."), None);
        assert_eq!(stated("Crews keep at least 20 percent of the rope."), None);
        assert_eq!(stated("The crew saved 20 % of the rope and 30 % of the wood."), None);
    }

    #[test]
    fn sides_are_held_against_each_other() {
        assert_eq!(texts(sides, "Mulch vs. gravel", "en"), Some(pieces("Mulch", "vs.", "gravel")));
        assert_eq!(texts(sides, "Dig less instead of more", "en"), Some(pieces("Dig less", "instead of", "more")));
        assert_eq!(texts(sides, "Buy or rent?", "en"), Some(pieces("Buy", "or", "rent?")));
        assert_eq!(texts(sides, "Kaufen oder mieten?", "de"), Some(pieces("Kaufen", "oder", "mieten?")));
        assert_eq!(texts(sides, "买还是租", "zh"), Some(pieces("买", "还是", "租")));
        for none in ["Tips for new parents or older teachers", "Of mice", "Store it", "Tools, or none"] {
            assert_eq!(texts(sides, none, "en"), None, "{none}");
        }
        assert_eq!(texts(sides, "A cup of tea", "en"), None);
    }

    #[test]
    fn instructions_say_how() {
        for yes in ["How to mend a fence", "Wie man Hecken schneidet", "Comment tailler une haie", "如何修剪树篱"]
        {
            assert!(instructs(yes), "{yes}");
        }
        for no in ["Fences", "Howard mends", "The comment section"] {
            assert!(!instructs(no), "{no}");
        }
    }
}
