//! Reads the title and the description that a text gives itself, and finds where the text repeats them.

use std::ops::Range;

use super::blocks::{Form, Raw};
use super::boilerplate;
use super::context;
use super::guard::folded;
use super::matter::{DEK, Matter, Said};
use super::reader::Reader;
use super::segment;
use super::spans::Spans;
use super::{Sourced, Span, dialect};

/// First blocks in which the title may be repeated.
const FIRST: usize = 3;
/// First sentences in which the dek may be repeated.
const SENTENCES: usize = 6;
/// Leading bytes in which a picture is looked for, and how often the text must mention the picture's name.
const PICTURE: usize = 1_500;
const PICTURED: usize = 3;
/// Words below which an exclamation has no content.
const CHEER: usize = 8;
/// Minimum share of the title's stems for an announcement to be the topic of the text.
const NEWS: f32 = 0.5;
/// Minimum share of its words that a sentence shares with the dek for it to be a repetition.
const SAME: f32 = 0.75;
/// Minimum share of the dek's words in a longer sentence for it to be a repetition.
const HELD: f32 = 0.85;

/// Returns the title of a text and removes the heading that repeats it. A heading that contains the declared title
/// and more becomes the title.
pub(super) fn title(said: &Said, raws: &mut Vec<Raw>) -> Sourced {
    let title = said.sourced();
    let own = letters(&title.text);
    let is_heading = |raw: &Raw, level: u8| matches!(raw.form, Form::Heading(l, _) if l <= level);
    let same = raws.iter().take(FIRST).position(|raw| {
        let text = letters(&raw.clean.text);
        text == own && !matches!(raw.form, Form::Item { .. } | Form::Table)
    });
    if let Some(at) = same {
        if raws.len() > 1 {
            raws.remove(at);
        }
        return title;
    }
    // The only level-1 heading, at the top.
    let alone = raws.iter().filter(|r| is_heading(r, 1)).count() == 1;
    if raws.len() > 1 && alone && is_heading(&raws[0], 1) {
        let heading = raws.remove(0);
        let longer = letters(&heading.clean.text);
        if !own.is_empty() && longer.contains(&own) {
            return heading.clean.sourced(0..heading.clean.text.len());
        }
    }
    title
}

/// Returns the description that a text gives itself, and the spans of the sentences that repeat it.
pub(super) fn dek(reader: &Reader, matter: &Matter, from: usize, title: &Sourced) -> Option<(Sourced, Vec<Span>)> {
    let said = matter.dek.as_ref()?;
    let clean = boilerplate::without_invitations(&said.clean(), reader.lexicon.code);
    let whole = clean.text.as_str();
    // Keep as many sentences as fit, starting with the first that has content.
    let sentences = segment::sentences(whole, reader.lexicon);
    let heading = reader.ranker.stems_of(&title.text);
    // Skip "Get ready!" and a question that repeats the title, if other sentences follow.
    let filler = |s: &&Range<usize>| {
        let text = whole[(*s).clone()].trim_end();
        let cheers = text.ends_with(['!', '！']) && segment::count_words(text) < CHEER;
        let asks = text.ends_with(['?', '？', '؟']) && reader.ranker.relates(text, &title.text);
        // "We recently launched the pier's own boat yard" is the news itself.
        let about = heading.share_in(&reader.ranker.stems_of(text));
        let about_somebody = about == 0.0 && introduces(text);
        cheers || asks || about_somebody || about < NEWS && context::Worth::of(text, reader.lexicon.code).filler
    };
    // If the whole description speaks of the text ("Last week we wrote about …"), the body makes a better dek.
    if sentences.iter().all(|s| filler(&s)) {
        return None;
    }
    let skipped = sentences.iter().take_while(filler).count();
    let told = sentences.get(skipped..).filter(|told| !told.is_empty()).unwrap_or(&sentences);
    let leans = skipped > 0 && !context::stands_alone(&whole[told[0].clone()], reader.lexicon);
    let told = if leans { &sentences[..] } else { told };
    let start = told.first()?.start;
    let fits = |end: &usize| whole[start..*end].chars().count() <= DEK;
    let told = told.iter().enumerate().take_while(|(n, s)| *n == 0 || !filler(s));
    let end = told.map(|(_, s)| s.end).take_while(fits).last()?;
    let text = whole[start..end].trim().to_owned();
    let own = letters(&text);
    if own.is_empty() || own == letters(&title.text) {
        return None;
    }
    let words = segment::words_of(&text);
    let mut repeated = Vec::new();
    for sentence in reader.sentences(from..reader.raws.len().min(from + SENTENCES), Spans::NONE).iter().take(SENTENCES)
    {
        let said = reader.text(sentence);
        let other = segment::words_of(said);
        let shared = other.iter().filter(|w| words.contains(w)).count() as f32;
        let holds = words.iter().filter(|w| other.contains(w)).count() as f32;
        let same = other.len() > 3 && (shared >= SAME * other.len() as f32 || holds >= HELD * words.len() as f32);
        if same || own.contains(&letters(said)) {
            repeated.push(reader.sourced(sentence).span);
        }
    }
    Some((Sourced { text, span: said.span }, repeated))
}

/// Whether an English sentence introduces a person: "Ada Moor is the harbour master of Uppsala".
pub(super) fn introduces(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let named = words.by_ref().take_while(|w| w.starts_with(char::is_uppercase)).filter(|w| !w.ends_with(',')).count();
    let role = |list: &str| list.split('|').any(|verb| text.contains(verb));
    named >= 2
        && role(
            " is a | is an | is the | is our | was the | works at | works for | works as | is working with | serves as ",
        )
}

/// Returns the name of the picture that a text opens with, if the text is about it: a README may have a logo as its
/// title. `from` is where the text begins.
pub(super) fn pictured(source: &str, from: usize) -> Option<Sourced> {
    let body = &source[from..];
    let near = &body[..body.floor_char_boundary(body.len().min(PICTURE))];
    let html = near.find("<img").map(|at| (at, near[at..].find('>').map_or(near.len(), |end| at + end)));
    let markdown = near.find("![").map(|at| (at, near[at..].find(')').map_or(near.len(), |end| at + end)));
    let (at, end) = html.into_iter().chain(markdown).min()?;
    // Only tags and brackets may precede it.
    let mut tag = false;
    let before = near[..at].chars().filter(|c| {
        tag |= *c == '<';
        let inside = tag;
        tag &= *c != '>';
        !inside && c.is_alphanumeric()
    });
    let picture = &near[at..end];
    let badge = ["badge", "shields.io", "/workflows/", "travis"].iter().any(|b| picture.contains(b));
    let alt = match picture.strip_prefix("![") {
        Some(rest) => rest.split(']').next()?,
        None => picture.split_once("alt=\"").and_then(|(_, rest)| rest.split('"').next())?,
    };
    let name = dialect::named(alt);
    let words = name.split_whitespace().count();
    let told = body[end..].matches(name).take(PICTURED).count() >= PICTURED;
    let start = name.as_ptr() as usize - source.as_ptr() as usize;
    let span = Span { start: start as u32, end: (start + name.len()) as u32 };
    let fits = before.count() == 0 && !badge && (1..=4).contains(&words) && name.chars().any(char::is_alphabetic);
    (fits && told).then(|| Sourced { text: name.to_owned(), span })
}

/// Returns only the letters and digits of a text.
fn letters(text: &str) -> String {
    folded(text).collect()
}
