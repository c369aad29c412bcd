//! Break opportunities: the line breaking algorithm of UAX 14, without breaks between words that belong together.

use icu_segmenter::options::{LineBreakOptions, LineBreakStrictness, LineBreakWordOption, WordBreakInvariantOptions};
use icu_segmenter::{LineSegmenter, LineSegmenterBorrowed, WordSegmenter};
use unicode_script::{Script, UnicodeScript};

use super::Locale;
use super::character::is_newline;
use super::fallback::is_wide_alphanumeric;
use super::shape::Shaped;
use super::token::{belong_together, is_address};

/// Japanese and Chinese text of up to this many characters breaks between phrases if possible. Longer text fills its
/// lines.
const PHRASED: usize = 90;

/// Chinese particles and words of place and time that attach to the preceding word.
const LEANING: &str = "的了着过们地得吗呢吧中里上下内后前时";

/// Chinese or Japanese text of up to this many characters avoids breaks within words.
const WORDED: usize = 400;

/// Words with hyphens and addresses of up to this many characters avoid breaks at their signs.
const COMPOUND: usize = 24;

/// Runs of katakana of up to this many characters are not split: dictionaries lack many compounds written in it.
const KATAKANA: usize = 12;

/// How strong an opportunity is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strength {
    /// A line must end here.
    Forced,
    /// A line may end here.
    Free,
    /// A line may end here only if the surrounding stretch is too wide for a line.
    Glued,
}

/// A position where a line may end: before cluster `at`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opportunity {
    pub at: usize,
    pub strength: Strength,
    /// Whether the word before it is short.
    pub short: bool,
    /// Whether it is within a word: in a script without spaces or at a hyphen. A line ends there only if the word is
    /// too wide for a line.
    pub inside: bool,
    /// Whether it is within a word without hyphens. Type is set smaller before a line ends there.
    pub parts: bool,
}

/// Returns the opportunities of `text`, in ascending order. The last one is the end of the text, forced.
pub(super) fn opportunities(text: &str, shaped: &Shaped, locale: &Locale) -> Vec<Opportunity> {
    let clusters = &shaped.clusters;
    let mut found: Vec<Opportunity> = Vec::new();
    let mut add = |byte: usize, strength: Strength, short: bool, (inside, parts): (bool, bool)| {
        let at = clusters.partition_point(|c| c.start < byte);
        match found.last_mut() {
            Some(last) if last.at == at => {
                if strength == Strength::Forced {
                    last.strength = strength;
                }
            }
            _ if at == 0 => {}
            _ => found.push(Opportunity { at, strength, short, inside, parts }),
        }
    };
    let brief = text.chars().count() <= PHRASED;
    let phrases = brief && is_japanese(text);
    let chinese = brief && !phrases && locale.primary() == "zh";
    let words = ideographic_words(text);
    // The word around the last opportunity, and whether it is an address.
    let (mut word, mut address) = (0..0, false);
    for byte in segmenter(text, locale).segment_str(text).filter(|b| *b > 0) {
        let before = &text[..byte];
        let last = before.chars().next_back().unwrap_or(' ');
        // A newline at the end of the text forces a break only before following text; the code below adds the end.
        if is_newline(last) {
            add(byte, Strength::Forced, false, (false, false));
        } else if last.is_whitespace() {
            let prev = last_word(before.trim_end());
            let next = first_word(&text[byte..]);
            let letters = prev.chars().count();
            let short = letters <= 3 && prev.chars().all(|c| c.is_alphabetic() && has_articles(c));
            let after = text[byte + next.len()..].trim_start_matches(|c: char| c.is_whitespace() && !is_newline(c));
            let ends = after.chars().next().is_none_or(is_newline);
            let core = next.trim_end_matches(|c: char| !c.is_alphanumeric());
            let last_two = ends && core.chars().count() <= 4 && core.chars().all(has_articles);
            let leans = prev.chars().all(|c| !c.is_alphabetic() || has_articles(c));
            let glued = last_two || leans && belong_together(prev, next);
            add(byte, if glued { Strength::Glued } else { Strength::Free }, short, (false, false));
        } else if last != '\u{ad}' {
            // Within a word: after a hyphen or a slash, or anywhere in Chinese. Soft hyphens are left to hyphenation.
            if byte > word.end {
                word = byte - last_word(before).len()..byte + first_word(&text[byte..]).len();
                address = is_address(&text[word.clone()]);
            }
            // "Grand-mère", "state-of-the-art" and "4–6" are kept whole if possible.
            let compound = matches!(last, '-' | '\u{2010}' | '\u{2013}')
                && word.len() <= COMPOUND * 4
                && text[word.clone()].chars().count() <= COMPOUND;
            let next = text[byte..].chars().next().unwrap_or(' ');
            // The algorithm breaks between full-width letters as between Han characters, but they are set as ASCII.
            let wide_word = is_wide_alphanumeric(last) && is_wide_alphanumeric(next);
            let within =
                words.as_ref().is_some_and(|ends| ends.binary_search(&byte).is_err() || in_katakana(text, byte));
            let phrase = phrases && !between_phrases(last, next) || chinese && LEANING.contains(next);
            let part = address || compound || wide_word || within || phrase;
            add(byte, if part { Strength::Glued } else { Strength::Free }, false, (within || compound, within));
        }
    }
    // In a sequence of short words, only the last one attaches to the following word: "set up | a minimum".
    for n in 1..found.len() {
        let leans = |o: &Opportunity| o.strength == Strength::Glued && o.short;
        if leans(&found[n - 1]) && leans(&found[n]) {
            found[n - 1].strength = Strength::Free;
        }
    }
    let found = within_addresses(text, shaped, found);
    let mut found = around_wide_quotes(text, shaped, found);
    match found.last_mut() {
        Some(last) if last.at == clusters.len() => last.strength = Strength::Forced,
        _ => found.push(Opportunity {
            at: clusters.len(),
            strength: Strength::Forced,
            short: false,
            inside: false,
            parts: false,
        }),
    }
    found
}

/// Returns the byte offsets at which words of a Chinese or Japanese text end; `None` for other texts and for long ones,
/// whose lines are filled.
fn ideographic_words(text: &str) -> Option<Vec<usize>> {
    let ideographic = |c: char| matches!(c.script(), Script::Han | Script::Hiragana | Script::Katakana);
    if !text.chars().any(ideographic) || text.chars().count() > WORDED {
        return None;
    }
    Some(WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()).segment_str(text).collect())
}

/// Returns whether `byte` is inside a run of katakana that is short enough to stay whole.
fn in_katakana(text: &str, byte: usize) -> bool {
    let katakana = |c: &char| matches!(c, '\u{30a1}'..='\u{30fa}' | '\u{30fc}');
    let before = text[..byte].chars().rev().take_while(katakana).take(KATAKANA + 1).count();
    let behind = text[byte..].chars().take_while(katakana).take(KATAKANA + 1).count();
    before > 0 && behind > 0 && before + behind <= KATAKANA
}

/// Returns whether `text` contains kana.
fn is_japanese(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3041}'..='\u{30ff}'))
}

/// Returns whether a Japanese phrase (a word with its particles and endings) can end between `last` and `next`. Endings
/// and particles are hiragana, words start with other characters, and brackets and commas separate phrases.
fn between_phrases(last: char, next: char) -> bool {
    let hiragana = |c: char| matches!(c, '\u{3041}'..='\u{309f}');
    let opens = |c: char| matches!(c, '「' | '『' | '（' | '【' | '〈' | '《' | '“');
    let parts =
        |c: char| matches!(c, '、' | '。' | '，' | '．' | '！' | '？' | '」' | '』' | '）' | '】' | '・' | '…' | '”');
    // お and ご are prefixes.
    opens(next)
        || parts(last) && !hiragana(next)
        || parts(last) && matches!(last, '、' | '。' | '，' | '！' | '？')
        || hiragana(last) && !matches!(last, 'お' | 'ご') && !hiragana(next)
}

/// Returns the line breaking algorithm for `text`. In Thai, Lao, Khmer and Burmese, which have no spaces, it finds
/// words with dictionaries (these use only integers, so every machine breaks alike). Small kana never start a line.
/// Korean breaks at spaces, which is usual in headlines.
pub(super) fn segmenter(text: &str, locale: &Locale) -> LineSegmenterBorrowed<'static> {
    let mut options = LineBreakOptions::default();
    options.strictness = Some(LineBreakStrictness::Strict);
    let korean = || text.chars().any(|c| c.script() == Script::Hangul);
    if locale.primary() == "ko" || locale.primary().is_empty() && korean() {
        options.word_option = Some(LineBreakWordOption::KeepAll);
    }
    LineSegmenter::new_dictionary(options)
}

/// Returns whether `c` belongs to a script whose short words attach to the following word.
fn has_articles(c: char) -> bool {
    matches!(
        c.script(),
        Script::Latin
            | Script::Greek
            | Script::Cyrillic
            | Script::Armenian
            | Script::Georgian
            | Script::Arabic
            | Script::Hebrew
            | Script::Common
            | Script::Inherited
    )
}

/// Adds glued opportunities after slashes, dots and at-signs in addresses.
fn within_addresses(text: &str, shaped: &Shaped, mut found: Vec<Opportunity>) -> Vec<Opportunity> {
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let token = word.trim_end();
        if token.contains(['/', '.', '@']) && is_address(token) {
            // "18f.gsa.gov" is a name: type is set smaller before it is split.
            let short = token.chars().count() <= COMPOUND;
            for (i, c) in token.char_indices().filter(|(_, c)| matches!(c, '/' | '.' | '@')) {
                let byte = at + i + c.len_utf8();
                let next = token[i + c.len_utf8()..].chars().next();
                if next.is_some_and(char::is_alphanumeric) {
                    let at = shaped.clusters.partition_point(|c| c.start < byte);
                    if let Err(i) = found.binary_search_by_key(&at, |o| o.at) {
                        found.insert(
                            i,
                            Opportunity { at, strength: Strength::Glued, short: false, inside: short, parts: short },
                        );
                    }
                }
            }
        }
        at += word.len();
    }
    found
}

/// Adds opportunities before opening and after closing quotation marks among Han characters if the mark is as wide as
/// they are. Before Unicode 16 (LB19a), the algorithm treats such a mark as an ambiguous narrow one.
fn around_wide_quotes(text: &str, shaped: &Shaped, mut found: Vec<Opportunity>) -> Vec<Opportunity> {
    let wide = |c: char| matches!(c.script(), Script::Han | Script::Hiragana | Script::Katakana);
    let ends = |c: char| wide(c) || matches!(c, '，' | '。' | '、' | '；' | '：' | '！' | '？');
    let mut add = |byte: usize| {
        let at = shaped.clusters.partition_point(|c| c.start < byte);
        if let Err(i) = found.binary_search_by_key(&at, |o| o.at) {
            found.insert(i, Opportunity { at, strength: Strength::Free, short: false, inside: false, parts: false });
        }
    };
    for (at, c) in text.char_indices().filter(|(_, c)| matches!(c, '“' | '”' | '‘' | '’')) {
        let behind = at + c.len_utf8();
        let (before, after) = (text[..at].chars().next_back(), text[behind..].chars().next());
        if before.is_some_and(ends) && after.is_some_and(wide) {
            add(if matches!(c, '“' | '‘') { at } else { behind });
        }
    }
    found
}

fn last_word(text: &str) -> &str {
    &text[text.char_indices().rev().find(|(_, c)| c.is_whitespace()).map_or(0, |(i, c)| i + c.len_utf8())..]
}

fn first_word(text: &str) -> &str {
    &text[..text.find(char::is_whitespace).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Language;
    use crate::text::shape::shape;
    use crate::text::{Family, Fonts, TextStyle};

    fn marked(text: &str) -> String {
        marked_for("", text)
    }

    /// Returns `text` with `|` where a line may end, `~` where it may end only if necessary, and `!` where it must.
    fn marked_for(language: &str, text: &str) -> String {
        let locale = &Language::parse(language).map_or(Locale::default(), |l| Locale::of(&l));
        let fonts = Fonts::new();
        let face = fonts.face(Family::NotoSans, 400);
        let style =
            TextStyle { face, size: 10.0, tracking: 0.0, leading: 1.0, tabular: false, case: false, stylistic_set: 0 };
        let shaped = shape(&fonts, text, &style, locale, &[]);
        let mut out = text.to_owned();
        for o in opportunities(text, &shaped, locale).iter().rev() {
            let mark = match o.strength {
                Strength::Forced => '!',
                Strength::Free => '|',
                Strength::Glued => '~',
            };
            out.insert(shaped.clusters.get(o.at).map_or(text.len(), |c| c.start), mark);
        }
        out
    }

    #[test]
    fn words_part_and_what_belongs_together_does_not() {
        assert_eq!(marked("one two-three fourth"), "one |two-~three |fourth!");
        assert_eq!(marked("It took 5 min to be sure"), "It ~took |5 ~min |to |be ~sure!");
        assert_eq!(marked("Set up a minimum product"), "Set |up |a ~minimum |product!");
        assert_eq!(marked("Жизнь в городе"), "Жизнь |в ~городе!");
        assert_eq!(marked("4–6 boats came"), "4–~6 |boats ~came!");
        assert_eq!(marked("words – and more"), "words ~– |and ~more!");
    }

    #[test]
    fn thai_parts_between_words_and_korean_at_spaces() {
        assert_eq!(marked_for("th", "ทุกวันมีความคิดใหม่"), "ทุก|วัน|มี|ความ|คิด|ใหม่!");
        assert_eq!(marked_for("ko", "매일 하나의 생각"), "매일 |하나의 |생각!");
    }

    #[test]
    fn chinese_parts_anywhere_but_at_its_punctuation() {
        assert_eq!(marked_for("zh", "人，“你”好。"), "人，|“你”|好。!");
        assert_eq!(marked_for("zh-Hant", "第 3 年"), "第 |3 ~年!");
    }

    #[test]
    fn a_japanese_headline_parts_between_phrases() {
        assert_eq!(marked_for("ja", "毎日ひとつ、新しい「考え」を。"), "毎~日~ひ~と~つ、|新~し~い|「考~え」~を。!");
        assert_eq!(marked_for("ja", "お茶のカフェ"), "お~茶~の|カ~フェ!");
        let long = "すべての人は自由に生まれ、学び、働き、休み、恐れずに考えを述べる権利をもつ。国籍や言葉".repeat(3);
        let marked = marked_for("ja", &long);
        assert!(marked.contains("自~由|に|") && marked.contains("人|は|"), "{marked}");
    }

    #[test]
    fn katakana_stays_whole() {
        assert_eq!(marked_for("ja", "オープンソースに貢献"), "オー~プ~ン~ソー~ス~に|貢~献!");
    }

    #[test]
    fn words_of_ideographs_stay_whole_but_in_long_texts() {
        assert!(marked_for("zh", "为什么要开源").starts_with("为~什~么|要|"));
        assert!(marked_for("zh", &"为什么要开源，".repeat(60)).starts_with("为|什|么|要|"));
    }

    #[test]
    fn newlines_force_and_the_end_is_forced_once() {
        assert_eq!(marked("one\ntwo\r\nthree\n"), "one\n!two\r\n!three\n!");
        assert_eq!(marked(""), "!");
    }

    #[test]
    fn addresses_part_only_of_need() {
        assert_eq!(marked("see docs.example.com/a-b/c now"), "see |docs.~example.~com/~a-~b/~c ~now!");
        assert_eq!(marked("either/or choose"), "either/|or |choose!");
    }

    #[test]
    fn type_shrinks_before_a_short_address_is_split() {
        let fonts = Fonts::new();
        let face = fonts.face(Family::NotoSans, 400);
        let style =
            TextStyle { face, size: 10.0, tracking: 0.0, leading: 1.0, tabular: false, case: false, stylistic_set: 0 };
        let parts = |text: &str| {
            let shaped = shape(&fonts, text, &style, &Locale::default(), &[]);
            opportunities(text, &shaped, &Locale::default()).iter().any(|o| o.parts)
        };
        assert!(parts("move docs.example.com"));
        assert!(!parts("move docs.example.com/a-long-way-to-a-page"));
    }

    #[test]
    fn no_line_ends_within_a_ligature_or_at_a_soft_hyphen() {
        assert_eq!(marked("soft\u{ad}hyphen here"), "soft\u{ad}hyphen ~here!");
    }
}
