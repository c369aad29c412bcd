//! Reads text into a [`Document`]: the order of readers and detectors, and which of them claims a span.

use std::ops::{Range, RangeInclusive};

use super::blocks::{Clean, Form, Raw};
use super::calls;
use super::condense;
use super::context;
use super::emphasis;
use super::figures;
use super::foreign;
use super::listing::Listing;
use super::matter::{Matter, Said as Word};
use super::points::{self, Section};
use super::quotes;
use super::reader::{Reader, Sentence};
use super::segment::{self, says_something};
use super::spans::Spans;
use super::telling;
use super::whole::{self, Whole};
use super::words::{self, terms};
use super::{
    Block, BlockKind, Declared, Document, Emphasis, Evidence, Language, Point, Sourced, Span, Stat, boilerplate,
    dialect, entities, headings, images, markdown, matter, number, opening, plain, structures, turns,
};
use crate::{cancel, limits};

/// Maximum characters of a line that is only a greeting.
const GREETING: usize = 90;
/// Maximum characters of a sentence that makes a good title.
const TITLE_SENTENCE: usize = 70;
/// Maximum characters of a sentence used as the title when no better one exists.
const TITLE: usize = 200;
/// Range of sentence counts of a text that is read as a list of its sentences, and the maximum words of each.
const FEW: RangeInclusive<usize> = 3..=12;
const TERSE: usize = 6;
/// Leading paragraphs in which the dek, the sentence under the title, is looked for.
const OPENING: usize = 3;
/// Maximum characters of the dek.
const DEK: usize = 200;
/// Maximum number of remembered speaker names.
const SPEAKERS: usize = 50;
/// A dek with fewer words than this must share a word with the title.
const HOOK: usize = 6;
/// Maximum figures taken from one sentence.
const STATS: usize = 3;
/// Score penalty of a figure that shares no word with title and dek, because it is about something else.
const INCIDENTAL: f32 = 0.25;
/// Maximum characters before a title.
const INTRODUCTION: usize = 200;
/// Minimum sentences of prose for a text to have an ending.
const LONG: usize = 12;
/// Minimum sibling headings that divide a source into points.
const SIBLINGS: usize = 3;

/// Caller-supplied facts about a text and options for reading it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The title to use instead of the detected one.
    pub title: Option<String>,
    /// The language of the text, if known.
    pub language: Option<Language>,
    /// Whether the text is reproduced word for word.
    pub exact: bool,
    /// Whether the text is certainly Markdown. If `false`, Markdown is detected.
    pub markdown: bool,
    /// The author or publisher, if known. Otherwise it is taken from the text.
    pub source: Option<String>,
    /// What the source declares itself to be. If `None`, the words decide whether it announces something.
    pub declared: Option<Declared>,
}

/// Why a text cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// The text contains only white space and punctuation.
    #[error("the text contains no words")]
    Empty,
    /// The text is longer than [`limits::TEXT_CHARS`].
    #[error("the text has {0} characters; at most {max} are read", max = limits::TEXT_CHARS)]
    TooLong(usize),
}

/// Reads a plain or Markdown text.
///
/// # Errors
/// Returns [`ContentError`] if the text has no words or is too long.
pub fn read_text(text: &str) -> Result<Document, ContentError> {
    read_text_with(text, &ReadOptions::default())
}

/// Reads a text as [`read_text`] does, with the caller's options.
///
/// # Errors
/// Returns [`ContentError`] if the text has no words or is too long.
pub fn read_text_with(text: &str, options: &ReadOptions) -> Result<Document, ContentError> {
    let chars = text.chars().count();
    if chars > limits::TEXT_CHARS {
        return Err(ContentError::TooLong(chars));
    }
    let matter = matter::read(text);
    let (mut raws, listings) = blocks_of(text, &matter, options);
    raws.retain(|r| r.texts().any(|c| says_something(&c.text)));
    raws.truncate(limits::DOCUMENT_BLOCKS);
    raws.retain(|r| !is_furniture(&r.clean));
    if raws.len() > 1 && greets(&raws[0].clean.text) {
        raws.remove(0);
    }
    if raws.is_empty() {
        // A page may consist of only a title and a description.
        raws.extend(matter.dek.as_ref().or(matter.title.as_ref()).map(|said| Raw::new(Form::Paragraph, said.clean())));
    }
    if raws.is_empty() {
        return Err(ContentError::Empty);
    }
    let language = options.language.clone().unwrap_or_else(|| language_of(&raws, matter.language.as_ref()));
    let titled = matter.title.is_some() || options.title.is_some();
    if !options.exact {
        raws = turns::find(raws, terms::of(language.primary()));
    }
    raws = headings::find(raws, titled, options.exact);
    let headed = raws.iter().any(|r| matches!(r.form, Form::Heading(1, _)));
    let pictured = || opening::pictured(text, matter.end).filter(|_| !headed);
    let named = matter.title.as_ref().map(|title| opening::title(title, &mut raws)).or_else(pictured);
    if !options.exact {
        raws = foreign::strip(raws, language.primary());
        raws = boilerplate::strip(raws, language.primary());
        if options.declared == Some(Declared::Article) {
            raws = calls::without_adverts(raws, words::of(language.primary()), terms::of(language.primary()));
        }
    }
    let heads = heads(&raws);
    let reader = Reader::new(raws, &language);
    let mut document = reader.document(language, &Told { matter: &matter, title: named, options });
    document.listings = listings;
    document.images = images::of(text, matter.end..matter.stop.unwrap_or(text.len()), &heads);
    let addresses = dialect::addresses(text).into_iter().take(limits::DOCUMENT_ENTITIES);
    document.evidence.admit_addresses(addresses.map(|range| &text[range]));
    document.evidence.admit_addresses(dialect::reached(text).take(limits::DOCUMENT_ENTITIES));
    Ok(document)
}

/// Returns the language of a text: the declared one, unless the words are certainly in another language, as on a page
/// that is not yet translated.
fn language_of(raws: &[Raw], declared: Option<&Language>) -> Language {
    let all: Vec<&str> = raws.iter().map(|r| r.clean.text.as_str()).collect();
    let all = all.join("\n");
    match declared {
        Some(declared) => declared.surely_another(&all).unwrap_or_else(|| declared.clone()),
        None => Language::detect(&all),
    }
}

/// Returns the blocks of a text and its listings.
fn blocks_of(text: &str, matter: &Matter, options: &ReadOptions) -> (Vec<Raw>, Vec<Listing>) {
    let body = matter.end..matter.stop.unwrap_or(text.len());
    let marked = options.markdown || markdown::looks_like(&text[body.clone()]);
    let edited = match marked {
        true => dialect::commonmark(text, body, options.exact),
        false => dialect::plain(text, body, options.exact),
    };
    let (mut raws, mut listings) = match marked {
        true => markdown::read(&edited.text),
        false => (plain::read(&edited.text), Vec::new()),
    };
    markdown::join_lists(&mut raws);
    raws.iter_mut().for_each(|r| r.relocate(&edited));
    listings.iter_mut().for_each(|l| l.relocate(&edited));
    (raws, listings)
}

/// Returns the headings of a text. A single level-1 heading is the title.
fn heads(raws: &[Raw]) -> Vec<images::Head> {
    let first = |raw: &Raw| matches!(raw.form, Form::Heading(1, _));
    let titled = raws.iter().filter(|raw| first(raw)).count() == 1;
    let headings = raws.iter().filter(|raw| matches!(raw.form, Form::Heading(..)));
    let head = |raw: &Raw| images::Head { start: raw.clean.whole().start, is_title: titled && first(raw) };
    headings.map(head).collect()
}

/// What is known about a text before its blocks are analysed.
struct Told<'a> {
    matter: &'a Matter,
    /// The title that the text has before its first block.
    title: Option<Sourced>,
    options: &'a ReadOptions,
}

/// Whether a block contains only boilerplate of a document type, such as "press release" or "media contact".
fn is_furniture(clean: &Clean) -> bool {
    let lines = clean.lines();
    !lines.is_empty()
        && lines.into_iter().all(|line| {
            let text = clean.text[line].trim().to_lowercase();
            let label = text.split([':', '：']).next().unwrap_or("").trim_end();
            words::has_phrase(words::FURNITURE, label)
        })
}

/// Whether a line greets the reader: it opens like a message and continues unlike any title.
fn greets(text: &str) -> bool {
    let chatty = text.starts_with(char::is_lowercase) || text.ends_with([',', '，', '、', '،']);
    chatty && opens_message(text) && text.chars().count() <= GREETING && !text.contains(['.', '。', '\n'])
}

fn opens_message(text: &str) -> bool {
    let lower = text.to_lowercase();
    let parted = |rest: &str| rest.is_empty() || rest.starts_with(|c: char| !c.is_alphanumeric() && !words::is_mark(c));
    words::GREETINGS.split('|').filter_map(|g| lower.strip_prefix(g)).any(parted)
}

/// The content of a text, without the properties that apply to the whole document.
struct Said {
    title: Sourced,
    dek: Option<Sourced>,
    source: Option<Sourced>,
    blocks: Vec<Block>,
    ending: Option<Sourced>,
    sentences: Vec<Sourced>,
}

impl Reader {
    fn document(&self, language: Language, told: &Told<'_>) -> Document {
        cancel::check();
        let Told { matter, title: named, options } = told;
        let title_at = self.title_heading().filter(|_| named.is_none());
        let heading = title_at.map(|i| self.raws[i].clean.sourced(0..self.raws[i].clean.text.len()));
        let mut title = named.clone().or(heading);
        let asked = options.title.as_deref().map(str::trim).filter(|t| !t.is_empty());
        if let Some(asked) = asked {
            title = Some(Sourced { text: asked.to_owned(), span: Span { start: 0, end: 0 } });
        }
        let said = match options.exact {
            true => self.say_whole(title_at, title),
            false => self.say(title_at, title, told),
        };
        let source = options.source.as_deref().map(str::trim).filter(|s| !s.is_empty());
        let source = source.map(|s| Sourced { text: s.to_owned(), span: Span { start: 0, end: 0 } });
        let author = || matter.authors.first().map(Word::sourced);
        let direction = language.direction();
        let texts = || self.raws.iter().flat_map(Raw::texts);
        let mut emphasis: Vec<Emphasis> = texts().flat_map(emphasis::of).take(limits::DOCUMENT_EMPHASES).collect();
        emphasis.sort_by_key(|e| (e.words.span.start, e.words.span.end));
        let entities = entities::distinct(texts().flat_map(|clean| entities::of(clean, self.lexicon, self.terms)));
        // A number doesn't span lines: "1" above "000" isn't a thousand.
        let lines: Vec<&str> = texts().flat_map(|c| c.lines().into_iter().map(|line| &c.text[line])).collect();
        let mut evidence = Evidence::of(&lines.join("\n"));
        for said in matter.title.iter().chain(&matter.dek).chain(&matter.authors) {
            evidence.admit(&said.clean().text);
        }
        if let Some(asked) = asked {
            // The requested title comes from the user, so its numbers are allowed too.
            evidence.admit(asked);
        }
        Document {
            language,
            direction,
            title: said.title,
            dek: said.dek,
            source: source.or(said.source).or_else(author),
            blocks: said.blocks,
            ending: said.ending,
            emphasis,
            entities,
            evidence,
            exact: options.exact,
            sentences: said.sentences,
            about: matter.about(),
            listings: Vec::new(),
            images: Vec::new(),
        }
    }

    /// Reads the complete text, in order.
    fn say_whole(&self, title_at: Option<usize>, title: Option<Sourced>) -> Said {
        let Whole { title: first, dek, blocks, sentences } =
            whole::read(self, title_at.map_or(0, |i| i + 1), title.is_none());
        let title = title.or(first).unwrap_or_else(|| self.best_title(&[]));
        Said { title, dek, source: None, blocks, ending: None, sentences }
    }

    /// Reads the text by meaning.
    fn say(&self, title_at: Option<usize>, title: Option<Sourced>, told: &Told<'_>) -> Said {
        let (matter, declared) = (told.matter, told.options.declared);
        let from = title_at.map_or(0, |i| i + 1);
        let mut blocks: Vec<Block> = Vec::new();
        // Spans that only one kind of block may use.
        let mut taken = Spans::default();
        let call = calls::find(self, from, declared);
        if let Some((call, score)) = &call {
            taken.push(call.span);
            blocks.push(Block { kind: BlockKind::CallToAction(call.clone()), score: *score, span: call.span });
        }
        blocks.extend(self.quotations(from, &mut taken));

        let byline = self.byline(from);
        let body_from = byline.as_ref().map_or(from, |(i, _)| i + 1);
        let prose = self.sentences(body_from..self.raws.len(), &taken);
        let title = self.bounded(title.unwrap_or_else(|| self.best_title(&prose)));
        taken.push(title.span);

        let sections = self.sections(body_from, &title.text);
        let intro_end = sections.first().map_or(self.raws.len(), |s| s.heading);
        let lists_only =
            sections.is_empty() && self.raws[body_from..].iter().any(|r| matches!(r.form, Form::Item { .. }));
        let structured = !sections.is_empty() || lists_only;
        let structures = structures::find(self, body_from, title_at.map(|i| &self.raws[i].clean), declared);
        let mut said = taken.clone();
        let described = opening::dek(self, matter, body_from, &title).map(|(dek, repeated)| {
            said.extend(repeated);
            dek
        });
        let terse = self.terse(body_from, &taken);
        said.extend(terse.iter().map(|list| list.span));
        let dek = described
            .or_else(|| self.dek(body_from..intro_end, &title, structured, &taken))
            .filter(|dek| terse.as_ref().is_none_or(|list| !list.span.overlaps(dek.span)));
        blocks.extend(terse);
        // A dek that the next sentence depends on is repeated together with that sentence.
        said.extend(dek.iter().filter(|d| !self.is_leant_on(d)).map(|d| d.span));
        said.extend(structures.claimed);
        blocks.extend(structures.blocks);
        blocks.extend(points::of(self, &title, &sections, body_from..intro_end, &said));
        // A figure may appear next to a quotation, but not inside one, and not in the title.
        let figures = self.stats(&self.sentences(body_from..self.raws.len(), Spans::NONE)).into_iter();
        let free = |stat: &Stat| !taken.overlap(stat.span);
        let topic = format!("{} {}", title.text, dek.as_ref().map_or("", |d| d.text.as_str()));
        blocks.extend(figures.filter(|(stat, _)| free(stat)).map(|(stat, score)| {
            let span = stat.label.span;
            // The dek is already on the cover.
            let shown = dek.as_ref().is_some_and(|d| d.span.overlaps(span));
            let about = self.ranker.relates(&stat.label.text, &topic);
            // "10x" in a title is a name.
            let named = title.text.split_whitespace().filter_map(|w| w.strip_prefix(stat.value.as_str()));
            let is_name = named.filter(|rest| rest.starts_with(char::is_alphabetic)).count() > 0;
            let less = if shown { 0.3 } else { 0.0 } + if about && !is_name { 0.0 } else { INCIDENTAL };
            let less = less + if is_name { INCIDENTAL } else { 0.0 };
            Block { kind: BlockKind::Stat(stat), score: (score - less).max(0.0), span }
        }));
        blocks.sort_by_key(|b| (b.span.start, b.span.end));
        blocks.truncate(limits::DOCUMENT_BLOCKS);

        let source = calls::publisher(self, call.as_ref().map(|(c, _)| c)).or(byline.map(|(_, who)| who));
        let prose = (body_from..self.raws.len()).filter(|i| self.raws[*i].form == Form::Paragraph);
        let prose: Vec<Sentence> = prose.flat_map(|i| self.sentences(i..i + 1, &taken)).collect();
        let ending = Some(prose).filter(|prose| prose.len() >= LONG);
        let ending = ending.and_then(|prose| telling::ending(self, &prose, &title.text));
        Said { title, dek, source, blocks, ending, sentences: Vec::new() }
    }

    /// Finds the heading that is the title: the first of level 1, or one that opens the text and has no sibling.
    fn title_heading(&self) -> Option<usize> {
        let first = self.raws.iter().position(|r| matches!(r.form, Form::Heading(..)))?;
        let level = |i: usize| match self.raws[i].form {
            Form::Heading(level, _) => level,
            _ => u8::MAX,
        };
        let siblings = (0..self.raws.len()).filter(|i| level(*i) == level(first)).count();
        if level(first) == 1 {
            // One of several after an introduction is a section heading, and so is a bare "Introduction".
            let bare = self.raws[first].clean.text.trim_end_matches([':', '.']);
            let part = [self.lexicon.openings, self.lexicon.closings].iter().any(|list| words::has_phrase(list, bare));
            let before: usize = self.raws[..first].iter().map(|r| r.clean.text.chars().count()).sum();
            return (siblings == 1 || before <= INTRODUCTION && !part).then_some(first);
        }
        let numbered = points::numbered(&self.raws[first].clean.text, self.lexicon).is_some();
        // A heading directly above another names what follows.
        let over = matches!(self.raws.get(1).map(|r| &r.form), Some(Form::Heading(..)));
        (first == 0 && (siblings == 1 || over) && !numbered && self.raws.len() > 1).then_some(0)
    }

    /// Picks a title if none is marked: the most informative sentence of title length, otherwise the first sentence
    /// of at most `TITLE` characters, otherwise the first sentence.
    fn best_title(&self, prose: &[Sentence]) -> Sourced {
        let texts: Vec<&str> = prose.iter().map(|s| self.text(s)).collect();
        let scores = self.ranker.scores(&texts, &self.ranker.stems(&texts), "");
        // A text usually states its subject early.
        let early = |i: usize| scores[i] - 0.2 * i as f32 / prose.len().max(1) as f32;
        // A list item says less than a sentence of prose.
        let has_prose = prose.iter().any(|s| self.raws[s.raw].form == Form::Paragraph);
        let best = (0..prose.len())
            .filter(|i| !has_prose || self.raws[prose[*i].raw].form == Form::Paragraph)
            .filter(|i| (12..=TITLE_SENTENCE).contains(&texts[*i].chars().count()))
            .filter(|i| context::stands_alone(texts[*i], self.lexicon) && !texts[*i].ends_with(':'))
            .filter(|i| !opens_message(texts[*i]))
            .max_by(|a, b| early(*a).total_cmp(&early(*b)).then(b.cmp(a)));
        let whole = || texts.iter().position(|t| t.chars().count() <= TITLE);
        match best.or_else(whole).or((!prose.is_empty()).then_some(0)) {
            Some(i) => self.sourced(&prose[i]),
            None => {
                let mut all = self.raws.iter().flat_map(Raw::texts);
                let first = all.find(|c| says_something(&c.text)).unwrap_or(&self.raws[0].clean);
                first.sourced(0..first.text.len())
            }
        }
    }

    /// Removes the final period of a title and limits it to the characters of a slot. The title is not cut to
    /// headline length here: the planner checks what fits and warns about what doesn't.
    fn bounded(&self, title: Sourced) -> Sourced {
        let trimmed = title.text.trim();
        let text = match trimmed.strip_suffix('.') {
            Some(bare) if !bare.ends_with('.') => bare,
            _ => trimmed,
        };
        let language = Language::parse(self.lexicon.code).unwrap_or_else(|_| Language::english());
        Sourced { text: condense::within(text, limits::SLOT_CHARS, &language), span: title.span }
    }

    /// Finds "By Ada Moor" under the title, and its position.
    fn byline(&self, from: usize) -> Option<(usize, Sourced)> {
        let raw = self.raws.get(from).filter(|r| matches!(r.form, Form::Paragraph | Form::Heading(..)))?;
        let text = raw.clean.text.as_str();
        let by = boilerplate::BY.into_iter().find(|b| text.starts_with(b))?;
        let name = &text[by.len()..];
        let capitals =
            name.split_whitespace().all(|w| w.chars().next().is_some_and(|c| c.is_uppercase() || !c.is_alphabetic()));
        let short = (1..=5).contains(&name.split_whitespace().count()) && !name.ends_with('.');
        (capitals && short).then(|| (from, raw.clean.sourced(by.len()..text.len())))
    }

    /// Returns the first sentence under the title that introduces what follows.
    fn dek(&self, intro: Range<usize>, title: &Sourced, structured: bool, taken: &Spans) -> Option<Sourced> {
        let first = intro.clone().find(|i| !matches!(self.raws[*i].form, Form::Heading(..)))?;
        if self.raws[first].form != Form::Paragraph {
            return None;
        }
        let clean = &self.raws[first].clean;
        let sentences = self.sentences(first..first + 1, taken);
        let whole = clean.text.as_str();
        if structured
            && sentences.len() > 1
            && whole.chars().count() <= DEK * 3 / 4
            && self.sentences(first..first + 1, Spans::NONE) == sentences
        {
            return Some(clean.sourced(0..whole.len()));
        }
        let fits = |s: &Sourced| s.text.chars().count() <= DEK && !s.text.ends_with(':') && s.text != title.text;
        let own: Vec<Sourced> = sentences.iter().map(|s| self.sourced(s)).filter(fits).collect();
        let prose = (first + 1..intro.end).take_while(|i| self.raws[*i].form == Form::Paragraph).take(OPENING - 1);
        let next: Vec<Sentence> = prose.flat_map(|i| self.sentences(i..i + 1, taken)).collect();
        let next: Vec<Sourced> = next.iter().map(|s| self.sourced(s)).filter(fits).collect();
        // Excludes questions, epigraphs and sentences about the text itself.
        let telling = |s: &&Sourced| {
            context::stands_alone(&s.text, self.lexicon)
                && context::Worth::of(&s.text, self.lexicon.code).score >= 0.0
                && !opening::introduces(&s.text)
                && !s.text.ends_with(['?', '？', '؟'])
                && !s.text.starts_with(['“', '"', '„', '«', '「'])
                // "Quick!", "Technology changes fast."
                && (segment::count_words(&s.text) >= HOOK || self.ranker.relates(&s.text, &title.text))
        };
        let opening = own.first().filter(|s| structured || context::stands_alone(&s.text, self.lexicon));
        let told = own.iter().find(telling).filter(|s| structured || Some(*s) == opening);
        // A sentence that the next one depends on would be repeated together with it.
        let alone = |s: &&Sourced| telling(s) && !self.is_leant_on(s);
        let told = told.filter(|s| !self.is_leant_on(s)).or_else(|| own.iter().chain(&next).find(alone)).or(told);
        // Exclude sentences that speak of the text itself or point elsewhere.
        let opening = opening.filter(|s| !context::Worth::of(&s.text, self.lexicon.code).filler);
        told.or_else(|| own.iter().chain(&next).find(telling)).or(opening).cloned()
    }

    /// Reads a title and a few short sentences as a list: "Four habits. Meet less. Ship small."
    fn terse(&self, from: usize, taken: &Spans) -> Option<Block> {
        if self.raws[from..].iter().any(|raw| raw.form != Form::Paragraph) {
            return None;
        }
        let said = self.sentences(from..self.raws.len(), taken);
        let short = |s: &Sentence| {
            let text = self.text(s);
            segment::count_words(text) <= TERSE && !text.ends_with([':', '?', '：', '？', '؟'])
        };
        if !FEW.contains(&said.len()) || !said.iter().all(short) {
            return None;
        }
        let items: Vec<Point> = said.iter().map(|s| Point::new(self.sourced(s), Vec::new())).collect();
        let span = items.iter().map(|p| p.head.span).reduce(Span::union)?;
        Some(Block { kind: BlockKind::List { title: None, lead: None, numbered: false, items }, score: 0.8, span })
    }

    /// Whether the sentence after these words depends on them.
    fn is_leant_on(&self, words: &Sourced) -> bool {
        let next = self.raws.iter().enumerate().find_map(|(raw, r)| {
            let whole = r.clean.whole();
            let inside = r.form == Form::Paragraph && whole.start <= words.span.start && words.span.end < whole.end;
            let sentences = || self.sentences(raw..raw + 1, Spans::NONE).into_iter();
            inside.then(|| sentences().find(|s| r.clean.span(s.range.clone()).start >= words.span.end)).flatten()
        });
        next.is_some_and(|s| !context::stands_alone(self.text(&s), self.lexicon))
    }

    /// Returns the headings that divide the text into sibling sections, each with the blocks under it.
    fn sections(&self, from: usize, title: &str) -> Vec<Section> {
        let level = |i: usize| match self.raws[i].form {
            Form::Heading(level, _) => Some(level),
            _ => None,
        };
        let at = |l: u8| (from..self.raws.len()).filter(move |i| level(*i) == Some(l));
        let promised: Vec<f64> = number::all(title).into_iter().flat_map(|n| n.values).collect();
        let counted = |l: &u8| {
            let n = at(*l).filter(|i| self.is_counted(*i)).count();
            let most = 2 * n >= (1..=*l).map(|l| at(l).count()).sum::<usize>();
            n >= SIBLINGS && (most || promised.contains(&(n as f64)))
        };
        let enough = |n: usize| (1..=6).find(|l| at(*l).count() >= n);
        // "Tip 1" to "Tip 7" are the sections, even if some of them are grouped under other headings.
        let siblings = (1..=6).find(counted).or_else(|| enough(SIBLINGS)).or_else(|| enough(2)).or_else(|| enough(1));
        let Some(siblings) = siblings else { return Vec::new() };
        let heads: Vec<usize> = (from..self.raws.len()).filter(|i| level(*i).is_some_and(|l| l <= siblings)).collect();
        let sections = heads.iter().enumerate().map(|(k, i)| {
            let body = i + 1..heads.get(k + 1).copied().unwrap_or(self.raws.len());
            Section { heading: *i, body }
        });
        // A heading directly above its first part has no content of its own.
        let over = |s: &Section| s.body.is_empty() && level(s.heading).is_some_and(|l| l < siblings);
        sections.filter(|s| !over(s)).collect()
    }

    /// Whether the heading at `i` is numbered.
    fn is_counted(&self, i: usize) -> bool {
        let raw = &self.raws[i];
        matches!(raw.form, Form::Heading(_, Some(_))) || points::numbered(&raw.clean.text, self.lexicon).is_some()
    }

    fn quotations(&self, from: usize, taken: &mut Spans) -> Vec<Block> {
        let mut out = Vec::new();
        // The last speaker of the previous block.
        let mut speaker: Option<Sourced> = None;
        let mut known: Vec<Sourced> = Vec::new();
        for i in from..self.raws.len() {
            let clean = &self.raws[i].clean;
            let found = match self.raws[i].form {
                Form::Quote => {
                    let mut said = quotes::block(clean, self.raws[i].item);
                    if let (Some(said), Some(next)) = (&mut said, self.raws.get(i + 1))
                        && said.who.is_none()
                        && next.form == Form::Paragraph
                        && let Some(who) = quotes::attribution(&next.clean)
                    {
                        taken.push(who.span);
                        said.who = Some(who);
                        said.score = 0.95;
                    }
                    said.into_iter().collect()
                }
                Form::Paragraph => match quotes::epigraph(clean) {
                    Some(said) => vec![said],
                    None => quotes::inline(clean, speaker.as_ref(), self.lexicon),
                },
                _ => Vec::new(),
            };
            speaker = found.last().and_then(|said| said.who.clone());
            for mut said in found {
                said.who = said.who.map(|who| in_full(who, &mut known));
                let span = clean.span(said.range);
                taken.push(span);
                out.push(Block { kind: BlockKind::Quote { text: said.text, who: said.who }, score: said.score, span });
            }
        }
        out
    }

    /// Returns the figures of each sentence. All but the best figure of a sentence score lower.
    fn stats(&self, prose: &[Sentence]) -> Vec<(Stat, f32)> {
        let mut out = Vec::new();
        for sentence in prose {
            cancel::tick();
            let raw = &self.raws[sentence.raw];
            let found = figures::stats(&raw.clean, sentence.range.clone(), self.lexicon);
            for (k, (stat, score)) in found.into_iter().enumerate().take(STATS) {
                // Quantities within steps and list items ("20 minutes") belong to an instruction.
                let instructs = matches!(raw.form, Form::Item { .. }) && !figures::is_share(&stat);
                let score = score - if instructs { 0.2 } else { 0.0 } - if k > 0 { 0.15 } else { 0.0 };
                out.push((stat, score.max(0.0)));
            }
        }
        out
    }
}

/// Completes a name from the `known` speakers: "Moor" becomes "Ada Moor" once she has spoken.
fn in_full(who: Sourced, known: &mut Vec<Sourced>) -> Sourced {
    let name = |who: &Sourced| who.text.split(", ").next().unwrap_or("").to_owned();
    let own = name(&who);
    if own.contains(' ') {
        if known.len() < SPEAKERS && known.iter().all(|k| name(k) != own) {
            known.push(who.clone());
        }
        return who;
    }
    let same: Vec<&Sourced> = known.iter().filter(|k| name(k).split(' ').any(|part| part == own)).collect();
    // If two known speakers share the name, the reference is ambiguous.
    match same.first().filter(|first| same.iter().all(|k| name(k) == name(first))) {
        Some(first) => Sourced { text: name(first), span: first.span },
        None => who,
    }
}
