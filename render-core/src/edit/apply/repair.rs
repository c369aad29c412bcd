//! What an edit would break is mended before anything is refused: the set's sizes give, then the headline's, then the art.

use crate::compose::{Composed, compose};
use crate::design::{Page, SizeCaps};
use crate::inspect::{Quality, inspect, proof_canvas, without_text};
use crate::raster::cpu::CpuRasteriser;
use crate::raster::{Pixmap, Rasteriser};

use super::{ApplyError, Work, no};

/// Headlines are tried at these multiples of the smallest size of the format.
const HEADLINES: [f32; 6] = [3.2, 2.4, 1.9, 1.5, 1.2, 1.0];

/// The scene of a page once it holds its measures.
pub(super) fn repaired(work: &mut Work<'_, '_>) -> Result<Composed, ApplyError> {
    let before = work.target;
    let held = compose(before.page, before.fonts).fits;
    let mut composed = work.composed();
    if holds(&composed, &work.page) && (composed.fits || !held) {
        return seen(work, composed);
    }
    // Words that are longer than they were are set smaller, as a designer would.
    let floor = work.page.format.format().smallest_size();
    let mut tries = vec![Page { sizes: SizeCaps::default(), ..work.page.clone() }];
    tries.extend(HEADLINES.map(|by| {
        let sizes = SizeCaps { title: Some(by * floor), ..work.page.sizes };
        Page { sizes, ..work.page.clone() }
    }));
    let fitting = tries.into_iter().find_map(|page| {
        let composed = compose(&page, work.fonts());
        (holds(&composed, &page) && composed.fits).then_some((page, composed))
    });
    if let Some((page, tried)) = fitting {
        work.page = page;
        work.note("Text is set smaller to keep its room.");
        return seen(work, tried);
    }
    composed = work.composed();
    if holds(&composed, &work.page) {
        work.note("It is a tight fit: fewer words would look better.");
        return seen(work, composed);
    }
    no("There is no room for that on this page.")
}

/// Whether the page holds its hard measures, but for those on pixels.
fn holds(composed: &Composed, page: &Page) -> bool {
    inspect(&composed.scene, page, None).passed
}

/// As it is seen: art that comes too near the text is taken off.
fn seen(work: &mut Work<'_, '_>, composed: Composed) -> Result<Composed, ApplyError> {
    let now = measured(work, &composed, &work.page);
    if now.passed && !is_crowded(&now) {
        return Ok(composed);
    }
    // What was so before is no worse now.
    let before = measured(work, &compose(work.target.page, work.target.fonts), work.target.page);
    if (now.passed || !before.passed) && (!is_crowded(&now) || is_crowded(&before)) {
        return Ok(composed);
    }
    if work.page.art.is_some() && !work.page.template.draws_share() {
        let bare = Page { art: None, ..work.page.clone() };
        let tried = compose(&bare, work.fonts());
        if measured(work, &tried, &bare).passed {
            work.page = bare;
            work.note("The art would come too near the text: it is taken off.");
            return Ok(tried);
        }
    }
    if now.passed || !before.passed { Ok(composed) } else { no("Text could not be read like that on this page.") }
}

/// Whether art comes too near to text.
fn is_crowded(quality: &Quality) -> bool {
    quality.checks.iter().any(|c| c.name == "art_near_text" && !c.passed)
}

fn measured(work: &Work<'_, '_>, composed: &Composed, page: &Page) -> Quality {
    let scene = &composed.scene;
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    let drawn = CpuRasteriser::new().draw(&without_text(scene), proof_canvas(scene), work.fonts(), &mut pixels);
    inspect(scene, page, drawn.is_ok().then_some(&pixels))
}
