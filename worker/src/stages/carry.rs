//! Repeats the edits of an earlier generation on newly planned pages.

use bytes::Bytes;
use fleet::illustrated::EarlierEdits;
use fleet::protocol::{BlobId, Failure};
use futures::future::BoxFuture;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use render_core::cancel::Scope;
use render_core::design::{Page, Photo};
use render_core::edit::{Carried, PastEdits, Picture, Target, carry};
use render_core::limits::PHOTOS;
use render_core::warning::{Warning, WarningCode};

use super::Context;
use super::plan::State;

/// A picture that an earlier edit placed on a page.
pub(super) struct Edited {
    /// The key of its file.
    pub key: String,
    /// Its file.
    pub file: Bytes,
    /// The picture as the edit names it, with its pixels.
    picture: Picture,
}

/// Loads the pictures that the edits name. A missing picture doesn't fail the job: its edit is reported as lost.
pub(super) fn pictures<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let pages = state.edits.iter().flat_map(|edits| &edits.pages);
        let mut named: Vec<(String, String)> = pages.flat_map(|page| page.edits.pictures()).collect();
        named.sort();
        named.dedup();
        for (url, key) in named.into_iter().take(PHOTOS) {
            let Ok(file) = key.parse::<BlobId>() else { continue };
            let (Ok(pixels), Ok(file)) =
                (context.photos.load(&key, &context.blobs).await, context.blobs.get_blob(&file).await)
            else {
                continue;
            };
            let picture = Picture { url, found: Ok(Photo::of(key.clone(), pixels)) };
            state.edited_pictures.push(Edited { key, file, picture });
        }
        Ok(())
    })
}

/// Applies the edits. Those that can't be applied to the new pages become warnings.
pub(super) fn edits(state: &mut State, context: &Context) -> Result<(), Failure> {
    let Some(EarlierEdits { anew, pages: edited, lost }) = state.edits.take() else { return Ok(()) };
    let pictures: Vec<Picture> = state.edited_pictures.iter().map(|edited| edited.picture.clone()).collect();
    let fonts = state.branded.as_ref().map_or(context.renderer.fonts(), |branded| &branded.fonts);
    let brand = state.branded.as_ref().map(|branded| &branded.brand);
    let plan = state.plan.as_mut().expect("stage plan comes before");
    let past = |page: &Page| -> Option<&PastEdits> {
        let slide = page.slide.map(|slide| slide.index);
        Some(&edited.iter().find(|of| of.format == page.format.as_str() && of.slide == slide)?.edits)
    };
    let scope = Scope::current();
    let carried = |page: &Page| -> Option<Carried> {
        let past = past(page)?;
        let one = || carry(past, anew, &Target::new(page, 1, brand, fonts).with_pictures(&pictures));
        Some(scope.enter(one))
    };
    let carried: Vec<Option<Carried>> = plan.pages.par_iter().map(carried).collect();
    for (page, carried) in plan.pages.iter_mut().zip(carried) {
        let Some(Carried { page: after, lost, .. }) = carried else { continue };
        *page = after;
        if !lost.is_empty() {
            let place = match page.slide {
                Some(slide) => format!("Slide {} ({})", slide.index + 1, page.format),
                None => format!("The image for {}", page.format),
            };
            let message = format!("{place} doesn't keep these earlier edits: {}.", lost.join("; "));
            state.warnings.push(Warning::new(WarningCode::EditNotKept, message));
        }
    }
    state.warnings.extend(lost.into_iter().map(|message| Warning::new(WarningCode::EditNotKept, message)));
    Ok(())
}
