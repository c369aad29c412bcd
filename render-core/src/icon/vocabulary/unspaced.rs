//! Texts without spaces: finds the longest words of the table from the start of each run of letters.

use unicode_script::{Script, UnicodeScript};

use super::table::{Dictionary, Meaning};

/// Maximum number of characters of a word that is looked up.
const LONGEST: usize = 12;
/// Characters that join words in Chinese; a single character beside them can be a word.
const JOINING: &str = "的了和与與在是有我你您他她把用从從给給为為一个個之不去看吃喝买買";

/// Returns the meanings of a text's words, in order. A single ideograph counts only if it is a word by itself.
pub(super) fn meanings(text: &str, code: &str, dictionary: &Dictionary) -> Vec<Meaning> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let end = |n: usize| chars.get(n).map_or(text.len(), |(at, _)| *at);
    let mut out = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let longest = (1..=LONGEST.min(chars.len() - at)).rev().find_map(|n| {
            let meaning = dictionary.get(&text[end(at)..end(at + n)])?;
            (n > 1 && !cuts(&chars, at, n) || alone(&chars, at, n, code)).then_some((n, meaning))
        });
        if let Some((n, meaning)) = longest {
            out.push(meaning);
            at += n;
        } else {
            at += 1;
        }
    }
    out
}

/// Returns whether a match splits a word: one of Katakana or Latin letters would be part of a longer one, one of
/// Hiragana would be an ending, or a Thai one would start or end within a syllable.
fn cuts(chars: &[(usize, char)], at: usize, n: usize) -> bool {
    let script = |i: usize| chars.get(i).map(|(_, c)| if *c == 'ー' { Script::Katakana } else { c.script() });
    let before = at.checked_sub(1).and_then(script);
    let within = |s: Option<Script>| matches!(s, Some(Script::Katakana | Script::Latin));
    let mark = |i: usize| chars.get(i).is_some_and(|(_, c)| matches!(c, '\u{e30}'..='\u{e3a}' | '\u{e45}'..='\u{e4e}'));
    let katakana = within(script(at)) && before == script(at)
        || within(script(at + n - 1)) && script(at + n) == script(at + n - 1);
    // Hiragana after an ideograph or other hiragana is an ending or a particle: "五つの", not "つの".
    let ending = script(at) == Some(Script::Hiragana) && matches!(before, Some(Script::Han | Script::Hiragana));
    katakana || ending || mark(at) || mark(at + n)
}

/// Returns whether one character is a word by itself: each neighbour is of another script or joins words.
fn alone(chars: &[(usize, char)], at: usize, n: usize, code: &str) -> bool {
    let free = |i: Option<usize>| {
        let Some((_, c)) = i.and_then(|i| chars.get(i)) else { return true };
        c.script() != Script::Han || code == "zh" && JOINING.contains(*c)
    };
    n == 1 && chars[at].1.script() == Script::Han && free(at.checked_sub(1)) && free(Some(at + 1))
}
