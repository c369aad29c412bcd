//! Reads what a text states about itself before its body: front matter of site generators, and mail headers.
//!
//! None of it is prose. The title becomes the document's title, the description its dek, and the author its source.

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

/// Maximum lines searched for the end of front matter.
const LINES: usize = 400;
/// Maximum characters of a title and of an author's name.
const TITLE: usize = 300;
const NAME: usize = 80;
/// Maximum authors, tags and similar values.
const MOST: usize = 20;

/// Maximum characters of a description that fits a cover.
pub(super) const DEK: usize = 240;
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
/// Titles that name a file rather than its content.
const NAMELESS: &str = "untitled|index|readme|readme.md|home|page|post|blog|new post|title";
/// Keys that only site generators use, separated by `|`. A head without fences that has one of them is front matter.
const GENERATED: &str =
    "slug|layout|permalink|category|categories|tags|template|status|draft|modified|lang|summary|published";

/// What a text states about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Matter {
    /// Offset at which the text itself begins.
    pub end: usize,
    /// Offset at which it ends, if before the end of the source: before a quoted message in a reply.
    pub stop: Option<usize>,
    /// The title.
    pub title: Option<Said>,
    /// The description under the title.
    pub dek: Option<Said>,
    /// The authors' names.
    pub authors: Vec<Said>,
    /// The date, as written.
    pub date: Option<Said>,
    /// The tags and categories.
    pub tags: Vec<Said>,
    /// Path or address of the picture.
    pub image: Option<Said>,
    /// The language of the text.
    pub language: Option<Language>,
}

/// Words of front matter, which may contain Markdown, and their position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// The words.
    pub text: String,
    /// Their position.
    pub span: Span,
}

/// Reads the front matter or mail header of a source. The result is empty if there is none.
pub(super) fn read(source: &str) -> Matter {
    let start = source.len() - source.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    if let Some((entries, end)) = mail::read(source, start) {
        return Matter { stop: mail::stop(source, end), ..Matter::of(&entries.0, end) };
    }
    let found = fenced(source, start).or_else(|| object(source, start)).or_else(|| unfenced(source, start));
    found.map_or_else(Matter::default, |(entries, end)| Matter::of(&entries.0, end))
}

/// Reads front matter between fences: `---`, `+++` or `;;;`.
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
    // Without a closing fence, the front matter ends at the first blank line.
    let (to, end) = close.or(blank.map(|at| (at, at)))?;
    let read = if fence == "+++" { toml::read(source, from..to) } else { yaml::read(source, from..to) };
    let inside = source[from..to].lines().map(str::trim).find(|l| !l.is_empty() && !l.starts_with('#'));
    // After a `---` line, prose means a thematic break and a key means front matter.
    let keyed = inside.is_none_or(|line| match fence {
        "+++" => line.contains('=') || line.starts_with('['),
        _ => yaml::key_of(line).is_some(),
    });
    let known = read.0.iter().any(|e| is_known(&e.key));
    ((keyed && (close.is_some() || known)) || inside.is_none() && close.is_some()).then_some((read, end))
}

/// Reads a JSON object that is alone on its lines.
fn object(source: &str, start: usize) -> Option<(Entries, usize)> {
    let text = &source[start..];
    if !text.starts_with('{') || text.starts_with("{{") || text.starts_with("{%") {
        return None;
    }
    let (entries, end) = json::read(text, start)?;
    let parted = text[end..].starts_with(['\n', '\r']) && !text[end..].trim().is_empty();
    (parted && entries.0.iter().any(|e| e.key == "title")).then_some((entries, start + end))
}

/// Reads keys without an opening fence. They end at a `---` line or, if one of them is a key that only site
/// generators use, at the first line that is not a key.
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
        // A description is a sentence and differs from the title.
        let says = |d: &Said| {
            let words = d.text.split_whitespace().count();
            let unspaced = d.text.chars().any(super::words::is_unspaced);
            let template = d.text.contains("{{") || d.text.contains("{%");
            (words > 2 || unspaced) && !template && title.as_ref().is_none_or(|t| t.text != d.text)
        };
        // Where there are several, one that is short enough for a cover goes first.
        let mut deks: Vec<Said> = DEKS.iter().filter_map(|key| first(&[*key])).filter(says).collect();
        let short = deks.iter().position(|d| d.text.chars().count() <= DEK).unwrap_or(0);
        let dek = (short < deks.len()).then(|| deks.swap_remove(short));
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

    /// Returns the metadata that a document keeps besides title and description.
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

/// Metadata that a text states about itself, besides the title.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The authors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<String>,
    /// The date, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The tags and categories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Path or address of the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
}

impl About {
    /// Whether there is no metadata.
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

    /// Returns the words without markup.
    pub fn clean(&self) -> Clean {
        let edited = dialect::commonmark(&self.text, 0..self.text.len(), true);
        let (raws, _) = markdown::read(&edited.text);
        let words: Vec<&str> = raws.iter().map(|r| r.clean.text.as_str()).collect();
        let words = if words.is_empty() { self.text.clone() } else { words.join(" ") };
        let mut clean = Clean::default();
        // Every part maps to the whole range, because removed escapes and marks shift the offsets.
        let range = self.span.start as usize..self.span.end as usize;
        words.split_inclusive(' ').for_each(|part| clean.push_as(part, range.clone()));
        clean.finish()
    }

    /// Returns the words without markup, and their position.
    pub fn sourced(&self) -> Sourced {
        Sourced { text: self.clean().text, span: self.span }
    }

    /// Returns the words as a person's name, without an address, or `None` if they only name an account.
    fn name(mut self) -> Option<Self> {
        if let Some(at) = self.text.find(['<', '(']) {
            self.text.truncate(at);
        }
        self.text = self.text.trim().trim_matches(['"', '\'']).trim().to_owned();
        let letters = self.text.chars().any(char::is_alphabetic);
        // "ada-moor" is an account key of the site.
        let account = self.text.contains(['@', '/', '_', '{'])
            || self.text.chars().all(|c| !c.is_alphabetic() || c.is_lowercase());
        let short = self.text.chars().nth(NAME).is_none();
        let unspaced = self.text.chars().any(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase());
        (letters && short && (!account || unspaced)).then_some(self)
    }
}

#[cfg(test)]
mod tests;
