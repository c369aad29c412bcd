//! Finds the output that an edit request names, and decides whether it can be edited.

use fleet::edit::{EditPage, EditPages};
use render_core::design::Slide;
use render_core::edit::{NamedPicture, UPLOADED, pictures};
use uuid::Uuid;

use crate::access::Authorised;
use crate::app::App;
use crate::http::error::{ApiError, Conflict, Detail, Missing};
use crate::state::{Given, Output, Placed, Uneditable, UploadKind};

/// The target of an edit: an output and the set it belongs to.
pub(super) struct Aim {
    /// The output.
    pub found: Placed,
    /// The places of the ready outputs in the set.
    pub set: Vec<u32>,
    /// The pages of those outputs.
    pub pages: EditPages,
}

impl Aim {
    /// Drops the pages of the other slides in the set.
    pub fn alone(mut self) -> Self {
        self.pages.pages = self.pages.pages.get(self.pages.at).copied().into_iter().collect();
        self.set = vec![self.found.place];
        self.pages.at = 0;
        self
    }

    /// Returns the output's slide position in its carousel, if it is a slide.
    pub fn slide(&self) -> Option<Slide> {
        let (shown, _) = self.found.snapshot.slides(self.found.place)?;
        let index = shown.iter().position(|place| *place == self.found.place)?;
        Some(Slide { index: index as u32, count: shown.len() as u32 })
    }

    /// Returns the text of each slide in the output's carousel, taken from the alt texts.
    pub fn said(&self) -> Vec<&str> {
        let (shown, _) = self.found.snapshot.slides(self.found.place).unwrap_or_default();
        let output = |place: u32| self.found.snapshot.outputs.get(place as usize);
        shown.into_iter().map(|place| output(place).map_or("", |output| output.alt_text.as_str())).collect()
    }

    /// The version that the output currently shows.
    pub fn version(&self) -> u32 {
        self.pages.pages.get(self.pages.at).map_or(1, |page| page.version)
    }
}

/// Finds the output that a request names and checks that it can be edited now.
pub(super) async fn aim(app: &App, caller: &Authorised, within: Option<Uuid>, output: Uuid) -> Result<Aim, ApiError> {
    let account = caller.account_id;
    let found = app.store.run(move |store| store.placed(account, within, output)).await?;
    let found = found.map_err(|why| refused(why, within.is_some()))?;
    if !found.is_editable() {
        return Err(ApiError::Conflict(Conflict::NotEditable));
    }
    if found.snapshot.generation.request.given == Given::Markup {
        return Err(ApiError::Conflict(Conflict::WrittenPages));
    }
    if found.edit().is_some() {
        return Err(ApiError::Conflict(Conflict::EditInProgress));
    }
    let (mut set, mut pages, mut at) = (Vec::new(), Vec::new(), 0);
    for (place, output) in found.set() {
        let Some(page) = output.page else { continue };
        if place == found.place {
            at = pages.len();
        }
        set.push(place);
        let count = found.snapshot.slides(place).map_or(0, |(shown, _)| shown.len() as u32);
        let slide = found.snapshot.arrangement.slide(place).map(|index| Slide { index, count });
        let Output { version, width, height, .. } = *output;
        pages.push(EditPage { page, version, width, height, slide });
    }
    let pages = EditPages { account, pages, at, brand: found.snapshot.generation.brand, uploads: Vec::new() };
    Ok(Aim { found, set, pages })
}

/// Resolves the uploaded pictures that a prompt or an instruction refers to. A picture that an instruction names by its
/// hash is already stored, so its upload may have expired.
pub(super) async fn with_uploads(app: &App, pages: EditPages, words: &str) -> Result<EditPages, ApiError> {
    let (account, mut uploads) = (pages.account, Vec::new());
    for NamedPicture { url, key } in pictures(words) {
        let Some(id) = url.strip_prefix(UPLOADED) else { continue };
        let found = match id.parse::<Uuid>() {
            Ok(id) => app.store.run(move |store| store.upload(account, id)).await?,
            Err(_) => None,
        };
        let upload = match found {
            None if key.is_some() => continue,
            None => return Err(ApiError::Missing(Missing::Upload)),
            Some(upload) => upload,
        };
        if !matches!(upload.kind, UploadKind::Picture(_)) {
            let message = "This upload is not a picture. Upload a PNG, JPEG, WebP, GIF or AVIF.";
            return Err(ApiError::Invalid(vec![Detail::new("prompt", "invalid_value", message)]));
        }
        match upload.usable() {
            Ok(upload) => uploads.push((url, upload.blob)),
            Err(_) if key.is_some() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(EditPages { uploads, ..pages })
}

/// Maps the reason that an output can't be edited to an API error. `named` is true if the request named the generation.
pub(super) fn refused(why: Uneditable, named: bool) -> ApiError {
    match why {
        Uneditable::NoGeneration if named => ApiError::Missing(Missing::Generation),
        Uneditable::NoGeneration | Uneditable::NoOutput => ApiError::Missing(Missing::Output),
        Uneditable::NoVersion => {
            ApiError::Invalid(vec![Detail::new("version", "invalid_value", "This image has no such version.")])
        }
        Uneditable::NotReady => ApiError::Conflict(Conflict::NotEditable),
        Uneditable::InProgress | Uneditable::Moved => ApiError::Conflict(Conflict::EditInProgress),
        Uneditable::TooMany => {
            let message = "This image has the maximum number of versions. Create a new generation instead.";
            ApiError::Invalid(vec![Detail::new("outputId", "too_many_versions", message)])
        }
        Uneditable::Full => ApiError::QueueFull,
        Uneditable::Insufficient { required, available } => ApiError::InsufficientCredits { required, available },
        Uneditable::StorageFull(full) => full.into(),
    }
}
