//! Removes what a sentence, a heading or an item can always do without: examples and references in brackets, and the
//! author's remarks about the text.

use super::Language;
use super::condense::capitalised;
use super::context::reasoned;
use super::segment;
use super::words;

/// Openings of brackets with an example, a reference or an editor's note, in any language.
const ASIDES: [&str; 28] = [
    " (see ",
    " (as seen ",
    " (link removed",
    " (link ",
    " (like this one",
    " (pictured",
    " (source:",
    " (siehe ",
    " (voir ",
    " (véase ",
    " (vedi ",
    " (см. ",
    " (for example",
    " (for instance",
    " (e.g.",
    " (e.g ",
    " (z. B.",
    " (z.B.",
    " (zum Beispiel",
    " (beispielsweise",
    " (par exemple",
    " (p. ex.",
    " (por ejemplo",
    " (p. ej.",
    " (por exemplo",
    " (ad esempio",
    " (bijvoorbeeld",
    " (например",
];
/// Openings by which authors comment on their own statement, and adverbs that connect to the previous sentence, by
/// language, separated by `|`. Headings and items lose these too, but keep other connecting words.
const REMARKS: [(&str, &str); 4] = [
    (
        "en",
        "it's worth noting that |it’s worth noting that |it is worth noting that |it's important to note that |\
         it’s important to note that |it is important to note that |please note that |note that |keep in mind that |\
         as you can see, |put another way, |i would just finish by saying |in a general sense, |let me explain: |\
         i would add that |similarly, |likewise, |last but not least, ",
    ),
    ("de", "es ist wichtig zu beachten, dass |wie man sieht, |anders gesagt, |zu guter letzt, |"),
    ("fr", "il est important de noter que |il faut noter que |autrement dit, |notez que |de même, |"),
    ("es", "es importante señalar que |cabe señalar que |dicho de otro modo, |asimismo, |"),
];
/// Maximum words before an "also" that adds the sentence to the previous one.
const SUBJECT: usize = 4;
/// Minimum words of the remainder.
const LEAST: usize = 3;

/// Returns `text` without the dispensable parts, or `None` if there are none.
pub(crate) fn spared(text: &str, language: &Language) -> Option<String> {
    let mut out = text.to_owned();
    for cut in [without_asides, without_remark] {
        while let Some(shorter) = cut(&out, language).filter(|shorter| segment::count_words(shorter) >= LEAST) {
            out = shorter;
        }
    }
    (out != text).then_some(out)
}

/// Returns an English sentence without the "also" by which it adds to the previous one ("The crew also counts boats"),
/// or `None` if it has none.
pub(crate) fn unadded(text: &str, language: &Language) -> Option<String> {
    const ALSO: &str = " also ";
    let at = text.find(ALSO).filter(|_| language.primary() == "en")?;
    let (front, rest) = (&text[..at], &text[at + ALSO.len()..]);
    // "Boats, also known as hulls, …", "Not only rowed but also sailed".
    let joins = front.ends_with([',', ';', ':', '—', '–', '(']) || words::opens_with("known|called|named", rest);
    let pairs = [" but", " and", " or", " while"].iter().any(|word| front.ends_with(word));
    let adds = segment::count_words(front) <= SUBJECT && !joins && !pairs;
    adds.then(|| format!("{front} {rest}"))
}

fn without_asides(text: &str, _: &Language) -> Option<String> {
    let open = ASIDES.iter().filter_map(|opening| text.find(opening)).min()?;
    let mut depth = 0_usize;
    let close = text[open..].char_indices().find_map(|(at, c)| {
        depth = match c {
            '(' => depth + 1,
            ')' => depth.saturating_sub(1),
            _ => depth,
        };
        (c == ')' && depth == 0).then_some(open + at + 1)
    })?;
    Some(format!("{}{}", &text[..open], &text[close..]))
}

fn without_remark(text: &str, language: &Language) -> Option<String> {
    if let Some(rest) = reasoned(text) {
        return Some(capitalised(rest));
    }
    let (_, remarks) = REMARKS.iter().find(|(code, _)| *code == language.primary())?;
    let lower = words::lower_in_place(text);
    let remark = remarks.split('|').filter(|r| !r.is_empty()).find(|r| lower.starts_with(r))?;
    Some(capitalised(&text[remark.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_remarks_go() {
        for (text, spared_text) in [
            ("Count the boats (for example, ours (both)) every day.", "Count the boats every day."),
            ("It’s important to note that boats leave early.", "Boats leave early."),
            ("That’s why the crew counts the boats.", "The crew counts the boats."),
        ] {
            assert_eq!(spared(text, &Language::english()).as_deref(), Some(spared_text));
        }
    }

    #[test]
    fn a_sentence_alone_adds_to_nothing() {
        let unadded = |text: &str| unadded(text, &Language::english());
        assert_eq!(unadded("The crew also counts boats.").as_deref(), Some("The crew counts boats."));
        for text in [
            "They not only count but also paint the boats.",
            "The boats, also known as hulls, are old.",
            "The boats are also called hulls.",
            "The crew of the old harbour in town also counts.",
        ] {
            assert_eq!(unadded(text), None, "{text}");
        }
    }

    #[test]
    fn what_says_more_stays() {
        for text in [
            "They not only count but also paint the boats.",
            "The crew (all of them) counts the boats.",
            "They count, and the crew also paints.",
            "Note that.",
        ] {
            assert_eq!(spared(text, &Language::english()), None, "{text}");
        }
    }
}
