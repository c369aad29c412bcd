//! The pictures of a page that may be photographs.

use hayro_interpret::kurbo::{Affine, Rect};
use hayro_interpret::{CacheKey, Image};
use render_core::limits::{LEAST_PHOTO_PX, PICTURE_EDGE_PX, PICTURE_PIXELS};
use serde::{Deserialize, Serialize};

/// The ratio of the longer to the shorter edge beyond which it is a banner or a rule.
const LONGEST: f64 = 3.0;

/// The position of a picture: its index on its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figure {
    /// From 0.
    pub page: usize,
    /// From 0, in drawing order.
    pub nth: usize,
}

/// A picture on a page.
#[derive(Debug, Clone, Copy)]
pub struct Picture {
    pub nth: usize,
    /// Identifies the picture, wherever it is drawn.
    pub key: u128,
    pub place: Rect,
}

impl Picture {
    /// Returns a picture if it is large enough, upright and shaped like a photograph.
    pub fn new(nth: usize, image: &Image<'_, '_>, transform: Affine, place: Rect) -> Option<Self> {
        let Image::Raster(raster) = image else { return None };
        let (w, h) = (raster.width(), raster.height());
        let large = w >= LEAST_PHOTO_PX.0 && h >= LEAST_PHOTO_PX.1 && readable(w, h);
        let [a, b, c, d, ..] = transform.as_coeffs();
        let upright = a > 0.0 && d > 0.0 && b.abs() < 0.02 * a && c.abs() < 0.02 * d;
        let (across, down) = (a * f64::from(w), d * f64::from(h));
        let shaped = across < LONGEST * down && down < LONGEST * across;
        (large && upright && shaped).then(|| Self { nth, key: raster.cache_key(), place })
    }
}

/// Returns whether a picture of this size is decoded.
pub fn readable(width: u32, height: u32) -> bool {
    width.max(height) <= PICTURE_EDGE_PX && width as usize * height as usize <= PICTURE_PIXELS
}
