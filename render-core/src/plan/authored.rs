//! Pages that an author composed. They are shown as written where they fit; otherwise their faults are reported to the
//! author.

use super::art_direction::{ArtDirection, Place};
use super::band::band;
use super::candidate::Wording;
use super::choice::{self, Context};
use super::crossing::crossings;
use super::facts::Around;
use super::photos::Shot;
use super::{Draft, PlanRequest, Studio};
use crate::compose::{self, Authored, Composed, Way, compose};
use crate::design::{Background, Page, Rhythm, Slot, SlotId, Template, Theme};
use crate::format::{Format, FormatId};
use crate::inspect::{self, Quality, proof_canvas, without_text};
use crate::outline::{Outline, PageOutline};
use crate::raster::{Pixmap, Rasteriser};
use crate::scene::{Scene, TextBlock};
use crate::text::Fonts;
use crate::tree::Fault;

/// Score of an author's page. It exceeds that of any template.
const SCORE: f32 = 10.0;
/// Most characters of a quoted text.
const QUOTED: usize = 30;
/// Number of texts that are named where a page is too full.
const LARGEST: usize = 3;
/// The fallback template for an authored page whose content suits no template.
const PLAIN: &str = "point-lead";

/// Returns the faults of the composed pages of `outline` in one of the request's formats, by the page's index in the
/// set. They only show when a page is laid out and drawn: words that don't fit, overlap or can't be read.
pub fn faults(
    request: &PlanRequest<'_>,
    format: FormatId,
    outline: &Outline,
    fonts: &Fonts,
) -> Vec<(usize, Vec<Fault>)> {
    let studio = Studio::new(request, fonts);
    let format = format.format();
    let mut out = Vec::new();
    let mut before = None;
    for (index, said) in outline.pages.iter().enumerate() {
        let place = format.carousel.then(|| Place::at(index, outline.pages.len(), before));
        let Some((page, ways)) = studio.authored_page(request, format, said, place) else {
            if said.authored.is_some() {
                out.push((
                    index,
                    vec![Fault::new(
                        "page",
                        "can't be parsed again with the ids that its elements were given; give its shapes other ids",
                    )],
                ));
            }
            continue;
        };
        before = Some(page.background);
        let found = studio.faults(&page, &ways);
        if !found.is_empty() {
            out.push((index, found));
        }
    }
    out
}

/// Returns the message for a page whose type had to shrink: it names the texts that take the most room.
fn crowded(scene: &Scene) -> String {
    let area = |block: &TextBlock| block.slot_box.w() * block.slot_box.h();
    let mut blocks: Vec<&TextBlock> = scene.blocks.iter().collect();
    blocks.sort_by(|a, b| area(b).total_cmp(&area(a)));
    let canvas = scene.size.w * scene.size.h;
    let most: Vec<String> = blocks
        .iter()
        .take(LARGEST)
        .map(|block| {
            let (lines, share) = (block.lines.len(), 100.0 * area(block) / canvas);
            let words: String = block.text.replace('\n', " ").chars().take(QUOTED).collect();
            format!("“{words}” ({lines} lines, {share:.0} % of the page)")
        })
        .collect();
    format!(
        "holds more than fits at the sizes that it asks for; most of it is taken by {}: say less, or ask for less",
        most.join(", ")
    )
}

/// Returns whether the frame owns a slot; authors don't write those.
fn is_framing(slot: &Slot) -> bool {
    matches!(slot.id, SlotId::Brand | SlotId::Handle)
}

/// A page and its composition.
struct Trial {
    page: Page,
    composed: Composed,
}

impl Studio<'_> {
    /// Returns the page that the author of `said` composed; `None` if there is none or it can't be shown in this
    /// format.
    pub(super) fn authored(
        &self,
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: Option<Place<'_>>,
    ) -> Option<Draft> {
        let (page, ways) = self.authored_page(request, format, said, place)?;
        let Trial { page, composed } = self.shown(&page, &ways);
        let warnings = composed.warnings.clone();
        let fits = composed.fits;
        let quality = Quality::default();
        let draft = self.measured(Draft { page, said: said.clone(), composed, quality, score: SCORE, warnings });
        (fits && draft.quality.passed).then_some(draft)
    }

    /// Returns the page in the first of its variants that fits; in the last one if none does.
    fn shown(&self, page: &Page, ways: &[Way]) -> Trial {
        let tried = |way: &Way| {
            let words = way.slots.iter().chain(page.slots.iter().filter(|slot| is_framing(slot))).cloned();
            let page = Page { authored: Some(way.text.clone()), slots: words.collect(), ..page.clone() };
            Trial { composed: compose(&page, self.fonts), page }
        };
        let fits =
            |trial: &Trial| trial.composed.fits && inspect::inspect(&trial.composed.scene, &trial.page, None).passed;
        let found = ways.iter().map(tried).find(fits);
        found
            .or_else(|| ways.last().map(tried))
            .unwrap_or_else(|| Trial { composed: compose(page, self.fonts), page: page.clone() })
    }

    fn authored_page(
        &self,
        request: &PlanRequest<'_>,
        format: &Format,
        said: &PageOutline,
        place: Option<Place<'_>>,
    ) -> Option<(Page, Vec<Way>)> {
        let own = Authored::read(said.authored.as_deref()?)?;
        // A page shows at most one photograph. All pages number the photographs alike.
        let shot = own.photo.and_then(|n| match request.pictures.get(n) {
            Some(picture) => Some(Shot { photo: &picture.photo, words: picture.image.words() }),
            // The index after the source's pictures refers to the request's photograph.
            None => request.photo.filter(|_| n == request.pictures.len()).map(|photo| Shot { photo, words: "" }),
        });
        let around = Around::of(request, format, said, None, false);
        let fitting = choice::templates(said, format, request.style, Context { before: &[], around });
        let template = fitting.first().map_or_else(|| Template::named(PLAIN), |(template, _)| *template);
        let plain = Template::named(PLAIN);
        let art_direction = match place {
            Some(place) => {
                ArtDirection::slide(request, format, said, Place { picture: None, shot, ..place }, plain, self.faces)
            }
            None => ArtDirection::visual(request, format, said, plain, (None, shot), self.faces),
        };
        // Unless the style changes the background with every slide, the author chooses the background of each page.
        let fresh = Theme::of(request.style).rhythm == Rhythm::Fresh;
        let background = own.background.or((!fresh || own.ground.is_some()).then_some(Background::Base));
        let art_direction = art_direction.without_art().on(background, own.ground);
        let page = art_direction.page(format, template, said, &Wording::whole(said));
        let alt_text = own.alt.unwrap_or_else(|| page.alt_text.clone());
        let photo = shot.map(|shot| shot.photo.clone());
        Some((Page { photo, items: Vec::new(), alt_text, ..page }, own.ways))
    }

    /// Returns the reasons why a page can't be shown.
    fn faults(&self, page: &Page, ways: &[Way]) -> Vec<Fault> {
        let Trial { composed, page } = self.shown(page, ways);
        let tree = match compose::tree(&page) {
            Ok(tree) => tree,
            Err(wrong) => return vec![Fault::new("page", wrong)],
        };
        if !composed.faults.is_empty() {
            return composed.faults;
        }
        let scene = &composed.scene;
        let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
        if self.raster.draw(&without_text(scene), proof_canvas(scene), self.fonts, &mut pixels).is_err() {
            return Vec::new();
        }
        let mut out: Vec<Fault> = inspect::misses(scene, &page, &pixels)
            .into_iter()
            .map(|miss| Fault::new(miss.slot, miss.message))
            .collect();
        out.extend(crossings(&tree, scene, &pixels));
        out.extend(band(&tree, scene, Theme::of(page.style), page.format.format().safe_rect_du().w(), &pixels));
        if out.is_empty() && !composed.fits {
            out.push(Fault::new("page", crowded(scene)));
        }
        out
    }
}
