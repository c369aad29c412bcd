//! Reads a text word for word: nothing is ranked and nothing is skipped. Headings divide it. Under each come all
//! sentences, items and block quotations, in order.

use super::blocks::{Form, Raw};
use super::quotes;
use super::reader::Reader;
use super::{Block, BlockKind, Point, Sourced, Span};

/// Maximum characters of a paragraph under a title that is shown on the cover.
const DEK: usize = 160;

/// The content of a text, sentence by sentence.
pub(super) struct Whole {
    /// The first sentence, if the text has no title.
    pub title: Option<Sourced>,
    /// The paragraph under the title.
    pub dek: Option<Sourced>,
    /// The remaining blocks, in order.
    pub blocks: Vec<Block>,
    /// Every sentence, item and cell, in order.
    pub sentences: Vec<Sourced>,
}

/// Reads the blocks from `from` on, after the title. `untitled` means that there is none.
pub(super) fn read(reader: &Reader, from: usize, untitled: bool) -> Whole {
    let raws = &reader.raws[from..];
    let mut out = Whole { title: None, dek: None, blocks: Vec::new(), sentences: Vec::new() };
    let mut head: Option<Sourced> = None;
    let mut body: Vec<Sourced> = Vec::new();
    let mut i = 0;
    while i < raws.len() {
        let raw = &raws[i];
        match raw.form {
            Form::Heading(..) => {
                out.point(head.replace(whole(raw)), &mut body);
                out.sentences.extend(head.clone());
            }
            Form::Paragraph | Form::Table => {
                let mut sentences = sentences(reader, raw);
                if untitled && i == 0 && !sentences.is_empty() {
                    out.title = Some(sentences.remove(0));
                    if let (Some(first), Some(last)) = (sentences.first(), sentences.last()) {
                        let dek = first.span.union(last.span);
                        let text = sentences.iter().map(|s| s.text.as_str()).collect::<Vec<_>>().join(" ");
                        out.sentences.extend(sentences.iter().cloned());
                        if text.chars().count() <= DEK {
                            out.dek = Some(Sourced { text, span: dek });
                        } else {
                            let head = sentences.remove(0);
                            out.point(Some(head), &mut sentences);
                        }
                    }
                    i += 1;
                    continue;
                }
                out.sentences.extend(sentences.iter().cloned());
                let first = head.is_none() && out.blocks.is_empty() && out.dek.is_none();
                if first && raw.clean.text.chars().count() <= DEK {
                    out.dek = Some(whole(raw));
                } else if head.is_some() {
                    body.extend(sentences);
                } else if let Some((first, rest)) = sentences.split_first() {
                    out.point(Some(first.clone()), &mut rest.to_vec());
                }
            }
            Form::Item { list, .. } => {
                let same = |r: &&Raw| matches!(r.form, Form::Item { list: l, .. } if l == list);
                let items: Vec<&Raw> = raws[i..].iter().take_while(same).collect();
                i += items.len() - 1;
                let points: Vec<Point> = items.iter().map(|r| item(r)).collect();
                out.sentences.extend(points.iter().flat_map(|p| std::iter::once(&p.head).chain(&p.body)).cloned());
                // A heading directly over a list is the list's title.
                let title = if body.is_empty() { head.take() } else { None };
                let numbered = items.iter().all(|r| matches!(r.form, Form::Item { ordinal: Some(_), .. }));
                let span = span(points.iter().map(|p| p.head.span));
                let kind = BlockKind::List { title, lead: None, numbered, items: points };
                out.blocks.push(Block { kind, score: 0.9, span });
            }
            Form::Quote => {
                let said = quotes::block(&raw.clean, raw.item);
                let (text, who) = said.map_or_else(|| (whole(raw), None), |said| (said.text, said.who));
                out.sentences.push(text.clone());
                out.sentences.extend(who.clone());
                out.blocks.push(Block { kind: BlockKind::Quote { text, who }, score: 0.95, span: raw.clean.whole() });
            }
        }
        i += 1;
    }
    out.point(head, &mut body);
    out.blocks.sort_by_key(|b| (b.span.start, b.span.end));
    out
}

impl Whole {
    /// Closes the open point: its head, and the sentences under it.
    fn point(&mut self, head: Option<Sourced>, body: &mut Vec<Sourced>) {
        let body = std::mem::take(body);
        if let Some(head) = head {
            let span = span(std::iter::once(&head).chain(&body).map(|s| s.span));
            self.blocks.push(Block { kind: BlockKind::KeyPoint(Point::new(head, body)), score: 0.8, span });
        }
    }
}

fn span(spans: impl Iterator<Item = Span>) -> Span {
    spans.reduce(Span::union).unwrap_or(Span { start: 0, end: 0 })
}

fn whole(raw: &Raw) -> Sourced {
    raw.clean.sourced(0..raw.clean.text.len())
}

fn sentences(reader: &Reader, raw: &Raw) -> Vec<Sourced> {
    let clean = &raw.clean;
    let ranges = match raw.form {
        Form::Table => clean.lines(),
        _ => clean.sentences(reader.lexicon),
    };
    ranges.into_iter().map(|range| clean.sourced(range)).filter(|s| !s.text.trim().is_empty()).collect()
}

/// Reads an item: its lead as the head, and the rest and the nested items as support.
fn item(raw: &Raw) -> Point {
    let clean = &raw.clean;
    let len = clean.text.len();
    let lead = raw.lead.filter(|l| *l > 0 && *l < len).unwrap_or(len);
    let mut body = Vec::new();
    if !clean.text[lead..].trim().is_empty() {
        body.push(clean.sourced(lead..len));
    }
    body.extend(raw.children.iter().map(|(_, child)| child.sourced(0..child.text.len())));
    Point::new(clean.sourced(0..lead), body)
}
