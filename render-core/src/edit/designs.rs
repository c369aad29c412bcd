//! Design choices for a page: layouts, styles, palettes, typefaces and backgrounds, each tried on the page.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::cancel;
use crate::compose::shows_all;
use crate::design::{Page, Template, Theme};
use crate::inspect::emptiness;
use crate::plan::{is_alike, suits};
use crate::scene::{Color, Scene};

use super::proposal::proposed;
use super::{Edited, Ground, Hue, Op, Proposal, Target};

/// The most designs of one aspect to offer.
const MOST: usize = 8;
/// The number of layouts to try, in the style's order of preference.
const TRIED: usize = 24;
/// The penalty for each note on a layout ("points 4 and 5 are smaller now"), in units of the empty share of the canvas.
const NOTE: f32 = 0.2;
/// With this many suitable layouts, no unsuitable ones are offered.
const ENOUGH: usize = 4;

/// An aspect of a page's look that has designs to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aspect {
    /// How the page is laid out.
    Layout,
    /// The style as a whole.
    Style,
    /// The colour scheme.
    Palette,
    /// The typefaces of headlines and text.
    Typeface,
    /// The page's background.
    Background,
}

impl Aspect {
    /// Every aspect.
    pub const ALL: [Self; 5] = [Self::Layout, Self::Style, Self::Palette, Self::Typeface, Self::Background];

    /// Returns its name in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Layout => "layout",
            Self::Style => "style",
            Self::Palette => "palette",
            Self::Typeface => "typeface",
            Self::Background => "background",
        }
    }

    /// Returns the aspect with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|aspect| aspect.name() == name)
    }

    /// Returns whether its designs can be applied to all slides of a set. Layouts can't: they depend on the slide's
    /// content.
    pub fn suits_sets(self) -> bool {
        self != Self::Layout
    }
}

/// A design that the user can choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// Its display name: "Elegant", "Newsreader, Inter".
    pub name: String,
    /// The changes it makes.
    pub proposal: Proposal,
}

/// Returns up to eight designs of an aspect for the page at `at` of `targets`, the best first. With `everywhere` they
/// apply to every page. Each changes the page at `at` visibly, and no two look alike.
pub fn designs(aspect: Aspect, targets: &[Target<'_>], at: usize, everywhere: bool) -> Vec<Design> {
    let Some(target) = targets.get(at) else { return Vec::new() };
    let everywhere = everywhere && aspect.suits_sets() && targets.len() > 1;
    let choices = match aspect {
        Aspect::Layout => layouts(target.page),
        Aspect::Style => styles(target.page),
        Aspect::Palette => palettes(target.page),
        Aspect::Typeface => typefaces(target.page),
        Aspect::Background => backgrounds(target.page),
    };
    let scope = cancel::Scope::current();
    let tried = |(name, ops): (String, Vec<Op>)| {
        let proposal = scope.enter(|| proposed(&ops, everywhere, targets, at)).ok()?;
        Some(Design { name, proposal })
    };
    let mut found: Vec<Design> = choices.into_par_iter().filter_map(tried).collect();
    if aspect == Aspect::Layout {
        found = ranked(found, target, at);
    }
    let mut kept: Vec<Design> = Vec::new();
    for design in found {
        let Some(scene) = seen(&design, at) else { continue };
        let alike = |other: &Design| {
            seen(other, at) == Some(scene) || aspect == Aspect::Background && ground(other, at) == ground(&design, at)
        };
        if kept.len() < MOST && !kept.iter().any(alike) {
            kept.push(design);
        }
    }
    kept
}

/// Returns the layouts that show every word, the best first. Layouts that don't suit the content come last, and only as
/// many as are needed to reach [`ENOUGH`].
fn ranked(mut found: Vec<Design>, target: &Target<'_>, at: usize) -> Vec<Design> {
    found.retain(|design| edited(design, at).is_some_and(|edited| shows_all(&edited.page, &edited.composed.scene)));
    let suited = |design: &Design| edited(design, at).is_some_and(|e| suits(target.page, e.page.template).is_some());
    let weight = |design: &Design| {
        let empty = seen(design, at).map_or(1.0, emptiness);
        empty + NOTE * design.proposal.notes.len() as f32
    };
    let (mut good, mut rest): (Vec<Design>, Vec<Design>) = found.into_iter().partition(suited);
    for part in [&mut good, &mut rest] {
        part.sort_by(|a, b| weight(a).total_cmp(&weight(b)));
    }
    rest.truncate(ENOUGH.saturating_sub(good.len()));
    good.append(&mut rest);
    good
}

/// Returns the scene of the page at `at` with a design, if the design changes that page.
fn seen(design: &Design, at: usize) -> Option<&Scene> {
    edited(design, at).map(|edited| &edited.composed.scene)
}

fn edited(design: &Design, at: usize) -> Option<&Edited> {
    design.proposal.edited.iter().find(|edited| edited.at == at)
}

/// Returns the background of the page at `at` with a design.
fn ground(design: &Design, at: usize) -> Option<Color> {
    edited(design, at).map(|edited| edited.page.palette.bg)
}

/// Returns a name with a capital first letter and spaces for hyphens.
fn called(name: &str) -> String {
    let name = name.replace('-', " ");
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn layouts(page: &Page) -> Vec<(String, Vec<Op>)> {
    let suits = |template: &Template| {
        let suited = suits(page, *template).is_some() || is_alike(page, *template);
        let shown = !template.shows_photo() || page.photo.is_some();
        // A page that was changed element by element no longer matches its own template.
        let other = *template != page.template || page.authored.is_some();
        suited && shown && other && page.style.uses(*template)
    };
    let mut all: Vec<Template> = Template::all().filter(suits).collect();
    all.sort_by(|a, b| page.style.likes(*b).total_cmp(&page.style.likes(*a)));
    all.into_iter().take(TRIED).map(|template| (called(template.name()), vec![Op::Layout(template)])).collect()
}

fn styles(page: &Page) -> Vec<(String, Vec<Op>)> {
    let others = crate::design::Style::all().filter(|style| *style != page.style);
    others.map(|style| (called(style.name()), vec![Op::Style(style)])).collect()
}

fn palettes(page: &Page) -> Vec<(String, Vec<Op>)> {
    let schemes = Theme::of(page.style).schemes;
    let scheme = |(n, colours): (usize, &&[u32])| {
        let named: Vec<String> = colours.iter().map(|rgb| format!("#{rgb:06x}")).collect();
        (named.join(", "), vec![Op::Scheme(n as u8 + 1)])
    };
    schemes.iter().enumerate().map(scheme).collect()
}

/// Returns the typeface pairs of all styles, those of the page's own style first.
fn typefaces(page: &Page) -> Vec<(String, Vec<Op>)> {
    let own = Theme::of(page.style).faces.iter();
    let others = crate::design::Style::all().filter(|style| *style != page.style);
    let others = others.flat_map(|style| Theme::of(style).faces);
    let mut pairs: Vec<(String, Vec<Op>)> = Vec::new();
    let mut known = vec![page.faces.display];
    for faces in own.chain(others) {
        if known.contains(&faces.display) {
            continue;
        }
        known.push(faces.display);
        let (display, body) = (faces.display.name(), faces.body.name());
        let name = if display == body { display.to_owned() } else { format!("{display}, {body}") };
        let ops = vec![Op::Face { display: true, to: faces.display }, Op::Face { display: false, to: faces.body }];
        pairs.push((name, ops));
    }
    pairs
}

/// Returns the style's grounds, then the palette's colours as backgrounds.
fn backgrounds(page: &Page) -> Vec<(String, Vec<Op>)> {
    let grounds = [("The style's own", Ground::Own), ("Accent", Ground::Accent), ("Closing", Ground::Close)];
    let own = Ground::of(page.background);
    let grounds = grounds.into_iter().filter(|(_, ground)| *ground != own);
    let grounds = grounds.map(|(name, ground)| (name.to_owned(), vec![Op::Ground(ground)]));
    let palette = &page.palette;
    let colours: Vec<Color> = [palette.surface, palette.field, palette.accent].into_iter().chain(palette.art).collect();
    let colour = |to: Color| (to.to_hex(), vec![Op::Colour { hue: Hue::Background, to }]);
    grounds.chain(colours.into_iter().filter(|to| *to != palette.bg).map(colour)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Style;
    use crate::edit::execute;
    use crate::format::Format;
    use crate::plan::specimens::specimen;
    use crate::text::Fonts;

    #[test]
    fn every_aspect_has_designs_that_differ_and_hold_when_confirmed() {
        let fonts = Fonts::new();
        let format = Format::by_id("linkedin_carousel_portrait").expect("a format").id;
        let page = specimen(Template::named("point-lead"), Style::MODERN, format, 3, &fonts).expect("a specimen");
        let targets = [Target::new(&page, 1, None, &fonts)];
        for aspect in Aspect::ALL {
            assert_eq!(Aspect::by_name(aspect.name()), Some(aspect));
            let found = designs(aspect, &targets, 0, false);
            assert!((3..=MOST).contains(&found.len()), "{}: {}", aspect.name(), found.len());
            for Design { name, proposal } in &found {
                assert!(!name.is_empty());
                let made = execute(&proposal.instruction, &targets, 0).expect("it was offered");
                assert_eq!(made[0].composed.scene, proposal.edited[0].composed.scene, "{}", proposal.instruction);
                assert_ne!(made[0].composed.scene, targets[0].scene, "{}", proposal.instruction);
            }
        }
    }

    #[test]
    fn designs_of_a_set_change_all_of_its_pages() {
        let fonts = Fonts::new();
        let format = Format::by_id("linkedin_carousel_portrait").expect("a format").id;
        let page =
            |template| specimen(Template::named(template), Style::MODERN, format, 3, &fonts).expect("a specimen");
        let pages = [page("point-lead"), page("list-grid")];
        let targets: Vec<Target<'_>> = pages.iter().map(|page| Target::new(page, 1, None, &fonts)).collect();
        let found = designs(Aspect::Style, &targets, 1, true);
        assert!(found.len() >= 4, "{}", found.len());
        assert!(found.iter().all(|design| design.proposal.edited.len() == 2));
        assert!(designs(Aspect::Layout, &targets, 1, true).iter().all(|design| design.proposal.edited.len() == 1));
        assert!(designs(Aspect::Style, &targets, 2, false).is_empty());
    }
}
