//! Finds the part of a page that is its content.

use dom_query::{Document, NodeRef};
use dom_smoothie::{CandidateSelectMode, Config, Readability};
use url::Url;

use super::fault::{ELEMENTS, PageError};
use super::markdown;
use super::weight::Weights;

/// Characters below which a page has no content; a character of a script without spaces counts as three.
const THIN: usize = 120;

/// Maximum ratio of an article's text to that of its body.
const AROUND: f64 = 1.35;

/// Elements that are marked as the content, the most reliable first.
const PARTS: [&str; 6] = ["[itemprop=articleBody]", "article", "[role=main]", "main", "#content", "#main"];

/// Returns the content of a page without furniture, as Markdown.
///
/// # Errors
/// [`PageError::Thin`].
pub(super) fn markdown(page: &Document, title: Option<&str>, base: Option<&Url>) -> Result<String, PageError> {
    let whole = page.body().unwrap_or_else(|| page.root());
    let weights = Weights::of(page);
    if let Some(part) = marked(page, &whole, &weights) {
        return enough(markdown::write(&part, title, base));
    }
    let all = markdown::write(&whole, title, base);
    let found = readable(page).map(|html| {
        let fragment = Document::fragment(html);
        markdown::write(&fragment.root(), title, base)
    });
    // The reader view removes only furniture, unless it removes most of a page with hardly any links.
    match found {
        Some(found) if body_chars(&found) * 2 >= body_chars(&all) || weights.linked(&whole) > 0.3 => {
            enough(found).or_else(|_| enough(all))
        }
        _ => enough(all),
    }
}

/// Returns the part that the page itself marks as its content, if it contains most of the text.
fn marked<'a>(page: &'a Document, whole: &NodeRef<'_>, weights: &Weights) -> Option<NodeRef<'a>> {
    let total = weights.text(whole);
    PARTS.into_iter().find_map(|selector| {
        let parts = page.select(selector);
        let parts: Vec<_> = parts.nodes().iter().filter(|n| weights.text(n) > 0).collect();
        let most = parts.iter().max_by_key(|n| weights.text(n))?;
        let all: u32 = parts.iter().map(|n| weights.text(n)).fold(0, u32::saturating_add);
        // One of many articles is an entry of a list.
        let alone = weights.text(most) * 10 >= all * 6;
        (alone && weights.text(most) * 2 >= total).then(|| with_standfirst(most, weights))
    })
}

/// Returns the article around its body if it contains little more, such as a standfirst.
fn with_standfirst<'a>(body: &NodeRef<'a>, weights: &Weights) -> NodeRef<'a> {
    let around = body.ancestors_it(Some(4)).find(|a| a.has_name("article"));
    around.filter(|a| f64::from(weights.text(a)) <= f64::from(weights.text(body)) * AROUND).unwrap_or(*body)
}

/// Returns the content that a browser's reader view would find.
fn readable(page: &Document) -> Option<String> {
    let config = Config {
        disable_json_ld: true,
        candidate_select_mode: CandidateSelectMode::DomSmoothie,
        max_elements_to_parse: ELEMENTS,
        ..Config::default()
    };
    let mut reader = Readability::with_document(Document::from(page.html()), None, Some(config)).ok()?;
    reader.parse().ok().map(|article| article.content.to_string())
}

/// Counts the characters below the title.
fn body_chars(markdown: &str) -> usize {
    let body = match markdown.strip_prefix("# ") {
        Some(rest) => rest.split_once('\n').map_or("", |(_, body)| body),
        None => markdown,
    };
    body.chars().filter(|c| c.is_alphanumeric()).map(|c| if is_dense(c) { 3 } else { 1 }).sum()
}

/// Returns whether a character carries about as much as a short word: Chinese, Japanese, Korean.
pub(super) fn is_dense(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}')
}

fn enough(markdown: String) -> Result<String, PageError> {
    if body_chars(&markdown) < THIN { Err(PageError::Thin) } else { Ok(markdown) }
}
