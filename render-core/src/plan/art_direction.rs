//! Art direction of an outline: which background, art, fonts and colours a page gets, and which words go into its
//! slots.

use super::PlanRequest;
use super::candidate::Wording;
use super::photos::Shot;
use crate::compose::painted;
use crate::content::{Emphasis, Language, Span, emphasised};
use crate::design::{
    Adjust, Art, Background, Brand, Colours, Faces, ItemData, Page, Recipe, Rhythm, Scheme, SizeCaps, Slide, Slot,
    SlotId, Style, Template, Theme, Writing,
};
use crate::design::{dealt, drawn};
use crate::format::{Density, Format};
use crate::icon::Icon;
use crate::outline::{self, Copy, ItemCopy, Locale, PageKind, PageOutline, Support};
use crate::random::STEP;
use crate::text::{dated, grouped, numerals, polish};
use crate::tree::Colour;

/// The position of a slide in its set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// From 0.
    pub index: usize,
    /// How many slides there are.
    pub count: usize,
    /// Whether it is the slide that contrasts with the others.
    pub contrasts: bool,
    /// The background of the slide before it.
    pub before: Option<Background>,
    /// The picture that illustrates the page's words, unless another page of the set shows it.
    pub picture: Option<&'static str>,
    /// The icon of the set's subject.
    pub motif: Option<Icon>,
    /// The picture of the source that it shows.
    pub shot: Option<Shot<'a>>,
    /// Whether it may have an ornament: art that doesn't illustrate its words.
    pub ornament: bool,
}

impl Place<'_> {
    /// Returns the position of a page without pictures. Among the other pages, only the one before affects it.
    pub fn at(index: usize, count: usize, before: Option<Background>) -> Self {
        Self { index, count, contrasts: false, before, picture: None, motif: None, shot: None, ornament: false }
    }
}

/// The decisions about a page that don't depend on its wording.
pub(super) struct ArtDirection<'a> {
    style: Style,
    locale: &'a Locale,
    faces: Faces,
    background: Background,
    art: Option<Art>,
    picture: Option<&'static str>,
    motif: Option<Icon>,
    shot: Option<Shot<'a>>,
    brand: Option<&'a Brand>,
    scheme: Option<Scheme>,
    /// The colour of the ground, if it differs from that of the page's background.
    ground: Option<Colour>,
    slide: Option<Slide>,
    handle: Option<Slot>,
    emphasis: &'a [Emphasis],
    seed: u64,
}

impl<'a> ArtDirection<'a> {
    /// Directs a visual, with the picture that illustrates its words and the picture of the source.
    pub fn visual(
        request: &'a PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        template: Template,
        shown: (Option<&'static str>, Option<Shot<'a>>),
        faces: Faces,
    ) -> Self {
        let (picture, shot) = shown;
        let habit = habit(request, said.kind, format);
        let background = match said.kind {
            _ if habit.is_some() && !template.has_own_field() => habit.unwrap_or(Background::Base),
            PageKind::Stat if !template.has_own_field() => Background::Accent,
            // Offers need attention.
            PageKind::Offer => Background::Accent,
            PageKind::Event | PageKind::Announcement if request.seed % 3 == 2 => Background::Accent,
            PageKind::Quote if request.seed % 3 == 1 => Background::Accent,
            PageKind::Definition if request.seed.is_multiple_of(3) => Background::Accent,
            PageKind::Cover if !template.has_own_field() => cover_background(request.seed),
            // Most lists use the style's paper; some use its dark background, and some its accent colour.
            PageKind::List | PageKind::Checklist | PageKind::Process => match drawn(request.seed, 6) % 8 {
                0 | 1 => Background::Close,
                2 => Background::Accent,
                _ => Background::Base,
            },
            _ => Background::Base,
        };
        Self { picture, shot, ..Self::new(request, said, background, None, handle(request), faces) }
    }

    /// Directs a slide of a set.
    pub fn slide(
        request: &'a PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: Place<'a>,
        template: Template,
        faces: Faces,
    ) -> Self {
        let Place { index, count, contrasts, before, picture, motif, shot, ornament } = place;
        // A A A B A A C: one figure or quotation contrasts, the last slide closes.
        let background = match said.kind {
            PageKind::Cover if template.has_own_field() => Background::Base,
            PageKind::Cover => habit(request, said.kind, format).unwrap_or_else(|| cover_background(request.seed)),
            _ if Theme::of(request.style).rhythm == Rhythm::Fresh => {
                if template.has_own_field() {
                    Background::Base
                } else {
                    fresh(before, index, request.seed)
                }
            }
            _ if contrasts && !template.has_own_field() => Background::Accent,
            PageKind::Recap => Background::Close,
            _ => Background::Base,
        };
        let slide = Slide { index: index as u32, count: count as u32 };
        let handle = handle(request).filter(|_| said.kind == PageKind::Recap && said.cta.is_some());
        let art_direction = Self::new(request, said, background, Some(slide), handle, faces);
        let figure = |art: &Art| art.value.is_some() && said.figure.is_some();
        let art = art_direction.art.filter(|art| index == 0 || figure(art) || ornament && art.recipe.is_ground());
        Self { picture, motif, shot, art, ..art_direction }
    }

    fn new(
        request: &'a PlanRequest<'_>,
        said: &PageOutline,
        background: Background,
        slide: Option<Slide>,
        handle: Option<Slot>,
        faces: Faces,
    ) -> Self {
        let theme = Theme::of(request.style);
        Self {
            style: request.style,
            locale: &request.locale,
            faces,
            background,
            art: art(theme, said, slide, background, request.seed),
            picture: None,
            motif: None,
            shot: None,
            brand: request.brand,
            scheme: request.scheme,
            ground: None,
            slide,
            handle,
            emphasis: &request.document.emphasis,
            seed: request.seed,
        }
    }

    /// Removes the art, so that the words get its room too.
    pub fn without_art(self) -> Self {
        Self { art: None, picture: None, ..self }
    }

    /// Sets the background, and the colour of the ground in place of the background's own, where given.
    pub fn on(self, background: Option<Background>, ground: Option<Colour>) -> Self {
        Self { background: background.unwrap_or(self.background), ground, ..self }
    }

    /// Returns the page in one wording.
    pub fn page(&self, format: &Format, template: Template, said: &PageOutline, wording: &Wording) -> Page {
        let Self { style, seed, brand, scheme, .. } = *self;
        let colours = Colours { style, seed, brand, scheme };
        let palette = match said.authored {
            Some(_) => painted(&colours, self.background, self.ground),
            None => colours.on(self.background),
        };
        let shot = self.shot.filter(|_| template.shows_photo());
        Page {
            format: format.id,
            slide: self.slide,
            template,
            style: self.style,
            palette,
            logo: self.brand.and_then(|b| b.logo_on(palette.bg)).cloned(),
            background: self.background,
            art: self.art,
            picture: self.picture.map(str::to_owned),
            motif: self.motif,
            photo: shot.map(|shot| shot.photo.clone()),
            faces: self.faces,
            writing: Writing::Horizontal,
            slots: self.slots(said, wording),
            items: items(said, wording, template, &self.locale.language),
            sameness: None,
            authored: said.authored.clone(),
            whole: false,
            sizes: SizeCaps::default(),
            adjust: Adjust::default(),
            locale: self.locale.clone(),
            alt_text: described(outline::alt_text(said), shot),
            seed: self.seed,
            scheme: self.scheme,
            warnings: Vec::new(),
        }
    }

    /// Returns the writing directions to try for the page's headline, preferred one first. Japanese covers use vertical
    /// columns if the style asks for them and the canvas isn't wide.
    pub fn writings(&self, format: &Format, said: &PageOutline) -> &'static [Writing] {
        let columns = in_columns(self.style, &self.locale.language, format, said.kind);
        if columns { &[Writing::Vertical, Writing::Horizontal] } else { &[Writing::Horizontal] }
    }

    fn slots(&self, said: &PageOutline, wording: &Wording) -> Vec<Slot> {
        let language = &self.locale.language;
        let slot = |id: SlotId, copy: &Copy| {
            let text = match (id, said.kind) {
                // The words are the speaker's; the quotation marks follow the document's language.
                (SlotId::Title, PageKind::Quote) => polish(&format!("\"{}\"", unquoted(wording.of(copy))), language),
                // An answer next to its question needs no quotation marks.
                (SlotId::Body, kind) if kind != PageKind::Question && said.evidence() == Support::Quotation => {
                    polish(&format!("\"{}\"", unquoted(wording.of(copy))), language)
                }
                (SlotId::Attribution, _) => polish(&capitalised(wording.of(copy)), language),
                // A label that repeats its figure is a separate sentence; another label continues from the figure.
                (SlotId::Title, PageKind::Stat) if said.repeats_its_figure(wording.of(copy)) => {
                    polish(&capitalised(wording.of(copy)), language)
                }
                _ => polish(&dated(wording.of(copy), language), language),
            };
            let emphasis = match (id, copy.span) {
                (SlotId::Title | SlotId::Body | SlotId::ItemHead(_) | SlotId::ItemBody(_), Some(span)) => {
                    let found = emphasised(self.emphasis, span, &text);
                    found.into_iter().map(|r| r.start as u32..r.end as u32).collect()
                }
                _ => Vec::new(),
            };
            Slot { id, text, span: copy.span, emphasis }
        };
        let plain = |id: SlotId, text: String, span: Option<Span>| Slot { id, text, span, emphasis: Vec::new() };
        let own = |id: SlotId, text: String| plain(id, text, None);
        let mut out = Vec::new();
        out.extend(self.brand.map(|b| own(SlotId::Brand, b.name.clone())));
        out.extend(said.kicker.as_ref().map(|c| slot(SlotId::Kicker, c)));
        out.extend(said.number.map(|n| own(SlotId::Number, numerals(n, language))));
        if let Some(figure) = &said.figure {
            out.push(plain(SlotId::Value, polish(&grouped(&figure.value, language), language), Some(figure.span)));
            if !figure.unit.is_empty() {
                out.push(plain(SlotId::Unit, figure.unit.clone(), Some(figure.span)));
            }
        }
        out.extend(said.title.as_ref().map(|c| slot(SlotId::Title, c)));
        out.extend(said.body.as_ref().filter(|_| wording.body).map(|c| slot(SlotId::Body, c)));
        out.extend(said.groups.iter().enumerate().map(|(n, g)| slot(SlotId::Group(n as u8), g)));
        for (i, (item, told)) in said.items.iter().zip(wording.tells(said)).enumerate() {
            let n = i as u8;
            out.extend(item.label.as_ref().map(|c| slot(SlotId::ItemLabel(n), c)));
            out.push(slot(SlotId::ItemHead(n), &item.head));
            out.extend(item.cells.iter().enumerate().map(|(j, c)| slot(SlotId::Cell(n, j as u8), c)));
            out.extend(item.body.as_ref().filter(|_| told).map(|c| slot(SlotId::ItemBody(n), c)));
        }
        out.extend(said.attribution.as_ref().map(|c| slot(SlotId::Attribution, c)));
        out.extend(said.note.as_ref().filter(|_| wording.note).map(|c| slot(SlotId::Note, c)));
        // The button states the action; the address is shown next to it.
        let call = said.cta.as_ref().map(|c| match c.wordings.last() {
            Some(last) if self.handle.is_some() => {
                slot(SlotId::Cta, &Copy { wordings: vec![last.clone()], span: c.span })
            }
            _ => slot(SlotId::Cta, c),
        });
        out.extend(call);
        out.extend(self.handle.clone());
        out.retain(|s| !s.text.trim().is_empty());
        out
    }
}

/// Returns whether the headlines of such pages use vertical columns where possible.
pub(super) fn in_columns(style: Style, language: &Language, format: &Format, kind: PageKind) -> bool {
    let size = format.size_du();
    Theme::of(style).columns
        && language.primary() == "ja"
        && kind == PageKind::Cover
        && format.density == Density::Poster
        && size.w <= size.h
}

/// Returns the alt text of a page, followed by the description of the picture that it shows.
fn described(said: String, shot: Option<Shot<'_>>) -> String {
    match shot.map(|shot| shot.words).filter(|words| !words.is_empty()) {
        Some(words) if said.ends_with(['.', '!', '?', '…', '。']) => format!("{said} {words}"),
        Some(words) => format!("{said}. {words}"),
        None => said,
    }
}

/// Returns the data of the items beside their words; empty if no item has any.
fn items(said: &PageOutline, wording: &Wording, template: Template, language: &Language) -> Vec<ItemData> {
    let items = || said.items.iter().take(wording.items);
    // A fact's icon follows from its label.
    let facts = matches!(said.kind, PageKind::Announcement | PageKind::Event | PageKind::Offer);
    let named = |i: &'_ ItemCopy| i.label.as_ref().filter(|_| facts).unwrap_or(&i.head).clone();
    let named: Vec<Copy> = items().map(named).collect();
    let heads: Vec<&str> = named.iter().map(|copy| wording.of(copy)).collect();
    let icons = if template.has_icons() { Icon::for_items(&heads, language) } else { None };
    let of = |(n, i): (usize, &ItemCopy)| ItemData {
        group: i.group,
        numbers: i.numbers.clone(),
        done: i.done,
        icon: icons.as_ref().and_then(|icons| icons.get(n)).copied().flatten(),
    };
    let items: Vec<ItemData> = items().enumerate().map(of).collect();
    if items.iter().all(|i| *i == ItemData::default()) { Vec::new() } else { items }
}

/// Returns the publisher's handle or address, if the brand's pages show a footer.
fn handle(request: &PlanRequest<'_>) -> Option<Slot> {
    if let Some(brand) = request.brand {
        let text = brand.handle.clone().or_else(|| brand.url.clone()).filter(|_| brand.footer)?;
        return Some(Slot { id: SlotId::Handle, text, span: None, emphasis: Vec::new() });
    }
    let source = request.document.source.as_ref()?;
    Some(Slot { id: SlotId::Handle, text: source.text.clone(), span: Some(source.span), emphasis: Vec::new() })
}

/// Quotation marks that may already surround a quotation.
const QUOTES: &str = "\"“”„‟«»‹›";

/// Removes the marks around a quotation. Its full stop may stand outside them.
fn unquoted(text: &str) -> String {
    let is_mark = |c: char| c.is_whitespace() || QUOTES.contains(c);
    let bare = text.trim_matches(is_mark);
    match bare.char_indices().next_back() {
        Some((at, stop)) if matches!(stop, '.' | '!' | '?' | '…') && bare[..at].ends_with(is_mark) => {
            format!("{}{stop}", bare[..at].trim_end_matches(is_mark))
        }
        _ => bare.to_owned(),
    }
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns every character of the text, because the fonts of a set must have all of them. If a copywriter wrote all
/// outlines, only those count; else the document's words do too.
pub(super) fn corpus(request: &PlanRequest<'_>) -> String {
    let mut chars: Vec<char> = request.written.iter().flat_map(|(_, o)| o.texts()).flat_map(str::chars).collect();
    if !request.formats.iter().all(|(id, _)| request.written_for(*id).is_some()) || request.formats.is_empty() {
        chars.extend(request.document.words().into_iter().flat_map(|s| s.text.chars()));
    }
    chars.sort_unstable();
    chars.dedup();
    chars.into_iter().collect()
}

/// Returns the background of a cover whose style prefers none: usually the style's own ground.
fn cover_background(seed: u64) -> Background {
    match drawn(seed, 14) % 8 {
        0 | 1 => Background::Accent,
        2 => Background::Close,
        _ => Background::Base,
    }
}

/// Number of the random stream that picks recipes; any number would do.
const RECIPES: u64 = 4;

/// Returns the recipe that `seed` picks.
pub(crate) fn recipe(theme: &Theme, seed: u64) -> Recipe {
    theme.lead_art[dealt(seed, theme.lead_art.len(), RECIPES)]
}

/// Returns the background that the style prefers for pages of a kind, if any.
fn habit(request: &PlanRequest<'_>, kind: PageKind, format: &Format) -> Option<Background> {
    let theme = Theme::of(request.style);
    let wide = (1.22..2.5).contains(&format.size_du().aspect());
    (theme.background)(kind, recipe(theme, request.seed), request.seed, wide)
}

/// Returns the background of a slide in a set whose grounds change with every slide: A B A C, never the same as the one
/// `before` it.
fn fresh(before: Option<Background>, index: usize, seed: u64) -> Background {
    let beside = if seed.is_multiple_of(2) {
        [Background::Accent, Background::Close]
    } else {
        [Background::Close, Background::Accent]
    };
    let background = if index.is_multiple_of(2) { Background::Base } else { beside[index / 2 % 2] };
    match before {
        Some(before) if before == background => {
            if background == Background::Base {
                beside[index / 2 % 2]
            } else {
                Background::Base
            }
        }
        _ => background,
    }
}

/// Returns the page's art. A set keeps one recipe; each slide draws it from a seed of its own.
fn art(theme: &Theme, said: &PageOutline, slide: Option<Slide>, background: Background, seed: u64) -> Option<Art> {
    let recipe = match (theme.kind_art)(said.kind).unwrap_or_else(|| recipe(theme, seed)) {
        // The glow needs a dark background.
        Recipe::Limb if background == Background::Accent => Recipe::Contours,
        // The arch shows a window in daylight; on a dark background, beams of light replace it.
        Recipe::Arch if background != Background::Base => Recipe::Beams,
        recipe => recipe,
    };
    let part = slide.map(|s| (s.index + 1) as f32 / s.count as f32);
    let index = slide.map_or(0, |s| u64::from(s.index));
    let art = |recipe, value| Some(Art { recipe, seed: seed ^ index.wrapping_mul(STEP), value });
    match said.kind {
        PageKind::Recap => None,
        _ if said.figure.is_some() => art(recipe, said.share().map(|share| share as f32)),
        PageKind::Cover | PageKind::List => art(recipe, part.filter(|_| recipe == Recipe::Arc)),
        _ => art(recipe, part),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_grounds_use_every_field_and_none_twice_in_a_row() {
        for first in Background::ALL {
            for seed in 0..4 {
                let mut set = vec![first];
                for index in 1..8 {
                    set.push(fresh(set.last().copied(), index, seed));
                }
                assert!(set.windows(2).all(|pair| pair[0] != pair[1]), "{set:?}");
                assert!(Background::ALL.iter().all(|background| set.contains(background)), "{set:?}");
            }
        }
    }
}
