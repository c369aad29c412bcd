//! Writes scenes as a PDF, one page for each.
//!
//! Shapes stay shapes, and text stays text in embedded fonts, so that it can be selected and searched. What PDF can't
//! express (shadows, blurs, patterns, conic and mesh gradients) is drawn by the CPU rasteriser, piece by piece, and
//! placed as a picture. The same scenes give the same bytes: the file contains no date.

mod gradient;
mod page;
mod picture;
mod shape;
mod text;

use std::collections::HashMap;

use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};

use crate::raster::RasterError;
use crate::raster::cpu::CpuRasteriser;
use crate::scene::{Canvas, Scene};
use crate::text::{FaceId, Fonts};

/// Why a PDF could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// A page without width or height.
    #[error("a page of {0}×{1} points is outside the limits")]
    PageSize(f32, f32),
    /// A part of a page that is placed as a picture could not be drawn.
    #[error(transparent)]
    Raster(#[from] RasterError),
    /// The writer failed; the message is the writer's own.
    #[error("the PDF can't be written: {0}")]
    Writer(String),
}

/// The metadata of a PDF.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// The title.
    pub title: Option<&'a str>,
    /// BCP 47 tag of the language.
    pub language: Option<&'a str>,
}

/// A PDF that is being written.
pub struct Pdf {
    document: Document,
    shelf: Shelf,
}

/// Resources that pages share.
struct Shelf {
    raster: CpuRasteriser,
    /// `None` for a face whose glyphs are drawn as paths.
    fonts: HashMap<FaceId, Option<krilla::text::Font>>,
    pictures: HashMap<u64, krilla::image::Image>,
}

impl Pdf {
    /// Creates a PDF without pages.
    pub fn new(about: About<'_>) -> Self {
        let settings = SerializeSettings { enable_tagging: false, ..SerializeSettings::default() };
        let mut document = Document::new_with(settings);
        let mut metadata = Metadata::new().producer("Vivid".into());
        if let Some(title) = about.title.filter(|t| !t.is_empty()) {
            metadata = metadata.title(title.to_owned());
        }
        if let Some(language) = about.language.filter(|l| !l.is_empty() && *l != "und") {
            metadata = metadata.language(language.to_owned());
        }
        document.set_metadata(metadata);
        let shelf = Shelf { raster: CpuRasteriser::new(), fonts: HashMap::new(), pictures: HashMap::new() };
        Self { document, shelf }
    }

    /// Appends a page of `size` (width and height in points) with `scene`. Pictures are drawn at the resolution of
    /// `canvas`. All pages must use the same `fonts`.
    ///
    /// # Errors
    /// [`PdfError::PageSize`], [`PdfError::Raster`].
    pub fn add(&mut self, scene: &Scene, canvas: Canvas, size: (f32, f32), fonts: &Fonts) -> Result<(), PdfError> {
        let settings = PageSettings::from_wh(size.0, size.1).ok_or(PdfError::PageSize(size.0, size.1))?;
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        let drawn = page::draw(&mut surface, &mut self.shelf, scene, canvas, size, fonts);
        surface.finish();
        page.finish();
        drawn
    }

    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// [`PdfError::Writer`].
    pub fn finish(self) -> Result<Vec<u8>, PdfError> {
        self.document.finish().map_err(|e| PdfError::Writer(e.to_string()))
    }
}

#[cfg(test)]
mod tests;
