//! Copy for slots: the fullest wording that a slot could bear first, then shorter ones by deletion.

use super::{Copy, ItemCopy};
use crate::content::{Language, Point, Sourced, Span, capitalised, shorten, shorten_head};
use crate::content::{segment, words};
use crate::format::Density;
use crate::limits;

/// Most wordings of one slot.
const WORDINGS: usize = 5;

/// Whose words a document's are, and whether they may be shortened.
#[derive(Debug, Clone)]
pub(super) struct Tone {
    /// The language that they are in.
    pub language: Language,
    /// Whether they are set whole: sentences are chosen and lists split, but no word goes.
    pub exact: bool,
}

impl Tone {
    fn shorten(&self, text: &str) -> Vec<String> {
        if self.exact { vec![text.trim().to_owned()] } else { shorten(text, &self.language) }
    }

    fn shorten_head(&self, text: &str) -> Vec<String> {
        if self.exact { vec![text.trim().to_owned()] } else { shorten_head(text, &self.language) }
    }
}

/// Characters that slots hold at 4:5, by density.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    /// Headlines.
    pub title: usize,
    /// What supports a headline.
    pub body: usize,
    /// The sentence of a list item.
    pub item: usize,
    /// Items of a list.
    pub items: usize,
}

impl Budget {
    pub fn of(density: Density) -> Self {
        match density {
            Density::Banner => Self { title: 48, body: 100, item: 45, items: 4 },
            Density::Poster => Self { title: 60, body: 160, item: 65, items: 6 },
            Density::Slide => Self { title: 70, body: 300, item: 110, items: 6 },
            Density::Document => Self { title: 70, body: 420, item: 150, items: 8 },
        }
    }
}

/// Words that open a sentence, with the capital that it has where the script knows any.
pub(super) fn capital(words: &Sourced) -> Sourced {
    Sourced { text: capitalised(&words.text), span: words.span }
}

/// A copy of `wordings`, each shorter than the one before; `None` where they say nothing.
pub(super) fn copy(wordings: Vec<String>, span: Option<Span>) -> Option<Copy> {
    let mut kept: Vec<String> = Vec::new();
    for wording in wordings {
        let wording = wording.trim().to_owned();
        let fits = !wording.is_empty() && wording.chars().count() <= limits::SLOT_CHARS;
        if fits && kept.last().is_none_or(|l| wording.chars().count() < l.chars().count()) {
            kept.push(wording);
        }
    }
    if kept.len() > WORDINGS {
        // The fullest, the shortest, and what lies between.
        let last = kept.len() - 1;
        kept = (0..WORDINGS).map(|i| kept[i * last / (WORDINGS - 1)].clone()).collect();
    }
    (!kept.is_empty()).then_some(Copy { wordings: kept, span })
}

/// A headline.
pub(super) fn headline(words: &Sourced, tone: &Tone) -> Option<Copy> {
    copy(tone.shorten_head(&words.text), span(words))
}

/// A headline that is never without its label: "1994: The harbour froze".
pub(super) fn labelled(label: Option<&Sourced>, words: &Sourced, tone: &Tone) -> Option<Copy> {
    let Some(label) = label.filter(|l| !l.text.is_empty()) else { return headline(words, tone) };
    let own = headline(words, tone)?;
    let wordings = own.wordings.iter().map(|w| joined_texts(&label.text, w)).collect();
    copy(wordings, span(&joined_words(label, words)))
}

/// Two parts of the source with a colon between them.
pub(super) fn joined_words(label: &Sourced, words: &Sourced) -> Sourced {
    Sourced { text: joined_texts(&label.text, &words.text), span: label.span.union(words.span) }
}

fn joined_texts(label: &str, text: &str) -> String {
    let bare = label.trim_end_matches([':', '：', ' ', '–', '—']);
    let unspaced = bare.chars().next_back().is_some_and(words::is_unspaced);
    format!("{bare}{}{text}", if unspaced { "：" } else { ": " })
}

/// The set's title on its other pages: the fullest wording that a line holds, else the shortest that two hold; none
/// where that is too long as well, since the cover has it.
pub(super) fn kicker(title: &Copy) -> Option<Copy> {
    const LINE: usize = 48;
    let within = |most: usize| title.wordings.iter().filter(move |w| w.chars().count() <= most).cloned();
    let short: Vec<String> = within(LINE).collect();
    let shortest = || within(2 * LINE).next_back().into_iter().collect();
    copy(if short.is_empty() { shortest() } else { short }, title.span)
}

/// What supports a headline: the run of neighbouring sentences that says most within the budget; then shorter runs
/// within it, then its best sentence alone and shorter. `sentences` come best first.
pub(super) fn support(sentences: &[&Sourced], budget: usize, tone: &Tone) -> Option<Copy> {
    // A sentence of the source's order, with its rank.
    let mut order: Vec<(usize, &Sourced)> = sentences.iter().copied().enumerate().collect();
    order.sort_by_key(|(_, s)| s.span.start);
    let run = best_run(&order, budget)?;
    let mut wordings: Vec<String> = opened(&order, run, budget, tone).into_iter().collect();
    wordings.push(joined(run));
    let mut inner = run;
    while inner.len() > 1 {
        let (front, back) = (&inner[..inner.len() - 1], &inner[1..]);
        inner = if worth(front) >= worth(back) { front } else { back };
        wordings.push(joined(inner));
    }
    let best = inner.first().map(|(_, s)| *s)?;
    wordings.extend(tone.shorten(&best.text).into_iter().skip(1));
    // Still too long: another sentence.
    let chars = |s: &Sourced| s.text.chars().count();
    if wordings.last().is_some_and(|w| w.chars().count() > budget)
        && let Some(next) = sentences.iter().find(|s| chars(s) <= budget)
    {
        wordings.push(next.text.clone());
    }
    // Over the budget by far is of use only where nothing shorter says it.
    let bearable: Vec<String> = wordings.iter().filter(|w| w.chars().count() <= budget * 3 / 2).cloned().collect();
    let whole = run.iter().map(|(_, s)| s.span).reduce(Span::union);
    copy(if bearable.is_empty() { wordings } else { bearable }, whole.filter(|s| s.end > s.start))
}

/// The run of neighbours that is worth most within the budget; a single sentence where none fits.
fn best_run<'r, 'a>(order: &'r [(usize, &'a Sourced)], budget: usize) -> Option<&'r [(usize, &'a Sourced)]> {
    const LONGEST: usize = 6;
    let fits = |r: &[(usize, &Sourced)]| joined(r).chars().count() <= budget;
    let mut best: Option<&[(usize, &Sourced)]> = None;
    for from in 0..order.len() {
        for to in from + 1..=order.len().min(from + LONGEST) {
            let run = &order[from..to];
            let neighbours =
                run.windows(2).all(|p| p[1].1.span.start.saturating_sub(p[0].1.span.end) <= 3 && closed(&p[0].1.text));
            if !neighbours || (run.len() > 1 && !fits(run)) {
                break;
            }
            // A single sentence over the budget yields to one within it.
            if best.is_none_or(|b| (fits(run), worth(run)) > (fits(b), worth(b))) {
                best = Some(run);
            }
        }
    }
    best
}

/// A run with the first sentence of what follows it, where the budget holds that much and no more.
fn opened(order: &[(usize, &Sourced)], run: &[(usize, &Sourced)], budget: usize, tone: &Tone) -> Option<String> {
    let (_, last) = run.last()?;
    let at = order.iter().position(|(_, s)| s.span == last.span)?;
    let (_, next) = order.get(at + 1)?;
    let adjacent = next.span.start.saturating_sub(last.span.end) <= 3 && closed(&last.text);
    let (first, rest) = first_sentence(next, tone);
    rest?;
    let text = format!("{} {}", joined(run), first.text);
    (adjacent && text.chars().count() <= budget).then_some(text)
}

/// What a run of sentences is worth: the better their ranks the more.
fn worth(run: &[(usize, &Sourced)]) -> f32 {
    run.iter().map(|(rank, _)| 1.0 / (1.5 + *rank as f32)).sum()
}

fn joined(run: &[(usize, &Sourced)]) -> String {
    run.iter().map(|(_, s)| s.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// A list item.
pub(super) fn item(label: Option<&Sourced>, point: &Point, budget: &Budget, tone: &Tone) -> Option<ItemCopy> {
    let head = labelled(label, &point.head, tone)?;
    let bodies: Vec<&Sourced> = point.body.iter().collect();
    let body = support(&bodies, budget.item, tone)
        .filter(|b| b.wordings.last().is_some_and(|w| w.chars().count() <= budget.item * 2));
    Some(ItemCopy::new(head, body))
}

/// A line of the recap.
pub(super) fn line(label: Option<&Sourced>, head: &Sourced, tone: &Tone) -> Option<ItemCopy> {
    labelled(label, head, tone).map(|head| ItemCopy::new(head, None))
}

/// What to do now: the sentence, then without the address, then the address alone.
pub(super) fn call(call: &Sourced, tone: &Tone) -> Option<Copy> {
    if tone.exact {
        return copy(vec![call.text.clone()], span(call));
    }
    let text = call.text.trim().trim_end_matches(['.', '!']);
    let mut wordings = tone.shorten(text);
    let lexicon = words::of(tone.language.primary());
    let address = text.split_whitespace().find(|w| is_address(w));
    if let Some(at) = address.and_then(|a| text.find(a)) {
        let mut front = text[..at].trim_end();
        // "… checklist at": the preposition goes with the address.
        while let Some((rest, last)) = front.rsplit_once(' ') {
            if !words::has(lexicon.function, &last.to_lowercase()) {
                break;
            }
            front = rest.trim_end();
        }
        let front = front.trim_end_matches([',', ':', '–', '—', ' ']);
        if segment::count_words(front) >= 2 {
            wordings.push(front.to_owned());
        }
    }
    // "Bring a chair and try it: book a bench": what stands behind the colon can stand alone.
    let behind = wordings.last().and_then(|w| w.split_once(": ")).map(|(_, rest)| rest.to_owned());
    wordings.extend(behind.filter(|b| segment::count_words(b) >= 2).map(|b| capitalised(&b)));
    copy(wordings, span(call))
}

/// A quotation is never cut but at its own sentence ends.
pub(super) fn quotation(words: &Sourced, tone: &Tone) -> Option<Copy> {
    let lexicon = words::of(tone.language.primary());
    let sentences = segment::sentences(&words.text, lexicon);
    let text = words.text.as_str();
    let mut wordings = vec![text.to_owned()];
    if text.chars().nth(120).is_some() && !tone.exact {
        // Those that a slot holds: all others would be made for nothing, at the cost of the square of their number.
        let most = text.char_indices().nth(limits::SLOT_CHARS).map_or(text.len(), |(i, _)| i);
        let fronts = sentences.iter().take(sentences.len().saturating_sub(1)).map(|s| s.end);
        let fronts: Vec<usize> = fronts.take_while(|end| *end <= most).collect();
        wordings.extend(fronts.into_iter().rev().map(|end| text[..end].to_owned()));
    }
    copy(wordings, span(words))
}

/// A label beside a figure: less its trailing clauses.
pub(super) fn label(words: &Sourced, tone: &Tone) -> Option<Copy> {
    copy(tone.shorten(&words.text), span(words))
}

/// A name: the whole, then without what follows the comma.
pub(super) fn name(words: &Sourced, tone: &Tone) -> Option<Copy> {
    let text = capitalised(&words.text);
    let mut wordings = vec![text.clone()];
    wordings.extend(text.split(", ").next().filter(|_| !tone.exact).map(str::to_owned));
    copy(wordings, span(words))
}

/// The first sentence of `words`, and the rest.
pub(super) fn first_sentence(words: &Sourced, tone: &Tone) -> (Sourced, Option<Sourced>) {
    let sentences = segment::sentences(&words.text, words::of(tone.language.primary()));
    match sentences.as_slice() {
        [first, second, ..] => (
            Sourced { text: words.text[first.clone()].to_owned(), span: words.span },
            Some(Sourced { text: words.text[second.start..].to_owned(), span: words.span }),
        ),
        _ => (words.clone(), None),
    }
}

fn is_address(word: &str) -> bool {
    let word = word.trim_start_matches(['(', '“', '"']);
    let inner_dot = word.trim_end_matches(['.', ',', ')']).split('.').filter(|l| !l.is_empty()).count() >= 2;
    word.starts_with('@') || word.contains("://") || (inner_dot && word.chars().any(char::is_alphabetic))
}

/// Whether words end as a sentence does, so that another can follow.
fn closed(text: &str) -> bool {
    text.ends_with(['.', '!', '?', '。', '！', '？', '”', '»', '"', ')', '؟', '।'])
}

/// The source of words; none for those of the request.
fn span(words: &Sourced) -> Option<Span> {
    (words.span.end > words.span.start).then_some(words.span)
}
