//! Stored pages → a PDF.

use std::time::Duration;

use bytes::Bytes;
use fleet::export::{ExportPage, ExportPages};
use fleet::protocol::{Failure, FailureCode};
use futures::future::BoxFuture;
use render_core::design::Brand;
use render_core::format::Format;
use render_core::leaf::{self, AnyPage};
use render_core::pdf::{About, Pdf};
use render_core::scene::Canvas;

use super::context::Context;
use super::stage::{Stage, Work};
use crate::failure;
use crate::renderer::Renderer;

/// Stored pages → a PDF.
pub(super) const STAGES: &[Stage<State>] = &[
    Stage { name: "fetch", deadline: Duration::from_secs(30), work: Work::Ask(fetch) },
    Stage { name: "write", deadline: Duration::from_secs(60), work: Work::Cpu(write) },
];

/// Points per pixel of a page whose format is no longer in the catalogue.
const POINTS: f32 = 0.75;

/// The state that the stages pass on.
pub(super) struct State {
    asked: ExportPages,
    renderer: Option<Renderer>,
    pages: Vec<AnyPage>,
    file: Bytes,
}

impl State {
    pub fn new(asked: ExportPages) -> Self {
        Self { asked, renderer: None, pages: Vec::new(), file: Bytes::new() }
    }

    pub fn into_file(self) -> Bytes {
        self.file
    }
}

fn fetch<'a>(state: &'a mut State, context: &'a Context) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let mut brand: Option<Brand> = None;
        state.renderer = Some(match state.asked.brand {
            Some(id) => {
                let branded = context.brands.load(id, &context.blobs, context.renderer.fonts()).await?;
                brand = Some(branded.brand);
                context.renderer.with_fonts(branded.fonts)
            }
            None => context.renderer.clone(),
        });
        for asked in &state.asked.pages {
            let bytes = context.blobs.get_blob(&asked.page).await.map_err(|e| failure::unread(&e))?;
            let mut page =
                leaf::decode(&bytes).map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
            // A stored page refers to its logo; the loaded brand kit has the pixels.
            if let Some(brand) = &mut brand {
                for logo in page.logos_mut() {
                    logo.pixels = brand.logos_mut().find(|l| l.key == logo.key).and_then(|l| l.pixels.clone());
                }
            }
            for photo in page.photos_mut() {
                photo.pixels = Some(context.photos.load(&photo.key, &context.blobs).await?);
            }
            state.pages.push(page);
        }
        Ok(())
    })
}

fn write(state: &mut State, _: &Context) -> Result<(), Failure> {
    let failed = |e: render_core::pdf::PdfError| failure::lasting(FailureCode::RenderFailed, e.to_string());
    let fonts = state.renderer.as_ref().expect("stage fetch comes before").fonts();
    let ExportPages { title, language, pages, .. } = &state.asked;
    let mut pdf = Pdf::new(About { title: title.as_deref(), language: language.as_deref() });
    for (asked, page) in pages.iter().zip(std::mem::take(&mut state.pages)) {
        let ExportPage { format, width, height, .. } = asked;
        let composed = page.compose(fonts).map_err(|e| failure::lasting(FailureCode::RenderFailed, e.to_string()))?;
        let scene = composed.scene;
        let size = Format::by_id(format).map(Format::size_points);
        let size = size.unwrap_or((*width as f32 * POINTS, *height as f32 * POINTS));
        pdf.add(&scene, Canvas::new(*width, *height), size, fonts).map_err(failed)?;
    }
    state.file = pdf.finish().map_err(failed)?.into();
    Ok(())
}
