//! Removes page text that is not part of the article: invitations to read on, credits, editors' notes, lists of
//! links, and sections that only name sources or contents.
//!
//! A sentence is only removed as a whole, and only if it says nothing else.

use std::ops::Range;
use std::sync::LazyLock;

use super::blocks::{Clean, Form, Raw};
use super::calls;
use super::segment::{self, says_something};
use super::words::boiler::{self, Boiler};
use super::words::{self, Phrases, Words};
use crate::cancel;

/// Maximum characters of a sentence that only invites, of one that only speaks of its text, and of a credit.
const INVITE: usize = 240;
const SELF: usize = 260;
const CREDIT: usize = 180;
/// Maximum characters of the heading of a section that only invites, and maximum blocks of such a section.
const INVITING: usize = 70;
const INVITING_BLOCKS: usize = 3;
/// Minimum items of a list of links.
const LINKS: usize = 3;
/// Maximum characters of a line that introduces a list of links.
const INTRODUCTION: usize = 160;
/// Last blocks, in which an address or a link is the call to action.
const CLOSING: usize = 3;

/// How a phrase marks a sentence as boilerplate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It invites the reader.
    Invite,
    /// It speaks of the text itself.
    Itself,
    /// It opens a line.
    Opening,
    /// It is a whole line.
    Line,
}

/// All phrases, with their kinds and languages.
static PHRASES: LazyLock<Phrases<(Kind, &'static str)>> = LazyLock::new(|| {
    let of = |Boiler { code, invites, selves, opens, lines }: &'static Boiler| {
        let lists = [(*invites, Kind::Invite), (*selves, Kind::Itself), (*opens, Kind::Opening), (*lines, Kind::Line)];
        let code = *code;
        lists.into_iter().flat_map(move |(list, kind)| list.split('|').map(move |words| (words, (kind, code))))
    };
    boiler::all().iter().flat_map(of).collect()
});

/// Returns the positions of phrases in a lower-case text, in order, with their kind and length.
fn hits(lower: &str, code: &str) -> Vec<(usize, Kind, usize)> {
    let mut out = Vec::new();
    PHRASES.find(lower, |at, words, (kind, language)| {
        if *language == code || *language == "en" {
            out.push((at, *kind, words.len()));
        }
        false
    });
    out.sort_by_key(|(at, ..)| *at);
    out
}

/// Removes the boilerplate of a text. `code` is the primary subtag of its language.
pub(super) fn strip(raws: Vec<Raw>, code: &str) -> Vec<Raw> {
    let reader = Reader { code, lexicon: words::of(code) };
    let raws = reader.without_sections(raws);
    let raws = reader.without_links(raws);
    let all = raws.len();
    let mut out: Vec<Raw> = Vec::with_capacity(all);
    let mut kept: Vec<Raw> = Vec::new();
    for (i, raw) in raws.into_iter().enumerate() {
        cancel::tick();
        let closing = i + 2 * CLOSING >= all;
        if closing && all >= ROLL_BLOCKS && raw.form == Form::Paragraph && reader.is_roll(&raw.clean.text) {
            continue;
        }
        match reader.sentences(&raw, closing).filter(|_| !reader.defines(&raw)) {
            Some(rest) => out.extend(rest),
            None => out.push(raw.clone()),
        }
        // If everything would be removed, the first blocks are kept.
        if kept.len() < 2 {
            kept.push(raw);
        }
    }
    if out.iter().any(|r| says_something(&r.clean.text)) { out } else { kept }
}

/// Returns a text without its boilerplate sentences.
pub(super) fn without_invitations(clean: &Clean, code: &str) -> Clean {
    let reader = Reader { code, lexicon: words::of(code) };
    reader.left(clean, false, false).map_or_else(|| clean.clone(), |ranges| clean.only(&ranges))
}

/// Openings of lines that name an author.
pub(super) const BY: [&str; 6] = ["By ", "Von ", "Par ", "Por ", "Di ", "Door "];
/// Words and characters of a line that names several authors with their job titles.
const AUTHORS: std::ops::RangeInclusive<usize> = 6..=40;
const BYLINE: usize = 240;

/// Whether a line names its authors at length: "By Ada Moor, head of design, and Ben Reed, Field Office". A name
/// alone is the source of the text and is kept.
fn is_byline(text: &str) -> bool {
    let text = text.trim();
    let opens = BY.into_iter().find_map(|by| text.strip_prefix(by));
    let Some(names) = opens.filter(|_| !text.ends_with(['.', '!', '?', ':']) && text.chars().count() <= BYLINE) else {
        return false;
    };
    let words: Vec<&str> = names.split_whitespace().collect();
    let capital = |word: &&&str| word.chars().next().is_some_and(char::is_uppercase);
    let named = words.iter().take(2).filter(capital).count() == 2;
    named && AUTHORS.contains(&words.len()) && 3 * words.iter().filter(capital).count() >= 2 * words.len()
}

/// Minimum blocks of a text in which a list of names near the end is a credit: in a short announcement it is content.
const ROLL_BLOCKS: usize = 10;
/// Minimum names of such a list, and the number of words of a name.
const ROLL: usize = 5;
const NAME: std::ops::RangeInclusive<usize> = 2..=4;

/// The language of the text during a pass over it.
struct Reader<'a> {
    code: &'a str,
    lexicon: &'static Words,
}

impl Reader<'_> {
    /// Whether most words of a paragraph are names of people: "Thanks to Ada Moor, Ben Reed, …".
    fn is_roll(&self, text: &str) -> bool {
        let is_lower = |word: &&str| !word.starts_with(char::is_uppercase);
        let words: Vec<&str> = text.split_whitespace().collect();
        // A name ends at a sign or before "and": its words are the last ones with a capital.
        let ends = |word: &&str| word.ends_with([',', ';', '/', '.']);
        let parts =
            words.split_inclusive(ends).flat_map(|part| part.split(|word| words::has("and und et y e en", word)));
        let capitals = parts.map(|part| part.iter().rev().take_while(|word| !is_lower(word)).count());
        let names: Vec<usize> = capitals.filter(|count| NAME.contains(count)).collect();
        // German writes all nouns with a capital.
        let share = if self.code == "de" { 4 } else { 3 };
        names.len() >= ROLL && 5 * names.iter().sum::<usize>() >= share * words.len()
    }

    /// Whether a list item defines its label: "**Author:** who wrote the first version of it" is not a credit.
    fn defines(&self, raw: &Raw) -> bool {
        const DEFINED: usize = 5;
        let lead = raw.lead.filter(|_| matches!(raw.form, Form::Item { .. }));
        let Some((label, rest)) = lead.and_then(|lead| raw.clean.text.split_at_checked(lead)) else { return false };
        let opens = hits(&label.to_lowercase(), self.code)
            .first()
            .is_some_and(|(at, kind, _)| *at == 0 && *kind == Kind::Opening);
        let labelled = opens || label.trim_end().ends_with([':', '：']);
        labelled && segment::count_words(rest) >= DEFINED && hits(&rest.to_lowercase(), self.code).is_empty()
    }

    /// Returns a block without its boilerplate sentences, or `None` if nothing is removed.
    fn sentences(&self, raw: &Raw, closing: bool) -> Option<Option<Raw>> {
        if matches!(raw.form, Form::Quote | Form::Table) {
            return None;
        }
        let is_line = raw.form == Form::Paragraph && raw.speaker.is_none();
        if is_line && is_byline(&raw.clean.text) {
            return Some(None);
        }
        let kept = self.left(&raw.clean, is_line, closing);
        let below: Vec<Option<Vec<Range<usize>>>> =
            raw.children.iter().map(|(_, c)| self.left(c, false, closing)).collect();
        if kept.is_none() && below.iter().all(Option::is_none) {
            return None;
        }
        let mut raw = raw.clone();
        let mut below = below.into_iter();
        raw.children.retain_mut(|(_, clean)| match below.next().flatten() {
            Some(ranges) => {
                *clean = clean.only(&ranges);
                says_something(&clean.text)
            }
            None => true,
        });
        let Some(ranges) = kept else { return Some(Some(raw)) };
        // A heading is kept unchanged or removed as a whole.
        if matches!(raw.form, Form::Heading(..)) && !ranges.is_empty() {
            return Some(Some(raw));
        }
        let head = ranges.first().is_some_and(|r| r.start == 0 && raw.lead.is_some_and(|l| l <= r.end));
        raw.lead = raw.lead.filter(|_| head);
        raw.clean = raw.clean.only(&ranges);
        if !says_something(&raw.clean.text) {
            // The first child of a removed item takes its place.
            let next = raw.children.first().cloned().filter(|_| matches!(raw.form, Form::Item { .. }));
            let Some((_, clean)) = next else { return Some(None) };
            raw.children.remove(0);
            raw.clean = clean;
        }
        Some(Some(raw))
    }

    /// Returns the ranges of a text to keep, or `None` if nothing is removed.
    fn left(&self, clean: &Clean, is_line: bool, closing: bool) -> Option<Vec<Range<usize>>> {
        let lower = words::lower_in_place(&clean.text);
        let hits = hits(&lower, self.code);
        if hits.is_empty() {
            return None;
        }
        let whole = lower.trim_matches(|c: char| !c.is_alphanumeric() && !words::is_mark(c));
        let alone =
            hits.iter().any(|(_, kind, len)| *kind == Kind::Line && *len == whole.len() && lower.contains(whole));
        if is_line && alone {
            return Some(Vec::new());
        }
        let mut kept: Vec<Range<usize>> = Vec::new();
        let mut gone = false;
        let mut next = 0;
        for range in clean.sentences(self.lexicon) {
            let first =
                range.start + lower[range.clone()].find(|c: char| c.is_alphanumeric() || "©←".contains(c)).unwrap_or(0);
            let from = next + hits[next..].partition_point(|(at, ..)| *at < range.start);
            let to = from + hits[from..].partition_point(|(at, ..)| *at < range.end);
            next = to;
            let text = &clean.text[range.clone()];
            let goes = hits[from..to].iter().any(|(at, kind, _)| says_nothing(text, *kind, *at == first, closing));
            gone |= goes;
            match kept.last_mut().filter(|last| last.end + 1 >= range.start && !goes) {
                Some(last) => last.end = range.end,
                None if !goes => kept.push(range),
                None => {}
            }
        }
        gone.then_some(kept)
    }

    /// Removes sections that only name sources, contents or licences, and those that only invite.
    fn without_sections(&self, raws: Vec<Raw>) -> Vec<Raw> {
        let level = |raw: &Raw| if let Form::Heading(level, _) = raw.form { Some(level) } else { None };
        let mut drop = vec![false; raws.len()];
        for (i, raw) in raws.iter().enumerate() {
            let Some(own) = level(raw).filter(|l| i > 0 || *l > 1) else { continue };
            let end = (i + 1..raws.len()).find(|k| level(&raws[*k]).is_some_and(|l| l <= own)).unwrap_or(raws.len());
            let bare = raw.clean.text.trim_matches(|c: char| !c.is_alphanumeric() && !words::is_mark(c));
            let names_nothing =
                [self.lexicon.apparatus, words::of("en").apparatus].iter().any(|list| words::has_phrase(list, bare));
            let inviting = !names_nothing && end - i <= INVITING_BLOCKS + 1 && self.invites(bare);
            if names_nothing || inviting {
                drop[i..end].fill(true);
            }
        }
        // If only headings would be left, those sections are the text itself and are kept.
        let says = raws.iter().zip(&drop).any(|(raw, gone)| !gone && level(raw).is_none());
        if !says {
            return raws;
        }
        let mut gone = drop.into_iter();
        raws.into_iter().filter(|_| !gone.next().unwrap_or(false)).collect()
    }

    fn invites(&self, heading: &str) -> bool {
        let lower = words::lower_in_place(heading);
        heading.chars().count() <= INVITING
            && hits(&lower, self.code)
                .iter()
                .any(|(at, kind, _)| *at == 0 && matches!(kind, Kind::Invite | Kind::Opening))
    }

    /// Removes lists and lines of nothing but links, with the lines that introduce them, and lone addresses.
    fn without_links(&self, raws: Vec<Raw>) -> Vec<Raw> {
        let mut drop = vec![false; raws.len()];
        let mut i = 0;
        while i < raws.len() {
            let Form::Item { list, .. } = raws[i].form else {
                let closing = i + CLOSING >= raws.len();
                drop[i] = raws[i].form == Form::Paragraph
                    && (is_bar(&raws[i].clean)
                        || is_tags(&raws[i].clean.text)
                        || !closing && is_only_link(&raws[i].clean));
                i += 1;
                continue;
            };
            let end = (i..raws.len())
                .find(|k| !matches!(raws[*k].form, Form::Item { list: l, .. } if l == list))
                .unwrap_or(raws.len());
            let items = &raws[i..end];
            let only = |inner: bool| items.iter().flat_map(Raw::texts).all(|c| covered(c, inner));
            if items.len() >= LINKS && only(false)
                || items.iter().map(|r| r.children.len() + 1).sum::<usize>() >= 2 && only(true)
            {
                drop[i..end].fill(true);
                let before = i.checked_sub(1).filter(|b| {
                    let text = &raws[*b].clean.text;
                    raws[*b].form == Form::Paragraph
                        && text.ends_with([':', '：'])
                        && text.chars().count() <= INTRODUCTION
                });
                if let Some(before) = before {
                    drop[before] = raws[before].clean.sentences(self.lexicon).len() <= 1;
                }
            }
            i = end;
        }
        let says = raws.iter().zip(&drop).any(|(raw, gone)| !gone && !matches!(raw.form, Form::Heading(..)));
        if !says {
            return raws;
        }
        let mut gone = drop.into_iter();
        raws.into_iter().filter(|_| !gone.next().unwrap_or(false)).collect()
    }
}

/// Whether a sentence with such a phrase says nothing about the subject.
fn says_nothing(text: &str, kind: Kind, opens: bool, closing: bool) -> bool {
    let chars = text.chars().count();
    // A call to action with an address ends a text and is kept.
    let call = || closing && opens && calls::address(text).is_some();
    let figure = || text.contains(['%', '％', '$', '€', '£']);
    match kind {
        Kind::Invite => chars <= INVITE && !figure() && !call(),
        Kind::Itself => chars <= SELF,
        Kind::Opening => opens && chars <= CREDIT && !call(),
        Kind::Line => false,
    }
}

/// Whether links cover all letters of a text. With `inner`, only links within the document count.
fn covered(clean: &Clean, inner: bool) -> bool {
    let mut at = 0;
    let mut links = 0;
    for link in clean.links.iter().filter(|l| !inner || l.inner) {
        if link.range.start < at {
            continue;
        }
        if clean.text[at..link.range.start].chars().any(char::is_alphanumeric) {
            return false;
        }
        at = link.range.end;
        links += 1;
    }
    links > 0 && !clean.text[at..].chars().any(char::is_alphanumeric)
}

/// Whether a paragraph is a row of links: "Website • Docs • Chat".
fn is_bar(clean: &Clean) -> bool {
    clean.links.len() >= 2 && covered(clean, false)
}

/// Whether a text consists of hashtags: "#sea #wind".
fn is_tags(text: &str) -> bool {
    let tag = |w: &str| w.strip_prefix('#').is_some_and(|name| name.starts_with(char::is_alphabetic));
    !text.is_empty() && text.split_whitespace().all(tag)
}

/// Whether a paragraph is a single link or address.
fn is_only_link(clean: &Clean) -> bool {
    let text = clean.text.as_str();
    let address = !text.contains(' ') && calls::site_of(text).is_some() && !text.starts_with('@');
    address || clean.links.len() == 1 && covered(clean, false) && segment::count_words(text) <= 24
}

#[cfg(test)]
mod tests {
    use super::super::{dialect, headings, markdown};
    use super::*;

    fn texts(text: &str, code: &str) -> Vec<String> {
        let edited = dialect::commonmark(text, 0..text.len(), false);
        let raws = headings::find(markdown::read(&edited.text).0, false, false);
        strip(raws, code).into_iter().map(|r| r.clean.text).collect()
    }

    #[test]
    fn names_near_the_end_of_a_long_text_go() {
        let body: Vec<String> = (0..10).map(|n| format!("The crew counts {n} boats at the pier.")).collect();
        let names = "Rope by Ada Moor, Ben Reed, Cy Dean, Di Eden, and Tom Quill.";
        let left = texts(&format!("{}\n\n{names}\n\nThe boats leave.", body.join("\n\n")), "en");
        assert_eq!((left.len(), left[10].as_str()), (11, "The boats leave."));
        // In a short text, the names are the news.
        assert_eq!(texts(&format!("The boats leave.\n\n{names}"), "en").len(), 2);
    }

    #[test]
    fn only_the_authors_thanks_go() {
        let thanks = "We’d like to thank everyone here. The harbour planted 40 trees.";
        assert_eq!(texts(thanks, "en"), ["The harbour planted 40 trees."]);
        let asks = "If you’d like to thank a crew, send them rope.";
        assert_eq!(texts(&format!("The boats leave.\n\n{asks}"), "en"), ["The boats leave.", asks]);
    }

    #[test]
    fn sentences_that_only_invite_go() {
        for (text, code) in [
            ("Check out the interview here or click below.", "en"),
            ("Sign up for our newsletter!", "en"),
            ("Read more: the whole story.", "en"),
            ("In this post, we look at tides.", "en"),
            ("*This post was originally published on the harbour's blog.*", "en"),
            ("Photo by Ada Moor", "en"),
            ("Hier klicken, um weiterzulesen.", "de"),
            ("Dieser Beitrag erschien zuerst im Hafenblatt.", "de"),
            ("Cliquez ici pour lire la suite.", "fr"),
            ("Foto: Ada Moor", "es"),
            ("Clicca qui per il resto.", "it"),
            ("Leia mais sobre isso aqui.", "pt"),
            ("Lees verder op onze site.", "nl"),
            ("Подпишитесь на нашу рассылку!", "ru"),
            ("Διαβάστε περισσότερα εδώ.", "el"),
            ("Devamını okumak için buraya tıklayın.", "tr"),
            ("اضغط هنا لقراءة المزيد.", "ar"),
            ("और पढ़ें यहाँ।", "hi"),
            ("続きはこちらです。", "ja"),
            ("点击这里阅读更多。", "zh"),
        ] {
            let whole = format!("{text}\n\nWater 7 stays.");
            assert_eq!(texts(&whole, code), ["Water 7 stays."], "{text}");
        }
        let mixed = "The tide is low. Click here to see a chart. It stays low until noon.";
        assert_eq!(texts(mixed, "en"), ["The tide is low. It stays low until noon."]);
    }

    #[test]
    fn what_says_something_stays() {
        for (text, code) in [
            ("The click was heard by everyone here.", "en"),
            ("Our newsletter grew by 40 % in May.", "en"),
            ("Most people read morels of gossip.", "en"),
            ("We share this belief.", "en"),
            ("Read on at tide.example/quiet.", "en"),
            ("Das Foto zeigt den Hafen.", "de"),
            ("Date: 12 May", "en"),
        ] {
            assert_eq!(texts(&format!("Water 7 stays.\n\n{text}"), code).len(), 2, "{text}");
        }
        assert_eq!(texts("Click here.", "en"), ["Click here."]);
        let authors = "By Ada Moor, Harbour Master, and Ben Reed, Head of Tides, Field Office";
        assert_eq!(texts(&format!("Water 7 stays.\n\n{authors}"), "en"), ["Water 7 stays."]);
        let prose = "By Monday Ada had mended the boat and gone to sea";
        assert_eq!(texts(&format!("Water 7 stays.\n\n{prose}"), "en").len(), 2);
        assert_eq!(texts("Water 7 stays.\n\n#sea #wind", "en"), ["Water 7 stays."]);
    }

    #[test]
    fn lists_of_links_and_apparatus_go() {
        let text = "# Tides\n\nIn this text:\n\n- [Ebb](#ebb)\n  - [Low](#low)\n- [Flood](#flood)\n\n[Home](/) | [Docs](/d)\n\n## Ebb\n\nIt goes out.\n\n\
            ## Further reading\n\n- [A](a)\n- [B](b)\n\n## Flood\n\nIt comes in.\n\nMore on this:\n\n- [A](a)\n- [B](b)\n- [C](c)\n\n## License\n\nMIT\n";
        assert_eq!(texts(text, "en"), ["Tides", "Ebb", "It goes out.", "Flood", "It comes in."]);
        let text = "Tools:\n\n- [Hammer](a), for nails\n- [Saw](b), for wood\n- [Rule](c)";
        assert_eq!(texts(text, "en").len(), 4);
    }
}
