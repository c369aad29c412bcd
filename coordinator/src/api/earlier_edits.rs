//! `editsOf` of a creation: repeats the edits of an earlier generation on the pages that replace its pages.

use std::sync::Arc;

use fleet::blobs::BlobError;
use fleet::illustrated::{EDITS_BYTES, EarlierEdits, EditsOfPage, Illustrated};
use fleet::protocol::BlobId;
use render_core::design::{Page, stored};
use render_core::edit::PastEdits;
use render_core::limits::{IMAGES_BYTES, PDF_BYTES};
use uuid::Uuid;

use super::creation::Creation;
use super::received;
use crate::app::App;
use crate::http::error::{ApiError, Detail, Missing};
use crate::http::form::Form;
use crate::state::{Generation, Given, OutputEdits};

pub(super) const FIELD: &str = "editsOf";
/// The message for a generation whose slides were added, removed or moved.
const REARRANGED: &str =
    "Slides of the earlier generation were added, removed or moved; the new set has the slides in their first order.";

impl Form<'_> {
    pub(super) fn edits_of(&mut self) -> Option<Uuid> {
        let id = self.string(FIELD)?.parse().ok();
        if id.is_none() {
            self.fault(FIELD, "invalid_value", "editsOf must be the id of one of your generations, a UUID.");
        }
        id
    }
}

/// Collects the edits of the generation that `creation` names and assigns them to the pages that it makes from `seed`.
/// Returns `None` if it names no generation, or one without edits.
///
/// # Errors
/// [`ApiError::Missing`] if the account has no such generation; [`ApiError::Invalid`] if the edits together are too
/// large; [`ApiError::Busy`], [`ApiError::StorageUnavailable`], [`ApiError::Internal`].
pub(super) async fn collect(
    app: &App,
    account: Uuid,
    creation: &Creation,
    seed: u64,
) -> Result<Option<EarlierEdits>, ApiError> {
    let Some(id) = creation.edits_of else { return Ok(None) };
    let found = app.store.run(move |store| store.past_edits(account, id)).await?;
    let (snapshot, edited) = found.ok_or(ApiError::Missing(Missing::Generation))?;
    let source = &snapshot.generation;
    let EarlierEdits { mut pages, mut lost, .. } = made_before(app, account, source).await?;
    for output in edited {
        let at = pages.iter().position(|page| page.format == output.format && page.slide == output.slide);
        let before = at.map(|at| pages.remove(at).edits);
        pages.push(with_edits(app, output, before).await?);
    }
    if snapshot.is_rearranged() && !lost.iter().any(|known| known == REARRANGED) {
        lost.push(REARRANGED.to_owned());
    }
    let style = source.planned.as_ref().map(|planned| &planned.style).or(source.request.style.as_ref());
    let anew = seed != source.request.seed || creation.style.as_ref().is_some_and(|asked| Some(asked) != style);
    let pages = assigned(pages, &source.request.formats, &creation.formats, &mut lost);
    if pages.is_empty() && lost.is_empty() {
        return Ok(None);
    }
    let edits = EarlierEdits { anew, pages, lost };
    if serde_json::to_vec(&edits).map_or(0, |json| json.len()) > EDITS_BYTES {
        let message = format!("The edits of that generation have more than {EDITS_BYTES} bytes. Leave editsOf out.");
        return Err(ApiError::Invalid(vec![Detail::new(FIELD, "content_too_long", message)]));
    }
    Ok(Some(edits))
}

/// Returns the edits with which the pages of a generation were planned.
async fn made_before(app: &App, account: Uuid, source: &Generation) -> Result<EarlierEdits, ApiError> {
    if !matches!(source.request.given, Given::Remade(_)) || source.input_deleted.is_some() || source.parent.is_some() {
        return Ok(EarlierEdits::default());
    }
    let most = (PDF_BYTES + IMAGES_BYTES) as u64;
    let _working = app.bodies.working(account, most).await.map_err(received::fault)?;
    let stored = app.blobs.get_blob(&source.request.input).await?;
    let whole = Illustrated::unpack(&stored).map_err(|why| {
        tracing::error!(why, "reading the earlier edits of an input failed");
        ApiError::Internal
    })?;
    Ok(whole.edits.unwrap_or_default())
}

/// Appends the edits of an output to those with which its page was planned.
async fn with_edits(app: &App, output: OutputEdits, before: Option<PastEdits>) -> Result<EditsOfPage, ApiError> {
    let OutputEdits { format, slide, first, edits: made } = output;
    let mut edits = match before {
        Some(before) => before,
        None => page(app, first).await?.as_deref().map(PastEdits::of).unwrap_or_default(),
    };
    for edit in made {
        if edits.add(&edit.instruction) {
            continue;
        }
        match (page(app, edit.before).await?, page(app, edit.after).await?) {
            (Some(before), Some(after)) => edits.add_difference(&before, &after),
            _ => edits.lost.push("a change whose page is no longer stored".to_owned()),
        }
    }
    Ok(EditsOfPage { format, slide, edits })
}

/// Returns a stored page, or `None` if it was deleted or its format version is unknown.
async fn page(app: &App, id: BlobId) -> Result<Option<Arc<Page>>, ApiError> {
    match app.blobs.get_blob(&id).await {
        Ok(bytes) => Ok(stored::decode(&bytes).ok().map(Arc::new)),
        Err(BlobError::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Assigns the edits to the pages that replace the edited ones: those of the same format, or of another format with the
/// same number of slides. A format that changed its number of slides adds a message to `lost`.
fn assigned(
    edited: Vec<EditsOfPage>,
    made: &[(String, Option<u32>)],
    asked: &[(String, Option<u32>)],
    lost: &mut Vec<String>,
) -> Vec<EditsOfPage> {
    let count = |formats: &[(String, Option<u32>)], id: &str| formats.iter().find(|(f, _)| f == id).map(|(_, n)| *n);
    let mut out = Vec::new();
    for (format, slides) in asked {
        let like = match count(made, format) {
            Some(before) if before == *slides => Some(format),
            Some(_) => {
                if edited.iter().any(|page| page.format == *format) {
                    lost.push(format!("{format} has another number of slides now, so its earlier edits are not made."));
                }
                None
            }
            None => made.iter().find(|(_, before)| before == slides).map(|(format, _)| format),
        };
        let pages = edited.iter().filter(|page| Some(&page.format) == like);
        out.extend(pages.map(|page| EditsOfPage { format: format.clone(), ..page.clone() }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(format: &str, slide: Option<u32>) -> EditsOfPage {
        let clauses = vec!["set the headline to “Rest”".to_owned()];
        EditsOfPage { format: format.into(), slide, edits: PastEdits { clauses, ..PastEdits::default() } }
    }

    #[test]
    fn edits_go_to_the_pages_that_take_the_place_of_those_edited() {
        let formats = |list: &[(&str, Option<u32>)]| -> Vec<(String, Option<u32>)> {
            list.iter().map(|(id, n)| ((*id).to_owned(), *n)).collect()
        };
        let made = formats(&[("instagram_carousel", Some(5)), ("instagram_post", None)]);
        let pages = vec![edited("instagram_carousel", Some(2)), edited("instagram_post", None)];
        for (asked, expected, losses) in [
            (made.clone(), vec![("instagram_carousel", Some(2)), ("instagram_post", None)], 0),
            (formats(&[("linkedin_carousel", Some(5))]), vec![("linkedin_carousel", Some(2))], 0),
            (formats(&[("linkedin_carousel", Some(6))]), vec![], 0),
            (formats(&[("instagram_carousel", Some(6))]), vec![], 1),
            (formats(&[("x_post", None)]), vec![("x_post", None)], 0),
        ] {
            let mut lost = Vec::new();
            let found = assigned(pages.clone(), &made, &asked, &mut lost);
            let found: Vec<(&str, Option<u32>)> = found.iter().map(|p| (p.format.as_str(), p.slide)).collect();
            assert_eq!((found, lost.len()), (expected, losses), "{asked:?}");
        }
    }
}
