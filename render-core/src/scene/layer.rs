//! Groups of items that are drawn as one.

use std::ops::Range;

use super::{Affine, Coverage};

/// A group of items, drawn apart on nothing and laid over what is there as one picture: blurred, then clipped, faded
/// and blended.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Which items of the scene. A layer without items still shows its blurred backdrop.
    pub items: Range<usize>,
    /// 0 to 1.
    pub opacity: f32,
    /// How it meets what lies under it.
    pub blend: BlendMode,
    /// What of it is seen; all where `None`.
    pub clip: Option<Clip>,
    /// Standard deviation in du of the Gaussian that blurs what its items draw; 0 is none. The clip isn't blurred.
    pub blur: f32,
    /// Standard deviation in du of the Gaussian that blurs what lies under it (in the layer around it, as far as that
    /// is drawn); 0 is none. The blurred backdrop is the layer's ground, so it is seen where the clip lets it.
    pub backdrop_blur: f32,
}

impl Layer {
    /// A layer that changes nothing yet.
    pub fn new(items: Range<usize>) -> Self {
        Self { items, opacity: 1.0, blend: BlendMode::Normal, clip: None, blur: 0.0, backdrop_blur: 0.0 }
    }
}

/// A coverage as a mask.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// From the coverage's space to du.
    pub transform: Affine,
    /// What is seen.
    pub coverage: Coverage,
}

/// How a layer's colours meet those under it: the separable modes of W3C Compositing and Blending Level 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlendMode {
    /// Over it.
    #[default]
    Normal,
    /// The product: darker.
    Multiply,
    /// The product of the complements: lighter.
    Screen,
    /// Multiply in the shadows of what lies under, screen in its lights.
    Overlay,
    /// The darker of both, channel by channel.
    Darken,
    /// The lighter of both, channel by channel.
    Lighten,
    /// Brightens what lies under by the colour.
    ColorDodge,
    /// Darkens what lies under by the colour.
    ColorBurn,
    /// Multiply in the shadows of the colour, screen in its lights.
    HardLight,
    /// As `HardLight`, gently.
    SoftLight,
    /// How far apart they are.
    Difference,
    /// As `Difference`, with less contrast.
    Exclusion,
}

impl BlendMode {
    /// All of them.
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
