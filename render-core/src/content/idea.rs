//! Reads an idea ("5 tips for better sleep", "Summer sale: 30 % off until 31 August, code SUN30") into a
//! [`Document`].
//!
//! An idea is a line or two that says what a visual should be about. This module splits it into its kind, its count,
//! its topic and its parts. The document contains only what the idea says: each part once, its figures, its call to
//! action, and its topic as a question if it has no parts to fill a set of pages. No tips are invented: a language
//! model or the user adds what the idea leaves open.

use std::ops::Range;

use super::blocks::Clean;
use super::calls;
use super::condense;
use super::counted::{Counted, count};
use super::cues;
use super::figures;
use super::idea_kind::IdeaKind;
use super::quotes;
use super::read::{ContentError, ReadOptions, read_text_with};
use super::segment::{self, trimmed};
use super::words::{self, Words};
use super::{Block, BlockKind, Document, Language, Point, Sourced, Stat, capitalised};
use crate::limits;

/// Maximum characters of a title.
const TITLE: usize = 90;
/// Conjunctions before the last item of a list.
const AND: &str = "and & und et y e en og och и та ve و और";

/// An idea, split into its components.
#[derive(Debug, Clone, PartialEq)]
pub struct Idea {
    /// The kind of idea.
    pub kind: IdeaKind,
    /// How many things it counts: 5 in "5 tips for better sleep".
    pub count: Option<u32>,
    /// The topic: "better sleep".
    pub topic: Sourced,
    /// The parts after the head, in order: "30 % off until 31 August", "code SUN30".
    pub parts: Vec<Sourced>,
    /// The document made from the idea's own words.
    pub document: Document,
}

/// Reads an idea.
///
/// # Errors
/// Returns [`ContentError`] if the text has no words or is too long.
pub fn read_idea(text: &str, options: &ReadOptions) -> Result<Idea, ContentError> {
    // The general reader enforces limits, rejects empty text and detects the language. Its document is used if the
    // idea is a full text.
    let written = read_text_with(text, options)?;
    let lexicon = words::of(written.language.primary());
    let mut clean = Clean::default();
    clean.push(text.trim(), text.len() - text.trim_start().len()..text.trim_end().len());
    let clean = clean.finish();
    let reading = Reading::of(&clean, lexicon);
    let topic = clean.sourced(reading.topic.clone());
    let (kind, count) = (reading.kind, reading.count);
    let head = clean.text[reading.head.clone()].chars().count();
    // Several lines, or a long head: the idea is a short text and is read as one.
    if text.trim().contains('\n') || head > TITLE {
        return Ok(Idea { kind, count, topic, parts: Vec::new(), document: written });
    }
    let parts = reading.parts.iter().map(|r| clean.sourced(r.clone())).collect();
    let document = reading.document(written, options);
    Ok(Idea { kind, count, topic, parts, document })
}

/// An idea while it is being read, as ranges of its clean text.
struct Reading<'a> {
    clean: &'a Clean,
    lexicon: &'a Words,
    kind: IdeaKind,
    count: Option<u32>,
    head: Range<usize>,
    topic: Range<usize>,
    /// The parts after the head, in order.
    parts: Vec<Range<usize>>,
    /// Whether the parts are the counted or listed things.
    listed: bool,
}

impl<'a> Reading<'a> {
    fn of(clean: &'a Clean, lexicon: &'a Words) -> Self {
        let text = clean.text.as_str();
        let sentences = segment::sentences(text, lexicon);
        let first = sentences.first().cloned().unwrap_or(0..text.len());
        let (mut head, tail) = match separator(text, &first) {
            Some((end, start)) => (trimmed(text, first.start..end), trimmed(text, start..first.end)),
            None => (first.clone(), first.end..first.end),
        };
        let counted = count(text, &head, lexicon);
        let kind = kind(clean, counted.as_ref(), lexicon);
        let mut parts = Vec::new();
        if kind == IdeaKind::Comparison {
            // "Tea vs coffee: …": the two sides are parts, before the text about them.
            parts.extend(sides(text, &head));
        }
        let mut pieces = split(text, tail);
        if pieces.is_empty() && kind.states_facts() {
            // "Webinar on soil, 12 May, 18:00": without a colon, the first comma separates head and facts.
            let all = split(text, head.clone());
            if let [front, rest @ ..] = all.as_slice()
                && rest.iter().any(|r| is_fact(&text[r.clone()]))
                && segment::count_words(&text[front.clone()]) >= 2
            {
                head = front.clone();
                pieces = rest.to_vec();
            }
        }
        let facts = pieces.iter().filter(|r| is_fact(&text[(*r).clone()])).count();
        let of_count = counted.as_ref().is_some_and(|c| c.number as usize == pieces.len());
        let listed = pieces.len() >= 2 && kind != IdeaKind::Comparison && (of_count || kind == IdeaKind::List);
        match pieces.as_slice() {
            [] => {}
            // Prose is not split at commas.
            [front, .., back] if !listed && facts * 2 < pieces.len() => parts.push(front.start..back.end),
            all => parts.extend(all.iter().cloned()),
        }
        parts.extend(sentences.iter().skip(1).cloned());
        let topic = counted.as_ref().and_then(|c| c.topic.clone()).unwrap_or_else(|| head.clone());
        let parts = parts.into_iter().map(|r| without_stop(text, r)).filter(|r| !r.is_empty()).collect();
        Self { clean, lexicon, kind, count: counted.map(|c| c.number), head, topic, parts, listed }
    }

    /// Builds the document of the idea. Language and publisher come from the document `written`, which the general
    /// reader made.
    fn document(self, written: Document, options: &ReadOptions) -> Document {
        let text = self.clean.text.as_str();
        let asked = options.title.as_deref().map(str::trim).filter(|t| !t.is_empty()).is_some();
        let mut title = if asked { written.title.clone() } else { self.sourced(without_stop(text, self.head.clone())) };
        let mut blocks: Vec<Block> = Vec::new();
        let call = self.call();
        let said: Vec<&Range<usize>> = self.parts.iter().filter(|r| Some(*r) != call.as_ref()).collect();
        if let Some(said) = self.quotation() {
            let score = if self.kind == IdeaKind::Quote { 1.0 } else { said.score };
            let span = said.text.span;
            if self.kind == IdeaKind::Quote && !asked {
                title = bounded(said.text.clone(), &written.language);
            }
            blocks.push(Block { kind: BlockKind::Quote { text: said.text, who: said.who }, score, span });
        }
        if self.listed {
            let items = said.iter().map(|r| Point::new(self.part(r), Vec::new())).collect::<Vec<Point>>();
            let span = items.iter().map(|i| i.head.span).reduce(super::Span::union).unwrap_or(title.span);
            let numbered = self.count == u32::try_from(items.len()).ok();
            blocks.push(Block { kind: BlockKind::List { title: None, lead: None, numbered, items }, score: 0.9, span });
        } else if self.kind != IdeaKind::Quote {
            blocks.extend(said.iter().map(|r| Block::key_point(Point::new(self.part(r), Vec::new()), 0.7)));
        }
        blocks.extend(self.figures());
        // If there are no parts to fill a set of pages, add the topic as a question to the reader.
        if said.is_empty() && !matches!(self.kind, IdeaKind::Quote | IdeaKind::Question) {
            blocks.extend(self.question(&written.language));
        }
        let call_at = call.clone();
        if let Some(call) = call {
            let call = self.part(&call);
            blocks.push(Block { span: call.span, score: 0.9, kind: BlockKind::CallToAction(call) });
        }
        // The dek is the text between head and call, unchanged.
        let behind = || said.iter().filter(|r| r.start >= self.head.end);
        let dek = match (behind().next(), behind().next_back()) {
            (Some(first), Some(last)) if !self.listed && self.kind != IdeaKind::Quote && first.end <= last.end => {
                Some(self.sourced(first.start..last.end)).filter(|d| d.text.chars().count() <= 2 * TITLE)
            }
            _ => None,
        };
        if blocks.is_empty() {
            blocks.push(Block::key_point(Point::new(title.clone(), Vec::new()), 0.7));
        }
        blocks.sort_by_key(|b| (b.span.start, b.span.end));
        let source = written.source.clone().or_else(|| self.site(call_at.as_ref()?));
        Document {
            source,
            title: bounded(title, &written.language),
            dek: dek.map(|d| Sourced { text: capitalised(&d.text), ..d }),
            blocks,
            ending: None,
            ..written
        }
    }

    fn sourced(&self, range: Range<usize>) -> Sourced {
        self.clean.sourced(range)
    }

    /// Returns a part as standalone words: capitalised, without the "and" before the last item of a list.
    fn part(&self, range: &Range<usize>) -> Sourced {
        let text = &self.clean.text[range.clone()];
        let first = text.split_whitespace().next().unwrap_or("");
        let skip = match self.listed && words::has(AND, &first.to_lowercase()) {
            true => text.len() - text[first.len()..].trim_start().len(),
            false => 0,
        };
        let sourced = self.sourced(range.start + skip..range.end);
        Sourced { text: capitalised(&sourced.text), ..sourced }
    }

    /// Returns the last part that names a code or an address.
    fn call(&self) -> Option<Range<usize>> {
        let text = self.clean.text.as_str();
        let calls = |r: &Range<usize>| calls::address(&text[r.clone()]).is_some() || code(&text[r.clone()]).is_some();
        self.parts.iter().rev().find(|r| calls(r)).filter(|_| !self.listed).cloned()
    }

    /// Returns the host that a part names.
    fn site(&self, part: &Range<usize>) -> Option<Sourced> {
        let text = &self.clean.text[part.clone()];
        let site = calls::site(text, calls::address(text)?);
        Some(self.sourced(part.start + site.start..part.start + site.end))
    }

    fn quotation(&self) -> Option<quotes::Said> {
        quotation(self.clean, self.lexicon)
    }

    /// Returns the figures that the idea counts or measures.
    fn figures(&self) -> Vec<Block> {
        let text = self.clean.text.as_str();
        let whole = [self.head.clone()];
        let ranges = if self.parts.is_empty() { whole.as_slice() } else { self.parts.as_slice() };
        let mut out: Vec<Block> = Vec::new();
        if !self.listed {
            for range in ranges.iter().chain(whole.iter().filter(|_| !self.parts.is_empty())) {
                let best = figures::stats(self.clean, range.clone(), self.lexicon).into_iter().next();
                out.extend(best.map(|(stat, score)| {
                    let means = matches!(self.kind, IdeaKind::Stat | IdeaKind::Milestone | IdeaKind::Offer);
                    let score = if means { score.max(0.85) } else { score };
                    Block { span: stat.label.span, score, kind: BlockKind::Stat(stat) }
                }));
            }
        }
        // "5" in large type, above "tips for better sleep".
        if let (IdeaKind::List, Some(found), true) =
            (self.kind, count(text, &self.head, self.lexicon), self.parts.is_empty())
            && found.digits
        {
            let label = self.sourced(found.rest.clone());
            let span = self.clean.span(found.at.clone());
            // The span covers only the count and its noun. The topic after them belongs to another page.
            let own = found.topic.as_ref().map_or(found.rest.end, |t| t.start.max(found.rest.start));
            let label = Sourced { span: self.clean.span(found.at.start..own.max(found.at.end)), ..label };
            if segment::count_words(&label.text) >= 1 {
                let value = text[found.at].to_owned();
                let stat =
                    Stat { value, unit: String::new(), number: f64::from(found.number), label, source: None, span };
                out.push(Block { span: stat.label.span, score: 0.6, kind: BlockKind::Stat(stat) });
            }
        }
        out
    }

    /// Returns the topic as a question, with the question marks of its language.
    fn question(&self, language: &Language) -> Option<Block> {
        let topic = self.sourced(without_stop(&self.clean.text, self.topic.clone()));
        let bare = topic.text.trim_end_matches(['!', '.', '…', '。', '！']).trim();
        if bare.is_empty() || bare.chars().count() > TITLE || bare.ends_with(['?', '？', '؟', ';']) {
            return None;
        }
        let bare = capitalised(bare);
        let text = match language.primary() {
            "es" | "ast" | "gl" => format!("¿{bare}?"),
            "ar" | "fa" | "ur" | "ps" => format!("{bare}؟"),
            "el" => format!("{bare};"),
            "ja" | "zh" | "yue" => format!("{bare}？"),
            "fr" => format!("{bare} ?"),
            _ => format!("{bare}?"),
        };
        Some(Block::key_point(Point::new(Sourced { text, span: topic.span }, Vec::new()), 0.6))
    }
}

fn kind(clean: &Clean, counted: Option<&Counted>, lexicon: &Words) -> IdeaKind {
    let text = clean.text.as_str();
    if quotation(clean, lexicon).is_some_and(|s| s.who.is_some()) {
        return IdeaKind::Quote;
    }
    // An idea that opens with a count is a list of the counted things: "5 webinar mistakes".
    if counted.is_some_and(|c| c.at.start == 0 || segment::count_words(&text[..c.at.start]) == 1) {
        return IdeaKind::List;
    }
    if let Some(kind) = cues::kind_of(text) {
        return kind;
    }
    let end = text.trim_end();
    if end.ends_with(['?', '？', '؟']) || (lexicon.code == "el" && end.ends_with(';')) {
        return IdeaKind::Question;
    }
    if code(text).is_some() {
        return IdeaKind::Offer;
    }
    let whole = segment::sentences(text, lexicon);
    let measured = whole.iter().flat_map(|r| figures::stats(clean, r.clone(), lexicon));
    if measured.into_iter().any(|(stat, score)| score >= 0.6 && figures::is_share(&stat)) {
        return IdeaKind::Stat;
    }
    if counted.is_some() { IdeaKind::List } else { IdeaKind::Topic }
}

/// Returns the quotation, if the idea is one: three words or more in quotation marks with a name, or six within a
/// sentence that names the speaker.
fn quotation(clean: &Clean, lexicon: &Words) -> Option<quotes::Said> {
    let opens = clean.text.starts_with(['“', '„', '«', '"', '「', '『']);
    let set_off = if opens { quotes::block(clean, None).filter(|s| s.who.is_some()) } else { None };
    set_off.or_else(|| quotes::inline(clean, None, lexicon).into_iter().next())
}

/// Returns where the head ends and the rest begins: the first colon, spaced dash or spaced bar.
fn separator(text: &str, within: &Range<usize>) -> Option<(usize, usize)> {
    let part = &text[within.clone()];
    let inside = quotes::enclosed(part, true);
    part.char_indices()
        .filter(|(i, _)| !inside.iter().any(|r| r.contains(i)))
        .find(|(i, c)| {
            let behind = &part[i + c.len_utf8()..];
            let apart = behind.starts_with(' ') && part[..*i].ends_with(' ');
            match c {
                '：' => true,
                ':' => behind.starts_with(' '),
                '–' | '—' | '-' | '|' | '·' | '•' => apart,
                _ => false,
            }
        })
        .map(|(i, c)| (within.start + i, within.start + i + c.len_utf8()))
        .filter(|(end, start)| {
            let says = |r: &str| r.chars().any(char::is_alphanumeric);
            says(&text[within.start..*end]) && says(&text[*start..within.end])
        })
}

/// Splits a range at commas, semicolons and bars.
fn split(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let part = &text[range.clone()];
    let inside = quotes::enclosed(part, true);
    let cuts = part.char_indices().filter(|(i, c)| {
        let behind = part[i + c.len_utf8()..].chars().next();
        let parts = match c {
            // The commas and periods of "1,000" and "1.5" do not split.
            ',' | ';' => behind.is_none_or(char::is_whitespace),
            '、' | '，' | '；' | '،' | '؛' => true,
            '|' | '·' | '•' => behind.is_none_or(char::is_whitespace),
            _ => false,
        };
        parts && !inside.iter().any(|r| r.contains(i))
    });
    let mut out = Vec::new();
    let mut from = 0;
    for (at, len) in cuts.map(|(i, c)| (i, c.len_utf8())).chain([(part.len(), 0)]) {
        let piece = trimmed(text, range.start + from..range.start + at);
        if text[piece.clone()].chars().any(char::is_alphanumeric) {
            out.push(piece);
        }
        from = at + len;
    }
    out
}

/// Returns the two sides of "tea vs coffee".
fn sides(text: &str, head: &Range<usize>) -> Vec<Range<usize>> {
    const BETWEEN: [&str; 6] = [" vs. ", " vs ", " versus ", " против ", " مقابل ", " बनाम "];
    let part = &text[head.clone()];
    let lower = words::lower_in_place(part);
    let Some((at, len)) = BETWEEN.iter().find_map(|b| lower.find(b).map(|at| (at, b.len()))) else { return Vec::new() };
    let of = |r: Range<usize>| trimmed(text, head.start + r.start..head.start + r.end);
    vec![of(0..at), of(at + len..part.len())]
}

/// Whether a piece states a fact: a number, a code or an address.
fn is_fact(piece: &str) -> bool {
    piece.chars().any(char::is_numeric) || code(piece).is_some() || calls::address(piece).is_some()
}

/// Finds a code to enter: capitals and digits ("SUN30"), or the capitalised word after the word "code".
fn code(text: &str) -> Option<&str> {
    let bare = |w: &'_ str| -> bool {
        let digits = w.bytes().filter(u8::is_ascii_digit).count();
        let capitals = w.bytes().filter(u8::is_ascii_uppercase).count();
        w.len() >= 4 && digits >= 1 && capitals >= 2 && digits + capitals == w.len()
    };
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let named = words.windows(2).find(|w| {
        let says =
            matches!(w[0].to_lowercase().as_str(), "code" | "código" | "codice" | "kod" | "kodu" | "промокод" | "код");
        says && w[1].len() >= 3 && w[1].chars().all(|c| c.is_uppercase() || c.is_ascii_digit())
    });
    named.map(|w| w[1]).or_else(|| words.into_iter().find(|w| bare(w)))
}

/// Removes the final period of a range.
fn without_stop(text: &str, range: Range<usize>) -> Range<usize> {
    let range = trimmed(text, range);
    let part = &text[range.clone()];
    let one = part.strip_suffix('.').filter(|t| !t.ends_with('.')).or_else(|| part.strip_suffix('。'));
    let end = one.map_or(range.end, |t| range.start + t.len());
    trimmed(text, range.start..end)
}

/// Shortens a title to the size of a slot.
fn bounded(title: Sourced, language: &Language) -> Sourced {
    Sourced { text: condense::within(&title.text, limits::SLOT_CHARS, language), span: title.span }
}

#[cfg(test)]
#[path = "idea_tests.rs"]
mod tests;
