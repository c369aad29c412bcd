//! Scene → pixels. A scene is prepared once for any rasteriser: coordinates in pixels, paths as segments, glyphs as
//! masks, gradients as tables. A rasteriser turns that frame into pixels, and knows nothing of another rasteriser.

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

/// Opaque pixels, three bytes each (encoded sRGB), rows top down without padding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixmap {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width × height × 3` bytes.
    pub data: Vec<u8>,
}

/// Why a scene was not drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RasterError {
    /// An edge above [`crate::limits::EDGE_PX`], or none at all.
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
    /// More layers than [`crate::limits::SCENE_LAYERS`], or more within one another than
    /// [`crate::limits::LAYER_DEPTH`].
    #[error("a scene of {0} layers is over the limit")]
    TooManyLayers(usize),
    /// More layers that blur, themselves or their backdrop, than [`crate::limits::BLURRED_LAYERS`].
    #[error("a scene of {0} layers that blur is over the limit")]
    TooManyBlurs(usize),
    /// More path elements, points, glyphs and dashes than [`crate::limits::SCENE_ELEMENTS`].
    #[error("a scene of {0} elements is over the limit")]
    TooManyElements(usize),
    /// A gradient of more stops than [`crate::limits::GRADIENT_STOPS`].
    #[error("a gradient of {0} stops is over the limit")]
    TooManyStops(usize),
    /// Paths that are cut into more lines than [`crate::limits::FRAME_LINES`].
    #[error("paths of more than {} lines are over the limit", crate::limits::FRAME_LINES)]
    TooManyLines,
    /// Tables, pictures and masks of more bytes than [`crate::limits::FRAME_TABLE_BYTES`].
    #[error("tables of {0} bytes are over the limit")]
    TablesTooLarge(usize),
    /// Blurs that hold more texels at once than [`crate::limits::BLUR_TEXELS`].
    #[error("blurs of {0} texels at once are over the limit")]
    BlursTooLarge(u64),
    /// A layer that doesn't nest with those before it, or whose items the scene doesn't have.
    #[error("layer {0} crosses another or holds items that there aren't")]
    LayersCross(usize),
    /// A device, or its driver, failed.
    #[error("the device {}: {message}", match fault { DeviceFault::Lost => "is lost", DeviceFault::Declined => "can't draw this" })]
    Device {
        /// What that means for it.
        fault: DeviceFault,
        /// What it said.
        message: String,
    },
}

/// How a device failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceFault {
    /// It's gone, and has to be made anew.
    Lost,
    /// This picture is too much for it (memory, the size of a texture); another rasteriser can draw it.
    Declined,
}

impl RasterError {
    /// How the device failed; `None` where no rasteriser could have drawn it.
    pub fn device_fault(&self) -> Option<DeviceFault> {
        match self {
            Self::Device { fault, .. } => Some(*fault),
            _ => None,
        }
    }
}

/// Draws scenes. Implementations keep their caches between calls and may be used from several threads at once.
pub trait Rasteriser: Send + Sync {
    /// A short name for metrics and logs: `cpu`, `gpu`.
    fn name(&self) -> &'static str;

    /// Draws `scene` on `canvas` into `out`, whose buffer is reused.
    ///
    /// # Errors
    /// [`RasterError`] where the canvas or the scene is over a limit.
    fn draw(&self, scene: &Scene, canvas: Canvas, fonts: &Fonts, out: &mut Pixmap) -> Result<(), RasterError>;
}
