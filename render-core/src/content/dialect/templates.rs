//! Removes the syntax of site generators and template languages: Liquid, Jinja, Tera, Hugo, kramdown, Pandoc, MDX.
//! The text between tags is kept, except for code and comments.

use std::ops::Range;

use memchr::memmem;

use super::code::Code;
use super::edits::Edit;
use crate::cancel;
use crate::content::words::has;

/// Maximum bytes of a tag.
const TAG: usize = 4_000;
/// Maximum bytes of an attribute list.
const ATTRIBUTES: usize = 400;

/// Tags whose content is not prose, separated by white space.
const DROPPED: &str = "comment highlight code codeblock mermaid javascript style schema stylesheet css capture math katex chart gist \
    plantuml graphviz dot figure svg raw_html cast asciinema diagram codetabs card-code";

/// Returns the edits that remove the tags.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let mut finder = Finder { text, out: Vec::new(), missing: Vec::new() };
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'{', &text.as_bytes()[at..]) {
        cancel::tick();
        let open = at + found;
        if let Some(end) = code.end_at(open) {
            // A tag that protects braces from interpretation is not code.
            let raw = ["{% raw %}", "{% endraw %}"].into_iter().find(|tag| text[open..].starts_with(tag));
            at = raw.map_or(open + 1, |tag| finder.delete(open..open + tag.len()));
            at = if raw.is_none() && !text[open..end].contains("raw %}") { end } else { at };
            continue;
        }
        let escaped = text.as_bytes()[..open].ends_with(b"\\");
        at = if escaped { open + 1 } else { finder.tag(open).unwrap_or(open + 1) };
    }
    finder.out
}

struct Finder<'a> {
    text: &'a str,
    out: Vec<Edit>,
    /// Closing marks that do not occur again. Searching for them repeatedly would take quadratic time.
    missing: Vec<String>,
}

impl Finder<'_> {
    /// Removes the tag that opens at `open`. Returns the offset at which reading continues.
    fn tag(&mut self, open: usize) -> Option<usize> {
        let rest = &self.text[open..];
        let next = rest[1..].chars().next()?;
        match next {
            '%' => self.block(open),
            '{' => self.output(open),
            ':' => self.kramdown(open),
            '/' if rest.starts_with("{/*") => {
                let end = self.close(open, "*/}", rest.len())?;
                Some(self.delete(open..end))
            }
            '#' if rest.starts_with("{# ") && !rest.starts_with("{# }") => {
                let end = self.close(open, "#}", TAG)?;
                Some(self.delete(open..end))
            }
            '\'' | '"' if rest.starts_with("{' '}") || rest.starts_with("{\" \"}") => {
                self.out.push(Edit::replace(open..open + 5, " "));
                Some(open + 5)
            }
            _ => self.attributes(open),
        }
    }

    /// Returns the end of the next `mark`, if it is within `most` bytes.
    fn close(&mut self, from: usize, mark: &str, most: usize) -> Option<usize> {
        if self.missing.iter().any(|m| m == mark) {
            return None;
        }
        let Some(found) = memmem::find(&self.text.as_bytes()[from..], mark.as_bytes()) else {
            self.missing.push(mark.to_owned());
            return None;
        };
        (found <= most).then_some(from + found + mark.len())
    }

    fn delete(&mut self, range: Range<usize>) -> usize {
        let end = range.end;
        self.out.push(Edit::delete(range));
        end
    }

    /// Removes `{% … %}`.
    fn block(&mut self, open: usize) -> Option<usize> {
        let end = self.close(open + 2, "%}", TAG)?;
        let inner = self.text[open + 2..end - 2].trim_matches(|c: char| c == '-' || c.is_whitespace());
        let name = inner.split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or("");
        if has(DROPPED, name) {
            let closes = [format!("{{% end{name}"), format!("{{%- end{name}"), "{% end %}".to_owned()];
            for close in closes {
                if let Some(at) = self.close(end, &close, self.text.len()) {
                    let end = self.close(at - 2, "%}", TAG).unwrap_or(at);
                    return Some(self.delete(open..end));
                }
            }
        }
        Some(self.replace(open..end))
    }

    /// Removes `{{ … }}`, and Hugo's `{{< … >}}` and `{{% … %}}`.
    fn output(&mut self, open: usize) -> Option<usize> {
        let rest = &self.text[open..];
        let shortcode = [("{{<", ">}}"), ("{{%", "%}}")].into_iter().find(|(mark, _)| rest.starts_with(mark));
        let Some((mark, close)) = shortcode else {
            let end = self.close(open + 2, "}}", TAG)?;
            let end = end + self.text[end..].bytes().take_while(|b| *b == b'}').count();
            // An expression does not span paragraphs.
            return (!self.text[open..end].contains("\n\n")).then(|| self.replace(open..end));
        };
        let end = self.close(open + 3, close, TAG)?;
        let inner = self.text[open + 3..end - 3].trim();
        let name = inner.split(|c: char| c.is_whitespace() || c == '"').next().unwrap_or("");
        if has(DROPPED, name) && !inner.ends_with('/') {
            let last = format!("{mark} /{name}");
            if let Some(at) = self.close(end, &last, self.text.len()) {
                let end = self.close(at, close, TAG).unwrap_or(at);
                return Some(self.delete(open..end));
            }
        }
        // A tag within a line may display text of its own.
        if let Some(words) = attribute(inner, "text=").filter(|_| self.is_inline(open..end)) {
            let start = words.as_ptr() as usize - self.text.as_ptr() as usize;
            self.out.push(Edit::delete(open..start));
            self.out.push(Edit::delete(start + words.len()..end));
            return Some(end);
        }
        Some(self.replace(open..end))
    }

    fn is_inline(&self, range: Range<usize>) -> bool {
        let before = self.text[..range.start].rsplit('\n').next().unwrap_or("");
        let behind = self.text[range.end..].split('\n').next().unwrap_or("");
        !before.trim().is_empty() || !behind.trim().is_empty()
    }

    /// Removes a tag. In the address of a link it is replaced by a placeholder.
    fn replace(&mut self, range: Range<usize>) -> usize {
        let before = self.text[..range.start].trim_end_matches([' ', '<']);
        let address =
            before.ends_with("](") || before.ends_with("]:") || before.ends_with("=\"") || before.ends_with("='");
        let end = range.end;
        self.out.push(if address { Edit::replace(range, "x") } else { Edit::delete(range) });
        end
    }

    /// Removes kramdown's `{: .class}`, `{:toc}` and `{::comment}`.
    fn kramdown(&mut self, open: usize) -> Option<usize> {
        let line = self.line_end(open);
        let end = open + self.text[open..line].find('}')? + 1;
        let inner = &self.text[open + 2..end - 1];
        if inner.starts_with(":comment") || inner.starts_with(":nomarkdown") {
            let close = self.close(end, "{:/", self.text.len());
            let end = close.map_or(end, |at| self.text[at..].find('}').map_or(at, |i| at + i + 1));
            return Some(self.delete(open..end));
        }
        let start = if inner.trim().starts_with("toc") { self.item_above(open) } else { open };
        // An attribute list belongs to the text before it, including the space.
        let space = self.text[..start].len() - self.text[..start].trim_end_matches([' ', '\t']).len();
        Some(self.delete(start - space..end))
    }

    /// Returns the start of the line above the one at `at`, if it is a list item: "* TOC" is a placeholder for a
    /// generated list.
    fn item_above(&self, at: usize) -> usize {
        let own = self.text[..at].rfind('\n').unwrap_or(0);
        let above = self.text[..own].rfind('\n').map_or(0, |i| i + 1);
        let item = self.text[above..own].trim_start();
        let is_item = item.starts_with(['*', '-', '+', '1']) && self.text[own..at].trim().is_empty();
        let fresh = self.out.last().is_none_or(|last| last.range.end <= above);
        if is_item && fresh { above } else { at }
    }

    fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.text.as_bytes()[at..]).map_or(self.text.len(), |i| at + i)
    }

    /// Removes `{#id .class key="value"}` after a heading, a link or a span.
    fn attributes(&mut self, open: usize) -> Option<usize> {
        let line = self.text.floor_char_boundary(self.line_end(open).min(open + ATTRIBUTES));
        let end = open + self.text[open..line].find('}')? + 1;
        let inner = self.text[open + 1..end - 1].trim();
        let before = self.text[..open].trim_end_matches([' ', '\t']);
        let behind = self.text[end..self.line_end(end)].trim();
        let marked = inner.starts_with(['#', '.', '-']);
        let attached = self.text[..open].ends_with([')', ']', '`']) || behind.is_empty();
        let fits = inner.len() > 1 && is_attributes(inner) && (marked || attached);
        fits.then(|| self.delete(before.len()..end))
    }
}

/// Whether the text between braces consists of attributes: `#id`, `.class`, `key=value`.
fn is_attributes(inner: &str) -> bool {
    let name = |n: &str| !n.is_empty() && n.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.'));
    let mut quoted = false;
    inner.split(' ').filter(|t| !t.is_empty()).all(|token| {
        if quoted {
            quoted = !token.ends_with(['"', '\'']);
            return true;
        }
        if let Some(id) = token.strip_prefix(['#', '.']) {
            return name(id);
        }
        let Some((key, value)) = token.split_once('=') else { return token == "-" };
        quoted = value.starts_with(['"', '\'']) && (value.len() == 1 || !value.ends_with(['"', '\'']));
        name(key)
    })
}

/// Returns the value of an attribute: the text between the quotation marks after `key`.
fn attribute<'a>(inner: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = inner.split_once(key)?;
    let mark = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    rest[1..].split(mark).next()
}

#[cfg(test)]
mod tests {
    use super::super::edits::Edited;
    use super::*;

    fn without(text: &str) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn tags_go_and_their_content_stays() {
        for (text, want) in [
            ("{% include a.html x=\"y\" %}\nText", "\nText"),
            ("{% if x %}Yes{% else %}no{% endif %}", "Yesno"),
            ("{%- highlight sh -%}\nls\n{%- endhighlight -%}\nText", "\nText"),
            ("{% comment %}secret{% endcomment %}Text", "Text"),
            ("[a]({% link b.md %}) and [c]({{ \"/d\" | url }}) e", "[a](x) and [c](x) e"),
            ("[a]: {{ site.url }}/b", "[a]: x/b"),
            ("{{< notice tip >}}Rest first.{{< /notice >}}", "Rest first."),
            ("{{< highlight go >}}x := 1{{< /highlight >}}Text", "Text"),
            ("Run {{< glossary_tooltip term_id=\"pod\" text=\"pods\" >}} well.", "Run pods well."),
            ("{{% details \"More\" %}}Text{{% /details %}}", "Text"),
            ("{{{ raw }}}Text", "Text"),
            ("Text {/* a comment */}goes{' '}on", "Text goes on"),
            ("{# a comment #}Text", "Text"),
        ] {
            assert_eq!(without(text), want, "{text}");
        }
    }

    #[test]
    fn attributes_go_with_their_space() {
        for (text, want) in [
            ("## Tides {#tides}", "## Tides"),
            ("## Tides {: #tides .wide }", "## Tides"),
            ("Text\n{: .lead}\nMore", "Text\n\nMore"),
            ("* TOC\n{:toc}\n\nText", "\n\nText"),
            ("![x](y){width=50%} z", "![x](y) z"),
            ("[a](b){target=\"_blank\" rel=\"x y\"} z", "[a](b) z"),
            ("{::comment}x{:/comment}Text", "Text"),
        ] {
            assert_eq!(without(text), want, "{text}");
        }
    }

    #[test]
    fn what_protects_braces_goes() {
        assert_eq!(without("`{% raw %}{{ x }}{% endraw %}` y"), "`{{ x }}` y");
    }

    #[test]
    fn braces_of_prose_and_code_stay() {
        for text in
            ["a {b} c", "`{{ x }}`", "```\n{% x %}\n```", "{ x", "{% x", "{{ x", "\\{{ x }}", "{a, b}", "{#}", "x{1}"]
        {
            assert_eq!(without(text), text, "{text}");
        }
    }

    #[test]
    fn nothing_takes_time_by_the_square() {
        for part in ["{%", "{{", "{{<", "{:", "{#a", "{/*", "{% comment %}", "{{< code >}}", "{'"] {
            let _ = without(&part.repeat(40_000));
        }
    }
}
