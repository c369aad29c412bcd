//! Removes the lines around the prose of an article: section names, datelines, bylines, credits, biographies.
//!
//! The position of such a line distinguishes it from content: "9 November" within a story is a heading or an entry of a
//! list.

use std::collections::HashSet;

use super::credits::is_credit;
use super::datelines::is_dateline;
use super::fold::folded;
use super::{inline, phrases};

/// Characters of the shortest paragraph that is prose. A character of a script without spaces counts as three.
const PROSE: usize = 70;
/// Blocks before the prose that are checked. A page with more consists of lines: a poem, a list, a form.
const FRONT: usize = 10;
/// Lines between a standfirst and the article.
const BETWEEN: usize = 6;
/// Characters of the shortest heading that is a standfirst.
const STANDFIRST: usize = 60;
/// Characters of the longest description that is used as a standfirst.
const DESCRIPTION: usize = 220;
/// Words of the longest heading that is dropped if nothing follows it.
const HEADING: usize = 5;
/// Words of the longest line before the prose that is a mere label, if no sentence ends with it.
const LABEL: usize = 5;
/// Blocks after the last paragraph of prose that are checked, and as many before it.
const END: usize = 6;
/// Occurrences of a name from which a page is about that person.
const ABOUT: usize = 4;

/// A block of Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Title,
    Heading(usize),
    Paragraph,
    Picture,
    /// List, quotation, table, code.
    Other,
}

struct Block<'a> {
    kind: Kind,
    /// Its Markdown.
    markdown: &'a str,
    /// The words of a heading or a paragraph.
    words: String,
    prose: bool,
}

/// Returns Markdown of [`write`](super::markdown::write) without the lines about the page around its prose.
pub(super) fn without(markdown: &str, author: Option<&str>, site: Option<&str>) -> String {
    let blocks = blocks(markdown);
    let mut kept = vec![true; blocks.len()];
    let Some(first) = blocks.iter().position(|b| b.prose) else { return markdown.to_owned() };
    let front = prose_again(&blocks, first).min(front(&blocks));
    let last = blocks.iter().rposition(|b| b.prose).unwrap_or(first);
    let title = blocks.first().filter(|b| b.kind == Kind::Title).map_or(String::new(), |b| folded(&b.words));
    for at in 0..front {
        let again = blocks[at].kind == Kind::Paragraph && says_again(&blocks[at].words, &title);
        if again {
            kept[at] = false;
            continue;
        }
        kept[at] = blocks[at].prose || !is_front(&blocks[at], author, site);
    }
    for at in (first..blocks.len()).filter(|at| at + END > last) {
        kept[at] &= !is_back(&blocks[at], author, markdown, at > last);
    }
    drop_empty_headings(&blocks, &mut kept, front, last);
    let standfirst = standfirst(&blocks, &kept, first);
    let mut out = String::with_capacity(markdown.len());
    for (at, block) in blocks.iter().enumerate().filter(|(at, _)| kept[*at]) {
        match block.kind {
            Kind::Heading(level) if standfirst == Some(at) => {
                out += &inline::guarded(block.markdown[level..].trim_start());
            }
            _ => out += block.markdown,
        }
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// Returns the end of the blocks before an article: its second heading, a list, a table.
fn front(blocks: &[Block<'_>]) -> usize {
    let ends =
        |b: &Block<'_>| b.kind == Kind::Other || (matches!(b.kind, Kind::Heading(_)) && b.words.len() < STANDFIRST);
    let second = blocks.iter().enumerate().filter(|(_, b)| ends(b)).nth(1).map_or(blocks.len(), |(at, _)| at);
    let other = blocks.iter().position(|b| b.kind == Kind::Other).unwrap_or(blocks.len());
    second.min(other).min(FRONT)
}

/// Returns whether a line repeats the title and hardly more, such as the section name before it.
fn says_again(words: &str, title: &str) -> bool {
    let folded = folded(words);
    title.len() >= 12 && folded.contains(title) && folded.len() <= title.len() + 20
}

/// Returns the first paragraph of prose, or the second if only lines are between a standfirst and it.
fn prose_again(blocks: &[Block<'_>], first: usize) -> usize {
    let lines = |b: &&Block<'_>| !b.prose && matches!(b.kind, Kind::Paragraph | Kind::Picture);
    let second = first + 1 + blocks[first + 1..].iter().take_while(lines).count();
    if blocks.get(second).is_some_and(|b| b.prose) && second - first <= BETWEEN { second } else { first }
}

/// Returns the heading directly below the title that is a sentence above the article.
fn standfirst(blocks: &[Block<'_>], kept: &[bool], first: usize) -> Option<usize> {
    let shown = |from: usize| {
        (from..blocks.len()).find(|at| kept[*at] && !matches!(blocks[*at].kind, Kind::Title | Kind::Picture))
    };
    let at = shown(0).filter(|at| *at < first && blocks[*at].words.chars().count() >= STANDFIRST)?;
    let over = matches!(blocks[at].kind, Kind::Heading(_));
    (over && shown(at + 1).is_some_and(|next| blocks[next].kind == Kind::Paragraph)).then_some(at)
}

/// Returns Markdown with the page's description as its standfirst, if it is a sentence about the page and the page has
/// none.
pub(super) fn with_description(markdown: String, description: Option<&str>) -> String {
    let Some(description) = description.filter(|d| (STANDFIRST..=DESCRIPTION).contains(&d.chars().count())) else {
        return markdown;
    };
    let cut = description.ends_with("...") || description.ends_with(['…', ':']);
    let begun = markdown.strip_prefix("# ").and_then(|rest| rest.split_once("\n\n"));
    let Some((title, body)) = begun.filter(|_| !cut && has_sentence(description)) else { return markdown };
    let body = body.trim_start();
    // The beginning of the page is not a summary of it.
    if !block(body.split("\n\n").next().unwrap_or("")).prose || is_said(description, body) {
        return markdown;
    }
    let standfirst = inline::guarded(&inline::escaped(&inline::plain(description)));
    format!("# {title}\n\n{standfirst}\n\n{body}")
}

/// Returns whether a text already contains a description, or hardly covers it.
fn is_said(description: &str, text: &str) -> bool {
    let text = folded(text);
    let description = folded(description);
    let words: Vec<&str> = description.split(' ').filter(|w| w.chars().count() >= 4).collect();
    let known: HashSet<&str> = text.split(' ').collect();
    let shared = words.iter().filter(|w| known.contains(**w)).count();
    let from = description.char_indices().nth(40).map_or(description.len(), |(at, _)| at);
    text.contains(&description[..from]) || shared * 2 < words.len().max(1)
}

/// Splits Markdown at its empty lines, except within code. Each block keeps the empty line after it.
fn blocks(markdown: &str) -> Vec<Block<'_>> {
    let mut out = Vec::new();
    let (mut from, mut at) = (0, 0);
    let mut fence: Option<&str> = None;
    for line in markdown.split_inclusive('\n') {
        let text = line.trim_end();
        match fence {
            Some(open) if text == open => fence = None,
            None if text.starts_with("```") => fence = Some(text),
            _ => {}
        }
        at += line.len();
        if fence.is_none() && text.is_empty() {
            out.push(block(&markdown[from..at]));
            from = at;
        }
    }
    if from < at {
        out.push(block(&markdown[from..at]));
    }
    out
}

fn block(markdown: &str) -> Block<'_> {
    let text = markdown.trim_end();
    let hashes = text.bytes().take_while(|b| *b == b'#').count();
    let item = || {
        let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
        text.starts_with("- ") || (rest.len() < text.len() && rest.starts_with(". "))
    };
    let kind = match hashes {
        1 => Kind::Title,
        2.. => Kind::Heading(hashes),
        _ if text.starts_with("![") => Kind::Picture,
        _ if text.starts_with(['>', '|', '`', ' ']) || item() => Kind::Other,
        _ => Kind::Paragraph,
    };
    // A list of one line may be such a line.
    let line = text.strip_prefix("- ").filter(|l| !l.contains('\n') && about_page(&plain(l)));
    let (kind, text) = line.map_or((kind, text), |line| (Kind::Paragraph, line));
    let words = match kind {
        Kind::Other | Kind::Picture => String::new(),
        _ => plain(text[hashes..].trim()),
    };
    let long = || words.chars().map(|c| if super::content::is_dense(c) { 3 } else { 1 }).sum::<usize>() >= PROSE;
    let prose = kind == Kind::Paragraph && long() && has_sentence(&words) && !about_page(&words);
    Block { kind, markdown, words, prose }
}

/// Returns Markdown without its markup.
fn plain(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut chars = markdown.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            '*' if chars.peek() == Some(&'*') => _ = chars.next(),
            c => out.push(c),
        }
    }
    out
}

/// Returns whether a sentence ends in a text.
fn has_sentence(text: &str) -> bool {
    let closing = |c: char| matches!(c, '"' | '”' | '»' | '’' | ')' | '」' | '“');
    let end = text.trim_end_matches(closing);
    end.ends_with(['.', '!', '?', '…', ':', '。', '！', '？', '।', '؟', '۔'])
        || text.contains(". ")
        || text.contains('。')
}

fn about_page(words: &str) -> bool {
    phrases::is_furniture_line(words)
        || phrases::is_furniture_paragraph(words)
        || is_dateline(words)
        || is_credit(words)
        || parts_about_page(words)
}

/// "9 November 2026 | Categories: Sea | 3 comments".
fn parts_about_page(words: &str) -> bool {
    let mut parts = words.split(['|', '·', '•', '/']).map(str::trim);
    let first = parts.next().unwrap_or("");
    let about = |part: &str| is_dateline(part) || phrases::is_furniture_paragraph(part);
    first.len() < words.trim().len() && words.chars().count() <= 140 && about(first)
}

/// Returns whether a block before the prose is about the page.
fn is_front(block: &Block<'_>, author: Option<&str>, site: Option<&str>) -> bool {
    let words = block.words.as_str();
    match block.kind {
        Kind::Heading(_) => is_dateline(words) || phrases::is_furniture_line(words) || is_site(words, site),
        Kind::Paragraph => {
            let short =
                words.split_whitespace().count() <= LABEL && words.chars().count() <= PROSE && !has_sentence(words);
            // "15 – 30 min" of a recipe.
            let measure = words.chars().any(char::is_numeric) && words.chars().any(char::is_alphabetic);
            let spaced = !words.chars().any(super::content::is_dense) || words.chars().count() <= LABEL;
            about_page(words)
                || is_site(words, site)
                || phrases::is_byline(words, author)
                || (short && spaced && !measure)
        }
        _ => false,
    }
}

/// Returns whether a block near the end is about the page or its author.
fn is_back(block: &Block<'_>, author: Option<&str>, page: &str, behind: bool) -> bool {
    let words = block.words.as_str();
    if block.kind != Kind::Paragraph {
        return false;
    }
    let named = author.filter(|a| {
        // "Ada Moor writes about tides", unless she is the subject of the page.
        words.starts_with(*a) && words.len() > a.len() && page.matches(a).take(ABOUT).count() < ABOUT
    });
    // Between paragraphs, a date is a heading.
    let about = !block.prose && about_page(words) && (behind || !is_dateline(words));
    about || named.is_some() || (behind && phrases::is_byline(words, author))
}

fn is_site(words: &str, site: Option<&str>) -> bool {
    site.is_some_and(|s| folded(s) == folded(words))
}

/// Drops empty headings: at the end, and before the prose if another of the same or a higher level follows.
fn drop_empty_headings(blocks: &[Block<'_>], kept: &mut [bool], front: usize, last: usize) {
    let mut below: Option<Kind> = None;
    for at in (0..blocks.len()).rev().filter(|at| blocks[*at].kind != Kind::Title) {
        if !kept[at] {
            continue;
        }
        if let Kind::Heading(level) = blocks[at].kind {
            let short = blocks[at].words.split_whitespace().count() <= HEADING;
            let empty = short
                && match below {
                    None => at > last,
                    Some(Kind::Heading(next)) => next <= level && at < front,
                    Some(_) => false,
                };
            if empty {
                kept[at] = false;
                continue;
            }
        }
        below = Some(blocks[at].kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STORY: &str =
        "The sea rises and falls twice a day, and the moon pulls at the water wherever it stands above.";

    fn left(front: &str, back: &str) -> String {
        let markdown = format!("# Tides\n\n{front}{STORY}\n\n{back}");
        let left = without(&markdown, Some("Ada Moor"), Some("Tidewater"));
        left.replace(STORY, "STORY").replace("\n\n", "|").trim_end().to_owned()
    }

    #[test]
    fn lines_about_the_page_go() {
        for front in [
            "9 November 2026, 12:46\n\n",
            "Exclusive\n\n",
            "Sea & Coast\n\n",
            "Tidewater\n\n",
            "By Ada Moor, tide reporter\n\n",
            "Ada Moor/Getty Images\n\n",
            "## Tidewater\n\n",
            "- 9 November 2026\n\n",
            "9 November 2026 \\| Categories: Sea\n\n137\n\n",
        ] {
            assert_eq!(left(front, ""), "# Tides|STORY", "{front}");
        }
        for back in [
            "Ada Moor writes about tides and moons.\n\n",
            "Last updated: 9 November 2026\n\n",
            "Photo: Ada Moor\n\n## More\n\n",
        ] {
            assert_eq!(left("", back), "# Tides|STORY", "{back}");
        }
    }

    #[test]
    fn what_the_page_says_stays() {
        for front in [
            "A guide to the sea for people who stay on land\n\n",
            "## What we know\n\n",
            "- 9 November 2026\n- Free entry\n\n",
            "15 – 30 min\n\n",
            "> Tides wait for nobody.\n\n",
            "```\n9 November 2026\n\ncode\n```\n\n",
            "He said no.\n\n",
        ] {
            assert_eq!(left(front, ""), format!("# Tides|{}STORY", front.replace("\n\n", "|")), "{front}");
        }
        // A page that is a poem.
        let poem = "# Tides\n\nThe sea\n\nThe moon\n\nThe sand\n";
        assert_eq!(without(poem, None, None), poem);
        // Between paragraphs, a date is content.
        let later = format!("9 November 2026\n\n{STORY}\n\n").repeat(12);
        assert_eq!(left(&format!("{STORY}\n\n{STORY}\n\n"), &later).matches("9 November 2026").count(), 12);
    }

    #[test]
    fn a_description_leads_a_page_without_a_standfirst() {
        let text = format!("# Tides\n\n{STORY}\n");
        let led = |description: &str| with_description(text.clone(), Some(description));
        let about = "Why the water rises and falls twice a day, wherever the moon stands above.";
        assert_eq!(led(about), format!("# Tides\n\n{about}\n\n{STORY}\n"));
        for other in [
            "The sea rises and falls twice a day, and the moon pulls at the water.",
            "Why the water rises and falls twice a day, wherever the moon stands…",
            "News, sport and opinion from the editors of the coast since 1904, every single morning.",
            "Tides.",
        ] {
            assert_eq!(led(other), text, "{other}");
        }
    }

    #[test]
    fn a_heading_that_is_a_sentence_becomes_the_standfirst() {
        let over = "The moon pulls at the water, and the sun helps it twice a month.";
        assert_eq!(left(&format!("## {over}\n\n"), ""), format!("# Tides|{over}|STORY"));
    }
}
