//! The metadata of a page: Open Graph, JSON-LD, `meta` elements, and visible text.

use dom_query::{Document, NodeRef};
use render_core::content::Declared;
use render_core::limits::LINKED_DATA_BYTES;
use serde_json::Value;

use super::declared::Types;
use super::phrases;
use super::values::{address, clean, image, named, text, types};

/// Limits of JSON-LD blocks, and of the objects within them.
const BLOCKS: usize = 20;
const OBJECTS: usize = 500;
/// Limits of a line that may name the author, in characters and nodes, and of the lines that are checked.
const LINE: usize = 100;
const LINE_NODES: usize = 16;
const LINES: usize = 300;
/// Types of schema.org that represent the page's own content.
const CONTENT_TYPES: [&str; 12] = [
    "Article",
    "BlogPosting",
    "Posting",
    "Recipe",
    "HowTo",
    "Report",
    "Review",
    "WebPage",
    "FAQPage",
    "Event",
    "Product",
    "JobPosting",
];

/// The metadata of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    /// The title, without the site's name.
    pub title: Option<String>,
    pub author: Option<String>,
    /// The site's name.
    pub site: Option<String>,
    /// The publication date, as RFC 3339 or a prefix of it.
    pub date: Option<String>,
    /// The address of the lead image, as written.
    pub image: Option<String>,
    /// The description, of an article only.
    pub description: Option<String>,
    /// The language tag, as written.
    pub language: Option<String>,
    /// The declared type of the page.
    pub declared: Option<Declared>,
}

/// Reads the metadata of a page.
pub(super) fn read(page: &Document, host: Option<&str>) -> Metadata {
    let said = Said::of(page);
    let (linked, types) = linked(page);
    let meta = |names: &[&str]| names.iter().find_map(|n| said.get(n));
    let site = meta(&["og:site_name", "application-name", "dc.publisher", "dcterms.publisher"])
        .or_else(|| linked.site.clone());
    let host_name = host.map(|h| h.strip_prefix("www.").unwrap_or(h).to_owned());
    let mut names: Vec<String> = site.iter().chain(&linked.site).chain(&host_name).cloned().collect();
    // "example" of news.example.org: sites use a part of their host as a name, in various spellings.
    let labels = host_name.iter().flat_map(|h| h.rsplit('.').skip(1)).filter(|l| l.len() > 3);
    names.extend(labels.map(str::to_owned));
    names.extend(meta(&["application-name"]));

    let is_article = linked.description.is_some();
    let heading = only(page, "h1").map(|h| without_mark(&h));
    let whole = only(page, "head > title").or_else(|| only(page, "title"));
    let title = meta(&["og:title", "twitter:title", "dc.title", "dcterms.title"]).or_else(|| linked.title.clone());
    // A heading that is repeated elsewhere is the title, even if the page is shared under another.
    let shown = heading.clone().filter(|h| is_title(h, &[&whole, &title, &linked.title], &names));
    let title = title.or_else(|| whole.clone()).map(|t| without_site(&t, &names, &headings(page)));
    let title = shown.or(title);
    let lines = lines(page);
    Metadata {
        title: title.filter(|t| !t.is_empty()).or(heading),
        author: author(page, &said).or(linked.author).or_else(|| lines.iter().find_map(|l| phrases::author_in(l))),
        site,
        date: meta(&[
            "article:published_time",
            "og:published_time",
            "datepublished",
            "date",
            "dc.date",
            "dcterms.date",
        ])
        .or(linked.date)
        .or_else(|| attribute(page, "time[datetime]", "datetime"))
        .or_else(|| lines.iter().find_map(|l| date_in(l)))
        .filter(|d| d.starts_with(|c: char| c.is_ascii_digit())),
        image: ["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"]
            .iter()
            .find_map(|n| said.address(n))
            .or(linked.image),
        description: meta(&["og:description", "description", "twitter:description"])
            .or(linked.description)
            .filter(|_| is_article || meta(&["og:type"]).is_some_and(|t| t.eq_ignore_ascii_case("article"))),
        language: attribute(page, "html[lang]", "lang")
            .or_else(|| meta(&["content-language", "og:locale", "dc.language"]))
            .or(linked.language),
        declared: types.declared(meta(&["og:type"]).as_deref()),
    }
}

/// The `meta` elements of a page, in order.
struct Said(Vec<(String, String)>);

impl Said {
    fn of(page: &Document) -> Self {
        let named = |node: &NodeRef<'_>| {
            let name = ["property", "name", "itemprop", "http-equiv"].iter().find_map(|a| node.attr(a))?;
            Some((name.trim().to_ascii_lowercase(), node.attr("content")?.to_string()))
        };
        Self(page.select("meta[content]").nodes().iter().take(500).filter_map(named).collect())
    }

    fn get(&self, name: &str) -> Option<String> {
        self.of_name(name).find_map(clean)
    }

    /// Like [`get`](Self::get), for an address, which may be longer than words.
    fn address(&self, name: &str) -> Option<String> {
        self.of_name(name).find_map(address)
    }

    fn of_name(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

fn author(page: &Document, said: &Said) -> Option<String> {
    let meta = ["author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "twitter:creator"];
    let found = meta.iter().filter_map(|n| said.get(n)).find(|a| !a.contains("://") && !a.starts_with('@'));
    let places =
        ["[rel=author]", "[itemprop=author] [itemprop=name]", "[itemprop=author]", ".byline .author", ".author-name"];
    let found = found.or_else(|| places.iter().find_map(|p| only(page, p))).map(|a| bare_name(&a));
    found.filter(|a| is_name(a))
}

/// Returns the short lines of a page, which may contain its author and date.
fn lines(page: &Document) -> Vec<String> {
    let found = page.select("p, div, span, address, small, i, em, td");
    // An element with many nodes is not a line, and its text would be collected once for each level of nesting.
    let few = |node: &&NodeRef<'_>| node.descendants_it().take(LINE_NODES).count() < LINE_NODES;
    let line = |node: &NodeRef<'_>| clean(&node.text()).filter(|l| l.chars().count() <= LINE);
    found.nodes().iter().filter(few).filter_map(line).take(LINES).collect()
}

/// Returns the first ISO date: "2026-04-06".
fn date_in(line: &str) -> Option<String> {
    let is_date =
        |b: &[u8]| b.iter().enumerate().all(|(i, b)| if i == 4 || i == 7 { *b == b'-' } else { b.is_ascii_digit() });
    let at = line.as_bytes().windows(10).position(is_date)?;
    let alone = |b: Option<&u8>| b.is_none_or(|b| !b.is_ascii_digit());
    let bytes = line.as_bytes();
    (alone(at.checked_sub(1).and_then(|i| bytes.get(i))) && alone(bytes.get(at + 10)))
        .then(|| line[at..at + 10].to_owned())
}

/// Returns a name without the word that introduces it.
fn bare_name(text: &str) -> String {
    let lower = text.to_lowercase();
    let word = ["by ", "von ", "par ", "por ", "di ", "door ", "автор: ", "yazan: "].into_iter();
    let word = word.into_iter().find(|w| lower.starts_with(w) && text.is_char_boundary(w.len()));
    word.map_or(text, |w| &text[w.len()..]).trim().to_owned()
}

fn is_name(text: &str) -> bool {
    (2..=80).contains(&text.chars().count()) && text.chars().any(char::is_alphabetic) && !text.contains("://")
}

/// Returns the text of the only element that `selector` matches.
fn only(page: &Document, selector: &str) -> Option<String> {
    let found = page.select(selector);
    match found.nodes() {
        [node] => clean(&node.text()),
        // Several elements with the same text count as one.
        [first, rest @ ..] => {
            clean(&first.text()).filter(|t| rest.iter().all(|n| clean(&n.text()).as_ref() == Some(t)))
        }
        [] => None,
    }
}

fn attribute(page: &Document, selector: &str, name: &str) -> Option<String> {
    clean(&page.select_single(selector).attr(name)?)
}

/// Returns the metadata in JSON-LD, and the types of its objects. Skips blocks over [`LINKED_DATA_BYTES`].
fn linked(page: &Document) -> (Metadata, Types) {
    let (mut found, mut types) = (Metadata::default(), Types::default());
    for node in page.select("script[type='application/ld+json']").nodes().iter().take(BLOCKS) {
        let text = node.text();
        let text = text.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
        if text.len() > LINKED_DATA_BYTES {
            continue;
        }
        // The parser refuses nesting deeper than 128.
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            take_linked(&value, &mut found, &mut types);
        }
    }
    (found, types)
}

fn take_linked(value: &Value, found: &mut Metadata, kinds: &mut Types) {
    let mut open = vec![value];
    let mut seen = 0;
    while let Some(value) = open.pop() {
        seen += 1;
        if seen > OBJECTS {
            return;
        }
        match value {
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(object) => {
                if let Some(graph) = object.get("@graph") {
                    open.push(graph);
                }
                kinds.see(value);
                let is = |names: &[&str]| types(value).any(|t| names.iter().any(|n| t.ends_with(n)));
                if is(&["WebSite", "NewsMediaOrganization"]) {
                    keep(&mut found.site, text(object.get("name")));
                }
                if is(&["WebPage", "ItemPage"])
                    && let Some(entity) = object.get("mainEntity")
                {
                    open.push(entity);
                }
                if is(&CONTENT_TYPES) {
                    keep(&mut found.title, text(object.get("headline")).or_else(|| text(object.get("name"))));
                    keep(&mut found.author, named(object.get("author")).filter(|a| is_name(a)));
                    keep(&mut found.site, object.get("publisher").and_then(|p| text(p.get("name"))));
                    keep(&mut found.date, text(object.get("datePublished")));
                    keep(&mut found.image, image(object.get("image")));
                    // An article without a description gets an empty one.
                    if is(&["Article", "BlogPosting"]) {
                        keep(&mut found.description, Some(text(object.get("description")).unwrap_or_default()));
                    }
                    keep(&mut found.language, text(object.get("inLanguage")));
                }
            }
            _ => {}
        }
    }
}

fn keep(slot: &mut Option<String>, value: Option<String>) {
    if slot.is_none() {
        *slot = value;
    }
}

/// Separators between a title and the name of a site.
const SEPARATORS: [&str; 16] =
    [" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " / ", ": ", "_", "｜", " 〜", "－", "——"];

/// Returns the first headings of a page.
fn headings(page: &Document) -> Vec<String> {
    let nodes = page.select("h1, h2, h3");
    nodes.nodes().iter().take(60).filter_map(|n| clean(&n.text())).map(|h| without_mark(&h)).collect()
}

/// Returns whether a heading is the page's title: others repeat it, and it is more than the site's name.
fn is_title(heading: &str, others: &[&Option<String>], names: &[String]) -> bool {
    let own = squeezed(heading);
    let site = names.iter().any(|n| squeezed(n) == own);
    // "Site: title" contains the site's heading too.
    let says = |other: &str| {
        let other = squeezed(other);
        other.contains(&own) && own.len() * 2 >= other.len()
    };
    let repeated = others.iter().filter_map(|o| o.as_deref()).any(says);
    own.chars().count() >= 3 && !site && repeated
}

/// Returns a heading without the symbol of its anchor link.
fn without_mark(heading: &str) -> String {
    heading.trim_end_matches(['¶', '#', '§', '🔗', ' ']).to_owned()
}

/// Returns a title without the site's name before or after it.
fn without_site(title: &str, names: &[String], headings: &[String]) -> String {
    let same = |a: &str, b: &str| squeezed(a) == squeezed(b);
    // A heading of the page is the title, if the full title starts or ends with it.
    let parted = |heading: &&String| {
        // A short part before a colon is the site's name.
        let colon = |rest: &str| rest.starts_with(": ") && rest.len() > heading.len();
        let before = title
            .strip_prefix(heading.as_str())
            .is_some_and(|r| !colon(r) && SEPARATORS.iter().any(|s| r.starts_with(s)));
        before || title.strip_suffix(heading.as_str()).is_some_and(|r| SEPARATORS.iter().any(|s| r.ends_with(s)))
    };
    let of_page = headings.iter().filter(|h| !h.is_empty() && !names.iter().any(|n| same(n, h)));
    if let Some(heading) = of_page.filter(parted).max_by_key(|h| h.chars().count()) {
        return heading.clone();
    }
    let is_site = |part: &str| names.iter().any(|n| same(n, part));
    let mut title = title;
    // "Title - Section - Site": everything after a known name is removed with it.
    loop {
        let shorter = SEPARATORS.iter().find_map(|s| {
            let behind = title.rsplit_once(s).filter(|(_, site)| is_site(site)).map(|(t, _)| t);
            behind.or_else(|| title.split_once(s).filter(|(site, _)| is_site(site)).map(|(_, t)| t))
        });
        match shorter.map(str::trim) {
            Some(shorter) if !shorter.is_empty() => title = shorter,
            _ => return title.trim().to_owned(),
        }
    }
}

/// Reduces a text to letters and digits in lower case, because spellings of names differ.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(html: &str) -> Metadata {
        read(&Document::from(html), Some("www.tidewater-weekly.example"))
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn open_graph_and_meta_are_read() {
        let page = of("<html lang='en-GB'><head><title>Tides | Tidewater Weekly</title>
             <meta property='og:title' content='Why tides turn &ndash; Tidewater Weekly'>
             <meta property='og:site_name' content='Tidewater Weekly'><meta name='Author' content='By Ada Moor'>
             <meta property='article:published_time' content='2026-03-04T05:06:07Z'>
             <meta property='og:image' content='/lead.jpg'></head><body><h1>Why tides turn</h1>");
        assert_eq!(page.title, some("Why tides turn"));
        assert_eq!((page.author, page.site), (some("Ada Moor"), some("Tidewater Weekly")));
        assert_eq!((page.date, page.image), (some("2026-03-04T05:06:07Z"), some("/lead.jpg")));
        assert_eq!(page.language, some("en-GB"));
    }

    #[test]
    fn linked_data_is_read_wherever_the_article_stands_in_it() {
        let article = r#"{"@type": ["NewsArticle"], "headline": "Why tides turn", "datePublished": "2026-03-04",
            "author": [{"@type": "Person", "name": "Ada Moor"}, "Bo Lund"], "publisher": {"name": "Tidewater"},
            "image": [{"url": "https://x.example/a.jpg"}], "inLanguage": "sv"}"#;
        for block in [
            article.to_owned(),
            format!("[{{\"@type\": \"BreadcrumbList\", \"name\": \"no\"}}, {article}]"),
            format!(
                "{{\"@context\": \"https://schema.org\", \"@graph\": [{{\"@type\": \"WebSite\", \"name\": \"Tidewater\"}}, {article}]}}"
            ),
        ] {
            let page = of(&format!("<script type='application/ld+json'>{block}</script><p>x"));
            assert_eq!((page.title, page.author), (some("Why tides turn"), some("Ada Moor, Bo Lund")), "{block}");
            assert_eq!((page.site, page.date), (some("Tidewater"), some("2026-03-04")));
            assert_eq!((page.image, page.language), (some("https://x.example/a.jpg"), some("sv")));
        }
        for broken in ["", "{", "[[", "null", "{\"@type\": 3}", &"[".repeat(100_000)] {
            let page = of(&format!("<title>T</title><script type='application/ld+json'>{broken}</script>"));
            assert_eq!(page.title, some("T"));
        }
    }

    #[test]
    fn titles_lose_the_name_of_the_site_and_nothing_else() {
        for (head, title) in [
            ("<title>Why tides turn - Tidewater Weekly</title>", "Why tides turn"),
            ("<title>Tidewater Weekly: Why tides turn</title>", "Why tides turn"),
            ("<title>Why tides turn | tidewater-weekly.example</title>", "Why tides turn"),
            ("<title>Moon - and tides</title>", "Moon - and tides"),
            ("<title>Tides: why they turn</title>", "Tides: why they turn"),
            ("<title>Tidewater Weekly</title>", "Tidewater Weekly"),
            ("<title>Why tides turn | News</title><h1>Why tides turn</h1>", "Why tides turn"),
            ("<title>Why tides turn - The Forum</title><h1>The Forum</h1><h2>Why tides turn</h2>", "Why tides turn"),
            ("<title>Tides — Manual 4.2</title><h1>Tides<a href=#t>¶</a></h1>", "Tides"),
            ("<title> </title><h1>Why <em>tides</em> turn</h1>", "Why tides turn"),
        ] {
            assert_eq!(of(head).title.as_deref(), Some(title), "{head}");
        }
        assert_eq!(of("<p>x").title, None);
    }

    #[test]
    fn an_address_loses_its_escapes_however_many_there_are() {
        for (written, meant) in [
            ("/a.jpg?w=1&amp;h=2&#38;q=3&#038;r=4&#x26;s=5", "/a.jpg?w=1&h=2&q=3&r=4&s=5"),
            (" /a.jpg?w=1&amp;amp;#38;h=2 ", "/a.jpg?w=1&h=2"),
            ("/a.jpg?w=1&&amp;&amp=2&ampere;=3;", "/a.jpg?w=1&&&amp=2&ampere;=3;"),
            ("amp;/a.jpg&", "amp;/a.jpg&"),
        ] {
            assert_eq!(address(written).as_deref(), Some(meant), "{written}");
        }
        let escaped = format!("/a.jpg?w=1&{}h=2", "amp;".repeat(1_000_000));
        assert_eq!(address(&escaped).as_deref(), Some("/a.jpg?w=1&h=2"));
        assert_eq!(address(&"&amp;".repeat(1_000_000)), None);
        assert_eq!(address(" "), None);
    }

    #[test]
    fn an_author_is_a_name() {
        for (html, author) in [
            ("<meta name=author content='https://social.example/ada'><a rel=author>By Ada Moor</a>", Some("Ada Moor")),
            ("<span itemprop=author><b itemprop=name>Ada Moor</b> editor</span>", Some("Ada Moor")),
            ("<meta name='twitter:creator' content='@ada'>", None),
            ("<p>x", None),
        ] {
            assert_eq!(of(html).author.as_deref(), author, "{html}");
        }
    }
}
