//! cover-lockup: a few words in capitals, each line as wide as the page. A line gets the width of the face at which its
//! capitals come nearest to those of the others, and the size that fills the measure.

use super::super::chrome::arrow;
use super::super::frame::{Frame, Shape};
use super::super::setter::{Set, Setter, Spec};
use super::call;
use crate::design::{Field, SlotId, Voice, drawn};
use crate::scene::{Color, Item, Point, Rect, Role, Size, TextLevel};
use crate::text::{Family, TextSpan};

/// The face from its narrowest to its widest.
const WIDTHS: &[Family] = &[
    Family::ArchivoExtraCondensed,
    Family::ArchivoCondensed,
    Family::ArchivoSemiCondensed,
    Family::Archivo,
    Family::ArchivoSemiExpanded,
    Family::ArchivoExpanded,
];
/// Where it lacks the letters: one width, and lines that differ by their size alone.
const STAND_IN: &[Family] = &[Family::Unbounded];
const WEIGHT: u16 = 900;
/// The size at which lines are measured.
const PROBE: f32 = 100.0;
/// Words and lines at the most.
const WORDS: usize = 8;
const LINES: usize = 5;
/// Lines of which a seed likes so many, up to two more; and what others cost beside how uneven they are.
const LEAST: usize = 3;
const TURN: f32 = 0.03;
/// Between lines, as a share of the capitals' height; above and below the words of the block that stands reversed.
const GAP: f32 = 0.155;
const PAD: f32 = 0.18;
/// Room added between words, in em.
const WORD_SPACE: f32 = 0.05;

pub(super) fn set(setter: &mut Setter<'_>, area: Rect) {
    let (frame, k) = (setter.frame, setter.frame.k);
    let shape = Frame::shape_of(&area);
    let beside = matches!(shape, Shape::Wide | Shape::Strip);
    let width = if beside && setter.text(SlotId::Body).is_some() { 0.66 * area.w() } else { area.w() };
    let foot = if beside { area.x1 - area.x0 - width - 72.0 * k } else { 0.72 * area.w() };
    let under = Under::of(setter, if beside { foot } else { area.w() }, !beside);
    let below = if beside { 0.0 } else { under.height + 64.0 * k };
    let Some(lockup) = Lockup::fit(setter, width, area.h() - below) else {
        setter.misfit = true;
        return;
    };
    let free = (area.h() - below - lockup.height).max(0.0);
    let y = area.y0 + if beside { 0.5 * free } else { (0.36 * free).min(0.14 * frame.size.h) };
    let palette = &setter.page.palette;
    let block = if setter.page.field == Field::Close { palette.accent } else { palette.ink };
    let inks = (palette.ink, block, if block == palette.ink { palette.bg } else { palette.on_accent });
    lockup.place(setter, area.x0, y, width, inks);
    if beside {
        let bottom = y + lockup.height;
        under.place(setter, Rect::new(area.x0 + width + 72.0 * k, bottom - under.height, area.x1, bottom));
    } else {
        let top = y + lockup.height + 64.0 * k;
        under.place(setter, Rect::new(area.x0, top, area.x1, top + under.height));
    }
}

/// A line of the lockup: its words' bytes, and the face that sets them.
#[derive(Debug, Clone, Copy)]
struct Line<'a> {
    words: &'a str,
    family: Family,
    size: f32,
    cap: f32,
}

struct Lockup<'a> {
    lines: Vec<Line<'a>>,
    /// Which line stands reversed on a block.
    reversed: Option<usize>,
    /// Between lines.
    gap: f32,
    pad: f32,
    height: f32,
}

impl<'a> Lockup<'a> {
    /// The words in the lines whose capitals are most alike and fill `height` best; `None` where there are too many, or a
    /// face lacks them.
    fn fit(setter: &Setter<'a>, width: f32, height: f32) -> Option<Self> {
        let words: Vec<&'a str> = setter.capitals.split_whitespace().collect();
        if words.is_empty() || words.len() > WORDS {
            return None;
        }
        let covers = |widths: &&[Family]| widths.iter().all(|f| setter.fonts.covers_text(*f, setter.capitals));
        let widths = [WIDTHS, STAND_IN].into_iter().find(covers)?;
        let mut best: Option<(f32, Self)> = None;
        let likes = (drawn(setter.page.seed, 10) % 3) as usize;
        // Each bit parts two words.
        for parts in 0_u32..1 << (words.len() - 1) {
            let count = parts.count_ones() as usize + 1;
            if count > LINES {
                continue;
            }
            let Some(tried) = Self::of(setter, &words, parts, Size::new(width, height), widths) else { continue };
            let mean = tried.lines.iter().map(|l| l.cap).sum::<f32>() / count as f32;
            let uneven: f32 =
                tried.lines.iter().map(|l| (l.cap / mean - 1.0) * (l.cap / mean - 1.0)).sum::<f32>() / count as f32;
            let short = (1.0 - tried.height / height).max(0.0);
            let turn = if count == LEAST + likes { 0.0 } else { TURN };
            let cost = uneven + 0.5 * short * short + turn;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, tried));
            }
        }
        best.map(|(_, lockup)| lockup)
    }

    fn of(setter: &Setter<'a>, words: &[&'a str], parts: u32, room: Size, widths: &[Family]) -> Option<Self> {
        let Size { w: width, h: height } = room;
        let mut lines: Vec<&'a str> = Vec::new();
        let mut from = 0;
        for i in 0..words.len() {
            if i + 1 == words.len() || parts >> i & 1 == 1 {
                lines.push(between(setter.capitals, words[from], words[i]));
                from = i + 1;
            }
        }
        let count = lines.len();
        // One line stands reversed: of those between the first and the last the one that says most; by chance the last.
        let letters = |i: &usize| lines[*i].chars().filter(|c| c.is_alphabetic()).count();
        let last = drawn(setter.page.seed, 9).is_multiple_of(3) && count > 2;
        let reversed = if last { Some(count - 1) } else { (1..count.saturating_sub(1)).rev().max_by_key(letters) };
        let high = height / (count as f32 * (1.0 + GAP) - GAP + if reversed.is_some() { 2.0 * PAD } else { 0.0 });
        let set: Vec<Line<'a>> = lines
            .into_iter()
            .enumerate()
            .map(|(i, words)| {
                let inset = if reversed == Some(i) { 2.0 * PAD * high } else { 0.0 };
                let fits = widths.iter().map(|&family| {
                    let probe = setter.set(spec(setter, words, family, PROBE), f32::INFINITY);
                    let size = PROBE * (width - inset) / probe.laid.ink.w().max(1.0);
                    Line { words, family, size, cap: probe.height() * size / PROBE }
                });
                fits.min_by(|a, b| off(a.cap, high).total_cmp(&off(b.cap, high)))
            })
            .collect::<Option<_>>()?;
        let mean = set.iter().map(|l| l.cap).sum::<f32>() / count as f32;
        let (gap, pad) = (GAP * mean, PAD * high);
        let blocks = if reversed.is_some() { 2.0 * pad } else { 0.0 };
        let total = set.iter().map(|l| l.cap).sum::<f32>() + gap * (count - 1) as f32 + blocks;
        let lowest = set.iter().map(|l| l.size).fold(f32::INFINITY, f32::min);
        (total <= height && lowest >= 1.6 * setter.frame.lead).then_some(Self {
            lines: set,
            reversed,
            gap,
            pad,
            height: total,
        })
    }

    fn place(
        &self,
        setter: &mut Setter<'a>,
        x: f32,
        y: f32,
        width: f32,
        (ink, block, on_block): (Color, Color, Color),
    ) {
        let mut top = y;
        for (i, line) in self.lines.iter().enumerate() {
            let reversed = self.reversed == Some(i);
            let pad = if reversed { self.pad } else { 0.0 };
            let color = if reversed { on_block } else { ink };
            let set = setter.set(Spec { color, ..spec(setter, line.words, line.family, line.size) }, 1.2 * width);
            if reversed {
                setter.mark(Item::rect(Rect::at(x, top, width, line.cap + 2.0 * pad), block, Role::Field));
            }
            // Ink stands at the edges, not advance boxes.
            setter.place(&set, x + pad - set.laid.ink.x0, top + pad);
            top += line.cap + 2.0 * pad + self.gap;
        }
    }
}

/// How far a height is from the one wanted, as a factor.
fn off(cap: f32, wanted: f32) -> f32 {
    (cap / wanted).max(wanted / cap)
}

fn spec<'a>(setter: &Setter<'a>, words: &'a str, family: Family, size: f32) -> Spec<'a> {
    let face = setter.fonts.face(family, WEIGHT);
    let spans = words.split_whitespace().map(|word| {
        let at = word.as_ptr() as usize - words.as_ptr() as usize;
        // Tracking this tight would close the spaces between words.
        let kern = if at > 0 { WORD_SPACE } else { 0.0 };
        TextSpan { face: Some(face), kern, ..TextSpan::tagged(at..at + word.len(), 0) }
    });
    let ink = setter.page.palette.ink;
    let spec = Spec::new(SlotId::Title, words, Voice::Display, TextLevel::Hero, ink, (size, size));
    spec.lines(1).spans(spans.collect())
}

/// The stretch of `text` from the word `first` to the word `last`, both parts of it.
fn between<'a>(text: &'a str, first: &'a str, last: &'a str) -> &'a str {
    let from = first.as_ptr() as usize - text.as_ptr() as usize;
    let to = last.as_ptr() as usize - text.as_ptr() as usize + last.len();
    &text[from..to]
}

/// What stands under the lockup: the dek, what to do, and an arrow on a block.
struct Under<'a> {
    texts: Vec<(f32, Set<'a>)>,
    arrow: f32,
    height: f32,
}

impl<'a> Under<'a> {
    fn of(setter: &Setter<'a>, width: f32, arrowed: bool) -> Self {
        let (frame, palette) = (setter.frame, &setter.page.palette);
        let side = if arrowed { 3.1 * frame.body } else { 0.0 };
        // A set has its arrow in the foot.
        let arrow = if setter.page.slide.is_some() || setter.text(SlotId::Body).is_none() { 0.0 } else { side };
        let room = if arrow > 0.0 { width - arrow - 2.0 * frame.body } else { width };
        let dek = setter.text(SlotId::Body).map(|text| {
            let range = (frame.body_floor, 1.16 * frame.body.max(0.9 * frame.lead));
            let spec = Spec::new(SlotId::Body, text, Voice::Body, TextLevel::Body, palette.ink, range).lines(5);
            setter.set(spec, room.min(22.0 * frame.body))
        });
        let call = call(setter).map(|spec| setter.set(spec, room));
        let mut texts = Vec::new();
        let mut y = 0.0;
        for set in dek.into_iter().chain(call) {
            let height = set.height();
            texts.push((y, set));
            y += height + 1.3 * frame.body;
        }
        let height = texts.last().map_or(0.0, |(at, set)| at + set.depth());
        Self { texts, arrow, height: height.max(arrow) }
    }

    fn place(&self, setter: &mut Setter<'a>, at: Rect) {
        for (dy, set) in &self.texts {
            setter.place(set, at.x0, at.y0 + dy);
        }
        if self.arrow > 0.0 {
            let (ink, ground) = (setter.page.palette.ink, setter.page.palette.bg);
            let block = Rect::at(at.x1 - self.arrow, at.y0, self.arrow, self.arrow);
            setter.mark(Item::rect(block, ink, Role::Mark));
            let center = Point::new(block.center().x, block.center().y);
            setter.mark(arrow(center, 0.5 * self.arrow, 0.06 * self.arrow, ground));
        }
    }
}
