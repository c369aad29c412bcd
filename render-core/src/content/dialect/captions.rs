//! Removes italic lines under pictures, which mean nothing without the picture, and the addresses that a social
//! network leaves in embedded posts.

use std::ops::Range;

use super::code::{Code, lines};
use super::edits::Edit;

/// Openings of lines that show a picture, which may be the text of a link.
const PICTURES: [&str; 11] = [
    "![",
    "<img",
    "<figure",
    "</figure",
    "{% image",
    "{% img",
    "{% figure",
    "{% asset",
    "{{< figure",
    "{{< img",
    "{{< image",
];
/// Maximum characters of a caption.
const CAPTION: usize = 240;
/// Addresses of pictures and links in embedded posts.
const POSTED: [&str; 6] =
    ["https://t.co/", "http://t.co/", "t.co/", "pic.twitter.com/", "pic.x.com/", "https://pic.twitter.com/"];

/// Returns the edits that remove captions.
pub(super) fn edits(text: &str, code: &Code) -> Vec<Edit> {
    let all: Vec<(usize, &str)> = lines(text).collect();
    let mut out = Vec::new();
    for (i, (at, _)) in all.iter().enumerate() {
        let above = all[..i].iter().rev().take(2).map(|(_, line)| line.trim()).find(|line| !line.is_empty());
        let pictured = above.is_some_and(|line| {
            let shown = line.strip_prefix('[').unwrap_or(line);
            PICTURES.iter().any(|opening| shown.starts_with(opening))
        });
        if !pictured || code.end_at(*at).is_some() {
            continue;
        }
        // A long caption may be wrapped.
        let paragraph: Vec<&str> = all[i..].iter().map(|(_, line)| line.trim()).take_while(|l| !l.is_empty()).collect();
        if is_italic(&paragraph.join(" ")) {
            out.extend(all[i..i + paragraph.len()].iter().map(|(at, line)| Edit::delete(*at..at + line.len())));
        }
    }
    out
}

/// Returns the edits that remove the addresses of embedded posts.
pub(super) fn posted(text: &str, code: &Code) -> Vec<Edit> {
    let mut out = Vec::new();
    for (at, line) in lines(text) {
        let links = posted_links(line).into_iter().filter(|link| code.end_at(at + link.start).is_none());
        out.extend(links.map(|link| Edit::delete(at + link.start..at + link.end)));
        let mut from = 0;
        for word in line.split_whitespace() {
            let start = from + line[from..].find(word).unwrap_or(0);
            from = start + word.len();
            let label = word.strip_prefix('[');
            let shown = label.unwrap_or(word);
            if POSTED.iter().any(|address| shown.starts_with(address)) && code.end_at(at + start).is_none() {
                // The space before the address is removed with it. Marks after it belong to the sentence.
                let link = label.and_then(|_| word.rfind(')')).map(|end| word.len() - end - 1);
                let kept =
                    link.unwrap_or_else(|| word.len() - word.trim_end_matches(['”', '"', '’', ')', ',', ';']).len());
                let front = line[..start].trim_end().len();
                out.push(Edit::delete(at + front..at + from - kept));
            }
        }
    }
    out
}

/// Returns the HTML links of a line to such addresses, with the space before them.
fn posted_links(line: &str) -> Vec<Range<usize>> {
    const OPENS: &str = "<a href=\"";
    const CLOSES: &str = "</a>";
    let link = |(at, _): (usize, &str)| {
        let target = &line[at + OPENS.len()..];
        let is_posted = POSTED.iter().any(|address| target.starts_with(address));
        let end = at + line[at..].find(CLOSES)? + CLOSES.len();
        is_posted.then(|| line[..at].trim_end().len()..end)
    };
    line.match_indices(OPENS).filter_map(link).collect()
}

/// Returns the italic caption below a picture that ends at `end`, without its marks.
pub(in crate::content) fn below(text: &str, end: usize) -> Option<&str> {
    let mut lines = text.get(end..)?.lines().skip(1).map(str::trim);
    let line = lines.by_ref().take(2).find(|line| !line.is_empty())?;
    is_italic(line).then(|| line.trim_matches(['*', '_']))
}

/// Whether a whole line is italic: one pair of marks around it.
fn is_italic(line: &str) -> bool {
    let marked = |mark: char| {
        let inner = line.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(mark) && !inner.starts_with(' '))
    };
    shown_length(line) <= CAPTION && (marked('*') || marked('_'))
}

/// Returns the number of characters of Markdown without the targets of its links.
fn shown_length(line: &str) -> usize {
    let mut parts = line.split("](");
    let first = parts.next().map_or(0, |part| part.chars().count());
    first + parts.map(|part| part.split_once(')').map_or(part, |(_, after)| after).chars().count()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::dialect::edits::Edited;

    fn read(text: &str, edits: fn(&str, &Code) -> Vec<Edit>) -> String {
        Edited::of(text).apply(&edits(text, &Code::of(text))).text
    }

    #[test]
    fn captions_go_with_their_pictures() {
        for picture in [
            "![A boat](boat.jpg)",
            "{% image \"boat.jpg\" %}",
            "<img src=\"boat.jpg\">",
            "[{% image \"boat.jpg\" %}](b)",
        ] {
            let text = format!("{picture}\n*The boat at noon.*\n\n*All of it* is true.");
            assert_eq!(read(&text, edits), format!("{picture}\n\n\n*All of it* is true."));
            let wrapped = format!("{picture}\n*The boat\nat noon.*\n\nText.");
            assert_eq!(read(&wrapped, edits), format!("{picture}\n\n\n\nText."));
        }
        let linked =
            format!("![A boat](boat.jpg)\n\n*The boat at noon. [More.](https://a.example/{})*", "a".repeat(CAPTION));
        assert_eq!(read(&linked, edits), "![A boat](boat.jpg)\n\n");
        for kept in ["One line.\n*The boat at noon.*", "![A boat](boat.jpg)\n**The boat at noon.**"] {
            assert_eq!(read(kept, edits), kept);
        }
    }

    #[test]
    fn addresses_of_embedded_posts_go() {
        let text = "We did it, and more. https://t.co/4qwK pic.twitter.com/ZSeh\nYes.";
        assert_eq!(read(text, posted), "We did it, and more.\nYes.");
        let linked =
            "<p>It grows. <a href=\"https://t.co/wDVI\">https://t.co/wDVI</a></p>&mdash; Ada <a href=\"/a\">May</a>";
        assert_eq!(read(linked, posted), "<p>It grows.</p>&mdash; Ada <a href=\"/a\">May</a>");
        let label = "It grows. [https://t.co/wDVI](https://t.co/wDVI)” — Ada";
        assert_eq!(read(label, posted), "It grows.” — Ada");
        assert_eq!(read("See cost.co/plans and `t.co/x y`.", posted), "See cost.co/plans and `t.co/x y`.");
    }
}
