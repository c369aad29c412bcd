//! Finds headings without heading markup: bold lines, bold words that open a paragraph, numbered chapters.

use std::collections::BTreeMap;
use std::ops::Range;

use super::blocks::{Form, Raw};
use super::dialect::lines::boxed;
use super::words::{common, is_one_of};
use super::{number, plain, segment};

/// Maximum characters of a bold paragraph that is a heading, and of one that ends with a period.
const BOLD: usize = 90;
const STOPPED: usize = 60;
/// Level given to bold headings.
const LEVEL: u8 = 5;
/// Maximum characters of a heading.
const HEADING: usize = 200;
/// Minimum paragraphs that open with bold words for these to count as heads, and the minimum if they are numbered.
const RUN_INS: usize = 3;
const NUMBERED: usize = 2;
/// With this many real headings, bold heads are list items below them.
const SECTIONS: usize = 2;
/// Maximum blocks between two heads of one list.
const BETWEEN: usize = 3;

/// Finds the headings of a text. `titled` says whether the text has a title elsewhere. An `exact` text loses no
/// words.
pub(super) fn find(raws: Vec<Raw>, titled: bool, exact: bool) -> Vec<Raw> {
    let mut raws = raws;
    bold_lines(&mut raws, exact);
    if exact {
        return raws;
    }
    raws.iter_mut().for_each(shorten);
    let mut raws = run_ins(raws);
    if !raws.iter().any(|r| matches!(r.form, Form::Heading(..))) {
        lines_alone(&mut raws, titled);
    }
    number_parts(&mut raws);
    raws
}

/// Removes the picture characters and the number before a heading. An overlong heading becomes a paragraph.
fn shorten(raw: &mut Raw) {
    let Form::Heading(level, n) = raw.form else { return };
    let text = raw.clean.text.as_str();
    if text.chars().nth(HEADING).is_some() {
        raw.form = Form::Paragraph;
        return;
    }
    if let Some((n, len)) = boxed(text).filter(|(_, len)| segment::says_something(&text[*len..])) {
        raw.form = Form::Heading(level, Some(n));
        raw.clean = raw.clean.slice(len..text.len());
        return;
    }
    if text.ends_with('。') && text.matches('。').count() == 1 && text.chars().count() > 1 {
        raw.clean = raw.clean.slice(0..text.len() - '。'.len_utf8());
    }
    let text = raw.clean.text.as_str();
    let bare = text.trim_start_matches(is_picture).trim_start();
    let number = parts_of(bare);
    let from = text.len() - bare.len() + number;
    if from > 0 && segment::says_something(&text[from..]) {
        raw.clean = raw.clean.slice(from..text.len());
        raw.form = Form::Heading(level, n);
    }
}

fn is_picture(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{21ff}' | '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}' | '\u{200d}')
}

/// Returns the length in bytes of "1.2 " or "3.1.4. " before a heading.
fn parts_of(text: &str) -> usize {
    let numeral = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let parts: Vec<&str> = text[..numeral].trim_end_matches('.').split('.').collect();
    let counted = parts.len() >= 2 && parts.iter().all(|p| (1..=2).contains(&p.len()));
    let behind = &text[numeral..];
    // "3.5 percent" is a figure. A chapter name starts with a capital.
    let words = behind.trim_start();
    let named = words.chars().find(|c| c.is_alphanumeric()).is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    if counted && named && behind.starts_with(' ') { numeral + (behind.len() - words.len()) } else { 0 }
}

/// Turns bold paragraphs of a single line into headings.
fn bold_lines(raws: &mut [Raw], exact: bool) {
    let fits = |raw: &Raw| {
        raw.form == Form::Paragraph && raw.bold && raw.clean.breaks.is_empty() && raw.clean.text.chars().count() <= BOLD
    };
    let stopped = |raw: &Raw| {
        fits(raw) && raw.clean.text.ends_with(['.', '。', '।']) && raw.clean.text.chars().count() <= STOPPED
    };
    let several = raws.iter().filter(|r| stopped(r)).count() >= 2;
    for i in 0..raws.len() {
        if !fits(&raws[i]) {
            continue;
        }
        let text = raws[i].clean.text.as_str();
        let leads_on = text.ends_with([':', '：', ';', ',', '；', '，']);
        let over_list = matches!(raws.get(i + 1).map(|r| &r.form), Some(Form::Item { .. }) | None);
        let end = match () {
            () if text.ends_with([';', ',', '；', '，']) || leads_on && over_list => continue,
            () if leads_on => text.trim_end_matches([':', '：', ' ']).len(),
            () if stopped(&raws[i]) && several => text.trim_end_matches(['.', '。', '।']).len(),
            () if text.ends_with(['.', '。', '।']) => continue,
            () => text.len(),
        };
        if !exact {
            raws[i].clean = raws[i].clean.slice(0..end);
        }
        raws[i].form = Form::Heading(LEVEL, None);
    }
}

/// A paragraph that opens with its own head.
struct RunIn {
    n: Option<u32>,
    /// Whether the head is a link. A linked head is a list entry, never a heading.
    linked: bool,
    head: Range<usize>,
    rest: Range<usize>,
}

/// Handles "**1: Flat structure.** Whilst …": if three paragraphs of a text open like this, their heads become
/// headings. Below real headings they become list items.
fn run_ins(raws: Vec<Raw>) -> Vec<Raw> {
    let mut found: Vec<Option<RunIn>> = raws.iter().map(run_in).collect();
    // A repeated label names a kind of text rather than its content: "Myth", "Fact".
    let head = |(raw, run): (&Raw, &Option<RunIn>)| run.as_ref().map(|r| raw.clean.text[r.head.clone()].to_lowercase());
    let heads: Vec<Option<String>> = raws.iter().zip(&found).map(head).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    heads.iter().flatten().for_each(|h| *times.entry(h).or_default() += 1);
    for (run, head) in found.iter_mut().zip(&heads) {
        *run = run.take().filter(|_| head.as_ref().is_some_and(|h| times.get(h.as_str()) == Some(&1)));
    }
    let all = found.iter().flatten().count();
    let numbered = found.iter().flatten().filter(|r| r.n.is_some()).count();
    if all < RUN_INS && numbered < NUMBERED {
        return raws;
    }
    let headings = raws.iter().filter(|r| matches!(r.form, Form::Heading(level, _) if level > 1)).count();
    let lists = raws.iter().filter_map(|r| if let Form::Item { list, .. } = r.form { Some(list) } else { None }).max();
    let mut next_list = lists.unwrap_or(0);
    let mut out = Vec::with_capacity(raws.len() + all);
    let groups = groups(&raws, &found);
    for (i, (raw, run)) in raws.into_iter().zip(found).enumerate() {
        let heads = |run: &RunIn| headings < SECTIONS && !run.linked;
        let Some(run) = run.filter(|run| heads(run) || groups[i].is_some()) else {
            out.push(raw);
            continue;
        };
        if heads(&run) {
            let head = Raw::new(Form::Heading(LEVEL, run.n), raw.clean.slice(run.head));
            out.push(head);
            out.push(Raw::new(Form::Paragraph, raw.clean.slice(run.rest)));
            continue;
        }
        if groups[i] == Some(true) {
            next_list += 1;
        }
        let form = Form::Item { list: next_list, ordinal: run.n };
        let mut clean = raw.clean.slice(run.head);
        let lead = clean.text.len();
        clean.append(raw.clean.slice(run.rest));
        out.push(Raw { lead: Some(lead), ..Raw::new(form, clean) });
    }
    out
}

/// For each paragraph with its own head in a list, says whether it is the first item. A list has at least three such
/// paragraphs between two headings, with few blocks in between.
fn groups(raws: &[Raw], found: &[Option<RunIn>]) -> Vec<Option<bool>> {
    let mut out = vec![None; raws.len()];
    let mut group: Vec<usize> = Vec::new();
    let mut close = |group: &mut Vec<usize>| {
        if group.len() >= RUN_INS {
            group.iter().enumerate().for_each(|(k, i)| out[*i] = Some(k == 0));
        }
        group.clear();
    };
    for i in 0..raws.len() {
        let apart = group.last().is_some_and(|last| i - last > BETWEEN + 1);
        if apart || matches!(raws[i].form, Form::Heading(..)) {
            close(&mut group);
        }
        if found[i].is_some() {
            group.push(i);
        }
    }
    close(&mut group);
    out
}

/// Returns the head of a paragraph that opens with bold words, or with a link before a dash or a colon.
fn run_in(raw: &Raw) -> Option<RunIn> {
    let link = raw.clean.links.first().filter(|l| l.range.start == 0 && !l.inner).map(|l| l.range.end);
    let dashed = |at: &usize| raw.clean.text[*at..].trim_start().starts_with([':', '–', '—', '-']);
    let linked = link.filter(dashed).filter(|_| raw.lead.is_none());
    let lead = raw.lead.or(linked).filter(|_| raw.form == Form::Paragraph)?;
    let text = raw.clean.text.as_str();
    let bold = text.get(..lead)?;
    let rest = &text[lead..];
    let marks = ['.', ':', '：', '–', '—', '-', '?', '!', '？', '！', '。'];
    let marked = bold.trim_end().ends_with(marks) || rest.trim_start().starts_with([':', '：', '–', '—', '-']);
    let words = bold.trim_end().trim_end_matches(['.', ':', '：', '–', '—', '-', ' ', '。']);
    let (n, from) = leading_number(words);
    let short = words.chars().count() <= BOLD;
    let named = segment::says_something(&words[from..]) && !is_one_of(common::LABELS, &words.to_lowercase());
    let below = rest.trim_start_matches([':', '：', '–', '—', '-', '.', ' ']);
    let says = segment::count_words(below) >= if linked.is_some() { 1 } else { 3 };
    (marked && short && named && says).then(|| RunIn {
        n,
        linked: linked.is_some(),
        head: from..words.len(),
        rest: text.len() - below.len()..text.len(),
    })
}

/// Returns the number that opens a head, and the offset of the words after it: "1: ", "2) ", "#3 – ".
fn leading_number(text: &str) -> (Option<u32>, usize) {
    let bare = text.trim_start_matches(['#', '(', ' ']);
    let digits: String = bare.chars().take_while(|c| number::digit(*c).is_some()).map(number::ascii).take(3).collect();
    let behind = bare.trim_start_matches(|c| number::digit(c).is_some());
    let words = behind.trim_start_matches(['.', ')', ':', '–', '—', '-', ' ', '：', '、', '．']);
    let marked = behind.trim_start().starts_with(['.', ')', ':', '–', '—', '-', '：', '、', '．']);
    match digits.parse().ok().filter(|_| digits.len() <= 2 && marked && !words.is_empty()) {
        Some(n) => (Some(n), text.len() - words.len()),
        None => (None, 0),
    }
}

/// Turns short lines above longer paragraphs into headings, in a text without any other heading.
fn lines_alone(raws: &mut [Raw], titled: bool) {
    for i in 0..raws.len() {
        let alone = raws[i].form == Form::Paragraph
            && raws[i].clean.breaks.is_empty()
            && plain::heading_like(&raws[i].clean.text);
        let len = raws[i].clean.text.chars().count();
        let over = raws.get(i + 1).is_some_and(|next| match next.form {
            Form::Item { .. } => true,
            Form::Paragraph => next.clean.text.chars().count() > (2 * len).max(BOLD),
            _ => false,
        });
        if alone && over {
            raws[i].form = Form::Heading(if i == 0 && !titled { 1 } else { 2 }, None);
        }
    }
}

/// Reads the Roman or Chinese numerals of headings.
fn number_parts(raws: &mut [Raw]) {
    let mark = |raw: &Raw| -> Option<(u8, usize, u32)> {
        let Form::Heading(level, None) = raw.form else { return None };
        let (numeral, rest) = raw.clean.text.split_once(['.', ')', ':', '、', '．'])?;
        let words = rest.trim_start();
        let n = roman(numeral).or_else(|| chinese(numeral))?;
        let wide = raw.clean.text[numeral.len()..].starts_with(['、', '．']);
        ((wide || rest.starts_with(' ')) && !words.is_empty()).then(|| (level, raw.clean.text.len() - words.len(), n))
    };
    let found: Vec<_> = raws.iter().map(mark).collect();
    let in_order = found.iter().flatten().enumerate().all(|(i, (_, _, n))| *n as usize == i + 1);
    if found.iter().flatten().count() < NUMBERED || !in_order {
        return;
    }
    for (raw, found) in raws.iter_mut().zip(found) {
        if let Some((level, from, n)) = found {
            raw.clean = raw.clean.slice(from..raw.clean.text.len());
            raw.form = Form::Heading(level, Some(n));
        }
    }
}

/// Parses a Chinese numeral up to ten.
fn chinese(text: &str) -> Option<u32> {
    const NUMERALS: [&str; 10] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
    NUMERALS.iter().zip(1..).find(|(numeral, _)| **numeral == text).map(|(_, n)| n)
}

/// Parses a Roman numeral up to thirty.
fn roman(text: &str) -> Option<u32> {
    const TENS: [&str; 4] = ["", "X", "XX", concat!("XX", "X")];
    const ONES: [&str; 10] = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    (1..=30)
        .find(|n| text.len() <= 8 && format!("{}{}", TENS[*n / 10], ONES[*n % 10]) == text)
        .and_then(|n| u32::try_from(n).ok())
}

#[cfg(test)]
mod tests {
    use super::super::markdown;
    use super::*;

    fn forms(text: &str) -> Vec<(Form, String)> {
        find(markdown::read(text).0, false, false).into_iter().map(|r| (r.form, r.clean.text)).collect()
    }

    fn heads(text: &str) -> Vec<(Option<u32>, String)> {
        let heading = |(form, text)| if let Form::Heading(_, n) = form { Some((n, text)) } else { None };
        forms(text).into_iter().filter_map(heading).collect()
    }

    #[test]
    fn bold_lines_are_headings() {
        let of = |text: &str| heads(text).into_iter().map(|(_, t)| t).collect::<Vec<_>>();
        assert_eq!(of("**Rest first**\n\nText.\n\n**Then walk:**\n\nText."), ["Rest first", "Then walk"]);
        assert_eq!(of("**Rest first.**\n\nText.\n\n**Then walk.**\n\nText."), ["Rest first", "Then walk"]);
        assert_eq!(of("**Rest first.**\n\nText here."), [""; 0]);
        assert_eq!(of("**Bring:**\n\n- a\n- b"), [""; 0]);
    }

    #[test]
    fn run_in_heads() {
        let text = "Why it works.\n\n**1: Flat structure.** Whilst some lead, all decide.\n\n**2: Open books.** Everyone sees the figures.\n\nMore of it.";
        let got = forms(text);
        assert_eq!(got[1], (Form::Heading(5, Some(1)), "Flat structure".to_owned()));
        assert_eq!(got[2], (Form::Paragraph, "Whilst some lead, all decide.".to_owned()));
        assert_eq!(got[3].1, "Open books");
        let text = "## A\n\n**Ebb**: The tide goes out.\n\n**Flood**: The tide comes in.\n\n**Slack**: The tide stands still.\n\n## B\n\nText.";
        let items: Vec<String> =
            forms(text).into_iter().filter(|(f, _)| matches!(f, Form::Item { .. })).map(|(_, t)| t).collect();
        assert_eq!(items, ["Ebb The tide goes out.", "Flood The tide comes in.", "Slack The tide stands still."]);
        // One bold sentence is a note, two are emphasis.
        assert_eq!(heads("**Note:** It is very cold.\n\n**No** one came to see it."), []);
    }

    #[test]
    fn linked_names_in_front_of_dashes_are_a_list() {
        let text = "[Tide](a) — Ada Moor\n\n[Ebb and\nflood](b) — Bo Lind\n\n[Slack](c) – Cy Holm\n";
        let items: Vec<String> =
            forms(text).into_iter().filter(|(f, _)| matches!(f, Form::Item { .. })).map(|(_, t)| t).collect();
        assert_eq!(items, ["Tide Ada Moor", "Ebb and flood Bo Lind", "Slack Cy Holm"]);
    }

    #[test]
    fn numbers_of_parts() {
        let of = |text: &str| heads(text).into_iter().collect::<Vec<_>>();
        assert_eq!(
            of("## 1.2 Tides\n\nText.\n\n## 3.5 percent more"),
            [(None, "Tides".to_owned()), (None, "3.5 percent more".to_owned())]
        );
        assert_eq!(
            of("## I. Ebb\n\nText.\n\n## II. Flood"),
            [(Some(1), "Ebb".to_owned()), (Some(2), "Flood".to_owned())]
        );
        assert_eq!(
            of("## 一、退潮\n\n文。\n\n## 二、涨潮"),
            [(Some(1), "退潮".to_owned()), (Some(2), "涨潮".to_owned())]
        );
        assert_eq!(of("## 1️⃣ Ebb"), [(Some(1), "Ebb".to_owned())]);
        assert_eq!(of("## 🚀 Features"), [(None, "Features".to_owned())]);
    }

    #[test]
    fn lines_over_paragraphs() {
        let long =
            "The tide goes out twice a day, and so do those who look for mussels on the flats in between the channels.";
        let text = format!("Low water\n\n{long}\n\nWhat to bring\n\n{long}\n\nNobody came\n\nat all.");
        assert_eq!(heads(&text).into_iter().map(|(_, t)| t).collect::<Vec<_>>(), ["Low water", "What to bring"]);
    }
}
