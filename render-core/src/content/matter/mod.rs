//! What a text says of itself before it begins: front matter of site generators, and the heads of messages.
//!
//! None of it is prose. The title is the document's, the description stands under it, and the author is its source.

mod entries;
mod json;
mod mail;
mod toml;
mod yaml;

use std::ops::Range;

use self::entries::{Entries, Entry, Value};
use super::clean::Clean;
use super::dialect::code::lines;
use super::words::is_one_of;
use super::{Language, Sourced, Span, dialect, markdown};
use serde::{Deserialize, Serialize};

/// Lines in which the end of front matter is looked for.
const LINES: usize = 400;
/// Characters of the longest title and of the longest name of an author.
const TITLE: usize = 300;
const NAME: usize = 80;
/// Most authors, tags and their like.
const MOST: usize = 20;

const TITLES: &[&str] = &["title", "headline", "heading"];
const DEKS: &[&str] = &[
    "dek",
    "standfirst",
    "subtitle",
    "sub_title",
    "subheading",
    "tagline",
    "lead",
    "lede",
    "extra.subtitle",
    "excerpt",
    "summary",
    "description",
    "abstract",
    "teaser",
    "blurb",
    "intro",
    "spoiler",
    "meta_description",
    "metadescription",
    "seo.description",
    "meta.description",
];
const AUTHORS: &[&str] = &[
    "author",
    "authors",
    "author.name",
    "authors.name",
    "byline",
    "writer",
    "creator",
    "extra.author",
    "extra.authors",
    "extra.authors.name",
    "by",
];
const DATES: &[&str] =
    &["date", "published", "publishdate", "published_at", "pubdate", "datepublished", "created", "created_at"];
const TAGS: &[&str] = &["tags", "keywords", "topics", "taxonomies.tags", "categories", "tag", "category"];
const IMAGES: &[&str] = &[
    "image",
    "cover",
    "cover_image",
    "coverimage",
    "hero",
    "hero_image",
    "banner",
    "thumbnail",
    "featured_image",
    "og_image",
    "image.src",
    "image.url",
    "image.path",
    "cover.image",
    "images",
];
const LANGUAGES: &[&str] = &["lang", "language", "locale"];
/// Titles that name a file rather than what it says.
const NAMELESS: &str = "untitled|index|readme|readme.md|home|page|post|blog|new post|title";
/// Keys that only site generators have, by `|`: a head without fences that has one of them is front matter.
const GENERATED: &str =
    "slug|layout|permalink|category|categories|tags|template|status|draft|modified|lang|summary|published";

/// What a text says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Matter {
    /// Where the text itself begins.
    pub end: usize,
    /// Where it ends, if not with the source: in front of a message that is answered.
    pub stop: Option<usize>,
    /// Its title.
    pub title: Option<Said>,
    /// What stands under its title.
    pub dek: Option<Said>,
    /// Who wrote it, by names.
    pub authors: Vec<Said>,
    /// When it was written, as it is said.
    pub date: Option<Said>,
    /// What it is filed under.
    pub tags: Vec<Said>,
    /// Path or address of its picture.
    pub image: Option<Said>,
    /// The language it is written in.
    pub language: Option<Language>,
}

/// Words of front matter, which may hold marks of Markdown, and their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// The words.
    pub text: String,
    /// Where they stand.
    pub span: Span,
}

/// What the source says of itself; nothing, where it begins with its text.
pub(super) fn read(source: &str) -> Matter {
    let start = source.len() - source.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    if let Some((entries, end)) = mail::read(source, start) {
        return Matter { stop: mail::stop(source, end), ..Matter::of(&entries.0, end) };
    }
    let found = fenced(source, start).or_else(|| object(source, start)).or_else(|| unfenced(source, start));
    found.map_or_else(Matter::default, |(entries, end)| Matter::of(&entries.0, end))
}

/// Front matter between fences: `---`, `+++` or `;;;`.
fn fenced(source: &str, start: usize) -> Option<(Entries, usize)> {
    let mut all = lines(&source[start..]).map(|(at, line)| (start + at, line));
    let (_, first) = all.next()?;
    let fence = first.trim_end();
    if !matches!(fence, "---" | "+++" | ";;;") {
        return None;
    }
    let from = (start + first.len() + 1).min(source.len());
    let mut close: Option<(usize, usize)> = None;
    let mut blank: Option<usize> = None;
    for (at, line) in all.take(LINES) {
        let text = line.trim_end();
        if text == fence || fence == "---" && text == "..." {
            close = Some((at, (at + line.len() + 1).min(source.len())));
            break;
        }
        if text.is_empty() && blank.is_none() {
            blank = Some(at);
        }
    }
    if fence == ";;;" {
        let (to, end) = close?;
        return json::read(&source[from..to], from).map(|(entries, _)| (entries, end));
    }
    // Without a closing fence it ends with the first blank line.
    let (to, end) = close.or(blank.map(|at| (at, at)))?;
    let read = if fence == "+++" { toml::read(source, from..to) } else { yaml::read(source, from..to) };
    let inside = source[from..to].lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#'));
    // A rule opens prose; front matter opens with a key.
    let keyed = inside.is_none_or(|line| match fence {
        "+++" => line.contains('=') || line.starts_with('['),
        _ => yaml::key_of(line).is_some(),
    });
    let known = read.0.iter().any(|e| is_known(&e.key));
    ((keyed && (close.is_some() || known)) || inside.is_none() && close.is_some()).then_some((read, end))
}

/// An object of JSON, alone on its lines.
fn object(source: &str, start: usize) -> Option<(Entries, usize)> {
    let text = &source[start..];
    if !text.starts_with('{') || text.starts_with("{{") || text.starts_with("{%") {
        return None;
    }
    let (entries, end) = json::read(text, start)?;
    let parted = text[end..].starts_with(['\n', '\r']) && !text[end..].trim().is_empty();
    (parted && entries.0.iter().any(|e| e.key == "title")).then_some((entries, start + end))
}

/// Keys without a fence in front of them: up to a line `---`, or up to a blank line where only a site generator can mean
/// them.
fn unfenced(source: &str, start: usize) -> Option<(Entries, usize)> {
    let mut to = start;
    let mut closed = false;
    let mut keys: Vec<String> = Vec::new();
    for (at, line) in lines(&source[start..]).map(|(at, line)| (start + at, line)).take(LINES) {
        let text = line.trim();
        let next = (at + line.len() + 1).min(source.len());
        if text == "---" {
            closed = true;
            to = next;
            break;
        }
        let goes_on = line.starts_with([' ', '\t', '-']) && !keys.is_empty();
        match yaml::key_of(text) {
            Some((key, _)) => keys.push(key.to_lowercase()),
            None if goes_on => {}
            None => break,
        }
        to = next;
    }
    let known = keys.iter().filter(|k| is_known(k)).count();
    let titled = keys.iter().any(|k| k == "title");
    let generated = keys.iter().any(|k| is_one_of(GENERATED, k));
    let all = keys.len() == known || generated;
    (titled && known >= 2 && all && (closed || generated)).then(|| (yaml::read(source, start..to), to)).map(
        |(mut read, end)| {
            read.0.retain(|e| e.key != "---");
            (read, end)
        },
    )
}

fn is_known(key: &str) -> bool {
    let all = [TITLES, DEKS, AUTHORS, DATES, TAGS, IMAGES, LANGUAGES];
    all.iter().any(|keys| keys.contains(&key)) || is_one_of(GENERATED, key)
}

impl Matter {
    fn of(entries: &[Entry], end: usize) -> Self {
        let all = |keys: &[&str]| -> Vec<Said> {
            let values =
                keys.iter().find_map(|key| entries.iter().find(|e| e.key == *key)).map(|e| e.values.as_slice());
            values.unwrap_or_default().iter().take(MOST).map(Said::of).collect()
        };
        let first = |keys: &[&str]| all(keys).into_iter().next();
        let title = first(TITLES).filter(|t| {
            let named = !is_one_of(NAMELESS, &t.text.to_lowercase());
            named && t.text.chars().nth(TITLE).is_none() && t.text.chars().any(char::is_alphanumeric)
        });
        // What stands under a title says a sentence, and not the title again.
        let dek = DEKS.iter().filter_map(|key| first(&[*key])).find(|d| {
            let words = d.text.split_whitespace().count();
            let unspaced = d.text.chars().any(super::words::is_unspaced);
            let template = d.text.contains("{{") || d.text.contains("{%");
            (words > 2 || unspaced) && !template && title.as_ref().is_none_or(|t| t.text != d.text)
        });
        let language = first(LANGUAGES).and_then(|l| Language::parse(l.text.trim().replace('_', "-").as_str()).ok());
        Self {
            end,
            stop: None,
            title,
            dek,
            authors: all(AUTHORS).into_iter().filter_map(Said::name).collect(),
            date: first(DATES),
            tags: all(TAGS),
            image: first(IMAGES).filter(|i| !i.text.contains(char::is_whitespace)),
            language,
        }
    }

    /// What a document keeps of it beside title and description.
    pub fn about(&self) -> About {
        let words = |all: &[Said]| all.iter().map(|s| s.text.clone()).collect();
        let word = |one: &Option<Said>| one.as_ref().map(|s| s.text.clone());
        About {
            authors: words(&self.authors),
            date: word(&self.date),
            tags: words(&self.tags),
            image: word(&self.image),
        }
    }
}

/// What a text says of itself beside its title.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// Who wrote it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// When it was written, as it says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What it is filed under.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Path or address of its picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

impl About {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Said {
    fn of(value: &Value) -> Self {
        let Range { start, end } = value.range;
        let text = value.text.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { text, span: Span { start: start as u32, end: end as u32 } }
    }

    /// The words without marks.
    pub fn clean(&self) -> Clean {
        let edited = dialect::commonmark(&self.text, 0..self.text.len(), true);
        let (raws, _) = markdown::read(&edited.text);
        let words: Vec<&str> = raws.iter().map(|r| r.clean.text.as_str()).collect();
        let words = if words.is_empty() { self.text.clone() } else { words.join(" ") };
        let mut clean = Clean::default();
        // The range is that of the whole: escapes and marks are gone.
        let range = self.span.start as usize..self.span.end as usize;
        words.split_inclusive(' ').for_each(|part| clean.push_as(part, range.clone()));
        clean.finish()
    }

    /// The words without marks, and their place.
    pub fn sourced(&self) -> Sourced {
        Sourced { text: self.clean().text, span: self.span }
    }

    /// The words as somebody's name, without an address; none, where they only name an account.
    fn name(mut self) -> Option<Self> {
        if let Some(at) = self.text.find(['<', '(']) {
            self.text.truncate(at);
        }
        self.text = self.text.trim().trim_matches(['"', '\'']).trim().to_owned();
        let letters = self.text.chars().any(char::is_alphabetic);
        // "ada-moor" is a key of the site's.
        let account = self.text.contains(['@', '/', '_', '{'])
            || self.text.chars().all(|c| !c.is_alphabetic() || c.is_lowercase());
        let short = self.text.chars().nth(NAME).is_none();
        let unspaced = self.text.chars().any(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
        (letters && short && (!account || unspaced)).then_some(self)
    }
}

#[cfg(test)]
mod tests;
