//! Quotations: a speaker's exact words with their name, never paraphrased.

use std::ops::Range;

use super::Sourced;
use super::blocks::Clean;
use super::segment::{self, trimmed};
use super::words::{self, Words};
use crate::cancel;

/// Minimum words of a quotation in running text.
const LEAST_WORDS: usize = 6;
/// Maximum characters of an attribution.
const WHO: usize = 80;
/// Bytes before and after a quotation in which its speaker is looked for. Without this limit, a text of many
/// quotations would be scanned again for each of them.
const LEAD: usize = 400;
/// Maximum words before a quotation that opens a paragraph: "And she said:".
const OPENING: usize = 4;
/// Maximum characters between a speaker and the resumed quotation.
const RESUMED: usize = 4;

/// A quotation and its speaker.
pub(super) struct Said {
    /// The words without quotation marks.
    pub text: Sourced,
    /// The speaker.
    pub who: Option<Sourced>,
    /// Confidence that it is a quotation, 0–1.
    pub score: f32,
    /// The range that it covers in the clean text.
    pub range: Range<usize>,
}

/// Reads the quotation of a block quote. `item` is the start of the only list item in it, because "- Name" is parsed
/// as a list item.
pub(super) fn block(clean: &Clean, item: Option<usize>) -> Option<Said> {
    let text = clean.text.as_str();
    let mut end = text.len();
    let mut who = None;
    // The attribution is the last line, or the text after a dash that follows the closing mark. White space at the
    // end of the item is trimmed.
    let closed = |item: &str| item.trim_end().ends_with(['.', '!', '?', ';', ',', ':', '。']);
    let named = item.filter(|at| *at > 0 && text.get(*at..).is_some_and(|item| !closed(item)));
    let lines = named.or_else(|| clean.breaks.last().copied().filter(|b| starts_with_dash(&text[*b..])));
    let behind =
        text.char_indices().filter(|(i, _)| closes_then_dash(text, *i)).map(|(i, c)| i + c.len_utf8()).next_back();
    if let Some(at) = lines.or(behind) {
        let name = without_date(text, trimmed_dash(text, at..text.len()));
        if !name.is_empty() && text[name.clone()].chars().count() <= WHO {
            who = Some(clean.sourced(name));
            end = at;
        }
    }
    let inner = unquoted(text, 0..end);
    if segment::count_words(&text[inner.clone()]) < 3 {
        return None;
    }
    let score = if who.is_some() { 0.95 } else { 0.5 };
    Some(Said { text: clean.sourced(inner), who, score, range: 0..text.len() })
}

/// Minimum emphasised share of a quotation without quotation marks.
const MARKED: f32 = 0.8;

/// Reads a paragraph that consists of a quotation, a dash and the speaker: "“Slow is smooth.” – Ada Moor", "*Slow is
/// smooth.* – Ada Moor".
pub(super) fn epigraph(clean: &Clean) -> Option<Said> {
    let mut dashes = clean.text.char_indices().map(|(i, _)| i).filter(|i| closes_then_dash(&clean.text, *i));
    let (Some(end), None) = (dashes.next(), dashes.next()) else { return None };
    let opens = clean.text.starts_with(['“', '"', '„', '«', '「', '”']);
    // A quotation that is italic throughout needs no quotation marks.
    let marked = clean.emphasis.iter().map(|range| range.end.min(end).saturating_sub(range.start)).sum::<usize>();
    if opens || marked as f32 >= MARKED * end as f32 {
        block(clean, None).filter(|said| said.who.is_some())
    } else {
        None
    }
}

/// Removes the date after the handle of a name: "Ada Moor (@ada) May 3, 2026".
fn without_date(text: &str, name: Range<usize>) -> Range<usize> {
    let handle =
        text[name.clone()].find("(@").and_then(|at| text[name.clone()][at..].find(')').map(|end| at + end + 1));
    handle.map_or(name.clone(), |len| name.start..name.start + len)
}

/// Reads a paragraph that only names the speaker of the block above: "— Name".
pub(super) fn attribution(clean: &Clean) -> Option<Sourced> {
    let text = clean.text.as_str();
    let name = trimmed_dash(text, 0..text.len());
    let short = text.chars().count() <= WHO && segment::count_words(text) >= 1;
    (starts_with_dash(text) && short && !name.is_empty()).then(|| clean.sourced(name))
}

/// Finds the quotations of a paragraph: six words or more within quotation marks, and a name next to a verb of
/// saying, or a pronoun for the speaker `before`.
pub(super) fn inline(clean: &Clean, before: Option<&Sourced>, lexicon: &Words) -> Vec<Said> {
    let text = clean.text.as_str();
    let mut out: Vec<Said> = Vec::new();
    // The last speaker in this paragraph and the end of the attribution: a quotation may continue after the name.
    let mut last: Option<(Range<usize>, usize)> = None;
    for outer in enclosed(text, false) {
        cancel::tick();
        let mut inner = unquoted(text, outer.clone());
        let own = speaker(text, &outer, lexicon);
        let goes_on = own.is_none();
        let resumed = last
            .take()
            .filter(|(_, end)| text.get(*end..outer.start).is_some_and(|between| between.chars().count() <= RESUMED));
        let who = own.or_else(|| resumed.map(|(who, _)| who)).map(|who| without_clause(text, who));
        // "She says" refers to the previous speaker. "Since the code is free" names nobody.
        let name_of = |who: &Range<usize>| text[who.clone()].to_lowercase();
        let Some(who) = who.filter(|who| !words::opens_with(SUBORDINATES, &name_of(who))) else { continue };
        let pronoun = words::has(PRONOUNS, &name_of(&who));
        let named = match pronoun {
            false => Some(clean.sourced(who.clone())),
            true if !words::has(PERSONS, &name_of(&who)) => None,
            // The attribution in "…” He added" belongs to the next quotation.
            true if who.start > outer.start && text[who.clone()].starts_with(char::is_uppercase) => None,
            // The pronoun is only resolved if the text in between names nobody else.
            true => match out.last() {
                Some(said) => {
                    let between = text.get(said.range.end..outer.start).unwrap_or("");
                    said.who.clone().filter(|_| !names_somebody(between))
                }
                None => before.filter(|_| segment::count_words(&text[..outer.start]) <= OPENING).cloned(),
            },
        };
        let Some(named) = named.filter(|who| is_speaker(&who.text, lexicon)) else { continue };
        last = Some((who.clone(), outer.end.max(who.end)));
        if goes_on && text[inner.clone()].starts_with(char::is_lowercase) {
            // The rest of the sentence that was interrupted by the name is incomplete by itself.
            let sentences = segment::sentences(&text[inner.clone()], lexicon);
            let Some(next) = sentences.get(1) else { continue };
            inner.start += next.start;
        }
        if segment::count_words(&text[inner.clone()]) >= LEAST_WORDS {
            let range = outer.start.min(who.start)..outer.end.max(who.end);
            // The text between quotation and name is part of the range only within the same sentence.
            let apart = who.end < outer.start && text[who.end..outer.start].contains(['.', '。', '!', '?', '！', '？']);
            let range = if goes_on || apart { outer } else { range };
            out.push(Said { text: clean.sourced(inner), who: Some(named), score: 0.85, range });
        }
    }
    out
}

/// Words that open a clause rather than a name, in any language, separated by `|`.
const SUBORDINATES: &str = "since|because|when|while|if|although|though|unless|until|whereas|given|despite|in spite of|after|before|during|\
    without|however|instead|therefore|trotz|malgré|a pesar de|nonostante|ondanks|apesar de|несмотря на|weil|wenn|während|obwohl|\
    nachdem|parce que|puisque|quand|bien que|porque|cuando|aunque|mientras|poiché|quando|mentre|sebbene|omdat|terwijl|\
    hoewel|потому что|когда|если|хотя";

/// Pronouns, which are not names, in any language.
const PRONOUNS: &str = "i we he she they you one it who ich wir er sie man es je nous il elle ils elles on yo nosotros él ella ellos \
    ellas io noi lui lei loro eu nós ele ela eles elas ik wij hij zij ze я мы он она они ja my on ona oni";

/// Pronouns for one person who was named earlier.
const PERSONS: &str = "he she er il elle él ella lui lei ele ela hij on ona он она";

/// Removes the relative clause after a name, "Ada Moor, who once rowed", and the words before it, "As Ada wrote", "In her
/// first post, Ada wrote".
fn without_clause(text: &str, name: Range<usize>) -> Range<usize> {
    const LEADS: [&str; 12] =
        ["But as ", "And as ", "Or as ", "As ", "as ", "Wie ", "wie ", "Comme ", "comme ", "Como ", "Come ", "Zoals "];
    // "In her first post, Ada Moor": the name stands behind the comma.
    const PLACES: [&str; 12] =
        ["In ", "At ", "During ", "On ", "From ", "After ", "En ", "Dans ", "Lors ", "Em ", "Nel ", "Während "];
    let own = &text[name.clone()];
    let place = PLACES.iter().any(|place| own.starts_with(place));
    let behind = own.rfind(", ").map(|at| at + 2).filter(|at| place && own[*at..].starts_with(char::is_uppercase));
    let lead = LEADS.into_iter().find(|lead| own.starts_with(lead)).map_or(0, str::len);
    let name = name.start + behind.unwrap_or(lead)..name.end;
    const RELATIVE: &str =
        "who whom whose quien quienes qui dont che quem der die dessen deren welcher welche dat который которая";
    let clause = text[name.clone()].match_indices(", ").map(|(at, comma)| (at, at + comma.len()));
    let first = |from: usize| text[name.start + from..name.end].split_whitespace().next().unwrap_or("");
    let mut relative = clause.filter(|(_, from)| words::has(RELATIVE, first(*from)));
    relative.next().map_or(name.clone(), |(at, _)| name.start..name.start + at)
}

/// Finds the speaker of the quotation at `outer`.
fn speaker(text: &str, outer: &Range<usize>, lexicon: &Words) -> Option<Range<usize>> {
    signed(text, outer.end)
        .or_else(|| speaker_after(text, outer.end, lexicon))
        .or_else(|| named_after(text, outer.end, lexicon))
        .or_else(|| named_before(text, outer.start, lexicon))
        .or_else(|| saying_before(text, outer.start, lexicon))
        .or_else(|| speaker_before(text, outer.start, lexicon))
        .or_else(|| owned(text, outer.start, lexicon))
        .or_else(|| pronoun_after(text, outer.end, lexicon))
}

/// Whether the text contains two consecutive capitalised words, as in a name.
fn names_somebody(text: &str) -> bool {
    let capital = |word: &str| word.starts_with(char::is_uppercase);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| capital(pair[0]) && capital(pair[1]))
}

/// Finds the pronoun of "…,” she said."
fn pronoun_after(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    let rest = text[at..].trim_start_matches([' ', ',']);
    let start = text.len() - rest.len();
    let bare = |word: &str| word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut words = rest.split_whitespace();
    let (first, second) = (words.next()?, words.next()?);
    let says = |word: &str| words::has(lexicon.saying, &bare(word));
    let is_person = |word: &str| words::has(PERSONS, &bare(word));
    if is_person(first) && says(second) {
        return Some(start..start + bare(first).len());
    }
    let at = start + offset_in(rest, second)?;
    (says(first) && is_person(second)).then(|| at..at + bare(second).len())
}

/// Finds the owner in "Sam's exact words were "…"".
fn owned(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    const LEADS: [&str; 4] = ["words were", "words", "own words", "reply was"];
    let front = text[text.floor_char_boundary(at.saturating_sub(LEAD))..at].trim_end().trim_end_matches([':', ',']);
    if lexicon.code != "en" || !LEADS.iter().any(|l| front.ends_with(l)) {
        return None;
    }
    let words: Vec<&str> = front.split(' ').rev().take(5).collect();
    let owner = words.into_iter().find(|w| w.ends_with("'s") || w.ends_with("’s"))?;
    let start = offset_in(text, owner)?;
    let len = owner.trim_end_matches('s').trim_end_matches(['\'', '’']).len();
    (len > 0).then(|| start..start + len)
}

/// Finds a dash and a name that end the paragraph: "…” — Ada Moor".
fn signed(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text[at..].trim_start();
    let name = trimmed(text, text.len() - rest.len()..text.len());
    let dashed = rest.starts_with('—') || rest.starts_with('―') || rest.starts_with("–") || rest.starts_with("--");
    let name = trimmed_dash(text, name);
    let part = &text[name.clone()];
    if !dashed || part.is_empty() || part.chars().nth(WHO).is_some() {
        return None;
    }
    let ends = !part.contains(['.', '!', '?', '。', '“', '"']) || part.chars().count() <= WHO / 2;
    ends.then_some(name)
}

/// Finds a Japanese speaker between the quotation and the verb: 「…」と、世話人の浜口さんは言う。
fn speaker_after(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    if lexicon.code != "ja" {
        return None;
    }
    let near = text.floor_char_boundary(at + LEAD);
    let stop = text[at..near].find('。').map_or(near, |i| at + i);
    let clause = &text[at..stop];
    let verb = lexicon.saying.split_whitespace().filter(|v| clause.ends_with(v)).max_by_key(|v| v.len())?;
    let name = clause[..clause.len() - verb.len()].trim_end_matches(['は', 'が', 'も', '、']);
    let front = clause.len() - clause.trim_start_matches(['と', '、', ' ']).len();
    (front < name.len() && name[front..].chars().count() <= WHO / 2).then(|| at + front..at + name.len())
}

/// Finds a Chinese speaker before the verb, in the same or the previous sentence: 馆长沈洁说，….
fn speaker_before(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    if lexicon.code != "zh" {
        return None;
    }
    let near = text.floor_char_boundary(at.saturating_sub(LEAD));
    let front = text[..at].trim_end_matches(['“', '「', ' ', '：', ':', '，']);
    let near = near.min(front.len());
    let stop = front[near..].trim_end_matches('。').rfind(['。', '！', '？', '”']);
    // A sentence that began before `near` is too long to be an attribution.
    let mut from = near + stop.or((near == 0).then_some(0))?;
    from += front[from..].chars().next().filter(|c| !c.is_alphanumeric()).map_or(0, char::len_utf8);
    let sentence = &front[from..];
    let verb = lexicon.saying.split_whitespace().filter_map(|v| sentence.find(v)).filter(|i| *i > 0).min()?;
    let name = trimmed(text, from..from + verb);
    let said = &text[name.clone()];
    ((2..=16).contains(&said.chars().count()) && !said.contains(['，', '。', '、'])).then_some(name)
}

/// Returns the ranges of `text` within quotation marks, marks included. With `brackets`, ranges within parentheses
/// and brackets are included too, and an unclosed mark or bracket reaches to the end.
pub(crate) fn enclosed(text: &str, brackets: bool) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (i, c) in text.char_indices() {
        match open {
            // In TeX, two apostrophes close what two grave accents opened.
            Some((from, '`')) if text[i..].starts_with("''") => {
                out.push(from..i + 2);
                open = None;
            }
            Some((from, close)) if close != '`' && (c == close || (close == '“' && c == '”')) => {
                out.push(from..i + c.len_utf8());
                open = None;
            }
            Some(_) => {}
            None => {
                open = match c {
                    '“' => Some((i, '”')),
                    '„' => Some((i, '“')),
                    '«' => Some((i, '»')),
                    '「' => Some((i, '」')),
                    '『' => Some((i, '』')),
                    '"' => Some((i, '"')),
                    '`' if text[i..].starts_with("``") => Some((i, '`')),
                    '(' if brackets => Some((i, ')')),
                    '（' if brackets => Some((i, '）')),
                    '[' if brackets => Some((i, ']')),
                    _ => None,
                }
            }
        }
    }
    if let (true, Some((from, _))) = (brackets, open) {
        out.push(from..text.len());
    }
    out
}

/// Removes the quotation marks at the ends of a range, and the comma before the attribution.
fn unquoted(text: &str, range: Range<usize>) -> Range<usize> {
    let mut r = trimmed(text, range);
    // A period after the closing mark belongs to the outer sentence.
    let stop = text[r.clone()].strip_suffix('.').is_some_and(|t| t.ends_with(['”', '“', '»', '"', '」']));
    r.end -= usize::from(stop);
    let part = &text[r.clone()];
    if part.starts_with("``") && part.ends_with("''") && part.len() > 4 {
        r = trimmed(text, r.start + 2..r.end - 2);
        return r.start..r.start + text[r.clone()].trim_end_matches(',').len();
    }
    let opens = part.chars().next().is_some_and(|c| matches!(c, '“' | '„' | '«' | '"' | '‘' | '「' | '『'));
    let closes = part.chars().next_back().is_some_and(|c| matches!(c, '”' | '“' | '»' | '"' | '’' | '」' | '』'));
    if opens && closes && part.chars().count() > 2 {
        r.start += part.chars().next().map_or(0, char::len_utf8);
        r.end -= part.chars().next_back().map_or(0, char::len_utf8);
    }
    let r = trimmed(text, r);
    r.start..r.start + text[r.clone()].trim_end_matches(',').len()
}

fn starts_with_dash(text: &str) -> bool {
    text.trim_start().starts_with(['—', '–', '―', '-', '~'])
}

/// Whether the character at `i` closes a quotation that is followed by a dash and a name.
fn closes_then_dash(text: &str, i: usize) -> bool {
    let c = text[i..].chars().next();
    let closing = matches!(c, Some('”' | '“' | '»' | '"' | '.' | '!' | '?'));
    closing
        && c.is_some_and(|c| {
            let rest = text[i + c.len_utf8()..].trim_start();
            // After a closing quotation mark, a hyphen counts as a dash.
            let hyphen = rest.starts_with('-') && matches!(c, '”' | '“' | '»' | '"');
            (hyphen || rest.starts_with(['—', '–', '―'])) && rest.chars().nth(1) == Some(' ')
        })
}

fn trimmed_dash(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let name = part.trim_start().trim_start_matches(['—', '–', '―', '-', '~', ' ']);
    trimmed(text, range.end - name.len()..range.end)
}

/// Finds the name in "…” says Ada Moor, who runs the desk." or "…” Ada Moor says."
fn named_after(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    let rest = &text[at..];
    let lead = rest.len() - rest.trim_start_matches([' ', ',', '–', '—']).len();
    let start = at + lead;
    let near = text.floor_char_boundary(start + LEAD);
    let stops = text[start..near]
        .char_indices()
        .filter(|(_, c)| matches!(c, '.' | '“' | '„' | '«' | '"' | '!' | '?' | ';' | ':'));
    // The period of "Dr." ends no sentence.
    let stop = stops
        .map(|(i, c)| (start + i, c))
        .find(|(i, c)| {
            let word = text[start..*i].rsplit(' ').next().unwrap_or("").to_lowercase();
            *c != '.' || word.chars().count() > 1 && !words::has(lexicon.abbreviations, &word)
        })
        .map_or(near, |(i, _)| i);
    // Don't cut inside a word.
    let stop = match stop == near && near < text.len() {
        true => start + text[start..near].rfind(char::is_whitespace)?,
        false => stop,
    };
    let part = &text[start..stop];
    let (first, tail) = part.split_once(' ')?;
    if words::has(lexicon.saying, &first.to_lowercase()) {
        let name = trimmed(text, stop - tail.len()..stop);
        return plausible(text, name);
    }
    let verb = part.split_whitespace().position(|w| words::has(lexicon.saying, &w.to_lowercase()))?;
    if !(1..=5).contains(&verb) {
        return None;
    }
    let len = part.split_whitespace().nth(verb).and_then(|w| offset_in(part, w))?;
    plausible(text, trimmed(text, start..start + len))
}

/// Finds the name in "Ada Moor says: “…"
fn named_before(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    let front = text[text.floor_char_boundary(at.saturating_sub(LEAD))..at].trim_end().trim_end_matches([':', ',']);
    let from = offset_in(text, front)?;
    let start = front
        .rfind(['.', '!', '?', '”', '»', ';'])
        .map_or(0, |i| i + front[i..].chars().next().map_or(1, char::len_utf8));
    let part = &front[start..];
    let verb = part.split_whitespace().rfind(|w| words::has(lexicon.saying, &w.to_lowercase()))?;
    let verb_at = offset_in(part, verb)?;
    if segment::count_words(&part[verb_at..]) > 3 {
        return None;
    }
    plausible(text, trimmed(text, from + start..from + start + verb_at))
}

/// Words that no English name contains: "This means that without it you can" is no speaker.
const NO_NAME: &str = "i you we it they this that these those there can could would should will is are was were be been being means \
    mean has have had do does did not if when because so then which what how than";

/// Whether the words before a job title can be a name.
fn is_speaker(who: &str, lexicon: &Words) -> bool {
    let name = who.split(", ").next().unwrap_or("");
    let mut words = name.split_whitespace().map(str::to_lowercase);
    lexicon.code != "en" || !words.any(|word| words::has(NO_NAME, &word)) && !name.ends_with(" and")
}

/// Finds the subject of "Ada Moor, the harbour master, agreed, saying, “…".
fn saying_before(text: &str, at: usize, lexicon: &Words) -> Option<Range<usize>> {
    const VERBS: [&str; 4] = [", saying", ", adding", ", explaining", ", noting"];
    let front = text[text.floor_char_boundary(at.saturating_sub(LEAD))..at].trim_end().trim_end_matches([':', ',']);
    if lexicon.code != "en" || !VERBS.iter().any(|verb| front.ends_with(verb)) {
        return None;
    }
    let start =
        front.rfind(['.', '!', '?', '”', ';']).map_or(0, |i| i + front[i..].chars().next().map_or(1, char::len_utf8));
    let part = front[start..].trim_start();
    let (name, _) = part.split_once(", ")?;
    let words = segment::count_words(name);
    let from = offset_in(text, name)?;
    let named = (2..=4).contains(&words) && name.starts_with(char::is_uppercase);
    named.then(|| from..from + name.len())
}

fn offset_in(whole: &str, part: &str) -> Option<usize> {
    (part.as_ptr() as usize).checked_sub(whole.as_ptr() as usize).filter(|o| *o <= whole.len())
}

/// Accepts a range that can be a name. A name starts with a capital and is short. A job title may follow after a
/// comma. A job title before the name is skipped up to the capitals: "the driver, Bev Stott". In scripts without
/// capitals, the range has to be short.
fn plausible(text: &str, name: Range<usize>) -> Option<Range<usize>> {
    let name = name.start..name.start + text[name.clone()].trim_end_matches([',', '،', ' ', '–', '—']).len();
    let part = &text[name.clone()];
    let first = part.chars().next()?;
    let short = part.chars().count() <= WHO;
    if first.is_uppercase() && short && !part.contains(", in ") {
        return Some(name);
    }
    if first.is_alphabetic() && !first.is_lowercase() && !first.is_uppercase() {
        return (short && segment::count_words(part) <= 8).then_some(name);
    }
    if first.is_uppercase() {
        let comma = part.find(", ").filter(|comma| part[..*comma].chars().count() <= WHO)?;
        return Some(name.start..name.start + comma);
    }
    // Take the longest run of two or more capitalised words.
    let mut best: Option<Range<usize>> = None;
    let mut run: Option<(Range<usize>, usize)> = None;
    for word in part.split(' ') {
        let at = offset_in(part, word)?;
        let bare = word.trim_end_matches([',', '.', ';']);
        if bare.starts_with(char::is_uppercase) {
            let (range, n) = run.take().map_or((at..at, 0), |r| r);
            run = Some((range.start..at + bare.len(), n + 1));
        } else {
            run = None;
        }
        if let Some((range, n)) = &run
            && *n >= 2
            && best.as_ref().is_none_or(|b| range.len() > b.len())
        {
            best = Some(range.clone());
        }
        if bare.len() < word.len() && !bare.is_empty() && bare.chars().count() > 3 {
            run = None;
        }
    }
    best.map(|b| name.start + b.start..name.start + b.end)
}

#[cfg(test)]
#[path = "quotes_tests.rs"]
mod tests;
