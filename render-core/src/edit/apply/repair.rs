//! Repairs what an edit would break before refusing it: first the sizes shared in the set give way, then the headline
//! size, then the art.

use crate::compose::{Composed, compose};
use crate::design::{Page, SizeCaps};
use crate::inspect::{Quality, inspect, proof_canvas, without_text};
use crate::raster::cpu::CpuRasteriser;
use crate::raster::{Pixmap, Rasteriser};

use super::{ApplyError, Work, no};

/// The headline sizes to try, as multiples of the format's smallest size.
const HEADLINES: [f32; 6] = [3.2, 2.4, 1.9, 1.5, 1.2, 1.0];

/// Repairs the page until it passes inspection and returns its composition.
pub(super) fn repaired(work: &mut Work<'_, '_>) -> Result<Composed, ApplyError> {
    let before = work.target;
    let held = compose(before.page, before.fonts).fits;
    let mut composed = work.composed();
    if holds(&composed, &work.page) && (composed.fits || !held) {
        return seen(work, composed);
    }
    // Longer words need a smaller size.
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

/// Returns whether the page passes inspection, without the checks on pixels.
fn holds(composed: &Composed, page: &Page) -> bool {
    inspect(&composed.scene, page, None).passed
}

/// Inspects the rendered pixels. Art that comes too near the text is removed.
fn seen(work: &mut Work<'_, '_>, composed: Composed) -> Result<Composed, ApplyError> {
    let now = measured(work, &composed, &work.page);
    if now.passed && !is_crowded(&now) {
        return Ok(composed);
    }
    // A fault that the page had before the edit is no reason to refuse.
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

/// Returns whether art comes too near to text.
fn is_crowded(quality: &Quality) -> bool {
    quality.checks.iter().any(|c| c.name == "art_near_text" && !c.passed)
}

fn measured(work: &Work<'_, '_>, composed: &Composed, page: &Page) -> Quality {
    let scene = &composed.scene;
    let mut pixels = Pixmap { width: 0, height: 0, data: Vec::new() };
    let drawn = CpuRasteriser::new().draw(&without_text(scene), proof_canvas(scene), work.fonts(), &mut pixels);
    inspect(scene, page, drawn.is_ok().then_some(&pixels))
}
