//! Converts text to HTML: escaping, the small Markdown subset that descriptions use, and syntax colouring.

use std::fmt::Write;

/// Escapes text for an element or a quoted attribute.
pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            c => html.push(c),
        }
    }
    html
}

/// Renders a description as paragraphs.
pub fn paragraphs(markdown: &str) -> String {
    let paragraphs = markdown.split("\n\n").map(str::trim).filter(|p| !p.is_empty());
    paragraphs.fold(String::new(), |mut html, p| {
        let _ = write!(html, "<p>{}</p>", inline(p));
        html
    })
}

/// Renders inline Markdown: `code` and **strong**.
pub fn inline(markdown: &str) -> String {
    let mut html = String::new();
    for (place, part) in markdown.split('`').enumerate() {
        if place % 2 == 1 {
            let _ = write!(html, "<code>{}</code>", escaped(part));
            continue;
        }
        for (place, part) in part.split("**").enumerate() {
            let strong = place % 2 == 1;
            let _ = if strong {
                write!(html, "<strong>{}</strong>", escaped(part))
            } else {
                write!(html, "{}", escaped(part))
            };
        }
    }
    html
}

/// Colours JSON, or a command that contains JSON.
pub fn code(text: &str) -> String {
    let mut html = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        let (before, quoted) = rest.split_at(start);
        html.push_str(&literals(before));
        let end = end_of_string(quoted);
        let (string, after) = quoted.split_at(end);
        let class = if after.starts_with(':') { "k" } else { "s" };
        let _ = write!(html, "<span class=\"{class}\">{}</span>", escaped(string));
        rest = after;
    }
    html.push_str(&literals(rest));
    html
}

/// Returns the length in bytes of the string literal at the start of `text`, quotes included.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Colours the text between string literals: numbers, `true`, `false` and `null`.
fn literals(text: &str) -> String {
    let mut html = String::new();
    for word in text.split_inclusive([' ', '\n', ',', '[', ']', '{', '}']) {
        let bare = word.trim_end_matches([' ', '\n', ',', '[', ']', '{', '}']);
        let is_literal = matches!(bare, "true" | "false" | "null") || bare.parse::<f64>().is_ok();
        let tail = &word[bare.len()..];
        let _ = if is_literal {
            write!(html, "<span class=\"n\">{}</span>{}", escaped(bare), escaped(tail))
        } else {
            write!(html, "{}", escaped(word))
        };
    }
    html
}

/// Renders code under a heading.
pub fn panel(heading: &str, text: &str) -> String {
    let heading = escaped(heading);
    // A wide panel scrolls, so the keyboard must be able to focus it.
    format!(
        "<figure><figcaption>{heading}</figcaption><pre tabindex=\"0\" aria-label=\"{heading}\"><code>{}</code></pre></figure>",
        code(text)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(escaped("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
        assert_eq!(inline("**a** `<b>` & c"), "<strong>a</strong> <code>&lt;b&gt;</code> &amp; c");
        assert_eq!(paragraphs("a\nb\n\nc"), "<p>a\nb</p><p>c</p>");
    }

    #[test]
    fn code_is_told_apart() {
        assert_eq!(
            code(r#"{"a": "b \" <", "n": 1.5}"#),
            "{<span class=\"k\">&quot;a&quot;</span>: <span class=\"s\">&quot;b \\&quot; &lt;&quot;</span>, \
             <span class=\"k\">&quot;n&quot;</span>: <span class=\"n\">1.5</span>}"
        );
        assert_eq!(code("say \"open"), "say <span class=\"s\">&quot;open</span>");
    }
}
