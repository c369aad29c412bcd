//! Converts the rest of a page to Markdown, in the form that `render_core::content` reads: headings, paragraphs, lists,
//! quotations, tables, code, figures. Of links only the words remain.

use dom_query::NodeRef;
use url::Url;

use super::furniture::level;
use super::inline::{self, Line};
use super::table::Table;

/// Bytes of Markdown that are written; the rest is dropped.
const BYTES: usize = 1 << 20;
/// Levels of lists that are distinguished.
const LISTS: usize = 2;
/// Pixels of the edge below which a picture is an inline icon, and the limit of pictures per page.
const SMALL: u32 = 100;
const PICTURES: usize = 60;
/// Characters of code that are kept per block.
const CODE: usize = 20_000;

/// Elements whose text is not part of the page's words.
const SKIPPED: &[&str] = &[
    "script",
    "style",
    "noscript",
    "template",
    "iframe",
    "object",
    "embed",
    "video",
    "audio",
    "canvas",
    "svg",
    "head",
    "button",
    "input",
    "select",
    "textarea",
    "nav",
    "dialog",
    "del",
    "s",
    "strike",
    "rp",
    "rt",
    "figcaption",
    "caption",
    "colgroup",
    "title",
    "annotation",
    "annotation-xml",
];
/// Inline elements.
const IN_LINE: &[&str] = &[
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "dfn", "em", "font", "i", "img", "ins",
    "kbd", "label", "mark", "math", "mi", "mn", "mo", "mrow", "msup", "msub", "nobr", "picture", "q", "ruby", "rb",
    "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
];

/// Returns the Markdown of everything under `root`, without a heading that repeats `title`.
pub(super) fn write(root: &NodeRef<'_>, title: Option<&str>, base: Option<&Url>) -> String {
    let title = title.map(str::trim).filter(|t| !t.is_empty());
    let mut writer = Writer { base, title: title.map(squeezed), ..Writer::default() };
    if let Some(title) = title {
        writer.out = format!("# {}\n\n", inline::escaped(&inline::plain(title)));
    }
    let mut open = vec![Step::Enter(*root)];
    while let Some(step) = open.pop() {
        if writer.out.len() > BYTES {
            break;
        }
        match step {
            Step::Enter(node) => writer.enter(&node, &mut open),
            Step::Leave(what) => writer.leave(what),
        }
    }
    writer.flush();
    writer.out.trim_end().to_owned() + "\n"
}

/// Returns whether no text follows an element within its block.
fn ends_block(node: &NodeRef<'_>) -> bool {
    std::iter::successors(node.next_sibling(), NodeRef::next_sibling).all(|n| n.text().trim().is_empty())
}

/// Reduces a text to letters and digits, because repetitions of a title differ in punctuation.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the text of a code block, with its line breaks.
fn code_of(node: &NodeRef<'_>) -> String {
    let mut code = String::new();
    for part in node.descendants_it() {
        if part.is_text() {
            code += &part.text();
        } else if part.has_name("br") {
            code.push('\n');
        }
    }
    code
}

enum Step<'a> {
    Enter(NodeRef<'a>),
    Leave(What),
}

/// What an element ends.
#[derive(Clone, Copy)]
enum What {
    Block,
    Heading(u8),
    List,
    Item,
    /// The term of a definition list.
    Term,
    Quote,
    /// A line within a quotation that names its author.
    Attribution,
    Bold,
    Quoted,
    Super(usize),
    Sub(usize),
}

struct List {
    ordered: bool,
    next: u64,
}

/// An item that is being written.
struct Item {
    /// Spaces before its marker.
    indent: usize,
    marker: String,
    /// Whether its marker has been written.
    begun: bool,
}

#[derive(Default)]
struct Writer<'b> {
    base: Option<&'b Url>,
    title: Option<String>,
    out: String,
    line: Line,
    lists: Vec<List>,
    items: Vec<Item>,
    /// Open quotations, and where the outermost started.
    quotes: usize,
    quoted_from: usize,
    /// The pictures of the current block, which follow it, and the addresses of all pictures so far.
    pictures: Vec<String>,
    pictured: Vec<String>,
}

impl Writer<'_> {
    fn enter<'a>(&mut self, node: &NodeRef<'a>, open: &mut Vec<Step<'a>>) {
        if node.is_text() {
            self.line.push(&node.text());
            return;
        }
        let Some(name) = node.node_name() else {
            open.extend(node.children_it(true).map(Step::Enter));
            return;
        };
        let name = &*name;
        if SKIPPED.contains(&name) {
            return;
        }
        let ends = match name {
            "br" => return self.line.break_line(),
            "hr" => return self.flush(),
            "img" | "amp-img" => return self.picture(node),
            "pre" => return self.code(node),
            "figure" => {
                self.flush();
                self.figure(node);
                Some(What::Block)
            }
            "table" => {
                self.flush();
                if self.items.is_empty()
                    && self.quotes == 0
                    && let Some(table) = Table::read(node)
                {
                    self.part();
                    self.out += &table.markdown();
                    self.out.push('\n');
                    return;
                }
                Some(What::Block)
            }
            "ul" | "ol" | "dl" => {
                self.flush();
                let start = node.attr("start").and_then(|s| s.trim().parse().ok()).unwrap_or(1);
                self.lists.push(List { ordered: name == "ol", next: start });
                Some(What::List)
            }
            "li" | "dt" => {
                self.flush();
                self.open_item(name == "dt");
                Some(if name == "dt" { What::Term } else { What::Item })
            }
            "dd" => {
                self.flush();
                self.reopen_item();
                Some(What::Item)
            }
            "blockquote" => {
                self.flush();
                if self.quotes == 0 {
                    self.quoted_from = self.out.len();
                }
                self.quotes += 1;
                Some(What::Quote)
            }
            "cite" | "footer" if self.quotes > 0 && ends_block(node) => {
                self.flush();
                Some(What::Attribution)
            }
            "b" | "strong" => {
                self.line.open_bold();
                Some(What::Bold)
            }
            "q" => {
                self.line.push("“");
                Some(What::Quoted)
            }
            "sup" => Some(What::Super(self.line.len())),
            "sub" => Some(What::Sub(self.line.len())),
            _ if IN_LINE.contains(&name) => None,
            _ => {
                self.flush();
                Some(level(node).map_or(What::Block, What::Heading))
            }
        };
        open.extend(ends.map(Step::Leave));
        open.extend(node.children_it(true).map(Step::Enter));
    }

    fn leave(&mut self, what: What) {
        match what {
            What::Block => self.flush(),
            What::Heading(level) => self.heading(level),
            What::Item | What::Term => {
                if matches!(what, What::Term) {
                    self.line.close_bold();
                }
                self.flush();
                self.items.pop();
            }
            What::List => {
                self.flush();
                self.lists.pop();
                if self.items.is_empty() {
                    self.part();
                }
            }
            What::Quote => {
                self.flush();
                self.quotes -= 1;
                if self.quotes == 0 {
                    self.part();
                }
            }
            What::Attribution => {
                let words = self.line.take_plain();
                let words = words.trim_start_matches(['—', '–', '-', ' ']).to_owned();
                // Before the words it introduces them; the author of a quotation follows it.
                if !words.is_empty() && self.out.len() > self.quoted_from {
                    self.line.push(&format!("— {words}"));
                    self.flush();
                }
            }
            What::Bold => self.line.close_bold(),
            What::Quoted => self.line.push("”"),
            What::Super(from) => self.line.raise(from, true),
            What::Sub(from) => self.line.raise(from, false),
        }
    }

    /// Ends with an empty line, except at the start.
    fn part(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Ends the current block.
    fn flush(&mut self) {
        let lines = self.line.take();
        if !lines.is_empty() {
            self.lines(&lines);
        }
        if self.items.is_empty() && self.quotes == 0 {
            for picture in std::mem::take(&mut self.pictures) {
                self.part();
                self.out += &format!("{picture}\n\n");
            }
        }
    }

    /// Writes the lines of a block.
    fn lines(&mut self, lines: &[String]) {
        if self.quotes > 0 {
            self.in_quote(lines);
        } else if self.items.is_empty() {
            self.part();
            self.out += &lines.join("\n");
            self.out += "\n\n";
        } else {
            self.in_item(lines);
        }
    }

    fn in_quote(&mut self, lines: &[String]) {
        if self.out.len() > self.quoted_from {
            self.out += ">\n";
        } else {
            self.part();
        }
        for line in lines {
            self.out += &format!("> {line}\n");
        }
    }

    fn in_item(&mut self, lines: &[String]) {
        let Some(item) = self.items.last_mut() else { return };
        let width = item.indent + item.marker.len();
        let mut lines = lines.iter();
        if item.begun {
            // A further paragraph of the item.
            if !self.out.ends_with("\n\n") {
                self.out.push('\n');
            }
        } else {
            item.begun = true;
            if let Some(first) = lines.next() {
                self.out += &format!("{}{}{first}\n", " ".repeat(item.indent), item.marker);
            }
        }
        for line in lines {
            self.out += &format!("{}{line}\n", " ".repeat(width));
        }
    }

    fn open_item(&mut self, term: bool) {
        let begun = self.items.iter().filter(|i| i.begun).count();
        // Deeper items are written at the level of their parents.
        let indent: usize = match begun {
            0 => {
                if self.items.is_empty() && !self.out.ends_with('\n') {
                    self.part();
                }
                0
            }
            _ => self.items.iter().filter(|i| i.begun).take(LISTS - 1).map(|i| i.marker.len()).sum(),
        };
        let marker = match self.lists.last_mut() {
            Some(list) if list.ordered && !term => {
                let marker = format!("{}. ", list.next);
                list.next = list.next.saturating_add(1).min(999_999_999);
                marker
            }
            _ => "- ".to_owned(),
        };
        self.items.push(Item { indent, marker, begun: false });
        if term {
            self.line.open_bold();
        }
    }

    /// Writes the definition of a term as a further paragraph of its item.
    fn reopen_item(&mut self) {
        let above: usize = self.items.iter().filter(|i| i.begun).take(LISTS - 1).map(|i| i.marker.len()).sum();
        self.items.push(Item { indent: above, marker: "- ".to_owned(), begun: true });
    }

    fn heading(&mut self, level: u8) {
        if self.quotes > 0 {
            return self.flush();
        }
        if !self.items.is_empty() {
            // The heading of an item.
            let words = self.line.take_plain();
            self.line.open_bold();
            self.line.push(&words);
            self.line.close_bold();
            return self.flush();
        }
        let words = self.line.take_plain().replace('\n', " ");
        if words.is_empty() || self.title.as_ref().is_some_and(|t| *t == squeezed(&words)) {
            return;
        }
        self.part();
        let level = usize::from(level.max(2));
        let words = inline::escaped(&words);
        // A `#` at the end would close the heading.
        let words = words.strip_suffix('#').map_or(words.clone(), |head| format!("{head}\\#"));
        self.out += &format!("{} {words}\n\n", "#".repeat(level));
    }

    fn code(&mut self, node: &NodeRef<'_>) {
        self.flush();
        if !self.items.is_empty() || self.quotes > 0 {
            return;
        }
        let code: String = code_of(node).chars().take(CODE).collect();
        let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(3.max(longest + 1));
        self.part();
        self.out += &format!("{fence}\n{}\n{fence}\n\n", code.trim_end());
    }

    /// Writes an inline picture: as the symbol that it stands for, or as a picture after the block.
    fn picture(&mut self, node: &NodeRef<'_>) {
        let alt = node.attr("alt").map(|alt| inline::plain(&alt)).unwrap_or_default();
        let sign =
            !alt.is_empty() && alt.chars().count() <= 8 && alt.chars().all(|c| !c.is_ascii() && !c.is_alphanumeric());
        if sign {
            return self.line.push(&alt);
        }
        let edge = |name: &str| node.attr(name).and_then(|n| n.trim().trim_end_matches("px").parse::<u32>().ok());
        let small = ["width", "height"].into_iter().filter_map(edge).any(|edge| edge < SMALL);
        // A picture without a description is usually decoration.
        if let Some(url) = self.address(node).filter(|_| !small && !alt.is_empty()) {
            let shown = self.shown(&alt, url);
            self.pictures.extend(shown);
        }
    }

    /// Returns the address of a picture, escaped for Markdown.
    fn address(&self, picture: &NodeRef<'_>) -> Option<String> {
        let url = ["data-src", "data-lazy-src", "data-original", "src"].iter().find_map(|a| {
            let url =
                self.base.map_or_else(|| Url::parse(&picture.attr(a)?).ok(), |b| b.join(&picture.attr(a)?).ok())?;
            matches!(url.scheme(), "http" | "https").then_some(url)
        })?;
        // Parentheses in a URL would end the Markdown link.
        Some(url.as_str().replace('(', "%28").replace(')', "%29"))
    }

    /// Returns the Markdown of a picture, if it wasn't shown before.
    fn shown(&mut self, words: &str, url: String) -> Option<String> {
        if self.pictured.contains(&url) || self.pictured.len() >= PICTURES {
            return None;
        }
        let shown = format!("![{}]({url})", inline::escaped(words));
        self.pictured.push(url);
        Some(shown)
    }

    /// Writes a figure's picture and caption, if it has both.
    fn figure(&mut self, node: &NodeRef<'_>) {
        let find = |name: &str| node.descendants_it().find(|n| n.has_name(name));
        let (Some(picture), Some(caption)) = (find("img").or_else(|| find("amp-img")), find("figcaption")) else {
            return;
        };
        let caption = inline::plain(&caption.text());
        if let (Some(url), true, true) =
            (self.address(&picture), !caption.is_empty(), self.items.is_empty() && self.quotes == 0)
            && let Some(shown) = self.shown(&caption, url)
        {
            self.part();
            self.out += &format!("{shown}\n\n");
        }
    }
}
