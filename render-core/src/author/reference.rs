//! The information for an author beside the page language's reference: pictures, icons, and a set of pages as an
//! example.

use std::fmt::Write;

use crate::content::Language;
use crate::design::{Style, Theme};
use crate::format::Format;
use crate::icon::Icon;
use crate::leaf;
use crate::pictures::{self, Range};
use crate::sheet::Frame;
use crate::tree::{Space, Step};

/// A set of ten pages and its source.
pub const EXAMPLE: (&str, &str) =
    (include_str!("../../assets/pages/set/source.md"), include_str!("../../assets/pages/set/pages.xml"));

/// Returns the page language for a model's prompt: elements, pictures, icons. It is the same for every request, so that
/// endpoints can cache it.
pub fn reference() -> String {
    let mut out = leaf::reference();
    out.push_str("\n## Pictures by name\n\nParameters stand in brackets, with their ranges.\n\n");
    for entry in pictures::all() {
        let parameters: Vec<String> = entry
            .parameters
            .iter()
            .map(|p| match &p.range {
                Range::Whole { min, max, .. } => format!("{} {min}–{max} {}", p.name, p.about),
                Range::Words(words) => format!("{} {}", p.name, words.join("|")),
            })
            .collect();
        let brackets = if parameters.is_empty() { String::new() } else { format!(" ({})", parameters.join("; ")) };
        // Writing to a string can't fail.
        let _ = writeln!(out, "- {}: {}{brackets}", entry.name, entry.about);
    }
    let icons: Vec<&str> = Icon::all().map(Icon::name).collect();
    let _ = write!(out, "\n## Icons by name\n\n{}\n", icons.join(" "));
    out
}

/// Average width of a letter and of an ideograph, relative to the type size.
const LETTER: (f32, f32) = (0.5, 1.0);
/// Type sizes in the description of a page's room.
const TOLD: [(&str, Step); 9] = [
    ("xs", Step::Xs),
    ("sm", Step::Sm),
    ("md", Step::Md),
    ("lg", Step::Lg),
    ("xl", Step::Xl),
    ("2xl", Step::Xxl),
    ("3xl", Step::Xxxl),
    ("hero", Step::Hero),
    ("giant", Step::Giant),
];

/// Sizes of headlines, and the height of one of their lines, relative to the size.
const HEADLINES: [(&str, Step); 4] = [("xl", Step::Xl), ("2xl", Step::Xxl), ("3xl", Step::Xxxl), ("hero", Step::Hero)];
const HEAD_LINE: f32 = 1.06;
/// Height of a headline of two lines with the space under it, relative to its size.
const HEADED: f32 = 2.8;

/// Height of a lead of two lines with the space under it, relative to its size.
const LED: f32 = 3.2;
/// Height of a line of running text, relative to its size.
const TEXT_LINE: f32 = 1.35;
/// Height of a pill, relative to the size of its text.
const PILL: f32 = 2.0;
/// Height of a line of text, relative to its size.
const LINE: f32 = 1.15;
/// Height of a page's foot with the space above it, relative to its size.
const FOOTED: f32 = 2.6;
/// Width of a scene's viewBox from one edge of the page to the other, in units.
const SCENE: f32 = 360.0;

/// Describes the area of a page, the type sizes of a style, and the number of characters in a line over the full width
/// of a format.
pub fn room(format: &Format, style: Style, language: &Language) -> String {
    let frame = Frame::of(format, Theme::of(style), language.direction(), 100);
    let wide = matches!(language.primary(), "ja" | "zh" | "yue" | "ko");
    let letter = if wide { LETTER.1 } else { LETTER.0 };
    let each =
        TOLD.iter().map(|(name, step)| format!("{:.0} at {name}", frame.room.w() / (letter * frame.size(*step))));
    let sizes = TOLD.iter().map(|(name, step)| format!("{name} {:.0}", frame.size(*step)));
    let safe = format.safe_rect_du();
    let (unit, margin) = (safe.w() / SCENE, frame.room.x0 - safe.x0);
    let scene = |texts: f32| {
        let under = HEADED * frame.size(Step::Xxl) + texts + FOOTED * frame.size(Step::Sm);
        ((frame.room.h() - under) / unit / 10.0).floor().max(4.0) * 10.0
    };
    let gap = frame.space(Space::Step(6));
    let under = (3_u8..=6).map(|lines| {
        let texts = f32::from(lines) * TEXT_LINE * frame.size(Step::Md) + gap;
        format!("{:.0}", scene(texts))
    });
    let headlines =
        HEADLINES.iter().map(|(name, step)| format!("{:.0} at {name}", HEAD_LINE * frame.size(*step) / unit));
    format!(
        "Inside its margins the page is {:.0} × {:.0} du. Sizes of type in du: {}; a line is 1.1 to 1.4 of its size high. Over \
         the full width, a line holds about {} characters. A drawing under a headline of two lines has room of about {:.0} × \
         {:.0} du. The viewBox of a scene is \"0 0 360 N\", and N is {:.0} less what stands above it: a line of the headline \
         takes {}, a line of text at lg {:.0}, at md {:.0}, a pill {:.0}, and each part a gap of {:.0}. So N is {:.0} under a headline \
         of two lines at 2xl, and {:.0} where two lines of lead stand between. Of a picture with \
         texts under it, N is {} over three, four, five and six lines of text at md; with a pill above the headline, {:.0} less. The page's margins \
         are at x = {:.0} and {:.0} of it: words and the outer edges of cards stand there, flush with the headline. The page's edges are at x = {:.0} and {:.0}.",
        frame.room.w(),
        frame.room.h(),
        sizes.collect::<Vec<_>>().join(", "),
        each.collect::<Vec<_>>().join(", "),
        frame.room.w(),
        frame.room.h() - HEADED * frame.size(Step::Xxl),
        (frame.room.h() - FOOTED * frame.size(Step::Sm)) / unit,
        headlines.collect::<Vec<_>>().join(", "),
        LINE * frame.size(Step::Lg) / unit,
        LINE * frame.size(Step::Md) / unit,
        PILL * frame.size(Step::Sm) / unit,
        gap / unit,
        scene(0.0),
        scene(LED * frame.size(Step::Lg)),
        under.collect::<Vec<_>>().join(", "),
        (PILL * frame.size(Step::Sm) + gap) / unit,
        margin / unit,
        SCENE - margin / unit,
        -safe.x0 / unit,
        SCENE + (format.size_du().w - safe.x1) / unit
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_names_every_picture_and_icon_once() {
        let reference = reference();
        assert!(pictures::all().iter().all(|entry| reference.contains(&format!("\n- {}: ", entry.name))));
        assert!(Icon::all().all(|icon| reference.contains(icon.name())));
    }
}
