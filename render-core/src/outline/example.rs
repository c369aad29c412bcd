//! Detects examples: the wrong and the right way, where the support of a point states both.

use super::{Copy, ItemCopy};
use crate::content::{Sourced, Span};

/// Fewest and most characters of an example on a card.
const FITS: std::ops::RangeInclusive<usize> = 2..=90;
/// Most characters of a sentence around its two quotations: "Instead of …, write …".
const AROUND: usize = 36;
/// Signs that mark an example without words.
const WRONG: [char; 8] = ['✗', '✘', '✕', '✖', '❌', '🚫', '👎', '⛔'];
const RIGHT: [char; 6] = ['✓', '✔', '✅', '☑', '👍', '🆗'];
/// Labels before a colon, in pairs: the wrong way, the right way.
const LABELS: [(&str, &str); 34] = [
    ("don't", "do"),
    ("don’t", "do"),
    ("not", "but"),
    ("not this", "but this"),
    ("bad", "good"),
    ("bad", "better"),
    ("weak", "strong"),
    ("wrong", "right"),
    ("avoid", "prefer"),
    ("instead of", "write"),
    ("instead of", "say"),
    ("instead of", "try"),
    ("before", "after"),
    ("nicht", "sondern"),
    ("schlecht", "gut"),
    ("schlecht", "besser"),
    ("falsch", "richtig"),
    ("statt", "besser"),
    ("vorher", "nachher"),
    ("mauvais", "bon"),
    ("avant", "après"),
    ("à éviter", "à faire"),
    ("mal", "bien"),
    ("antes", "después"),
    ("sbagliato", "giusto"),
    ("prima", "dopo"),
    ("errado", "certo"),
    ("antes", "depois"),
    ("fout", "goed"),
    ("плохо", "хорошо"),
    ("было", "стало"),
    ("悪い例", "良い例"),
    ("错误", "正确"),
    ("خطأ", "صواب"),
];
/// Words directly before the quotation that shows the wrong way.
const NEGATIONS: [&str; 21] = [
    "not",
    "never",
    "instead of",
    "rather than",
    "don't write",
    "don’t write",
    "don't say",
    "don’t say",
    "nicht",
    "statt",
    "anstatt",
    "pas",
    "au lieu de",
    "plutôt que",
    "en lugar de",
    "en vez de",
    "non",
    "invece di",
    "em vez de",
    "in plaats van",
    "вместо",
];
const OPENING: [char; 6] = ['“', '„', '«', '「', '"', '”'];
const CLOSING: [char; 6] = ['”', '“', '»', '」', '"', '”'];

/// The wrong and the right way, as the items of a page.
pub(super) struct Example {
    /// The wrong way, then the right way.
    pub items: Vec<ItemCopy>,
    /// The source's labels for them; empty if the source uses signs or a sentence.
    pub groups: Vec<Copy>,
    /// The sentences that contain nothing else.
    pub spans: Vec<Span>,
}

/// Returns the first example in the sentences that support a point.
pub(super) fn of(body: &[&Sourced]) -> Option<Example> {
    let mut order: Vec<&Sourced> = body.to_vec();
    order.sort_by_key(|s| s.span.start);
    let contrast = order.iter().find_map(|s| {
        let [wrong, right] = contrasted(&s.text)?;
        Some(Example { items: items([wrong, right], [s.span; 2]), groups: Vec::new(), spans: vec![s.span] })
    });
    contrast.or_else(|| labelled(&order))
}

fn items(texts: [&str; 2], spans: [Span; 2]) -> Vec<ItemCopy> {
    let copy = |n: usize| Copy { wordings: vec![texts[n].to_owned()], span: Some(spans[n]) };
    (0..2).map(|n| ItemCopy { group: n as u8, ..ItemCopy::new(copy(n), None) }).collect()
}

/// Returns the two quotations of a sentence that only contrasts them, the wrong way first.
fn contrasted(text: &str) -> Option<[&str; 2]> {
    let (first, rest) = quoted(text)?;
    let (second, tail) = quoted(&text[rest..])?;
    let (second, end) = (rest + second.start..rest + second.end, rest + tail);
    let around = [&text[..first.start], &text[first.end..second.start], &text[end..]];
    if quoted(around[2]).is_some() || around.iter().map(|a| a.trim().chars().count()).sum::<usize>() > AROUND {
        return None;
    }
    let negated = [around[0], around[1]].map(|a| {
        let words = a.trim().to_lowercase();
        NEGATIONS.iter().any(|n| words.strip_suffix(n).is_some_and(|front| !front.ends_with(char::is_alphanumeric)))
    });
    let [one, other] = [&text[first], &text[second]];
    let pair = match negated {
        [true, false] => [one, other],
        [false, true] => [other, one],
        _ => return None,
    };
    pair.iter().all(|t| FITS.contains(&t.chars().count())).then_some(pair)
}

/// Returns the first quotation of a text with its marks, and where the text after it begins.
fn quoted(text: &str) -> Option<(std::ops::Range<usize>, usize)> {
    let (at, mark) = text.char_indices().find(|(_, c)| OPENING.contains(c))?;
    let closing = CLOSING[OPENING.iter().position(|o| *o == mark)?];
    let inner = at + mark.len_utf8();
    let end = inner + text[inner..].find(closing)? + closing.len_utf8();
    Some((at..end, end))
}

/// A part of a sentence after its own label or sign.
struct Piece<'a> {
    /// `usize::MAX` for signs.
    sides: Sides,
    label: &'a str,
    text: &'a str,
    span: Span,
    sentence: usize,
}

/// Returns two neighbouring pieces, one wrong and one right, that are whole sentences or make up
/// one.
fn labelled(order: &[&Sourced]) -> Option<Example> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for (n, sentence) in order.iter().enumerate() {
        let starts: Vec<usize> = (0..sentence.text.len())
            .filter(|i| sentence.text.is_char_boundary(*i))
            .filter(|i| !sentence.text[..*i].ends_with(char::is_alphanumeric) && marked(&sentence.text[*i..]).is_some())
            .collect();
        // Words before the first label would be lost.
        if starts.first() != Some(&0) {
            continue;
        }
        for (i, from) in starts.iter().enumerate() {
            let to = starts.get(i + 1).copied().unwrap_or(sentence.text.len());
            let Some((label, rest, sides)) = marked(&sentence.text[*from..to]) else { continue };
            pieces.push(Piece { sides, label, text: bare(rest), span: sentence.span, sentence: n });
        }
    }
    let pair = pieces.windows(2).find(|p| {
        let alone = pieces.iter().filter(|o| o.sentence == p[0].sentence || o.sentence == p[1].sentence).count() == 2;
        let near = p[1].sentence - p[0].sentence <= 1 && p.iter().all(|o| FITS.contains(&o.text.chars().count()));
        alone && near && p[0].sides.iter().any(|(n, right)| p[1].sides.contains(&(*n, !right)))
    })?;
    let right_first = pair[0].sides.iter().any(|(n, right)| *right && pair[1].sides.contains(&(*n, false)));
    let (wrong, right) = if right_first { (&pair[1], &pair[0]) } else { (&pair[0], &pair[1]) };
    let name = |p: &Piece<'_>| Copy { wordings: vec![p.label.to_owned()], span: Some(p.span) };
    let groups = if wrong.label.is_empty() { Vec::new() } else { vec![name(wrong), name(right)] };
    let mut spans = vec![wrong.span, right.span];
    spans.dedup();
    Some(Example { items: items([wrong.text, right.text], [wrong.span, right.span]), groups, spans })
}

/// The pairs of labels that a label belongs to, each with the side that it is on.
type Sides = Vec<(usize, bool)>;

/// Returns the label or sign at the start of a text, the text after it, and its sides.
fn marked(text: &str) -> Option<(&str, &str, Sides)> {
    let first = text.chars().next()?;
    if WRONG.contains(&first) || RIGHT.contains(&first) {
        let rest = text[first.len_utf8()..].trim_start_matches(['\u{fe0f}', ' ', ':']);
        return Some(("", rest, vec![(usize::MAX, RIGHT.contains(&first))]));
    }
    if !first.is_alphabetic() {
        return None;
    }
    let longest = text.char_indices().nth(16).map_or(text.len(), |(i, _)| i);
    let colon = text[..longest].find([':', '：'])?;
    let label = text[..colon].trim_end();
    let lower = label.to_lowercase();
    let sides: Sides = LABELS
        .iter()
        .enumerate()
        .filter_map(|(n, (wrong, right))| match lower.as_str() {
            l if l == *wrong => Some((n, false)),
            l if l == *right => Some((n, true)),
            _ => None,
        })
        .collect();
    let rest = text[colon..].trim_start_matches([':', '：', ' ']);
    (!sides.is_empty()).then_some((label, rest, sides))
}

/// Removes the full stop of a fragment.
fn bare(text: &str) -> &str {
    let text = text.trim();
    match text.strip_suffix(['.', '。']) {
        Some(front) if !front.contains(['.', '。', '!', '?']) => front,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sentences: &[&str]) -> Option<(Vec<String>, Vec<String>)> {
        let mut at = 0;
        let body: Vec<Sourced> = sentences
            .iter()
            .map(|s| {
                let span = Span { start: at, end: at + s.len() as u32 };
                at = span.end + 1;
                Sourced { text: (*s).to_owned(), span }
            })
            .collect();
        let example = of(&body.iter().collect::<Vec<_>>())?;
        let first = |c: &Copy| c.wordings[0].clone();
        Some((example.items.iter().map(|i| first(&i.head)).collect(), example.groups.iter().map(first).collect()))
    }

    fn pair(sentences: &[&str]) -> Option<[String; 2]> {
        found(sentences).and_then(|(items, _)| items.try_into().ok())
    }

    #[test]
    fn quotations_set_against_each_other() {
        let both = Some(["“Q3 sync”".to_owned(), "“Choose two projects”".to_owned()]);
        assert_eq!(pair(&["Say why.", "Not “Q3 sync”, but “Choose two projects”."]), both);
        assert_eq!(pair(&["Write “Choose two projects” instead of “Q3 sync”."]), both);
        assert_eq!(pair(&["Instead of “Q3 sync”, write “Choose two projects”."]), both);
        let german = pair(&["Statt „Treffen“ lieber „Wählt zwei Vorhaben“."]);
        assert_eq!(german, Some(["„Treffen“".to_owned(), "„Wählt zwei Vorhaben“".to_owned()]));
        // Two names in one sentence are no example, nor is a sentence with more content.
        assert_eq!(pair(&["Both “Emma” and “Persuasion” are short."]), None);
        assert_eq!(pair(&["She did not want “Emma” on the list of the year because “Persuasion” was there."]), None);
    }

    #[test]
    fn labels_and_signs() {
        let (items, groups) = found(&["Be plain.", "Don’t: utilise.", "Do: use."]).expect("an example");
        assert_eq!(items, ["utilise", "use"]);
        assert_eq!(groups, ["Don’t", "Do"]);
        let (items, groups) = found(&["✅ Ship on Tuesday ❌ Ship on Friday"]).expect("an example");
        assert_eq!(items, ["Ship on Friday", "Ship on Tuesday"]);
        assert!(groups.is_empty());
        assert_eq!(pair(&["悪い例：会議します", "良い例：二つ選びます"]).expect("an example")[1], "二つ選びます");
        // Only one of the two, or words before them that would be lost.
        assert_eq!(pair(&["Do: use short words."]), None);
        assert_eq!(pair(&["We often hear: bad: utilise", "Good: use"]), None);
    }
}
