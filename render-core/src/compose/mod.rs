//! Page × theme × canvas → scene: resolved, absolute, no inheritance left.

mod bubble;
mod charts;
mod chrome;
mod column;
mod columns;
mod edited;
mod emblem;
mod emphasis;
mod figure;
mod fill;
mod flourish;
mod frame;
mod heading;
mod inks;
mod items;
mod pages;
mod picture;
mod rail;
mod setter;
mod sign;
mod sizes;
mod spec;
mod split;
mod stand;
mod tag;
mod templated;
mod tiles;

pub(crate) use pages::TABLE;
pub(crate) use stand::stands_free;

use crate::design::{Numerals, Page, SlotId, Theme, Writing};
use crate::scene::Scene;
use crate::text::{Fonts, ShapedTexts, kanji_numerals, numerals, roman_numerals};
use crate::warning::{Warning, WarningCode};

/// A scene and what happened on the way to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// The scene, in du.
    pub scene: Scene,
    /// What the reader should know: missing glyphs.
    pub warnings: Vec<Warning>,
    /// Whether every text keeps its range of sizes, its number of lines and its box.
    pub fits: bool,
}

/// Numerals of items and rows: a list that goes on from the slide before counts on.
const NUMERALS: u32 = 48;

/// Sets a page. The scene is in du and serves every resolution of the page's format.
pub fn compose(page: &Page, fonts: &Fonts) -> Composed {
    compose_with(page, fonts, &ShapedTexts::default())
}

/// As [`compose`], with the texts that were shaped for pages of the same fonts: candidates share their words.
pub(crate) fn compose_with(page: &Page, fonts: &Fonts, shaped: &ShapedTexts) -> Composed {
    if crate::template::find(page.archetype.name()).is_some() {
        return templated::compose(page, fonts);
    }
    let figure = |n: u32| numerals(n, &page.locale.language);
    let place = |n: u32| if page.writing == Writing::Vertical { kanji_numerals(n) } else { figure(n) };
    let counter = page.slide.map(|s| format!("{} / {}", place(s.index + 1), place(s.count))).unwrap_or_default();
    let item = |n: u32| if Theme::of(page.style).numerals == Numerals::Roman { roman(n, &figure) } else { figure(n) };
    let numerals: Vec<String> = (1..=NUMERALS).map(item).collect();
    let value = setter::Value::of(page);
    let capitals = capitals(page);
    let labels = charts::Labels::of(page);
    let mut setter = setter::Setter::new(page, (fonts, shaped), &counter, &numerals, &value, &capitals, &labels);
    let area = chrome::draw(&mut setter);
    let before = stand::Before::of(&setter);
    pages::set(&mut setter, area);
    stand::settle(&mut setter, area, before);
    let fits = !setter.misfit;
    let warnings = missing_glyphs(setter.missing.iter().copied());
    Composed { scene: setter.into_scene(), warnings, fits }
}

/// The title in capitals, as its language has them.
fn capitals(page: &Page) -> String {
    let title = page.text(SlotId::Title).unwrap_or_default();
    let dotted = matches!(page.locale.language.primary(), "tr" | "az");
    let upper = |c: char| if dotted && c == 'i' { vec!['İ'] } else { c.to_uppercase().collect() };
    title.chars().flat_map(upper).collect()
}

/// In Roman numerals where the language's own are ours.
fn roman(n: u32, figure: &impl Fn(u32) -> String) -> String {
    let own = figure(n);
    if own.is_ascii() { roman_numerals(n) } else { own }
}

fn missing_glyphs(chars: impl Iterator<Item = char>) -> Vec<Warning> {
    let names: Vec<String> = chars.map(|c| format!("{c} (U+{:04X})", c as u32)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let message = format!("No face has these characters; they were left out: {}.", names.join(", "));
    vec![Warning::new(WarningCode::MissingGlyphs, message)]
}
