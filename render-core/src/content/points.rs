//! Points, steps and lists, taken from sibling headings, from lists, or otherwise from the most informative
//! sentences.

use std::ops::Range;

use super::blocks::{Clean, Form, Raw};
use super::context::{Worth, refers_back, stands_alone};
use super::cues;
use super::item_head::{HEAD, is_head, split_head, without_joint};
use super::number;
use super::prose;
use super::reader::{Reader, Sentence};
use super::segment::{self, says_something};
use super::spans::Spans;
use super::telling::{self, Ranked};
use super::words::{self, Words};
use super::{Block, BlockKind, Point, Sourced, Span};

/// Minimum items of a list or steps of a sequence.
const LEAST: usize = 3;
/// Items of a list that counts as one only after an introductory sentence.
const PAIR: usize = 2;
/// Maximum words of a question that asks nothing new.
const RHETORICAL: usize = 2;
/// Maximum characters of a sentence that introduces a list without a colon, and words that mark several things.
const DENIES: usize = 160;
const SEVERAL: &str = "several many some reasons ways things plusieurs raisons certaines certains varias varios razones algunas algunos \
    várias vários razões algumas alguns mehrere einige gründe diverse alcune alcuni ragioni verschillende redenen";
/// Maximum characters of a heading of several sentences that is shown whole.
const ASKED: usize = 70;
/// Score of a section with a heading, and how much the odds of its best sentence add.
const HEADED: f32 = 0.74;
const SAYING: f32 = 0.12;
/// Maximum parts of a section that one page can list.
const PARTS: usize = 7;

/// A heading and the blocks under it.
#[derive(Debug, Clone)]
pub(super) struct Section {
    /// Index of the heading's block.
    pub heading: usize,
    /// Indices of the blocks under it.
    pub body: Range<usize>,
}

/// Returns the points of a text: `sections` under sibling headings, `intro` before them.
pub(super) fn of(
    reader: &Reader,
    title: &Sourced,
    sections: &[Section],
    intro: Range<usize>,
    taken: &Spans,
) -> Vec<Block> {
    let finder = Finder { reader, title: &title.text, taken };
    let mut out = finder.lists(intro.clone(), None);
    if sections.is_empty() {
        let has_list = !out.is_empty();
        let stretches = prose::stretches(finder.reader, finder.taken, intro);
        out.extend(prose::points(finder.reader, finder.title, &stretches, if has_list { 0.2 } else { 0.6 }));
        return out;
    }
    // The text before the first heading says why the topic matters.
    let stretches = prose::stretches(finder.reader, finder.taken, intro);
    out.extend(prose::points(finder.reader, finder.title, &stretches, 0.2));
    let numbers: Vec<Option<Numbered>> = sections.iter().map(|s| finder.number_of(s)).collect();
    let counted = numbers.iter().flatten().count();
    if counted >= LEAST {
        out.extend(finder.numbered(sections, &numbers, title));
    }
    for (section, number) in sections.iter().zip(&numbers) {
        if counted < LEAST || number.is_none() {
            out.extend(finder.section(section));
        }
    }
    out
}

/// The number before a heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbered {
    /// Whether it counts steps.
    pub step: bool,
    /// The number.
    pub n: u32,
    /// Offset of the words after the number.
    pub words: usize,
}

/// Reads the number of "3. Water early", "Step 3: Water early", "Tip #3 – Water early".
pub(super) fn numbered(text: &str, lexicon: &Words) -> Option<Numbered> {
    let (steps, others) = lexicon.numbered.split_once('|').unwrap_or(("", ""));
    let mut rest = text;
    let mut step = None;
    let unspaced = text.starts_with(words::is_unspaced);
    // Without a space between word and number, the word ends at the first digit.
    let ends = |c: char| c.is_whitespace() || c == '#' || unspaced && number::digit(c).is_some();
    let first = text.split(ends).next().unwrap_or("");
    let lower = first.to_lowercase();
    if words::has(steps, &lower) {
        step = Some(true);
    } else if words::has(others, &lower) {
        step = Some(false);
    }
    if step.is_some() {
        rest = text[first.len()..].trim_start();
    }
    let rest = rest.trim_start_matches(['#', '№', ' ', '(']);
    // "Step one: …".
    let word = rest.split(|c: char| !c.is_alphabetic()).next().filter(|word| step.is_some() && !word.is_empty());
    let (n, after) = match word.and_then(|word| Some((cues::ordinal(word, lexicon.code)?, &rest[word.len()..]))) {
        Some(spelled) => spelled,
        None => {
            let numeral: String = rest.chars().take_while(|c| number::digit(*c).is_some()).map(number::ascii).collect();
            let n = numeral.parse().ok().filter(|_| (1..=2).contains(&numeral.len()))?;
            (n, rest.trim_start_matches(|c| number::digit(c).is_some()))
        }
    };
    let mark = after.trim_start().chars().next();
    let marked = matches!(mark, Some('.' | ')' | ':' | '–' | '—' | '-' | '|' | '：' | '、' | '．' | '।'));
    if !marked {
        return None;
    }
    // "3.5 percent" and "5-minute rests" are not numerals.
    let behind = after.trim_start().strip_prefix(|c| Some(c) == mark)?;
    let wide = matches!(mark, Some('：' | '、' | '．'));
    if !(wide || behind.starts_with(char::is_whitespace)) {
        return None;
    }
    let words = behind.trim_start_matches(['.', ')', ':', '–', '—', '-', '|', ' ', '：', '\u{3000}']);
    (!words.is_empty()).then(|| Numbered { step: step.unwrap_or(false), n, words: text.len() - words.len() })
}

/// Returns where a heading's question begins: "Let's go back to the start of the season. What did you see first?" asks in
/// its last sentence. Other headings begin at `words`.
fn asked(clean: &Clean, words: usize, lexicon: &Words) -> usize {
    let text = clean.text.trim_end();
    let last = clean.sentences(lexicon).last().map_or(words, |last| last.start.max(words));
    let question = &clean.text[last..];
    let ends_back =
        segment::words_of(question).last().is_some_and(|word| matches!(word.as_str(), "that" | "it" | "this"));
    let long = text.chars().count() > ASKED && text.ends_with(['?', '？', '؟']);
    let alone = stands_alone(question, lexicon) && !refers_back(question, lexicon);
    if long && !ends_back && alone { last } else { words }
}

/// Reads a list item as a point: its head, and the text after or below it.
pub(super) fn item_of(reader: &Reader, raw: usize) -> Point {
    Finder { reader, title: "", taken: Spans::NONE }.item(raw, raw + 1..raw + 1)
}

struct Finder<'a> {
    reader: &'a Reader,
    title: &'a str,
    taken: &'a Spans,
}

impl Finder<'_> {
    fn raw(&self, i: usize) -> &Raw {
        &self.reader.raws[i]
    }

    fn lexicon(&self) -> &'static Words {
        self.reader.lexicon
    }

    fn number_of(&self, section: &Section) -> Option<Numbered> {
        let raw = self.raw(section.heading);
        let found = numbered(&raw.clean.text, self.lexicon());
        match raw.form {
            Form::Heading(_, Some(n)) => Some(Numbered { step: false, n, words: 0 }),
            _ => found,
        }
    }

    /// Reads numbered headings as one list, or as steps.
    fn numbered(&self, sections: &[Section], numbers: &[Option<Numbered>], title: &Sourced) -> Option<Block> {
        let mut items = Vec::new();
        let mut step = false;
        for (section, number) in sections.iter().zip(numbers) {
            let Some(number) = number else { continue };
            let clean = &self.raw(section.heading).clean;
            step |= number.step;
            let head = clean.sourced(number.words..clean.text.len());
            items.push(self.supporting(section.body.clone(), &head.text).point(head));
        }
        let span = span_of(&items)?;
        let title = Some(title.clone());
        let steps = step || self.tells_how(self.title);
        let kind = if steps {
            BlockKind::Steps { title, steps: items }
        } else {
            BlockKind::List { title, lead: None, numbered: true, items }
        };
        Some(Block { kind, score: 0.95, span })
    }

    /// Returns the blocks of one heading and its content.
    fn section(&self, section: &Section) -> Vec<Block> {
        let clean = &self.raw(section.heading).clean;
        let words = numbered(&clean.text, self.lexicon()).map_or(0, |n| n.words);
        let head = clean.sourced(asked(clean, words, self.lexicon())..clean.text.len());
        let bare = head.text.trim_end_matches([':', '.', '?', '!']).to_owned();
        let lexicon = self.lexicon();
        if words::has_phrase(lexicon.apparatus, &bare) {
            return Vec::new();
        }
        let parts = self.parts(section.body.clone());
        let before = section.body.start..parts.first().map_or(section.body.end, |part| part.heading);
        let mut out = self.lists(before.clone(), Some(&head));
        out.extend(self.named(&parts, &head));
        // The text above the parts supports the heading. If there is none, the text of the parts does.
        let mut ranked = self.supporting(before.clone(), &head.text);
        if ranked.telling.is_empty() && parts.len() > PARTS {
            ranked = self.supporting(section.body.clone(), &head.text);
        }
        let body = &ranked.telling;
        if words::has_phrase(lexicon.closings, &bare) {
            out.extend(prose::points(
                self.reader,
                self.title,
                &prose::stretches(self.reader, self.taken, section.body.clone()),
                0.1,
            ));
        } else if words::has_phrase(lexicon.openings, &bare) {
            out.extend(prose::points(
                self.reader,
                self.title,
                &prose::stretches(self.reader, self.taken, section.body.clone()),
                0.2,
            ));
        } else if !body.is_empty() || out.is_empty() {
            // Sections with a list come first, then those whose best sentence says more.
            let says = if out.is_empty() { ranked.share } else { 1.0 };
            let score = if body.is_empty() { 0.5 } else { HEADED + SAYING * says };
            let span = body.iter().chain(&ranked.rest).fold(head.span, |s, b| s.union(b.span));
            let asks = head.text.ends_with(['?', '？', '؟']) || lexicon.code == "el" && head.text.ends_with(';');
            // A heading whose only content is a structure is that structure's title.
            let titles = body.is_empty() && section.body.clone().any(|i| self.is_taken(self.raw(i).clean.whole()));
            if self.is_taken(head.span) || titles {
                return out;
            }
            let answer = if asks { self.answer(before, &head.text) } else { Vec::new() };
            if !answer.is_empty() {
                out.push(Block {
                    kind: BlockKind::QuestionAnswer { question: head, answer, who: None },
                    score: 0.85,
                    span,
                });
            } else {
                out.push(Block::key_point(ranked.point(head), score));
            }
        }
        out
    }

    /// Returns the parts that a section's subheadings divide it into: none, or at least two.
    fn parts(&self, body: Range<usize>) -> Vec<Section> {
        let level = |i: &usize| if let Form::Heading(level, _) = self.raw(*i).form { Some(level) } else { None };
        let highest = body.clone().filter_map(|i| level(&i)).min();
        let heads: Vec<usize> = body.clone().filter(|i| level(i).is_some() && level(i) == highest).collect();
        if heads.len() < 2 {
            return Vec::new();
        }
        let ends = heads.iter().skip(1).copied().chain([body.end]);
        heads.iter().zip(ends).map(|(heading, end)| Section { heading: *heading, body: heading + 1..end }).collect()
    }

    /// Returns the parts of a section as a list of their headings, and the lists within each part.
    fn named(&self, parts: &[Section], title: &Sourced) -> Vec<Block> {
        let mut items = Vec::new();
        let mut out = Vec::new();
        for part in parts {
            let clean = &self.raw(part.heading).clean;
            let head = clean.sourced(numbered(&clean.text, self.lexicon()).map_or(0, |n| n.words)..clean.text.len());
            // A list within a part appears under both headings.
            out.extend(self.lists(part.body.clone(), Some(title)).into_iter().map(|mut block| {
                if let BlockKind::List { lead, .. } = &mut block.kind {
                    *lead = Some(head.clone());
                }
                block
            }));
            items.push(self.supporting(part.body.clone(), &head.text).point(head));
        }
        let apparatus = |p: &Point| words::has_phrase(self.lexicon().apparatus, &p.head.text);
        items.retain(|p| !apparatus(p) && !self.is_taken(p.head.span));
        if items.len() >= 2
            && let Some(span) = span_of(&items)
        {
            let kind = BlockKind::List { title: Some(title.clone()), lead: None, numbered: false, items };
            out.insert(0, Block { kind, score: 0.87, span });
        }
        out
    }

    /// Ranks the sentences of a range's prose that can support `head`, each with the sentences that depend on it.
    fn supporting(&self, range: Range<usize>, head: &str) -> Ranked {
        let prose = range.filter(|i| self.raw(*i).form == Form::Paragraph);
        let sentences: Vec<Sentence> = prose.flat_map(|i| self.reader.sentences(i..i + 1, self.taken)).collect();
        telling::ranked(self.reader, &sentences, head)
    }

    /// Returns the sentences of a range's prose as an answer to its heading, without questions and pointers to other
    /// places.
    fn answer(&self, range: Range<usize>, head: &str) -> Vec<Sourced> {
        let prose = range.filter(|i| self.raw(*i).form == Form::Paragraph);
        let all: Vec<Sentence> = prose.flat_map(|i| self.reader.sentences(i..i + 1, self.taken)).collect();
        // "The answer?" asks nothing new.
        let asks = |s: &Sentence| {
            let text = self.reader.text(s);
            text.ends_with(['?', '？', '؟']) && segment::count_words(text) > RHETORICAL
        };
        let telling = |s: &&Sentence| {
            let text = self.reader.text(s);
            !text.ends_with(['?', '？', '؟', ':', '：']) && !Worth::of(text, self.lexicon().code).filler
        };
        // Sentences after another question answer that one.
        let first = all.iter().take_while(|s| asks(s)).count();
        let end = all.iter().skip(first).position(asks).map_or(all.len(), |n| first + n);
        let all = if all[..end].iter().any(|s| telling(&s)) { &all[..end] } else { &all[..] };
        let telling: Vec<Sentence> = all.iter().filter(telling).cloned().collect();
        telling::answer(self.reader, &telling, head)
    }

    /// Returns the lists of a range, each under the line that introduces it or the heading over it.
    fn lists(&self, range: Range<usize>, heading: Option<&Sourced>) -> Vec<Block> {
        let mut out = Vec::new();
        let mut i = range.start;
        while i < range.end {
            let Form::Item { list, ordinal } = self.raw(i).form else {
                i += 1;
                continue;
            };
            let same = |j: usize| matches!(self.raw(j).form, Form::Item { list: l, .. } if l == list);
            // Prose between two items of one list belongs to the item above it.
            let mut items = Vec::new();
            let mut end = i;
            while end < range.end && same(end) {
                let mut next = end + 1;
                while next < range.end
                    && self.raw(next).form == Form::Paragraph
                    && (next + 1..range.end.min(next + 4)).any(same)
                {
                    next += 1;
                }
                items.push(self.item(end, end + 1..next));
                end = next;
            }
            let lead = i.checked_sub(1).filter(|l| *l >= range.start).map(|l| &self.raw(l).clean);
            let lead = lead.and_then(|c| {
                let last = segment::sentences(&c.text, self.lexicon()).pop()?;
                // The lead keeps its colon, because it introduces the list and is not a heading. A sentence that
                // denies something is a lead even without a colon: "Some would not be paid for it."
                let words = &c.text[last.clone()];
                let denies = heading.is_some() && words.chars().count() <= DENIES && self.denies(words);
                (words.ends_with([':', '：']) || denies).then(|| c.sourced(last))
            });
            // "A good workshop does two things:"
            if items.len() >= LEAST || items.len() == PAIR && lead.is_some() {
                // Under a heading, the lead is kept next to it.
                let (title, lead) = if heading.is_some() { (heading.cloned(), lead) } else { (lead, None) };
                let introduced = title.as_ref().map_or(self.title, |t| t.text.as_str());
                let counts = ordinal.is_some();
                let tips = introduced.chars().find(|c| !c.is_whitespace()).is_some_and(|c| c.is_ascii_digit());
                let span = span_of(&items).unwrap_or(Span { start: 0, end: 0 });
                if items.iter().all(|p| self.is_taken(p.head.span)) {
                    i = end.max(i + 1);
                    continue;
                }
                // "A workshop does two things:" does not introduce steps.
                let told = lead.as_ref().is_none_or(|l| self.tells_how(&l.text) || self.tells_how(self.title));
                let steps = counts && !tips && told;
                let kind = if steps {
                    BlockKind::Steps { title, steps: items }
                } else {
                    BlockKind::List { title, lead, numbered: counts, items }
                };
                out.push(Block { kind, score: if counts { 0.9 } else { 0.85 }, span });
            } else {
                let fresh = items.into_iter().filter(|p| !self.is_taken(p.head.span));
                out.extend(fresh.map(|p| Block::key_point(p, 0.45)));
            }
            i = end.max(i + 1);
        }
        out
    }

    /// Reads an item. The head is the text in bold, on the first line, before the colon or dash, or the first
    /// sentence. The rest supports it.
    fn item(&self, i: usize, below: Range<usize>) -> Point {
        let raw = self.raw(i);
        let clean = &raw.clean;
        let text = clean.text.as_str();
        let set_apart = |l: &usize| *l > 0 && *l < text.len() && text[..*l].chars().count() <= HEAD;
        let (head, rest) = match raw.lead.filter(|l| set_apart(l) && is_head(clean, *l, self.lexicon())) {
            Some(lead) => (0..lead, lead..text.len()),
            None => split_head(text, self.lexicon()),
        };
        let rest = rest.start
            + (text[rest.clone()].len() - text[rest.clone()].trim_start_matches([':', '–', '—', '-', '.', ' ']).len())
            ..rest.end;
        let head_text = text[head.clone()].trim_end().trim_end_matches([':', '–', '—', ' ']);
        let head_text = if head_text.ends_with("..") { head_text } else { head_text.trim_end_matches('.') };
        let head_text = without_joint(without_or(head_text));
        let head = clean.sourced(head.start..head.start + head_text.len());
        // Punctuation alone is no head. Use the whole item, or the list under it.
        if !says_something(&head.text) {
            let head = raw.texts().find(|c| says_something(&c.text)).unwrap_or(clean);
            return Point::new(head.sourced(0..head.text.len()), Vec::new());
        }
        let (mut body, mut more): (Vec<Sourced>, Vec<Sourced>) = (Vec::new(), Vec::new());
        if !text[rest.clone()].trim().is_empty() {
            let sentences: Vec<Sentence> = segment::sentences(&text[rest.clone()], self.lexicon())
                .into_iter()
                .map(|r| Sentence { raw: i, range: rest.start + r.start..rest.start + r.end })
                .filter(|s| !self.is_taken(clean.span(s.range.clone())))
                .collect();
            // The sentence after the head continues it, however it opens.
            if !sentences.is_empty() {
                body.push(telling::group(self.reader, &sentences, 0));
            }
            let mut said: Spans = body.iter().map(|b| b.span).collect();
            for (tells, sentence) in telling::ranked(self.reader, &sentences, &head.text).all() {
                if !said.overlap(sentence.span) {
                    said.push(sentence.span);
                    if tells { body.push(sentence) } else { more.push(sentence) }
                }
            }
        }
        let below = self.supporting(below, &head.text);
        body.extend(below.telling);
        more.extend(below.rest);
        body.extend(raw.texts().skip(1).filter(|c| says_something(&c.text)).map(|c| c.sourced(0..c.text.len())));
        Point { head, body, more }
    }

    /// Whether a sentence about several things denies something.
    fn denies(&self, text: &str) -> bool {
        let words = segment::words_of(text);
        let counts = words.iter().any(|word| words::has(SEVERAL, word));
        counts && words.iter().any(|word| words::has(self.lexicon().negation, word))
    }

    /// Whether a title announces instructions.
    fn tells_how(&self, title: &str) -> bool {
        let lower = title.to_lowercase();
        [
            "how to",
            "step",
            "guide to",
            "recipe",
            "schritt",
            "anleitung",
            "comment ",
            "étape",
            "cómo ",
            "paso",
            "come ",
            "passo",
            "como ",
            "как ",
            "шаг",
            "πώς ",
            "βήμα",
            "stap",
            "so ",
        ]
        .iter()
        .any(|w| if w.ends_with(' ') { lower.starts_with(w) } else { lower.contains(w) })
    }

    fn is_taken(&self, span: Span) -> bool {
        self.taken.overlap(span)
    }
}

/// Removes the "or" or "and" at the end of an item that leads to the next one.
fn without_or(text: &str) -> &str {
    const ORS: [&str; 16] = [
        ", or", ", and", "; or", "; and", ", oder", ", und", ", ou", ", et", ", o", ", y", ", e", ", of", "، أو",
        ", या", ", или", ", и",
    ];
    let bare = text.trim_end();
    ORS.iter().find_map(|or| bare.strip_suffix(or)).unwrap_or(text)
}

fn span_of(items: &[Point]) -> Option<Span> {
    let all = items.iter().flat_map(|p| std::iter::once(p.head.span).chain(p.sentences().map(|b| b.span)));
    all.reduce(Span::union)
}

#[cfg(test)]
#[path = "points_tests.rs"]
mod tests;
