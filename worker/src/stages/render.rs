//! Stored page → stored picture.

use std::time::Duration;

use bytes::Bytes;
use fleet::protocol::{BlobId, Failure, FailureCode, RenderJob, Rendered, image_keys};
use futures::future::BoxFuture;
use render_core::compose::Composed;
use render_core::design::Brand;
use render_core::encode::{ImageFormat, encode};
use render_core::inspect::{Quality, inspect};
use render_core::leaf::{self, AnyPage};
use render_core::raster::Pixmap;
use render_core::scene::Canvas;
use render_core::warning::Warning;

use super::claimed::Claimed;
use super::context::Context;
use super::stage::{Stage, Work};
use crate::failure;
use crate::renderer::{Drawn, Renderer};

/// Stored page → stored picture.
pub(super) const STAGES: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(13), work: Work::Io(fetch) },
    Stage { name: "open", deadline: Duration::from_secs(5), work: Work::Cpu(open) },
    Stage { name: "photo", deadline: Duration::from_secs(13), work: Work::Io(photo) },
    Stage { name: "compose", deadline: Duration::from_secs(10), work: Work::Cpu(set) },
    Stage { name: "raster", deadline: Duration::from_secs(30), work: Work::Cpu(raster) },
    Stage { name: "inspect", deadline: Duration::from_secs(10), work: Work::Cpu(measure) },
    Stage { name: "encode", deadline: Duration::from_secs(30), work: Work::Cpu(write) },
    Stage { name: "thumbnail", deadline: Duration::from_secs(10), work: Work::Cpu(shrink) },
    Stage { name: "store", deadline: Duration::from_secs(14), work: Work::Io(store) },
];

/// The state that the stages pass on.
pub(super) struct State {
    job: RenderJob,
    place: Claimed,
    stored: Option<Bytes>,
    /// Renders with the faces of the page's brand.
    renderer: Option<Renderer>,
    /// The brand of the page.
    brand: Option<Brand>,
    page: Option<AnyPage>,
    composed: Option<Composed>,
    drawn: Option<Drawn>,
    quality: Quality,
    image: Bytes,
    sha256: [u8; 32],
    thumbnail: Bytes,
}

impl State {
    pub fn new(job: RenderJob, place: Claimed) -> Self {
        Self {
            job,
            place,
            stored: None,
            renderer: None,
            brand: None,
            page: None,
            composed: None,
            drawn: None,
            quality: Quality::default(),
            image: Bytes::new(),
            sha256: [0; 32],
            thumbnail: Bytes::new(),
        }
    }

    pub fn into_rendered(self) -> Rendered {
        let [object, thumbnail] = keys(&self.job, &self.place);
        // The warnings of the page come first; a face may have disappeared since the page was planned.
        let mut warnings = self.page.map(AnyPage::into_warnings).unwrap_or_default();
        let composed = self.composed.map(|c| c.warnings).unwrap_or_default();
        let new: Vec<Warning> = composed.into_iter().filter(|warning| !warnings.contains(warning)).collect();
        warnings.extend(new);
        Rendered {
            object,
            thumbnail,
            bytes: self.image.len() as u64,
            sha256: self.sha256,
            quality: self.quality,
            warnings,
        }
    }

    fn page(&self) -> &AnyPage {
        self.page.as_ref().expect("stage open comes before")
    }

    fn composed(&self) -> &Composed {
        self.composed.as_ref().expect("stage compose comes before")
    }

    fn drawn(&self) -> &Drawn {
        self.drawn.as_ref().expect("stage raster comes before")
    }

    fn renderer(&self) -> &Renderer {
        self.renderer.as_ref().expect("stage fetch comes before")
    }

    fn canvas(&self) -> Canvas {
        Canvas::new(self.job.width, self.job.height)
    }
}

/// Returns the keys of the image and of its thumbnail. They contain the claim's nonce, so no two claims ever write to
/// the same key.
pub(super) fn keys(job: &RenderJob, place: &Claimed) -> [String; 2] {
    let extension = format(&job.image_format).map_or("bin", |f| f.extension());
    let Claimed { claim, folder } = place;
    image_keys(folder.as_deref(), job.generation, job.output, job.version, claim.nonce, extension)
}

fn format(name: &str) -> Result<ImageFormat, Failure> {
    ImageFormat::from_name(name)
        .ok_or_else(|| failure::lasting(FailureCode::RenderFailed, format!("unknown image format {name:?}")))
}

fn fetch<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        state.stored = Some(context.blobs.get_blob(&state.job.page).await.map_err(|e| failure::unread(&e))?);
        state.renderer = Some(match state.job.brand {
            Some(brand) => {
                let branded = context.brands.load(brand, &context.blobs, context.renderer.fonts()).await?;
                state.brand = Some(branded.brand);
                context.renderer.with_fonts(branded.fonts)
            }
            None => context.renderer.clone(),
        });
        Ok(())
    })
}

fn open(state: &mut State, _: &Context) -> Result<(), Failure> {
    let stored = state.stored.take().expect("stage fetch comes before");
    let mut page = leaf::decode(&stored).map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
    // A stored page refers to its logo; the loaded brand kit has the pixels.
    if let Some(brand) = &mut state.brand {
        for logo in page.logos_mut() {
            logo.pixels = brand.logos_mut().find(|l| l.key == logo.key).and_then(|l| l.pixels.clone());
        }
    }
    state.page = Some(page);
    Ok(())
}

fn photo<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        for photo in state.page.iter_mut().flat_map(AnyPage::photos_mut) {
            photo.pixels = Some(context.photos.load(&photo.key, &context.blobs).await?);
        }
        Ok(())
    })
}

fn set(state: &mut State, _: &Context) -> Result<(), Failure> {
    let composed = state.page().compose(state.renderer().fonts());
    state.composed = Some(composed.map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?);
    Ok(())
}

fn raster(state: &mut State, _: &Context) -> Result<(), Failure> {
    let drawn = state.renderer().draw(&state.composed().scene, state.canvas());
    state.drawn = Some(drawn.map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?);
    Ok(())
}

fn measure(state: &mut State, _: &Context) -> Result<(), Failure> {
    let scene = &state.composed().scene;
    let backdrop =
        state.renderer().backdrop(scene).map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
    state.quality = inspect(scene, state.page().against(), Some(&backdrop));
    Ok(())
}

fn write(state: &mut State, _: &Context) -> Result<(), Failure> {
    let image = file(state.drawn(), &state.job.image_format)?;
    state.sha256 = BlobId::of(&image).0;
    state.image = image;
    // The next picture can use the buffer from here on.
    state.drawn = None;
    Ok(())
}

fn shrink(state: &mut State, _: &Context) -> Result<(), Failure> {
    let small = state.renderer().thumbnail(&state.composed().scene, state.canvas());
    let small = small.map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
    state.thumbnail = file(&small, &state.job.image_format)?;
    Ok(())
}

fn file(pixmap: &Pixmap, name: &str) -> Result<Bytes, Failure> {
    let bytes =
        encode(pixmap, format(name)?).map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
    Ok(bytes.into())
}

fn store<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let [image, thumbnail] = keys(&state.job, &state.place);
        let mime = format(&state.job.image_format)?.mime();
        // Awaits both uploads, even if one fails: the caller may delete the objects, so no upload may still be in
        // flight.
        let (first, second) = tokio::join!(
            context.blobs.put_object(&image, state.image.clone(), mime),
            context.blobs.put_object(&thumbnail, state.thumbnail.clone(), mime),
        );
        first.and(second).map_err(|e| failure::storage(&e))
    })
}
