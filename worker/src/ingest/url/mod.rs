//! Web pages: the bytes of a response → the page's text as Markdown, and its metadata.
//!
//! [`read_page`] is a pure function of the bytes. A page may be malicious: parsing it can take disproportionate time
//! and memory, so it runs where both are limited.

mod charset;
mod content;
mod credits;
mod datelines;
mod declared;
mod fault;
mod fold;
mod furniture;
mod inline;
mod markdown;
mod matter;
mod metadata;
mod names;
mod phrases;
mod table;
mod values;
mod weight;

use render_core::content::Declared;
use serde::{Deserialize, Serialize};
use url::Url;

pub(crate) use charset::plain;
pub(crate) use fault::PageError;

use fault::ELEMENTS;

/// Characters of the longest source name that is shown.
const SOURCE: usize = 40;

/// A web page as it was fetched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a> {
    /// Its address.
    pub url: &'a str,
    /// The character set in its header.
    pub charset: Option<&'a str>,
    pub bytes: &'a [u8],
}

/// The content of a page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Article {
    /// Its title, without the site's name.
    pub title: Option<String>,
    pub author: Option<String>,
    /// The site's name, or its host.
    pub site: Option<String>,
    /// The publication date: RFC 3339, or a prefix of it.
    pub date: Option<String>,
    /// The address of its lead image.
    pub image: Option<String>,
    /// The language tag, as the page declares it.
    pub language: Option<String>,
    /// The declared type of the page, in JSON-LD or Open Graph.
    pub declared: Option<Declared>,
    /// The text, under its title, as Markdown.
    pub markdown: String,
}

impl Article {
    /// Returns the attribution, short enough for every page of a set: the site, else the author.
    pub fn source(&self) -> Option<String> {
        let fits = |name: &&String| name.chars().count() <= SOURCE;
        self.site.as_ref().filter(fits).or_else(|| self.author.as_ref().filter(fits)).cloned()
    }
}

/// Reads a page.
///
/// # Errors
/// [`PageError`].
pub(crate) fn read_page(page: Page<'_>) -> Result<Article, PageError> {
    let url = Url::parse(page.url).ok();
    let host = url.as_ref().and_then(Url::host_str);
    let html = charset::page(page.bytes, page.charset, host);
    let document = dom_query::Document::from(html);
    if document.tree.len() > ELEMENTS {
        return Err(PageError::TooComplex);
    }
    let said = metadata::read(&document, host);
    let base = base(&document, url.as_ref());
    let image = said.image.as_deref().and_then(|i| match &base {
        Some(base) => base.join(i).ok(),
        None => Url::parse(i).ok(),
    });
    furniture::strip(&document, said.author.as_deref());
    let markdown = content::markdown(&document, said.title.as_deref(), base.as_ref())?;
    // The lines before the prose of an event or an offer are its date, place and price.
    let markdown = match said.declared {
        Some(Declared::Event | Declared::Offer) => markdown,
        Some(Declared::Article) | None => matter::without(&markdown, said.author.as_deref(), said.site.as_deref()),
    };
    let markdown = matter::with_description(markdown, said.description.as_deref());
    Ok(Article {
        title: said.title,
        author: said.author,
        site: said.site.or_else(|| host.map(|h| h.strip_prefix("www.").unwrap_or(h).to_owned())),
        date: said.date,
        image: image.filter(|i| matches!(i.scheme(), "http" | "https")).map(String::from),
        language: said.language,
        declared: said.declared,
        markdown,
    })
}

/// Returns the base URL of a page's relative addresses.
fn base(document: &dom_query::Document, url: Option<&Url>) -> Option<Url> {
    let written = document.select_single("base[href]").attr("href");
    let base = written.and_then(|b| url.map_or_else(|| Url::parse(&b).ok(), |u| u.join(&b).ok()));
    base.or_else(|| url.cloned())
}

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod tests;
