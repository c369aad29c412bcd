//! Groups of items that are drawn as one picture.

use std::ops::Range;

use super::{Affine, Coverage};

/// A group of items, drawn separately on a transparent background and composited over the content below as one picture:
/// blurred, then clipped, faded and blended.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The range of items in the scene. A layer without items still shows its blurred backdrop.
    pub items: Range<usize>,
    /// 0 to 1.
    pub opacity: f32,
    /// How it blends with the content below.
    pub blend: BlendMode,
    /// The visible part; `None` shows all of it.
    pub clip: Option<Clip>,
    /// Standard deviation in du of the Gaussian that blurs the layer's items; 0 for no blur. The clip isn't blurred.
    pub blur: f32,
    /// Standard deviation in du of the Gaussian that blurs the content below (of the enclosing layer, as far as it is
    /// drawn); 0 for no blur. The blurred backdrop becomes the layer's background, so the clip limits it.
    pub backdrop_blur: f32,
}

impl Layer {
    /// Creates a layer without effects.
    pub fn new(items: Range<usize>) -> Self {
        Self { items, opacity: 1.0, blend: BlendMode::Normal, clip: None, blur: 0.0, backdrop_blur: 0.0 }
    }
}

/// A coverage as a mask.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// From the coverage's space to du.
    pub transform: Affine,
    /// The visible part.
    pub coverage: Coverage,
}

/// How a layer's colours blend with those below: the separable modes of W3C Compositing and Blending Level 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlendMode {
    /// Source-over.
    #[default]
    Normal,
    /// The product: darker.
    Multiply,
    /// The product of the complements: lighter.
    Screen,
    /// Multiply in the shadows of the backdrop, screen in its highlights.
    Overlay,
    /// The darker of both, channel by channel.
    Darken,
    /// The lighter of both, channel by channel.
    Lighten,
    /// Brightens the backdrop by the colour.
    ColorDodge,
    /// Darkens the backdrop by the colour.
    ColorBurn,
    /// Multiply in the shadows of the colour, screen in its highlights.
    HardLight,
    /// Like `HardLight`, but softer.
    SoftLight,
    /// The absolute difference.
    Difference,
    /// Like `Difference`, with less contrast.
    Exclusion,
}

impl BlendMode {
    /// All modes.
    pub const ALL: [Self; 12] = [
        Self::Normal,
        Self::Multiply,
        Self::Screen,
        Self::Overlay,
        Self::Darken,
        Self::Lighten,
        Self::ColorDodge,
        Self::ColorBurn,
        Self::HardLight,
        Self::SoftLight,
        Self::Difference,
        Self::Exclusion,
    ];
}
