//! Copy for slots: the fullest wording that a slot could hold first, then shorter ones made by deletion.

use std::ops::Range;

use super::answer::Told;
use super::tone::{Budget, Tone};
use super::{Copy, ItemCopy};
use crate::content::{
    Point, Sourced, Span, announces, answers_back, capitalised, limits, refers_back, says_alone, spared, stands_alone,
    takes_back, turns_alone, unadded, unjoined,
};
use crate::content::{segment, words};
use crate::limits;

/// Most wordings of one slot.
const WORDINGS: usize = 5;

/// Capitalises words that open a sentence, if their script has capitals.
pub(super) fn capital(words: &Sourced) -> Sourced {
    Sourced { text: capitalised(&words.text), span: words.span }
}

/// Creates a copy of `wordings`, each shorter than the one before; `None` if they are empty.
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
        // Keeps the fullest, the shortest, and a selection between them.
        let last = kept.len() - 1;
        kept = (0..WORDINGS).map(|i| kept[i * last / (WORDINGS - 1)].clone()).collect();
    }
    (!kept.is_empty()).then_some(Copy { wordings: kept, span })
}

/// Returns a headline. The final colon of a sentence that introduces a list is removed.
pub(super) fn headline(words: &Sourced, tone: &Tone) -> Option<Copy> {
    let text = words.text.trim_end_matches([':', '：', ' ']);
    // A heading keeps its conjunction.
    let bare = match text.ends_with(['.', '。', '।']) {
        true => Some(alone(text, tone)),
        false => spared(text, &tone.language).filter(|_| !tone.exact),
    };
    copy(tone.shorten_head(bare.as_deref().unwrap_or(text)), span(words))
}

/// Returns a sentence that stands without the previous one, and so without its conjunction ("But", "However,").
pub(super) fn remark(words: &Sourced, tone: &Tone) -> Option<Copy> {
    copy(vec![alone(&words.text, tone)], span(words))
}

/// Removes the conjunction that connects a sentence to the previous one, and words that are always optional.
fn alone(text: &str, tone: &Tone) -> String {
    if tone.exact {
        return text.to_owned();
    }
    let bare = unjoined(text, words::of(tone.language.primary()));
    let bare = bare.as_deref().unwrap_or(text);
    let bare = unadded(bare, &tone.language).unwrap_or_else(|| bare.to_owned());
    spared(&bare, &tone.language).unwrap_or(bare)
}

/// Most characters of a headline in a set.
pub(super) const CLAIM: usize = 70;

/// Most characters of a headline that asks: no part of a question can be cut.
const ASKED: usize = 100;

/// Fewest words of a headline that is cut from a longer sentence: fewer make an adverbial ("At 11 pm"), not a claim.
const CUT: usize = 4;

/// Returns a headline of a page in a set with the wordings that are short enough; `None` if there is none.
pub(super) fn claim(headline: Copy, tone: &Tone) -> Option<Copy> {
    let Copy { mut wordings, span } = headline;
    if !tone.exact {
        let whole = wordings.first().cloned();
        let says = |w: &String| Some(w) == whole.as_ref() || segment::count_words(w) >= CUT;
        let asks = whole.as_ref().is_some_and(|w| w.trim_end().ends_with(['?', '？', '؟']));
        let most = if asks { ASKED } else { CLAIM };
        wordings.retain(|w| w.chars().count() <= most && says(w));
    }
    (!wordings.is_empty()).then_some(Copy { wordings, span })
}

/// Returns a headline that always keeps its label: "1994: The harbour froze".
pub(super) fn labelled(label: Option<&Sourced>, words: &Sourced, tone: &Tone) -> Option<Copy> {
    let Some(label) = label.filter(|l| !l.text.is_empty()) else { return headline(words, tone) };
    let own = headline(words, tone)?;
    let wordings = own.wordings.iter().map(|w| joined_texts(&label.text, w)).collect();
    copy(wordings, span(&joined_words(label, words)))
}

/// Joins two parts of the source with a colon.
pub(super) fn joined_words(label: &Sourced, words: &Sourced) -> Sourced {
    Sourced { text: joined_texts(&label.text, &words.text), span: label.span.union(words.span) }
}

fn joined_texts(label: &str, text: &str) -> String {
    let bare = label.trim_end_matches([':', '：', ' ', '–', '—']);
    let unspaced = bare.chars().next_back().is_some_and(words::is_unspaced);
    format!("{bare}{}{text}", if unspaced { "：" } else { ": " })
}

/// Returns the set's title as the kicker of its other pages. Returns `None` if it needs more than two lines; the cover
/// shows it anyway.
pub(super) fn kicker(title: &Copy) -> Option<Copy> {
    const LINES: usize = 110;
    let whole = title.wordings.first().filter(|whole| whole.chars().count() <= LINES)?;
    copy(vec![whole.clone()], title.span)
}

/// Returns the support of a headline: the best run of neighbouring sentences within the budget, then shorter runs
/// within it, then its best sentence alone and shortened. `sentences` are ordered best first.
pub(super) fn support(sentences: &[&Sourced], budget: usize, tone: &Tone) -> Option<Copy> {
    Sentences::of(sentences, 0.0, tone).copy(budget)
}

/// Returns an answer: like [`support`], but starting with its first sentence if that fits the budget.
pub(super) fn answer(sentences: &[&Sourced], budget: usize, tone: &Tone) -> Option<Copy> {
    Sentences::of(sentences, 1.0, tone).copy(budget)
}

/// Penalty of a run whose first sentence refers to an earlier one.
const ORPHAN: f32 = 0.5;
/// Bonus of a run that contains the best sentence: two mediocre neighbours don't replace it.
const BEST: f32 = 0.5;

/// Words that open the first of several remarks, separated by `|`.
const FIRST: &str = "first|firstly|first of all|erstens|zuerst|zunächst|premièrement|d'abord|primero|en primer lugar|primeiro|\
    innanzitutto|in primo luogo|ten eerste|во-первых|сначала";

/// The sentences under a headline. Runs are ranges of their order.
struct Sentences<'a> {
    /// In the source's order, with their ranks.
    order: Vec<(usize, &'a Sourced)>,
    /// Whether each qualifies the text before it: the headline, for the first sentence.
    takes_back: Vec<bool>,
    /// Whether each contrasts with the previous one, but stands alone without its conjunction.
    turns: Vec<bool>,
    /// Whether each refers to something that an earlier sentence named.
    refers_back: Vec<bool>,
    /// Whether each gives the other side of what precedes it.
    answers_back: Vec<bool>,
    /// Whether each announces what comes or points elsewhere.
    announces: Vec<bool>,
    /// Bonus for a run that starts with the best sentence.
    opening: f32,
    tone: &'a Tone,
}

impl<'a> Sentences<'a> {
    fn of(sentences: &[&'a Sourced], opening: f32, tone: &'a Tone) -> Self {
        let lexicon = words::of(tone.language.primary());
        let mut order: Vec<(usize, &Sourced)> = sentences.iter().copied().enumerate().collect();
        order.sort_by_key(|(_, s)| s.span.start);
        let of = |holds: fn(&str, &words::Words) -> bool| -> Vec<bool> {
            order.iter().map(|(_, s)| holds(&s.text, lexicon)).collect()
        };
        let loose = |holds: Vec<bool>| holds.into_iter().map(|holds| holds && !tone.exact).collect();
        let (takes_back, turns, refers_back) = (of(takes_back), loose(of(turns_alone)), loose(of(refers_back)));
        let answers_back = order.iter().map(|(_, s)| answers_back(&s.text)).collect();
        let announces = order.iter().map(|(_, s)| !tone.exact && announces(&s.text, &tone.language)).collect();
        Self { order, takes_back, turns, refers_back, answers_back, announces, opening, tone }
    }

    /// Returns the wordings of the best run within the budget, fullest first.
    fn copy(&self, budget: usize) -> Option<Copy> {
        let run = self.best_run(budget)?;
        let mut wordings: Vec<String> = self.opened(&run, budget).into_iter().collect();
        wordings.push(self.joined(&run));
        let mut inner = run.clone();
        while inner.len() > 1 {
            let parts = [inner.start..inner.end - 1, inner.start + 1..inner.end].into_iter();
            let parts = parts.filter(|part| self.stands_alone(part));
            let better = |front: Range<usize>, back| if self.worth(&front) >= self.worth(&back) { front } else { back };
            let Some(part) = parts.reduce(better) else { break };
            inner = part;
            wordings.push(self.joined(&inner));
        }
        if inner.len() == 1 {
            wordings.extend(self.tone.shorten(&self.order[inner.start].1.text).into_iter().skip(1));
        }
        // If the text is still too long, try another sentence.
        if wordings.last().is_some_and(|w| w.chars().count() > budget)
            && let Some(other) = self.best_sentence(budget)
        {
            wordings.push(other.text.clone());
        }
        // Wordings far over the budget are only kept if there is no shorter one.
        let bearable: Vec<String> = wordings.iter().filter(|w| w.chars().count() <= budget * 3 / 2).cloned().collect();
        let whole = self.order[run].iter().map(|(_, s)| s.span).reduce(Span::union);
        copy(if bearable.is_empty() { wordings } else { bearable }, whole.filter(|s| s.end > s.start))
    }

    /// Returns the run of neighbours with the highest score within the budget. If not even a single sentence fits,
    /// returns the sentence together with those that qualify it.
    fn best_run(&self, budget: usize) -> Option<Range<usize>> {
        const LONGEST: usize = 6;
        // The best sentence may be half as long again: a shorter one that misses the point saves nothing.
        let best_alone = |run: &Range<usize>| run.len() == 1 && self.order[run.start].0 == 0;
        let room = |run: &Range<usize>| if best_alone(run) { budget * 3 / 2 } else { budget };
        let fits = |run: &Range<usize>| self.joined(run).chars().count() <= room(run);
        let mut best: Option<Range<usize>> = None;
        for from in 0..self.order.len() {
            let mut had_one = false;
            for to in from + 1..=self.order.len().min(from + LONGEST) {
                let run = from..to;
                if (run.len() > 1 && !self.goes_on(to - 1)) || (had_one && !fits(&run)) {
                    break;
                }
                if !self.stands_alone(&run) {
                    continue;
                }
                had_one = true;
                // A sentence within the budget beats one over it; of several over it, the shortest wins.
                let length = |run: &Range<usize>| self.joined(run).chars().count();
                let better = |b: &Range<usize>| match (fits(&run), fits(b)) {
                    (true, true) => self.worth(&run) > self.worth(b),
                    (false, false) => length(&run) < length(b),
                    (fits, _) => fits,
                };
                if best.as_ref().is_none_or(better) {
                    best = Some(run);
                }
            }
        }
        let first = || (1..=self.order.len()).map(|to| 0..to).find(|run| self.stands_alone(run));
        best.or_else(first)
    }

    /// Returns whether a sentence directly follows the previous one, which is complete.
    fn goes_on(&self, at: usize) -> bool {
        let (before, next) = (self.order[at - 1].1, self.order[at].1);
        next.span.start.saturating_sub(before.span.end) <= 3 && closed(&before.text)
    }

    /// Returns whether a run can stand without the other sentences: no qualification is separated from the sentence
    /// that it qualifies, and a qualification of the headline is part of the run.
    fn stands_alone(&self, run: &Range<usize>) -> bool {
        let parts = |at: usize| (1..self.order.len()).contains(&at) && self.takes_back[at] && self.goes_on(at);
        // A contrasting sentence can stand alone, but a sentence can't stand without its contrast, nor one view without
        // the opposing view.
        let opens = self.turns[run.start] || !parts(run.start);
        let next = run.end + 1;
        let one_sided =
            next < self.order.len() && self.answers_back[next] && self.goes_on(run.end) && self.goes_on(next);
        let qualified = run.start == 0 || !self.takes_back[0];
        let lexicon = words::of(self.tone.language.primary());
        // The first sentence continues from the headline.
        let alone = run.start == 0 || self.tone.exact || stands_alone(&self.order[run.start].1.text, lexicon);
        let says = run.len() == 1 || !self.announces[run.clone()].contains(&true);
        opens && !parts(run.end) && !one_sided && qualified && alone && says && !self.asks(run.end - 1)
    }

    /// Returns whether a sentence is a question, which supports nothing without its answer.
    fn asks(&self, at: usize) -> bool {
        !self.tone.exact && asks(self.order[at].1)
    }

    /// Returns the best sentence within the budget that can stand alone.
    fn best_sentence(&self, budget: usize) -> Option<&'a Sourced> {
        let short = |at: &usize| self.order[*at].1.text.chars().count() <= budget && self.stands_alone(&(*at..at + 1));
        (0..self.order.len()).filter(short).map(|at| self.order[at]).min_by_key(|(rank, _)| *rank).map(|(_, s)| s)
    }

    /// Returns a run extended by the first sentence of the next entry, if the budget allows it and the rest of that
    /// entry doesn't qualify it.
    fn opened(&self, run: &Range<usize>, budget: usize) -> Option<String> {
        let (_, next) = self.order.get(run.end)?;
        let (first, rest) = first_sentence(next, self.tone);
        let is_closed = !takes_back(&rest?.text, words::of(self.tone.language.primary()));
        let text = follow(self.joined(run), &first.text);
        (is_closed && !self.announces[run.end] && self.goes_on(run.end) && text.chars().count() <= budget)
            .then_some(text)
    }

    /// Returns the score of a run: better ranks give a higher score.
    fn worth(&self, run: &Range<usize>) -> f32 {
        let opening = if self.order[run.start].0 == 0 { self.opening } else { 0.0 };
        let orphan =
            ORPHAN * if self.announces[run.start] { 2.0 } else { f32::from(u8::from(self.refers_back[run.start])) };
        let ranks = || self.order[run.clone()].iter().map(|(rank, _)| *rank);
        let best = if ranks().any(|rank| rank == 0) { BEST } else { 0.0 };
        opening - orphan + best + ranks().map(|rank| 1.0 / (1.5 + rank as f32)).sum::<f32>()
    }

    /// Returns the text of a run. A run that qualifies nothing loses its opening conjunction.
    fn joined(&self, run: &Range<usize>) -> String {
        let texts = self.order[run.clone()].iter().map(|(_, s)| s.text.as_str());
        let text = texts.fold(String::new(), follow);
        // "First, … Second, …" belong together.
        let counts = run.len() > 1 && words::opens_with(FIRST, &text);
        let kept = self.takes_back[run.start] && !self.turns[run.start];
        if kept || counts { text } else { alone(&text, self.tone) }
    }
}

/// Appends a sentence to a text, with the space between them that their script uses.
fn follow(text: String, next: &str) -> String {
    const WIDE: [char; 7] = ['。', '！', '？', '」', '』', '）', '”'];
    let unspaced = text.ends_with(|c: char| words::is_unspaced(c) || WIDE.contains(&c))
        && next.starts_with(|c: char| words::is_unspaced(c) || matches!(c, '「' | '『' | '（' | '“'));
    let space = if text.is_empty() || unspaced { "" } else { " " };
    format!("{text}{space}{next}")
}

/// Builds a list item. A sentence far over the budget of an item becomes `omitted`.
pub(super) fn item(label: Option<&Sourced>, point: &Point, budget: &Budget, tone: &Tone) -> Option<ItemCopy> {
    let head = labelled(label, &uncounted(&point.head, tone), tone)?;
    let is_short = |b: &Copy| b.wordings.last().is_some_and(|w| w.chars().count() <= budget.item * 5 / 2);
    // Uses one of the best sentences, else one that fits. A question alone leaves an item open.
    let best = about(point, ABOUT, budget, tone);
    let short = |sentences: &[Sourced]| {
        let held = |s: &&Sourced| s.text.chars().count() <= budget.item * 5 / 2 && (tone.exact || !asks(s));
        let short: Vec<&Sourced> = sentences.iter().filter(held).collect();
        support(&short, budget.item, tone).filter(is_short)
    };
    let body = best.filter(is_short).or_else(|| short(&point.body));
    let body = body.or_else(|| short(&point.more).filter(|_| !tone.exact));
    let body = body.or_else(|| about(point, usize::MAX, budget, tone));
    let body = body.map(|body| with_shorter(body, point, budget, tone));
    let (body, omitted) = if body.as_ref().is_some_and(is_short) { (body, None) } else { (None, body) };
    Some(ItemCopy { omitted, ..ItemCopy::new(opened(head, tone), body.map(|body| opened(body, tone))) })
}

/// Removes the word by which an item counts itself, since its place in the list shows it: "Second, count the boats".
fn uncounted(head: &Sourced, tone: &Tone) -> Sourced {
    const COUNTS: &str = "first,|second,|third,|fourth,|firstly,|secondly,|thirdly,|finally,|lastly,|erstens,|zweitens,|drittens,|\
        schließlich,|premièrement,|deuxièmement,|troisièmement,|enfin,|primero,|segundo,|tercero,|finalmente,|por último,";
    let counts = !tone.exact && words::opens_with(COUNTS, &head.text);
    let bare = unjoined(&head.text, words::of(tone.language.primary())).filter(|_| counts);
    Sourced { text: bare.unwrap_or_else(|| head.text.clone()), span: head.span }
}

fn asks(words: &Sourced) -> bool {
    words.text.trim_end().ends_with(['?', '？', '؟'])
}

/// Capitalises the words of an item that open with a plain word in lower case: "the person who keeps the record". A
/// name such as "npm" alone stays as it is.
fn opened(words: Copy, tone: &Tone) -> Copy {
    const PHRASE: usize = 3;
    let plain = |text: &str| {
        let first = text.split_whitespace().next().unwrap_or("").trim_end_matches([',', ':', ';']);
        let word = !first.is_empty() && first.chars().all(|c| c.is_lowercase() || matches!(c, '\'' | '’'));
        word && segment::count_words(text) >= PHRASE
    };
    if tone.exact || !words.wordings.iter().all(|text| plain(text)) {
        return words;
    }
    Copy { wordings: words.wordings.iter().map(|text| capitalised(text)).collect(), ..words }
}

/// Adds a shorter sentence to an item's wordings for pages with little room: an item without text looks forgotten among
/// others.
fn with_shorter(body: Copy, point: &Point, budget: &Budget, tone: &Tone) -> Copy {
    let length = |wording: &str| wording.chars().count();
    let least = body.wordings.last().map_or(0, |w| length(w));
    if tone.exact || least <= budget.item {
        return body;
    }
    let short = |sentences: &[Sourced]| {
        let alone = |s: &&Sourced| length(&s.text) <= budget.item && says_alone(&s.text, &tone.language);
        let held: Vec<&Sourced> = sentences.iter().filter(alone).collect();
        support(&held, budget.item, tone)
    };
    let Some(other) = short(&point.body).or_else(|| short(&point.more)) else { return body };
    let span = body.span.zip(other.span).map(|(own, other)| own.union(other)).or(body.span);
    let shorter = other.wordings.into_iter().find(|w| length(w) <= budget.item);
    Copy { wordings: body.wordings.into_iter().chain(shorter).collect(), span }
}

/// Builds a list item for a page without sentences under its items.
pub(super) fn bare_item(point: &Point, budget: &Budget, tone: &Tone) -> Option<ItemCopy> {
    let omitted = about(point, usize::MAX, budget, tone);
    headline(&point.head, tone).map(|head| ItemCopy { omitted, ..ItemCopy::new(head, None) })
}

/// Number of best sentences of an item from which one is shown with its head.
const ABOUT: usize = 2;

/// Returns the text under an item's head, from its `most` best sentences.
fn about(point: &Point, most: usize, budget: &Budget, tone: &Tone) -> Option<Copy> {
    let most = if tone.exact { usize::MAX } else { most };
    // A sentence that repeats the head adds nothing.
    let told = Told::of(&point.head.text, tone);
    let all = || point.body.iter().filter(|s| tone.exact || !asks(s));
    let mut sentences: Vec<&Sourced> = all().filter(|s| !told.holds(&s.text)).collect();
    if sentences.is_empty() {
        sentences.extend(all());
    }
    sentences.truncate(most);
    support(&sentences, budget.item, tone)
}

/// Returns a line of the recap, without text: other pages show that.
pub(super) fn line(label: Option<&Sourced>, head: &Sourced, tone: &Tone) -> Option<ItemCopy> {
    labelled(label, head, tone).map(|head| ItemCopy::new(head, None))
}

/// Returns the call to action: the sentence, then without the address, then the address alone.
pub(super) fn call(call: &Sourced, tone: &Tone) -> Option<Copy> {
    if tone.exact {
        return copy(vec![call.text.clone()], span(call));
    }
    let bare = alone(call.text.trim(), tone);
    let text = bare.trim_end_matches(['.', '!']);
    let mut wordings = tone.shorten(text);
    let lexicon = words::of(tone.language.primary());
    let address = text.split_whitespace().find(|w| is_address(w));
    if let Some(at) = address.and_then(|a| text.find(a)) {
        let mut front = text[..at].trim_end();
        // "… checklist at": the preposition is removed with the address.
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
    // "Bring a chair and try it: book a bench": the clause after the colon can stand alone.
    let parts = wordings.last().and_then(|w| w.split_once(": "));
    let behind = parts.filter(|(front, _)| !limits(front, lexicon)).map(|(_, rest)| rest.to_owned());
    wordings.extend(behind.filter(|b| segment::count_words(b) >= 2).map(|b| capitalised(&b)));
    copy(wordings, span(call))
}

/// Cuts a quotation only at its own sentence ends, and never before a sentence that qualifies it.
pub(super) fn quotation(words: &Sourced, tone: &Tone) -> Option<Copy> {
    let lexicon = words::of(tone.language.primary());
    let sentences = segment::sentences(&words.text, lexicon);
    // A quotation that begins within a sentence stands as a sentence.
    let text = if tone.exact { words.text.clone() } else { capitalised(&words.text) };
    let text = text.as_str();
    let mut wordings = vec![text.to_owned()];
    if text.chars().nth(120).is_some() && !tone.exact {
        // Only cuts that a slot can hold are made. Making all others would take quadratic time.
        let most = text.char_indices().nth(limits::SLOT_CHARS).map_or(text.len(), |(i, _)| i);
        let kept = sentences.iter().rposition(|s| takes_back(&text[s.clone()], lexicon)).unwrap_or(0);
        let fronts = sentences.iter().take(sentences.len().saturating_sub(1)).skip(kept).map(|s| s.end);
        let fronts: Vec<usize> = fronts.take_while(|end| *end <= most).collect();
        wordings.extend(fronts.into_iter().rev().map(|end| text[..end].to_owned()));
    }
    copy(wordings, span(words))
}

/// Returns the label of a figure, shortened by its trailing clauses.
pub(super) fn label(words: &Sourced, tone: &Tone) -> Option<Copy> {
    copy(tone.shorten(&alone(&words.text, tone)), span(words))
}

/// Returns a name: in full, then without the part after the comma.
pub(super) fn name(words: &Sourced, tone: &Tone) -> Option<Copy> {
    let text = capitalised(&words.text);
    let mut wordings = vec![text.clone()];
    wordings.extend(text.split(", ").next().filter(|_| !tone.exact).map(str::to_owned));
    copy(wordings, span(words))
}

/// Splits `words` into the first sentence and the rest.
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

/// Returns whether words end like a sentence, so that another can follow.
fn closed(text: &str) -> bool {
    text.ends_with(['.', '!', '?', '。', '！', '？', '”', '»', '"', ')', '؟', '।'])
}

/// Returns the source span of words; `None` for words of the request.
fn span(words: &Sourced) -> Option<Span> {
    (words.span.end > words.span.start).then_some(words.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Language;
    use crate::format::Density;

    fn tone() -> Tone {
        Tone { language: Language::english(), exact: false }
    }

    /// Creates sentences that follow each other in a source.
    fn sentences(texts: &[&str]) -> Vec<Sourced> {
        let mut at = 0;
        let sourced = texts.iter().map(|text| {
            let start = at;
            at += text.len() as u32 + 1;
            Sourced { text: (*text).to_owned(), span: Span { start, end: at - 1 } }
        });
        sourced.collect()
    }

    fn supported(texts: &[&str], budget: usize) -> Vec<String> {
        let sentences = sentences(texts);
        support(&sentences.iter().collect::<Vec<_>>(), budget, &tone()).map_or_else(Vec::new, |copy| copy.wordings)
    }

    #[test]
    fn the_best_sentence_outweighs_its_neighbours_and_the_budget() {
        let texts = [
            "The pier was built long ago by the town.",
            "It has many planks.",
            "The crew counts each of the boats at dawn, so that none of them is lost in the fog of the autumn.",
        ];
        let all = sentences(&texts);
        // Best first: the last one, which is longer than the budget.
        let best = support(&[&all[2], &all[0], &all[1]], 80, &tone()).unwrap();
        assert_eq!(best.wordings[0], texts[2]);
        let long = support(&[&all[2], &all[0], &all[1]], 50, &tone()).unwrap();
        assert_eq!(long.wordings[0], texts[0]);
    }

    #[test]
    fn a_quotation_opens_with_a_capital() {
        let said = sentences(&["the crew counts boats at dawn"]).remove(0);
        assert_eq!(quotation(&said, &tone()).unwrap().wordings, ["The crew counts boats at dawn"]);
        let exact = Tone { exact: true, ..tone() };
        assert_eq!(quotation(&said, &exact).unwrap().wordings, ["the crew counts boats at dawn"]);
    }

    #[test]
    fn a_title_stands_over_other_pages_whole_or_not_at_all() {
        let title = |wordings: &[String]| Copy { wordings: wordings.to_vec(), span: None };
        let short = title(&["Quiet mornings: how a small team got its hours back".into(), "Quiet mornings".into()]);
        assert_eq!(kicker(&short).unwrap().wordings, short.wordings[..1]);
        assert_eq!(kicker(&title(&["Quiet mornings ".repeat(9), "Quiet mornings".into()])), None);
    }

    #[test]
    fn what_takes_a_sentence_back_stays_with_it() {
        let refunds = ["All tickets are refundable.", "Exception: festival passes.", "Bring some cash."];
        let whole = "All tickets are refundable. Exception: festival passes. Bring some cash.";
        assert_eq!(supported(&refunds, 100), [whole, "All tickets are refundable. Exception: festival passes."]);
        assert_eq!(supported(&refunds, 60)[0], "All tickets are refundable. Exception: festival passes.");
        // The first sentence alone would claim too much; the last one is sufficient.
        assert_eq!(supported(&refunds, 30), ["Bring some cash."]);
        // A sentence that qualifies the headline is never skipped.
        let exception = ["Exception: festival passes.", "Bring some cash and a friend."];
        assert_eq!(supported(&exception, 30), ["Exception: festival passes."]);
        let several: Vec<&str> = ["Not on Mondays."; 9].to_vec();
        assert_eq!(supported(&several, 30), [several.join(" ")]);
    }

    #[test]
    fn a_quotation_keeps_what_takes_it_back() {
        let words = |text: &str| Sourced { text: text.to_owned(), span: Span { start: 0, end: 1 } };
        let said = "We will open all of our gardens to everyone in the town for the whole of the summer, and we will pay for it \
            ourselves. But not on Mondays. Come and see us.";
        let copy = quotation(&words(said), &tone()).unwrap();
        assert_eq!(copy.wordings, [said, said.strip_suffix(" Come and see us.").unwrap()]);
    }

    #[test]
    fn a_sentence_that_a_list_is_too_short_for_is_kept_apart() {
        let long = "It takes a while until the roots have found the water in the ground below them and all of the plants \
            have grown leaves enough to shade it well, and until then you water them twice a day and wait.";
        let texts = sentences(&["Water early", long]);
        let point = Point::new(texts[0].clone(), vec![texts[1].clone()]);
        let budget = Budget::of(Density::Poster, &Language::english());
        for item in [item(None, &point, &budget, &tone()), bare_item(&point, &budget, &tone())] {
            let item = item.unwrap();
            assert_eq!((item.body, item.omitted.unwrap().wordings), (None, vec![long.to_owned()]));
        }
        assert_eq!(line(None, &point.head, &tone()).unwrap().omitted, None);
    }

    #[test]
    fn a_call_keeps_its_condition() {
        let words = |text: &str| Sourced { text: text.to_owned(), span: Span { start: 0, end: 1 } };
        let free = call(&words("Bring a chair and try it: book a bench"), &tone()).unwrap();
        assert_eq!(free.wordings.last().unwrap(), "Book a bench");
        let bound = call(&words("If you are a member: book a bench"), &tone()).unwrap();
        assert_eq!(bound.wordings, ["If you are a member: book a bench"]);
    }
}
