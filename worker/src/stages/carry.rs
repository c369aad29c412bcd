//! Repeats the edits of an earlier generation on newly planned pages.

use bytes::Bytes;
use fleet::illustrated::EarlierEdits;
use fleet::protocol::BlobId;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use render_core::cancel::Scope;
use render_core::design::{Brand, Page, Photo};
use render_core::edit::{Carried, PastEdits, Picture, Target, carry};
use render_core::limits::PHOTOS;
use render_core::text::Fonts;
use render_core::warning::{Warning, WarningCode};

use super::context::Context;

/// A picture that an earlier edit placed on a page.
pub(super) struct Edited {
    /// The key of its file.
    pub key: String,
    /// Its file.
    pub file: Bytes,
    /// The picture as the edit names it, with its pixels.
    picture: Picture,
}

/// Loads the pictures that `edits` name. A missing picture doesn't fail the job: its edit is reported as lost.
pub(super) async fn pictures(edits: &EarlierEdits, context: &Context) -> Vec<Edited> {
    let mut named: Vec<(String, String)> = edits.pages.iter().flat_map(|page| page.edits.pictures()).collect();
    named.sort();
    named.dedup();
    let mut found = Vec::new();
    for (url, key) in named.into_iter().take(PHOTOS) {
        let Ok(file) = key.parse::<BlobId>() else { continue };
        let (Ok(pixels), Ok(file)) =
            (context.photos.load(&key, &context.blobs).await, context.blobs.get_blob(&file).await)
        else {
            continue;
        };
        let picture = Picture { url, found: Ok(Photo::of(key.clone(), pixels)) };
        found.push(Edited { key, file, picture });
    }
    found
}

/// Applies earlier edits to `pages`; `pictures` are the pictures that they name. Returns warnings about the edits that
/// can't be applied.
pub(super) fn apply(
    edits: EarlierEdits,
    pictures: &[Edited],
    pages: &mut [Page],
    brand: Option<&Brand>,
    fonts: &Fonts,
) -> Vec<Warning> {
    let EarlierEdits { anew, pages: edited, lost } = edits;
    let pictures: Vec<Picture> = pictures.iter().map(|edited| edited.picture.clone()).collect();
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
    let carried: Vec<Option<Carried>> = pages.par_iter().map(carried).collect();
    let mut warnings = Vec::new();
    for (page, carried) in pages.iter_mut().zip(carried) {
        let Some(Carried { page: after, lost, .. }) = carried else { continue };
        *page = after;
        if !lost.is_empty() {
            let place = match page.slide {
                Some(slide) => format!("Slide {} ({})", slide.index + 1, page.format),
                None => format!("The image for {}", page.format),
            };
            let message = format!("{place} doesn't keep these earlier edits: {}.", lost.join("; "));
            warnings.push(Warning::new(WarningCode::EditNotKept, message));
        }
    }
    warnings.extend(lost.into_iter().map(|message| Warning::new(WarningCode::EditNotKept, message)));
    warnings
}
