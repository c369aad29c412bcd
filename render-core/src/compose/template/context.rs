//! Variables for templates: a page's words, the tokens of its style, and the shape of its format.

use std::ops::Range;

use minijinja::{Environment, Error, Value};

use super::pieces::{self, escaped};
use super::refused;
use crate::compose::number::counter;
use crate::content::headline::{self, Pieces};
use crate::content::{Language, claim, day_of, digit, durations};
use crate::design::template::Header;
use crate::design::{
    Background, Card, Crop, Cut, Fields, Flourish, ItemData, Nodes, Numerals, Page, Photo, Slot, SlotId, Stand, Theme,
    Tiles, Writing, drawn,
};
use crate::elements::initials;
use crate::format::{Density, Format};
use crate::icon::Icon;
use crate::outline::in_order;
use crate::scene::{Rect, Size};
use crate::sheet::Frame;
use crate::text::{numerals, roman_numerals};
use crate::tree::Shape;

/// A page and its surroundings.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The page.
    pub page: &'a Page,
    /// The tokens of its style.
    pub theme: &'static Theme,
    /// Its frame.
    pub frame: &'a Frame,
}

/// The maximum number of items passed to a template.
const ITEMS: usize = crate::limits::CHART_ROWS;
/// Largest share of a text that is set in bold: more of it stresses nothing.
const STRONG: f32 = 0.5;
/// Number of leading letters that two forms of one word share.
const STEM: usize = 5;
/// Minimum height and width of a page with head and foot, in sizes of small print.
const CHROME: (f32, f32) = (17.0, 14.0);

impl Surroundings<'_> {
    /// Returns every variable that a template may read.
    pub(super) fn values(&self, header: &Header) -> Vec<(&'static str, Value)> {
        let mut values = self.words();
        values.extend(self.placed(header));
        values.extend(self.items());
        values.extend(self.promises());
        values.push(("style", self.style()));
        values
    }

    /// Returns the words that occur once on a page, by slot.
    fn words(&self) -> Vec<(&'static str, Value)> {
        let own = &self.page.locale.language;
        let word = |id: SlotId| {
            self.page.slots.iter().find(|s| s.id == id).map_or(Value::from(()), |slot| slot_value(slot, own))
        };
        vec![
            ("brand", word(SlotId::Brand)),
            ("kicker", word(SlotId::Kicker)),
            ("title", word(SlotId::Title)),
            ("body", word(SlotId::Body)),
            ("note", word(SlotId::Note)),
            ("value", word(SlotId::Value)),
            ("unit", word(SlotId::Unit)),
            ("number", word(SlotId::Number)),
            ("attribution", word(SlotId::Attribution)),
            ("cta", word(SlotId::Cta)),
            ("handle", word(SlotId::Handle)),
        ]
    }

    /// Returns the title in pieces, by its promise: a number of things, a figure, or one thing against another; and the
    /// amount that the body states.
    fn promises(&self) -> Vec<(&'static str, Value)> {
        let language = self.page.locale.language.primary();
        let slot = self.page.slots.iter().find(|s| s.id == SlotId::Title);
        let title = slot.map_or("", |s| &s.text);
        let pieces = |pieces: Option<Pieces>| {
            let Some((Pieces { before, key, after }, slot)) = pieces.zip(slot) else { return Value::from(()) };
            let part = |range| marked_in(slot, range);
            Value::from_pairs([("before", part(before)), ("key", part(key)), ("after", part(after))])
        };
        let body = self.page.slots.iter().find(|s| s.id == SlotId::Body);
        let amount = body.and_then(|slot| Some(escaped(&slot.text[headline::amount(&slot.text, language)?])));
        vec![
            ("promise", pieces(headline::promise(title, language).map(|(_, pieces)| pieces))),
            ("sum", pieces(headline::figure(title, language))),
            ("sides", pieces(headline::sides(title, language))),
            ("amount", amount.map_or(Value::from(()), Value::from)),
        ]
    }

    /// Returns the page's position, its art and photograph, and the changes from edits.
    fn placed(&self, header: &Header) -> Vec<(&'static str, Value)> {
        let Self { page, frame, theme } = *self;
        let format = page.format.format();
        let room = frame.room;
        let small = frame.size(crate::tree::Step::Xs);
        let chrome = room.h() > CHROME.0 * small && room.w() > CHROME.1 * small;
        let contrast = page.background != Background::Base;
        let logo = page.logo.as_ref().is_some_and(|l| l.pixels.is_some()) && page.adjust.logo.shown;
        let share = page.art.and_then(|a| a.value).filter(|v| (0.0..=1.0).contains(v));
        vec![
            ("shape", Value::from(frame.shape.name())),
            ("tall", Value::from(matches!(frame.shape, Shape::Tall | Shape::Upright | Shape::Square))),
            ("flat", Value::from(matches!(frame.shape, Shape::Wide | Shape::Strip))),
            ("aspect", Value::from(f64::from(format.size_du().aspect()))),
            ("density", Value::from(density(format))),
            ("chrome", Value::from(chrome)),
            ("room", shares(room, format.size_du())),
            ("cued", Value::from(matches!(format.density, Density::Poster | Density::Banner))),
            ("field", Value::from(page.background.name())),
            ("contrast", Value::from(contrast)),
            ("banded", Value::from(theme.band && !contrast && chrome && header.has("band"))),
            ("slide", self.slide()),
            ("numeral", self.numerals()),
            // A picture takes the place of an ornament, whether or not the page has one.
            (
                "art",
                match (&page.art, &page.picture) {
                    (Some(art), _) => Value::from(art.recipe.name()),
                    (None, Some(_)) => Value::from("picture"),
                    (None, None) => Value::from(()),
                },
            ),
            ("share", share.map_or(Value::from(()), |s| Value::from(f64::from(s)))),
            ("picture", page.picture.as_deref().map_or(Value::from(()), |p| picture_attribute(p).into())),
            ("motif", page.motif.map_or(Value::from(()), |icon| Value::from(icon.name()))),
            ("photo", Value::from(page.photo.is_some())),
            ("photo_whole", Value::from(page.photo.as_ref().is_some_and(|p| p.crop == Crop::Whole))),
            ("photo_aspect", page.photo.as_ref().map_or(Value::from(()), |p| Value::from(aspect(p)))),
            ("logo", if logo { Value::from(page.adjust.logo.place.name()) } else { Value::from(()) }),
            ("highlight", page.adjust.highlight.map_or(Value::from(()), |n| Value::from(u32::from(n)))),
            ("stand", page.adjust.stand.map_or(Value::from(()), |s| Value::from(justify(s)))),
            ("dim", Value::from(u32::from(page.adjust.dim))),
            ("vertical", Value::from(page.writing == Writing::Vertical)),
            ("rtl", Value::from(frame.rtl)),
            ("language", Value::from(page.locale.language.primary().to_owned())),
            ("seed", Value::from(page.seed >> 1)),
            ("variant", Value::from(page.variant())),
            (
                "capitals",
                page.text(SlotId::Title).map_or(Value::from(()), |t| Value::from(escaped(&capitals(t, self)))),
            ),
        ]
    }

    /// Returns the page's position in its carousel, with the counter as its foot shows it.
    fn slide(&self) -> Value {
        let Some(slide) = self.page.slide.filter(|s| s.count > 1 && !self.page.adjust.unnumbered) else {
            return Value::from(());
        };
        let (n, language) = (slide.index + 1, &self.page.locale.language);
        let cue = if n == 1 { super::cue::swipe(language) } else { super::cue::save(language) };
        Value::from_pairs([
            ("n", Value::from(n)),
            ("count", Value::from(slide.count)),
            ("first", Value::from(n == 1)),
            ("last", Value::from(n == slide.count)),
            ("counter", Value::from(counter(slide, &self.page.locale, self.page.writing))),
            ("cue", cue.map_or(Value::from(()), Value::from)),
        ])
    }

    /// Returns the numerals of items in the notation of the style and the language, from 1.
    fn numerals(&self) -> Value {
        let language = &self.page.locale.language;
        let item = |n: u32| {
            let own = numerals(n, language);
            let roman = self.theme.numerals == Numerals::Roman && own.is_ascii();
            if roman { roman_numerals(n) } else { own }
        };
        // The slot holds the numeral in the language's digits.
        let whole = |text: &str| text.chars().try_fold(0_u32, |n, c| n.checked_mul(10)?.checked_add(digit(c)?));
        let from = self.page.text(SlotId::Number).and_then(whole).filter(|n| *n > 0).unwrap_or(1);
        Value::from_iter((from..from + ITEMS as u32).map(item))
    }

    fn items(&self) -> Vec<(&'static str, Value)> {
        let page = self.page;
        let count = page.item_count().min(ITEMS);
        let labels: Option<Vec<&str>> = (0..count).map(|n| page.text(SlotId::ItemLabel(n as u8))).collect();
        let times = labels.filter(|l| l.len() >= 2).and_then(|l| durations(&l));
        let whole: f64 = times.iter().flatten().sum();
        let time = |n: usize| times.as_ref().and_then(|t| t.get(n)).filter(|_| whole > 0.0).map(|t| t / whole);
        let items: Vec<Value> = (0..count).map(|n| self.item(n as u8, time(n))).collect();
        let groups = (0..=u8::MAX).map_while(|n| {
            page.slots.iter().find(|s| s.id == SlotId::Group(n)).map(|slot| slot_value(slot, &page.locale.language))
        });
        let longest = |of: fn(u8) -> SlotId| {
            let lengths = (0..count).filter_map(|n| page.text(of(n as u8)).map(|t| t.chars().count()));
            Value::from(lengths.max().unwrap_or(0))
        };
        let all = |of: fn(u8) -> SlotId| Value::from(count > 0 && (0..count).all(|n| page.text(of(n as u8)).is_some()));
        let pictured = page.items.iter().take(count).filter(|item| has_icon(item)).count();
        vec![
            ("groups", Value::from_iter(groups)),
            ("longest_head", longest(SlotId::ItemHead)),
            ("longest_body", longest(SlotId::ItemBody)),
            ("longest_label", longest(SlotId::ItemLabel)),
            ("all_bodies", all(SlotId::ItemBody)),
            ("all_labels", all(SlotId::ItemLabel)),
            ("timed", Value::from(times.is_some())),
            ("ordered", Value::from(in_order((0..count).filter_map(|n| page.text(SlotId::ItemHead(n as u8)))))),
            ("mentioned", self.mentioned(SlotId::ItemHead, count)),
            ("mentioned_group", self.mentioned(SlotId::Group, usize::from(u8::MAX))),
            ("all_icons", Value::from(count > 0 && pictured == count)),
            ("items", Value::from(items)),
        ]
    }

    /// Returns the first of `count` slots whose words the title mentions; none if it mentions none.
    fn mentioned(&self, slot: impl Fn(u8) -> SlotId, count: usize) -> Value {
        let Some(title) = self.page.text(SlotId::Title).map(str::to_lowercase) else { return Value::from(()) };
        // Words with the same leading letters are forms of one word, if they are long enough.
        let stem = |word: &str| -> Option<String> {
            let stem: String = word.chars().take(STEM).collect();
            (stem.chars().count() == STEM).then_some(stem)
        };
        let said: Vec<String> = title.split(|c: char| !c.is_alphanumeric()).filter_map(stem).collect();
        let named = |n: &u8| {
            let Some(words) = self.page.text(slot(*n)).map(str::to_lowercase) else { return false };
            let mut stems = words.split(|c: char| !c.is_alphanumeric()).filter_map(stem).peekable();
            let whole = words.chars().count() > 2 && title.contains(&words);
            whole || stems.peek().is_some() && stems.all(|stem| said.contains(&stem))
        };
        (0..count.min(255) as u8).find(named).map_or(Value::from(()), |n| Value::from(u32::from(n)))
    }

    /// Returns an item; `time` is its share of the total time.
    fn item(&self, n: u8, time: Option<f64>) -> Value {
        let page = self.page;
        let own = &page.locale.language;
        let word =
            |id: SlotId| page.slots.iter().find(|s| s.id == id).map_or(Value::from(()), |slot| slot_value(slot, own));
        let data = page.items.get(usize::from(n)).cloned().unwrap_or_default();
        let cells = (0..=u8::MAX)
            .map_while(|c| page.slots.iter().find(|s| s.id == SlotId::Cell(n, c)).map(|slot| slot_value(slot, own)));
        Value::from_pairs([
            ("id", Value::from(format!("item.{n}"))),
            ("n", Value::from(u32::from(n))),
            ("head", word(SlotId::ItemHead(n))),
            ("body", word(SlotId::ItemBody(n))),
            ("label", word(SlotId::ItemLabel(n))),
            ("cells", Value::from_iter(cells)),
            ("group", Value::from(u32::from(data.group))),
            ("numbers", Value::from_iter(data.numbers.iter().copied())),
            ("done", Value::from(data.done)),
            ("icon", data.icon.map_or(Value::from(()), |icon: Icon| Value::from(icon.name()))),
            ("lit", Value::from(page.adjust.highlight == Some(n))),
            ("time", time.map_or(Value::from(()), Value::from)),
            ("day", page.text(SlotId::ItemHead(n)).map_or(Value::from(()), |text| day(text, &page.locale.language))),
        ])
    }

    /// Returns the tokens of the style that affect templates.
    fn style(&self) -> Value {
        let theme = self.theme;
        let flourish = match theme.flourish {
            Flourish::None => "none",
            Flourish::Italic(..) => "italic",
            Flourish::Squiggle => "squiggle",
            Flourish::Block => "block",
        };
        Value::from_pairs([
            (
                "numerals",
                Value::from(named(theme.numerals, &[Numerals::Plain, Numerals::Accent], ["plain", "accent"], "roman")),
            ),
            ("flourish", Value::from(flourish)),
            ("framed", Value::from(theme.frame.is_some())),
            ("signs_low", Value::from(theme.signs_low)),
            ("duotone", Value::from(theme.duotone)),
            ("band", Value::from(theme.band)),
            ("cards", Value::from(theme.card.is_some())),
            ("outlined", Value::from(theme.card.is_some_and(|c: Card| c.stroke > 0.0))),
            ("tilt", Value::from(f64::from(theme.card.map_or(0.0, |c| c.tilt)))),
            ("cut", Value::from(named(theme.cut, &[Cut::Straight, Cut::Wave], ["straight", "wave"], "rule"))),
            ("fields", Value::from(named(theme.fields, &[Fields::One, Fields::Lower], ["one", "lower"], "upper"))),
            ("flats", Value::from(theme.tiles == Tiles::Flats)),
            (
                "nodes",
                Value::from(named(
                    theme.nodes,
                    &[Nodes::Ring, Nodes::Lit, Nodes::Solid],
                    ["ring", "lit", "solid"],
                    "outlined",
                )),
            ),
            ("manner", Value::from(theme.manner.name())),
            ("rounded", Value::from(theme.radius > 0.0)),
        ])
    }
}

/// Returns the name of a token's value, by its position in `values`; `rest` if it isn't among them.
fn named<T: PartialEq, const N: usize>(
    value: T,
    values: &[T; N],
    names: [&'static str; N],
    rest: &'static str,
) -> &'static str {
    values.iter().position(|v| *v == value).and_then(|at| names.get(at).copied()).unwrap_or(rest)
}

fn has_icon(item: &ItemData) -> bool {
    item.icon.is_some()
}

/// Returns a rectangle as shares of the canvas.
fn shares(rect: Rect, canvas: Size) -> Value {
    let share = |n: f32, of: f32| Value::from(f64::from(n / of));
    Value::from_pairs([
        ("left", share(rect.x0, canvas.w)),
        ("top", share(rect.y0, canvas.h)),
        ("width", share(rect.w(), canvas.w)),
        ("height", share(rect.h(), canvas.h)),
    ])
}

fn density(format: &Format) -> &'static str {
    match format.density {
        Density::Banner => "banner",
        Density::Poster => "poster",
        Density::Slide => "slide",
        Density::Document => "document",
    }
}

fn justify(stand: Stand) -> &'static str {
    match stand {
        Stand::Top => "start",
        Stand::Middle => "center",
        Stand::Bottom => "end",
    }
}

/// Returns width over height of a photograph, clamped to what elements support.
fn aspect(photo: &Photo) -> f64 {
    (f64::from(photo.width) / f64::from(photo.height.max(1))).clamp(0.1, 10.0)
}

/// Returns a text in capitals, by the rules of its language.
fn capitals(text: &str, around: &Surroundings<'_>) -> String {
    let dotted = matches!(around.page.locale.language.primary(), "tr" | "az");
    let upper = |c: char| if dotted && c == 'i' { vec!['İ'] } else { c.to_uppercase().collect() };
    text.chars().flat_map(upper).collect()
}

/// Returns a slot's words: `id`, `text` (content of an element, with marks), `opened` (the same, with the clause of its
/// claim in `strong`), `clauses` (the same, split into that clause and the words around it), `plain` (for an
/// attribute), `chars` and `words` (counts).
fn slot_value(slot: &Slot, language: &Language) -> Value {
    // What the source or an edit emphasises takes precedence over the claim.
    let claim = claim(&slot.text, language).filter(|_| slot.emphasis.is_empty());
    Value::from_pairs([
        ("id", Value::from(slot.id.to_string())),
        ("text", Value::from(marked(slot))),
        ("opened", Value::from(opened(slot, claim.clone()))),
        ("clauses", pieces::clauses(slot, claim, language)),
        ("plain", Value::from(escaped(&marked(slot).replace("<br/>", " ")).replace("&amp;", "&"))),
        ("chars", Value::from(slot.text.chars().count())),
        ("words", Value::from(slot.text.split_whitespace().count())),
    ])
}

/// Returns a slot's words with `strong` around the clause of its claim, unless that is most of them.
fn opened(slot: &Slot, claim: Option<Range<usize>>) -> String {
    let text = slot.text.as_str();
    let short = |at: &Range<usize>| at.len() as f32 <= STRONG * text.len() as f32;
    let strong = claim.filter(short);
    let part = |range: Range<usize>| marked_in(slot, range);
    strong.map_or_else(
        || marked(slot),
        |at| format!("{}<strong>{}</strong>{}", part(0..at.start), part(at.clone()), part(at.end..text.len())),
    )
}

/// Returns the attribute of a `picture` element for a picture: names are ASCII, anything else is an emoji.
pub fn picture_attribute(picture: &str) -> String {
    format!("{}=\"{picture}\"", if picture.is_ascii() { "name" } else { "emoji" })
}

/// Returns a slot's words with `em` around what the source or an edit emphasises.
fn marked(slot: &Slot) -> String {
    marked_in(slot, 0..slot.text.len())
}

/// Returns a part of a slot's words, marked in the same way.
fn marked_in(slot: &Slot, part: Range<usize>) -> String {
    let mut out = String::with_capacity(part.len() + 16);
    let mut at = part.start;
    for range in &slot.emphasis {
        let (start, end) = ((range.start as usize).max(part.start), (range.end as usize).min(part.end));
        if start >= end {
            continue;
        }
        let (Some(before), Some(inside)) = (slot.text.get(at..start), slot.text.get(start..end)) else { continue };
        out.push_str(&escaped(before));
        out.push_str("<em>");
        out.push_str(&escaped(inside));
        out.push_str("</em>");
        at = end;
    }
    out.push_str(&escaped(slot.text.get(at..part.end).unwrap_or_default()));
    out.replace('\n', "<br/>")
}

/// Returns the parts of a date, `before` and `after` its `day`, if a separate number names the day of the month; else
/// none.
fn day(text: &str, language: &Language) -> Value {
    let Some(day) = day_of(text, language) else { return Value::from(()) };
    let part = |range: Range<usize>| {
        let is_mark = |c: char| c.is_whitespace() || matches!(c, ',' | '.');
        Value::from(escaped(text.get(range).unwrap_or_default().trim_matches(is_mark)))
    };
    Value::from_pairs([
        ("before", part(0..day.start)),
        ("day", part(day.clone())),
        ("after", part(day.end..text.len())),
    ])
}

/// Breaks words into `n` lines (fewer if there are fewer words), with the longest line as short as possible. Emphasis
/// that spans a line break is marked on both lines.
fn balanced(text: &str, n: usize) -> Vec<String> {
    // A number stays with its unit.
    let breaks = |c: char| c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{202f}');
    let words: Vec<&str> = text.split(breaks).filter(|word| !word.is_empty()).collect();
    let n = n.clamp(1, words.len().max(1));
    let length = |from: usize, to: usize| words[from..to].iter().map(|w| unmarked(w) + 1).sum::<usize>();
    // best[k][i]: the longest line when the first i words take k lines, and where the last of these lines begins.
    let mut best = vec![vec![(usize::MAX, 0); words.len() + 1]; n + 1];
    best[0][0] = (0, 0);
    for k in 1..=n {
        for i in k..=words.len() {
            for j in k - 1..i {
                let longest = best[k - 1][j].0.max(length(j, i));
                if longest < best[k][i].0 {
                    best[k][i] = (longest, j);
                }
            }
        }
    }
    let (mut lines, mut end) = (Vec::with_capacity(n), words.len());
    for k in (1..=n).rev() {
        let from = best[k][end].1;
        lines.push(words[from..end].join(" "));
        end = from;
    }
    lines.reverse();
    let mut open = false;
    for line in &mut lines {
        let opened = if open { OPENS } else { "" };
        // An emphasis that is opened last isn't closed before the end of the line.
        open = match (line.rfind(OPENS), line.rfind(CLOSES)) {
            (Some(opens), Some(closes)) => opens > closes,
            (opens, closes) => opens.is_some() || open && closes.is_none(),
        };
        *line = format!("{opened}{line}{}", if open { CLOSES } else { "" });
    }
    lines
}

/// The marks around emphasised words.
const OPENS: &str = "<em>";
const CLOSES: &str = "</em>";

/// Returns the number of characters of a word without marks.
fn unmarked(word: &str) -> usize {
    let marks = OPENS.len() * word.matches(OPENS).count() + CLOSES.len() * word.matches(CLOSES).count();
    word.chars().count() - marks
}

/// Registers the functions of templates in addition to those of minijinja.
pub(super) fn functions(environment: &mut Environment<'static>) {
    // Picks one of n, by the page's seed and the purpose.
    environment.add_function("dealt", |seed: u64, n: u64, what: u64| -> Result<u64, Error> {
        if n == 0 { Err(refused("dealt: there must be something to deal")) } else { Ok(drawn(seed << 1, what) % n) }
    });
    environment.add_function("lines", |text: &str, n: usize| balanced(text, n));
    environment.add_function("initials", |name: &str| initials(name));
    environment.add_function("min", |a: f64, b: f64| a.min(b));
    environment.add_function("max", |a: f64, b: f64| a.max(b));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_balanced() {
        assert_eq!(balanced("How to sleep better at night", 3), ["How to", "sleep better", "at night"]);
        assert_eq!(balanced("One", 4), ["One"]);
        assert_eq!(balanced("Save 40\u{a0}% now", 3), ["Save", "40\u{a0}%", "now"]);
        assert_eq!(balanced("", 2), [""]);
        assert_eq!(
            balanced("How to <em>sleep better</em> now", 3),
            ["How to", "<em>sleep</em>", "<em>better</em> now"]
        );
    }

    #[test]
    fn words_stand_as_text_with_their_emphasis() {
        let slot = Slot {
            id: SlotId::Title,
            text: "Cats & <dogs>".to_owned(),
            span: None,
            emphasis: std::iter::once(0..4).collect(),
        };
        assert_eq!(marked(&slot), "<em>Cats</em> &amp; &lt;dogs&gt;");
    }
}
