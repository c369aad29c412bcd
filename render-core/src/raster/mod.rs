//! Rasterises scenes. A scene is first prepared for all rasterisers: coordinates in pixels, paths as segments, glyphs
//! as masks, gradients as tables. A rasteriser turns that frame into pixels; rasterisers don't depend on each other.

mod area;
mod blur;
mod cache;
pub mod cpu;
mod flatten;
mod frame;
mod glyphs;
#[cfg(feature = "gpu")]
pub mod gpu;
mod gradient;
mod map;
mod mesh;
pub(crate) mod outline;
mod pattern;
mod picture;
mod pixels;
mod prepare;
mod rows;
mod shadow;
mod shape;

pub(crate) use self::gradient::premultiplied;
use crate::scene::{Canvas, Scene};
use crate::text::Fonts;

/// Opaque pixels, three bytes each (encoded sRGB), rows from top to bottom without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixmap {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width × height × 3` bytes.
    pub data: Vec<u8>,
}

/// Why a scene could not be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RasterError {
    /// An edge is 0 or above [`crate::limits::EDGE_PX`].
    #[error("a canvas of {width}×{height} pixels is outside the limits")]
    CanvasSize {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// More items than [`crate::limits::SCENE_ITEMS`].
    #[error("a scene of {0} items is over the limit")]
    TooManyItems(usize),
    /// More layers than [`crate::limits::SCENE_LAYERS`], or layers nested deeper than [`crate::limits::LAYER_DEPTH`].
    #[error("a scene of {0} layers is over the limit")]
    TooManyLayers(usize),
    /// More layers with a blur or a backdrop blur than [`crate::limits::BLURRED_LAYERS`].
    #[error("a scene of {0} layers that blur is over the limit")]
    TooManyBlurs(usize),
    /// More path elements, points, glyphs and dashes than [`crate::limits::SCENE_ELEMENTS`].
    #[error("a scene of {0} elements is over the limit")]
    TooManyElements(usize),
    /// A gradient has more stops than [`crate::limits::GRADIENT_STOPS`].
    #[error("a gradient of {0} stops is over the limit")]
    TooManyStops(usize),
    /// The paths flatten to more lines than [`crate::limits::FRAME_LINES`].
    #[error("paths of more than {} lines are over the limit", crate::limits::FRAME_LINES)]
    TooManyLines,
    /// Tables, pictures and masks take more bytes than [`crate::limits::FRAME_TABLE_BYTES`].
    #[error("tables of {0} bytes are over the limit")]
    TablesTooLarge(usize),
    /// Blurs hold more texels at once than [`crate::limits::BLUR_TEXELS`].
    #[error("blurs of {0} texels at once are over the limit")]
    BlursTooLarge(u64),
    /// A layer doesn't nest with the layers before it, or its range of items exceeds the scene.
    #[error("layer {0} overlaps another layer in part, or its items are not in the scene")]
    LayersCross(usize),
    /// A device, or its driver, failed.
    #[error("the device {}: {message}", match fault { DeviceFault::Lost => "is lost", DeviceFault::Declined => "can't draw this" })]
    Device {
        /// What the failure means for the device.
        fault: DeviceFault,
        /// The error message of the device or driver.
        message: String,
    },
}

/// How a device failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceFault {
    /// The device is lost and must be created again.
    Lost,
    /// The picture exceeds the device's limits (memory, texture size); another rasteriser can draw it.
    Declined,
}

impl RasterError {
    /// Returns how the device failed; `None` if no rasteriser could have drawn the scene.
    pub fn device_fault(&self) -> Option<DeviceFault> {
        match self {
            Self::Device { fault, .. } => Some(*fault),
            _ => None,
        }
    }
}

/// Draws scenes. Implementations keep their caches between calls and can be used from several threads at once.
pub trait Rasteriser: Send + Sync {
    /// A short name for metrics and logs: `cpu`, `gpu`.
    fn name(&self) -> &'static str;

    /// Draws `scene` on `canvas` into `out`, whose buffer is reused.
    ///
    /// # Errors
    /// [`RasterError`] if the canvas or the scene exceeds a limit.
    fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError>;
}
