//! Facts about a page's content. The headers of templates refer to them in their conditions.

use minijinja::Value;

use super::art_direction::{in_columns, recipe};
use super::candidate::Wording;
use super::photos::{Seen, Shot};
use super::{PlanRequest, charts};
use crate::content::{durations, headline, number, words};
use crate::design::{Recipe, Theme, drawn};
use crate::format::Format;
use crate::outline::{Copy, PageOutline, ratio};
use crate::tree::Shape;

/// Marks that end questions.
const QUESTION: [char; 3] = ['?', '？', '؟'];

/// Facts from a page's surroundings, beside its content.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Around {
    /// The photograph to show.
    pub photo: Option<Seen>,
    /// The page's art.
    pub art: Option<Recipe>,
    /// Whether a picture illustrates the page's words.
    pub picture: bool,
    /// Whether the headline may use vertical columns.
    pub columns: bool,
    /// The primary subtag of a language with word lists; empty otherwise.
    pub language: &'static str,
    /// Seed of all random choices.
    pub seed: u64,
}

impl Around {
    /// Collects the surroundings of a page of a request, with its photograph. `picture` tells whether a picture
    /// illustrates the page's words.
    pub fn of(
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        shot: Option<Shot<'_>>,
        picture: bool,
    ) -> Self {
        let language = request.locale.language.primary();
        Self {
            photo: shot.map(|shot| Seen::of(shot.photo)),
            art: Some(recipe(Theme::of(request.style), request.seed)),
            picture,
            columns: in_columns(request.style, &request.locale.language, format, said.kind),
            language: words::of(language).code,
            seed: request.seed,
        }
    }
}

/// Returns the facts by the names that conditions of headers use.
pub(super) fn facts(said: &PageOutline, format: &Format, around: Around) -> Value {
    let mut facts = shape(format);
    facts.extend(counts(said));
    facts.extend(meanings(said));
    facts.extend(figures(said, format));
    facts.extend(promises(said, around.language));
    facts.push(("picture", Value::from(around.picture)));
    facts.push(("columns", Value::from(around.columns)));
    let aspect = around.photo.map(|seen| f64::from(seen.aspect));
    facts.push(("photo", Value::from(around.photo.is_some())));
    facts.push(("photo_whole", Value::from(around.photo.is_some_and(|seen| seen.whole))));
    facts.push(("photo_aspect", aspect.map_or(Value::from(()), Value::from)));
    facts.push(("art", around.art.map_or(Value::from(()), |a| Value::from(a.name()))));
    facts.push(("chance", Value::from((drawn(around.seed, 8) >> 11) as f64 / (1_u64 << 53) as f64)));
    Value::from_pairs(facts)
}

/// Returns the shape of the format, and of the area for content.
fn shape(format: &Format) -> Vec<(&'static str, Value)> {
    let (size, room) = (format.size_du(), format.safe_rect_du());
    vec![
        ("shape", Value::from(Shape::of_page(size, room.size()).name())),
        ("aspect", Value::from(f64::from(size.aspect()))),
        ("strip", Value::from(room.w() > 2.5 * room.h())),
        ("wide", Value::from(room.w() > 1.22 * room.h())),
    ]
}

/// Returns the amounts of everything, in the shortest wording.
fn counts(said: &PageOutline) -> Vec<(&'static str, Value)> {
    let chars = |copy: &Copy| Wording::shortest(copy).chars().count();
    let longest = |of: &dyn Fn(usize) -> usize| Value::from((0..said.items.len()).map(of).max().unwrap_or(0));
    let in_group = |n: usize| said.items.iter().filter(|i| usize::from(i.group) == n).count();
    let groups = said.groups.len();
    let sides = groups == 2 && in_group(0) > 0 && in_group(1) > 0 && in_group(0) + in_group(1) == said.items.len();
    vec![
        ("kind", Value::from(said.kind.name())),
        ("evidence", Value::from(said.evidence().name())),
        ("numbered", Value::from(said.number.is_some())),
        ("items", Value::from(said.items.len())),
        ("groups", Value::from(groups)),
        ("labels", Value::from(said.items.iter().filter(|i| i.label.is_some()).count())),
        ("bodies", Value::from(said.items.iter().filter(|i| i.body.is_some()).count())),
        ("cells", Value::from(said.items.iter().map(|i| i.cells.len()).max().unwrap_or(0))),
        ("longest_cell", longest(&|n| said.items[n].cells.iter().map(chars).max().unwrap_or(0))),
        ("longest_head", longest(&|n| chars(&said.items[n].head))),
        ("longest_body", longest(&|n| said.items[n].body.as_ref().map_or(0, chars))),
        ("title_chars", Value::from(said.title.as_ref().map_or(0, chars))),
        ("title_words", Value::from(said.title.as_ref().map_or(0, fewest_words))),
        ("note_chars", Value::from(said.note.as_ref().map_or(0, chars))),
        ("body_chars", Value::from(said.body.as_ref().map_or(0, chars))),
        ("sides", Value::from(sides)),
        ("rows", Value::from((0..groups).map(in_group).max().unwrap_or(0))),
        ("paired", Value::from(said.items.iter().map(|i| i.group).eq([0, 1]))),
        ("leaves", Value::from((0..groups).all(|n| in_group(n) > 0))),
    ]
}

fn fewest_words(copy: &Copy) -> usize {
    copy.wordings.iter().map(|w| w.split_whitespace().count()).min().unwrap_or(0)
}

/// Returns what the meaning of the words allows.
fn meanings(said: &PageOutline) -> Vec<(&'static str, Value)> {
    vec![
        ("timed", Value::from(is_timed(said))),
        ("asks", Value::from(said.title.as_ref().is_some_and(|t| t.wordings.iter().all(|w| w.ends_with(QUESTION))))),
        ("circular", Value::from(is_circular(said))),
        ("falls", Value::from(falls(said))),
        ("imperatives", Value::from(are_imperatives(said))),
        ("counted", Value::from(said.title.iter().any(|t| counts_items(t, said.items.len())))),
    ]
}

/// Returns what the headline promises, and whether the body states one amount, in every wording.
fn promises(said: &PageOutline, language: &str) -> Vec<(&'static str, Value)> {
    let wordings = || said.title.iter().flat_map(|t| t.wordings.iter().map(String::as_str));
    let all = |holds: &dyn Fn(&str) -> bool| said.title.is_some() && wordings().all(holds);
    let promised = wordings().next().and_then(|w| headline::promise(w, language)).map(|(n, _)| n);
    let promised = promised.filter(|_| all(&|w| headline::promise(w, language).is_some()));
    let mut bodies = said.body.iter().flat_map(|body| &body.wordings);
    let amount = said.body.is_some() && bodies.all(|words| headline::amount(words, language).is_some());
    let longest = wordings().flat_map(str::split_whitespace).map(|w| w.chars().count()).max();
    vec![
        ("promised", promised.map_or(Value::from(()), Value::from)),
        ("title_figure", Value::from(all(&|w| headline::figure(w, language).is_some()))),
        ("compares", Value::from(all(&|w| headline::sides(w, language).is_some()))),
        ("instructs", Value::from(all(&headline::instructs))),
        ("longest_word", Value::from(longest.unwrap_or(0))),
        ("body_amount", Value::from(amount)),
    ]
}

/// Returns which charts the figures allow: see `charts`.
fn figures(said: &PageOutline, format: &Format) -> Vec<(&'static str, Value)> {
    let number = |n: Option<f64>| n.map_or(Value::from(()), Value::from);
    let score = |n: Option<f32>| number(n.map(f64::from));
    let figure = said.figure.as_ref();
    let of = figure.and_then(|f| ratio(&f.value)).map(|(_, of)| f64::from(of));
    vec![
        ("share", number(said.share())),
        ("figure_chars", Value::from(figure.map_or(0, |f| f.value.chars().count()))),
        ("unit", Value::from(figure.map_or("", |f| f.unit.as_str()).to_owned())),
        ("number", number(figure.map(|f| f.number))),
        ("ratio_of", number(of)),
        ("whole", Value::from(figure.is_some_and(|f| f.number.fract() == 0.0))),
        ("pair", score(charts::pair(said))),
        ("tiles", score(charts::figures(said))),
        ("course", score(charts::course(said))),
        ("ranking", score(charts::ranking(said, format))),
    ]
}

/// Returns whether every item states a duration.
fn is_timed(said: &PageOutline) -> bool {
    let labels: Option<Vec<&str>> =
        said.items.iter().map(|i| i.label.as_ref()?.wordings.first().map(String::as_str)).collect();
    labels.filter(|l| l.len() >= 2).and_then(|l| durations(&l)).is_some()
}

/// Returns whether most items are instructions without further text.
fn are_imperatives(said: &PageOutline) -> bool {
    let heads = || said.items.iter().filter_map(|i| i.head.wordings.first());
    let told = heads().filter(|h| words::is_imperative(h)).count();
    5 * told >= 3 * said.items.len() && said.items.iter().all(|i| i.body.is_none() && i.label.is_none())
}

/// Returns whether a title states the number of items.
fn counts_items(title: &Copy, count: usize) -> bool {
    let numbers = title.wordings.first().map(|w| number::all(w)).unwrap_or_default();
    numbers.iter().any(|n| n.values.contains(&(count as f64)))
}

/// Returns whether the page says that its last step leads back to the first.
fn is_circular(said: &PageOutline) -> bool {
    fn first(copy: &Copy) -> Option<&str> {
        copy.wordings.first().map(String::as_str)
    }
    let last = said.items.last().into_iter().flat_map(|i| [Some(&i.head), i.body.as_ref()]).flatten();
    let heads = said.items.iter().map(|i| &i.head);
    said.title.iter().chain(&said.body).chain(heads).filter_map(first).any(words::is_cycle)
        || last.filter_map(first).any(words::is_return)
}

/// Returns whether each item is one value, smaller than the one before, and the last is still visible next to the
/// first.
fn falls(said: &PageOutline) -> bool {
    let values: Option<Vec<f64>> = said
        .items
        .iter()
        .map(|i| match i.numbers[..] {
            [n] if i.cells.len() == 1 => Some(n),
            _ => None,
        })
        .collect();
    let falls =
        |v: &[f64]| v.windows(2).all(|w| w[0] > w[1]) && v.last().zip(v.first()).is_some_and(|(l, f)| *l >= 0.01 * f);
    values.is_some_and(|v| !v.is_empty() && falls(&v))
}
