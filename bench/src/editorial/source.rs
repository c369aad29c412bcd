//! Articles in a folder: their files, their titles and section headings, and their documents.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Context as _, Result, bail};
use fleet::sandbox::Sandbox;
use regex::Regex;
use render_core::content::{Document, ReadOptions, read_text_with};
use tokio::runtime::Handle;

/// Maximum characters read of an article. A request accepts slightly more.
const CHARS: usize = 190_000;

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Markdown or plain text.
    Text,
    Html,
}

impl Form {
    /// Returns the kind by the file's extension; `None` for a file that is not an article.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "md" | "markdown" | "txt" => Some(Self::Text),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }
}

/// A file that contains an article.
#[derive(Debug)]
pub struct Article {
    /// Its path, relative to the folder.
    pub file: String,
    path: PathBuf,
    form: Form,
}

impl Article {
    /// Returns the article's text as in a request: with line feeds as line ends, cut at [`CHARS`] characters.
    ///
    /// # Errors
    /// Fails if the service would refuse a request with this text.
    pub fn text(&self) -> Result<String> {
        let bytes = fs::read(&self.path).with_context(|| format!("can't read {}", self.path.display()))?;
        let Ok(text) = String::from_utf8(bytes) else { bail!("the file is not UTF-8 text") };
        let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
        if let Some((end, _)) = text.char_indices().nth(CHARS) {
            text.truncate(end);
        }
        if let Some(c) = text.chars().find(|c| c.is_control() && !matches!(c, '\t' | '\n')) {
            bail!("the text holds the control character U+{:04X}", u32::from(c));
        }
        Ok(text)
    }

    /// Returns the title and the section headings of this article, whose text is `text`.
    pub fn headed(&self, text: &str) -> Headed {
        match self.form {
            Form::Text => Headed::of_markdown(text),
            Form::Html => Headed::of_html(text),
        }
    }

    /// Returns the document of this article, whose text is `text`. Parses HTML in a child process, as in the service.
    ///
    /// # Errors
    /// Fails if the text can't be made into a document.
    pub fn document(&self, text: &str, sandbox: &Sandbox, runtime: &Handle) -> Result<Document> {
        match self.form {
            Form::Text => Ok(read_text_with(text, &ReadOptions::default())?),
            Form::Html => {
                let page = worker::page_of_file(text.to_owned().into(), "https://pages.example/article", sandbox);
                runtime.block_on(page).map_err(anyhow::Error::msg)
            }
        }
    }
}

/// Returns the articles in a folder and its subfolders, sorted by path; at most `max`, evenly spaced.
///
/// # Errors
/// Fails if a folder can't be read, or contains no article.
pub fn articles(folder: &Path, max: Option<usize>) -> Result<Vec<Article>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = fs::read_dir(&next).with_context(|| format!("can't read {}", next.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("can't read {}", next.display()))?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if let Some(form) = Form::of(&path) {
                let file = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
                found.push(Article { file, path, form });
            }
        }
    }
    if found.is_empty() {
        bail!("{} contains no Markdown, HTML or text file", folder.display());
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(spread(found, max.unwrap_or(usize::MAX)))
}

/// Returns at most `most` items of `all`, evenly spaced and in order.
pub fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let (len, most) = (all.len(), most.min(all.len()));
    let kept = |i: usize| most > 0 && (i * most).div_ceil(len) * len / most == i;
    all.into_iter().enumerate().filter(|(i, _)| kept(*i)).map(|(_, one)| one).collect()
}

/// Title and section headings of an article, as its author wrote them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Headed {
    /// The title, from the front matter, else from the first heading.
    pub title: Option<String>,
    /// The headings of the highest level below the title.
    pub sections: Vec<String>,
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

static TITLE_LINE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^title\s*[:=]\s*(.+)$"));
static CODE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?s)```.*?```"));
static HEADING: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^(#{1,6})\s*(.+)$"));
static LINK: LazyLock<Regex> = LazyLock::new(|| regex(r"!?\[([^\]]*)\]\([^)]*\)"));
static EMPHASIS: LazyLock<Regex> = LazyLock::new(|| regex(r"\b_([^_]+)_\b"));
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| regex(r"&#?\w+;"));
static CHROME: LazyLock<Regex> = LazyLock::new(|| {
    let each = ["script", "style", "nav", "footer", "aside"].map(|tag| format!(r"<{tag}\b.*?</{tag}\s*>"));
    regex(&format!("(?is){}", each.join("|")))
});
static MAIN: LazyLock<Regex> = LazyLock::new(|| regex(r"(?is)<(?:article|main)\b[^>]*>(.*)</(?:article|main)\s*>"));
static PAGE_TITLE: LazyLock<Regex> = LazyLock::new(|| regex(r"(?is)<title\b[^>]*>(.*?)</title\s*>"));
static PAGE_HEADING: LazyLock<Regex> = LazyLock::new(|| regex(r"(?is)<h([1-6])\b[^>]*>(.*?)</h[1-6]\s*>"));
static MARKUP: LazyLock<Regex> = LazyLock::new(|| regex(r"<[^>]+>|&#?\w+;"));

impl Headed {
    /// Parses Markdown with or without front matter.
    pub fn of_markdown(text: &str) -> Self {
        let (front, body) = front_matter(text);
        let title = front.and_then(titled).filter(|t| !t.is_empty());
        let body = CODE.replace_all(body, "");
        let heading = |c: regex::Captures<'_>| {
            let words = LINK.replace_all(c[2].trim_matches([' ', '#', '*']), "$1");
            (c[1].len(), decoded(&EMPHASIS.replace_all(&words, "$1")))
        };
        let title = title.map(|title| decoded(&title));
        Self::new(title, HEADING.captures_iter(&body).map(heading).collect())
    }

    /// Parses a web page: the headings of its article, if the page marks one.
    pub fn of_html(html: &str) -> Self {
        // A character reference stands for punctuation much more often than for a letter.
        let plain = |inner: &str| MARKUP.replace_all(inner, " ").split_whitespace().collect::<Vec<_>>().join(" ");
        let page = CHROME.replace_all(html, "");
        let main = MAIN.captures(&page).map_or(&*page, |c| c.get(1).map_or("", |inner| inner.as_str()));
        let level = |digit: &str| digit.parse().unwrap_or(6);
        let headings: Vec<(usize, String)> =
            PAGE_HEADING.captures_iter(main).map(|c| (level(&c[1]), plain(&c[2]))).collect();
        let mut headed = Self::new(None, headings);
        headed.title = headed.title.or_else(|| PAGE_TITLE.captures(&page).map(|c| plain(&c[1])));
        headed
    }

    /// Builds the result from an optional title, and from headings with their levels, in order.
    fn new(title: Option<String>, mut headings: Vec<(usize, String)>) -> Self {
        let leads = title.is_none() && headings.first().is_some_and(|(level, _)| *level == 1);
        let title = if leads { Some(headings.remove(0).1) } else { title };
        let highest = headings.iter().map(|(level, _)| *level).min();
        let sections = headings.into_iter().filter(|(level, _)| Some(*level) == highest);
        let title = title.filter(|title| !title.is_empty());
        Self { title, sections: sections.map(|(_, text)| text).collect() }
    }
}

/// Decodes the character references of a text (`&oacute;`, `&#128151;`).
fn decoded(text: &str) -> String {
    let said = |reference: &regex::Captures<'_>| {
        let mut events = pulldown_cmark::Parser::new(&reference[0]);
        let words = events.find_map(|event| if let pulldown_cmark::Event::Text(t) = event { Some(t) } else { None });
        words.map_or_else(|| " ".to_owned(), pulldown_cmark::CowStr::into_string)
    };
    REFERENCE.replace_all(text, said).into_owned()
}

/// Returns the title in front matter, which YAML may fold over several lines.
fn titled(front: &str) -> Option<String> {
    let found = TITLE_LINE.captures(front)?.get(1)?;
    let value = found.as_str().trim();
    let below = || front[found.end()..].lines().skip(1);
    let folded = value.starts_with(['>', '|']) && value.chars().count() <= 2;
    let open = ['"', '\''].into_iter().find(|quote| value.starts_with(*quote) && !value[1..].contains(*quote));
    let lines: Vec<&str> = match open {
        _ if folded => below().take_while(|line| line.starts_with([' ', '\t'])).map(str::trim).collect(),
        Some(quote) => {
            let more = below().take_while(|line| !line.contains(quote)).count() + 1;
            std::iter::once(value).chain(below().take(more).map(str::trim)).collect()
        }
        None => vec![value],
    };
    Some(lines.join(" ").trim_matches(['"', '\'']).trim().to_owned())
}

/// Splits a text into its front matter (YAML or TOML), if any, and the rest.
fn front_matter(text: &str) -> (Option<&str>, &str) {
    let begun = text.trim_start();
    for (open, close) in [("---\n", "\n---\n"), ("+++\n", "\n+++\n")] {
        if let Some((front, body)) = begun.strip_prefix(open).and_then(|rest| rest.split_once(close)) {
            return (Some(front), body);
        }
    }
    (None, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headed(title: Option<&str>, sections: &[&str]) -> Headed {
        Headed { title: title.map(str::to_owned), sections: sections.iter().map(|s| (*s).to_owned()).collect() }
    }

    #[test]
    fn the_title_is_the_front_matters_else_the_first_heading() {
        let yaml = "---\nlayout: post\ntitle: \"Bees at night\"\n---\n\n# Flying\n\nText.\n\n## Deeper\n\n# Resting\n";
        assert_eq!(Headed::of_markdown(yaml), headed(Some("Bees at night"), &["Flying", "Resting"]));
        let toml = "+++\ntitle = 'Bees at night'\n+++\n## **Flying** ##\n";
        assert_eq!(Headed::of_markdown(toml), headed(Some("Bees at night"), &["Flying"]));
        let bare = "# Bees at night\n\n## Flying\n\n### Deeper\n\n##Resting\n";
        assert_eq!(Headed::of_markdown(bare), headed(Some("Bees at night"), &["Flying", "Resting"]));
    }

    #[test]
    fn titles_and_headings_lose_their_marks() {
        for front in
            ["title: >-\n  Gardens that\n  drink less\ndate: 2026", "title: \"Gardens that\n  drink less\"\nx: 1"]
        {
            let text = format!("---\n{front}\n---\n## Water [early](a.html) _and_ late, ol&eacute;\n");
            assert_eq!(
                Headed::of_markdown(&text),
                headed(Some("Gardens that drink less"), &["Water early and late, olé"])
            );
        }
    }

    #[test]
    fn what_is_no_title_is_none() {
        assert_eq!(Headed::of_markdown("Just text.\n\n## Flying\n"), headed(None, &["Flying"]));
        assert_eq!(Headed::of_markdown("---\ntitle: x\nno end\n\n## Flying\n"), headed(None, &["Flying"]));
        let code = "# Bees\n\n```\n# a comment\n```\n\n## Flying\n";
        assert_eq!(Headed::of_markdown(code), headed(Some("Bees"), &["Flying"]));
        assert_eq!(Headed::of_markdown(""), Headed::default());
    }

    #[test]
    fn pages_are_headed_by_their_article() {
        let page = "<title>Bees | Hive</title><nav><h2>Menu</h2></nav><h1>Hive</h1><article><h1>Bees at <em>night</em></h1>\
                    <h2 id=a>Flying</h2><h3>Deeper</h3><h2>Eating &amp; resting</h2></article><h2>Related</h2>";
        assert_eq!(Headed::of_html(page), headed(Some("Bees at night"), &["Flying", "Eating resting"]));
        let bare = "<title>Bees</title><h2>Flying</h2>";
        assert_eq!(Headed::of_html(bare), headed(Some("Bees"), &["Flying"]));
    }

    #[test]
    fn spread_items_are_evenly_spaced() {
        assert_eq!(spread((0..10).collect(), 3), [0, 3, 6]);
        assert_eq!(spread((0..10).collect(), 1), [0]);
        assert_eq!(spread((0..3).collect(), 9), [0, 1, 2]);
        assert_eq!(spread((0..3).collect(), 0), Vec::<i32>::new());
        for (len, most) in [(240, 7), (97, 96), (1378, 200)] {
            assert_eq!(spread((0..len).collect(), most).len(), most, "{most} of {len}");
        }
    }

    #[test]
    fn a_folder_is_searched_whole() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("deep")).unwrap();
        for (file, text) in [("b.md", "# B\r\n"), ("deep/a.HTML", "<p>A"), ("c.png", ""), ("d.txt", "a\u{7}")] {
            fs::write(folder.path().join(file), text).unwrap();
        }
        let found = articles(folder.path(), None).unwrap();
        let files: Vec<(&str, Form)> = found.iter().map(|a| (a.file.as_str(), a.form)).collect();
        assert_eq!(files, [("b.md", Form::Text), ("d.txt", Form::Text), ("deep/a.HTML", Form::Html)]);
        assert_eq!(found[0].text().unwrap(), "# B\n");
        assert!(found[1].text().unwrap_err().to_string().contains("U+0007"));
    }
}
