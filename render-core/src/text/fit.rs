//! Fitting: finds the largest size at which a paragraph fits in a box.

use std::cell::RefCell;
use std::collections::HashMap;

use super::layout::Prepared;
use super::{Align, FaceId, Fonts, Laid, Locale, Paragraph};
use crate::scene::Size;

/// Sizes are tried in steps of this many du, starting at the smallest.
const STEP: f32 = 0.5;

/// A paragraph at the largest size that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The paragraph at `size`.
    pub laid: Laid,
    /// The size in du.
    pub size: f32,
    /// Whether the paragraph fits in the box. If it doesn't even at the smallest size, it has that size.
    pub fits: bool,
}

/// Lays `p` out at the largest size from `min` to `max` (du, in steps of 0.5, and `max` itself) at which it fits in
/// `bounds`: no word is split, there are at most `max_lines` lines, and the deepest descender of the text, below the
/// last baseline, stays inside the box. If a word is too wide even at `min`, a paragraph at `min` with the word
/// hyphenated counts as fitting. Accents on the first line may extend above the box; see [`Laid`]. Ignores the style's
/// own size. Deterministic.
pub fn fit(fonts: &Fonts, p: &Paragraph<'_>, bounds: Size, min: f32, max: f32, max_lines: usize) -> Fit {
    fit_prepared(fonts, p, &Prepared::new(fonts, p), bounds, (min, max, max_lines))
}

/// Shaped paragraphs, cached: a caller that fits the same text into several boxes shapes it once.
#[derive(Default)]
pub struct ShapedTexts(RefCell<HashMap<Key, Prepared>>);

/// All inputs of shaping and line breaking except spans.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    text: String,
    face: FaceId,
    tracking: u32,
    tabular: bool,
    case: bool,
    stylistic_set: u8,
    locale: Locale,
    align: Align,
    optical: bool,
}

impl ShapedTexts {
    /// Fits a paragraph like [`fit`].
    pub fn fit(&self, fonts: &Fonts, p: &Paragraph<'_>, bounds: Size, range: (f32, f32), max_lines: usize) -> Fit {
        if !p.spans.is_empty() {
            return fit(fonts, p, bounds, range.0, range.1, max_lines);
        }
        let key = Key {
            text: p.text.to_owned(),
            face: p.style.face,
            tracking: p.style.tracking.to_bits(),
            tabular: p.style.tabular,
            case: p.style.case,
            stylistic_set: p.style.stylistic_set,
            locale: p.locale,
            align: p.align,
            optical: p.optical,
        };
        let mut known = self.0.borrow_mut();
        let prepared = known.entry(key).or_insert_with(|| Prepared::new(fonts, p));
        fit_prepared(fonts, p, prepared, bounds, (range.0, range.1, max_lines))
    }
}

fn fit_prepared(
    fonts: &Fonts,
    p: &Paragraph<'_>,
    prepared: &Prepared,
    bounds: Size,
    (min, max, max_lines): (f32, f32, usize),
) -> Fit {
    let depth = prepared.depth(fonts);
    let goes = |size: f32, hyphenated: bool| {
        let lines = prepared.breaker.fill(f64::from(bounds.w) / f64::from(size));
        let count = lines.ranges.len();
        let below = count.saturating_sub(1) as f32 * prepared.leading(&p.style, size);
        let whole = !lines.broken_word && (hyphenated || !lines.hyphenated);
        whole && count <= max_lines && (prepared.cap + below + depth) * size <= bounds.h || count == 0
    };
    // If no size keeps every word whole, the smallest size may hyphenate them.
    let found = largest(min, max, |size| goes(size, false)).or_else(|| goes(min, true).then_some(min));
    let size = found.unwrap_or(min);
    Fit { laid: prepared.set(fonts, p, size, bounds.w), size, fits: found.is_some() }
}

/// Returns the largest size from `min` to `max`, in steps of [`STEP`] from `min` on and `max` itself, that `fits`.
pub(super) fn largest(min: f32, max: f32, fits: impl Fn(f32) -> bool) -> Option<f32> {
    let max = max.max(min);
    // Step k has size min + k·STEP; the last one is max.
    let last = ((max - min) / STEP).ceil().clamp(0.0, 100_000.0) as u32;
    let size_of = |k: u32| (min + k as f32 * STEP).min(max);
    if fits(max) {
        return Some(max);
    }
    if !fits(min) {
        return None;
    }
    let (mut good, mut bad) = (0, last);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if fits(size_of(middle)) { good = middle } else { bad = middle }
    }
    // Glued words separate when they become too wide, so a larger size can fit again.
    while let Some(next) = (1..=4).map(|d| good + d).filter(|k| *k <= last).rev().find(|k| fits(size_of(*k))) {
        good = next;
    }
    Some(size_of(good))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::{Align, Family, Locale, TextStyle, layout};

    fn paragraph<'a>(fonts: &Fonts, text: &'a str) -> Paragraph<'a> {
        let face = fonts.face(Family::HankenGrotesk, 700);
        let style =
            TextStyle { face, size: 1.0, tracking: -0.03, leading: 1.0, tabular: false, case: false, stylistic_set: 0 };
        Paragraph {
            text,
            style,
            locale: Locale::default(),
            align: Align::Start,
            balance: true,
            optical: true,
            spans: &[],
        }
    }

    #[test]
    fn the_smallest_size_is_set_where_none_fits() {
        let fonts = Fonts::new();
        let p = paragraph(&fonts, "far too many words for so small a box as this one is");
        let fit = fit(&fonts, &p, Size::new(200.0, 60.0), 40.0, 90.0, 2);
        assert_eq!((fit.fits, fit.size, fit.laid.size), (false, 40.0, 40.0));
    }

    #[test]
    fn the_largest_size_is_taken_where_it_fits() {
        let fonts = Fonts::new();
        let fit = fit(&fonts, &paragraph(&fonts, "Short"), Size::new(900.0, 300.0), 40.0, 90.3, 1);
        assert_eq!((fit.fits, fit.size), (true, 90.3));
    }

    #[test]
    fn one_line_bounds_the_size_by_its_width() {
        let fonts = Fonts::new();
        let fit = fit(&fonts, &paragraph(&fonts, "Wide enough"), Size::new(700.0, 900.0), 20.0, 400.0, 1);
        assert!(fit.fits && fit.laid.lines.len() == 1);
        assert!(fit.laid.width <= 700.01 && fit.laid.width > 690.0, "{}", fit.laid.width);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn a_fit_is_maximal_and_keeps_to_its_box(
            words in proptest::collection::vec("[A-Za-zäÅgj0-9]{1,9}", 1..15),
            w in 200f32..1000.0,
            h in 80f32..900.0,
            max_lines in 1usize..7,
        ) {
            static FONTS: std::sync::OnceLock<Fonts> = std::sync::OnceLock::new();
            let fonts = FONTS.get_or_init(Fonts::new);
            let text = words.join(" ");
            let p = paragraph(fonts, &text);
            let fit = fit(fonts, &p, Size::new(w, h), 20.0, 200.0, max_lines);
            if fit.fits {
                let laid = &fit.laid;
                prop_assert!(laid.width <= w + 0.01 && laid.ink.y1 <= h + 0.01 && !laid.broken_word);
                prop_assert!(laid.lines.len() <= max_lines);
            }
            let size = if fit.fits { fit.size + 1.0 } else { 20.0 };
            if size <= 200.0 {
                let over = layout(fonts, &Paragraph { style: TextStyle { size, ..p.style }, ..p.clone() }, w);
                let depth = Prepared::new(fonts, &p).depth(fonts) * size;
                let fits = !over.broken_word && over.lines.len() <= max_lines && over.height + depth <= h;
                prop_assert!(!fits, "{} fits at {size}", text);
            }
        }
    }
}
