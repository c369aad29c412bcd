//! Emoji drawings in the colours and the manner of a page: `<picture emoji="🚲"/>`.
//!
//! The drawings are flat layers of one colour each. Hues become roles of the palette by their area in the drawing: the
//! largest is the accent, the next ones are colours of data. Layers that are lighter or darker than the main layer of
//! their hue keep that difference. Greys stay greys, unless the drawing consists of little else: then they take the
//! accent, so that a black object is visible on a dark page.

use std::fmt::Write as _;

use kurbo::{Affine, Shape as _};

use crate::design::Manner;
use crate::scene::color::Oklch;
use crate::text::emoji::Emoji;

/// Layers with less chroma are greys.
const GREY: f32 = 0.045;
/// Share of coloured layers in a drawing below which its greys take the accent.
const COLOURED: f64 = 0.15;
/// Degrees between hues of one family.
const FAMILY: f32 = 42.0;
/// Roles of the families, largest first.
const ROLES: [&str; 4] = ["accent", "data2", "data3", "data4"];
/// Layers with a smaller area of the unit square have no outline.
const OUTLINED: f64 = 0.012;
/// Decimals of coordinates in a square of 100.
const DECIMALS: usize = 2;

/// A layer of a drawing.
struct Part {
    path: String,
    /// Share of the unit square.
    area: f64,
    colour: Oklch,
    opacity: f32,
}

/// A hue with all nearby hues.
struct Family {
    hue: f32,
    /// Lightness of its largest layer.
    lightness: f32,
    area: f64,
}

/// Returns the drawing as an `svg` in the page language; `None` if the text is no emoji.
pub(super) fn drawn(text: &str, manner: Manner) -> Option<String> {
    let (id, _) = Emoji::longest(text.trim()).filter(|(_, length)| *length == text.trim().len())?;
    let parts: Vec<Part> = Emoji::picture(id).layers.into_iter().filter_map(part).collect();
    let families = families(&parts);
    let mut svg = String::from("<svg viewBox=\"0 0 100 100\">");
    for part in &parts {
        let paint = match manner {
            Manner::Line => wash(&part.colour, &families),
            Manner::Flat | Manner::Outlined | Manner::Isometric => paint(&part.colour, &families),
        };
        let _ = write!(svg, "<path d=\"{}\" fill=\"{paint}\"", part.path);
        if part.opacity < 1.0 {
            let _ = write!(svg, " fill-opacity=\"{:.2}\"", part.opacity);
        }
        if part.area >= OUTLINED {
            svg.push_str(pen(manner));
        }
        svg.push_str("/>");
    }
    svg.push_str("</svg>");
    Some(svg)
}

fn part(layer: crate::text::emoji::Layer) -> Option<Part> {
    let crate::scene::Paint::Solid(colour) = layer.paint else { return None };
    let area = layer.path.area().abs();
    let mut path = String::new();
    for element in (Affine::scale(100.0) * &*layer.path).elements() {
        let mut point = |letter: char, points: &[kurbo::Point]| {
            path.push(letter);
            for p in points {
                let _ = write!(path, "{:.DECIMALS$} {:.DECIMALS$} ", p.x, p.y);
            }
        };
        match *element {
            kurbo::PathEl::MoveTo(p) => point('M', &[p]),
            kurbo::PathEl::LineTo(p) => point('L', &[p]),
            kurbo::PathEl::QuadTo(a, p) => point('Q', &[a, p]),
            kurbo::PathEl::CurveTo(a, b, p) => point('C', &[a, b, p]),
            kurbo::PathEl::ClosePath => path.push('Z'),
        }
    }
    Some(Part { path, area, colour: colour.to_oklch(), opacity: colour.a })
}

/// Returns the hues of a drawing, largest first.
fn families(parts: &[Part]) -> Vec<Family> {
    let mut coloured: Vec<&Part> = parts.iter().filter(|p| p.colour.c >= GREY).collect();
    coloured.sort_by(|a, b| b.area.total_cmp(&a.area));
    let area = |parts: &mut dyn Iterator<Item = &Part>| parts.map(|part| part.area).sum::<f64>();
    if area(&mut coloured.iter().copied()) < COLOURED * area(&mut parts.iter()) {
        let greys = parts.iter().filter(|p| p.colour.c < GREY);
        let largest = greys.max_by(|a, b| a.area.total_cmp(&b.area));
        return largest.map(|p| Family { hue: f32::NAN, lightness: p.colour.l, area: p.area }).into_iter().collect();
    }
    let mut families: Vec<Family> = Vec::new();
    for Part { area, colour, .. } in coloured {
        match families.iter_mut().find(|family| apart(family.hue, colour.h) <= FAMILY) {
            Some(family) => family.area += area,
            None => families.push(Family { hue: colour.h, lightness: colour.l, area: *area }),
        }
    }
    families.sort_by(|a, b| b.area.total_cmp(&a.area));
    families
}

/// Returns the degrees between two hues.
fn apart(a: f32, b: f32) -> f32 {
    let between = (a - b).rem_euclid(360.0);
    between.min(360.0 - between)
}

/// Returns the role of a colour's hue, and how much lighter the colour is than that role's main layer; `None` for
/// greys.
fn role(colour: &Oklch, families: &[Family]) -> Option<(&'static str, f32)> {
    // In a drawing without hues, all layers are one family.
    if let [Family { hue, lightness, .. }] = families
        && hue.is_nan()
    {
        return Some((ROLES[0], colour.l - lightness));
    }
    if colour.c < GREY {
        return None;
    }
    let (at, family) = families.iter().enumerate().find(|(_, family)| apart(family.hue, colour.h) <= FAMILY)?;
    Some((ROLES[at.min(ROLES.len() - 1)], colour.l - family.lightness))
}

/// Returns the palette's colour that replaces a drawing's own.
fn paint(colour: &Oklch, families: &[Family]) -> String {
    match role(colour, families) {
        Some((role, by)) if by > 0.015 => mixed(role, "white", (by * 190.0).min(82.0)),
        Some((role, by)) if by < -0.015 => mixed(role, "black", (-by * 170.0).min(66.0)),
        Some((role, _)) => role.to_owned(),
        None => mixed("light", "dark", ((1.0_f32 - colour.l) * 118.0).clamp(0.0, 86.0)),
    }
}

/// Returns the fill in a line drawing: paper, or a tone of the accent where the drawing is dark or coloured.
fn wash(colour: &Oklch, families: &[Family]) -> String {
    match role(colour, families) {
        Some(("accent", by)) if by > -0.12 => mixed("bg", "accent", (26.0 - by * 60.0).clamp(8.0, 34.0)),
        Some((role, _)) => mixed("bg", role, 46.0),
        None => mixed("bg", "ink", ((0.92_f32 - colour.l) * 52.0).clamp(0.0, 40.0)),
    }
}

fn mixed(from: &str, to: &str, percent: f32) -> String {
    format!("color-mix(in oklab, {from}, {to} {percent:.0}%)")
}

/// Returns the outline of a layer in a manner.
fn pen(manner: Manner) -> &'static str {
    match manner {
        Manner::Outlined => " stroke=\"ink\" stroke-width=\"1.6\" stroke-linejoin=\"round\"",
        Manner::Line => " stroke=\"ink\" stroke-width=\"0.7\" stroke-linejoin=\"round\"",
        Manner::Flat | Manner::Isometric => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icon::Icon;

    #[test]
    fn the_emoji_of_every_concept_is_drawn_in_every_manner() {
        let all: Vec<&str> = Icon::all().filter_map(Icon::emoji).collect();
        assert!(all.len() > 300, "{}", all.len());
        for text in all {
            for manner in Manner::ALL {
                let svg = drawn(text, manner).unwrap_or_else(|| panic!("{text} is no emoji"));
                assert!(super::super::read(&svg).is_ok(), "{text} {manner:?}: {:?}", super::super::read(&svg));
            }
        }
        assert_eq!(drawn("key", Manner::Flat), None);
        assert_eq!(drawn("🔑🔑", Manner::Flat), None);
    }

    #[test]
    fn the_largest_hue_is_the_accent_and_greys_stay_greys() {
        let hue = |h: f32, l: f32, area: f64| Part {
            path: String::new(),
            area,
            colour: Oklch { l, c: 0.15, h },
            opacity: 1.0,
        };
        let parts = [hue(30.0, 0.6, 0.1), hue(250.0, 0.5, 0.4), hue(40.0, 0.7, 0.1)];
        let families = families(&parts);
        assert_eq!(paint(&parts[1].colour, &families), "accent");
        assert_eq!(paint(&parts[0].colour, &families), "data2");
        assert!(paint(&parts[2].colour, &families).starts_with("color-mix(in oklab, data2, white"));
        let grey = Oklch { l: 0.5, c: 0.01, h: 90.0 };
        assert!(paint(&grey, &families).starts_with("color-mix(in oklab, light, dark"));
    }

    #[test]
    fn a_drawing_without_hues_is_of_the_accent() {
        let part = |l: f32, area: f64| {
            let colour = Oklch { l, c: 0.01, h: 0.0 };
            Part { path: String::new(), area, colour, opacity: 1.0 }
        };
        let families = families(&[part(0.2, 0.5), part(0.4, 0.1)]);
        assert_eq!(paint(&Oklch { l: 0.2, c: 0.01, h: 0.0 }, &families), "accent");
        assert!(paint(&Oklch { l: 0.4, c: 0.01, h: 0.0 }, &families).starts_with("color-mix(in oklab, accent, white"));
    }
}
