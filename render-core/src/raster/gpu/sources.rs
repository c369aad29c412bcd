//! The sources of the shaders, and how they combine to modules. The build script validates every module.

/// Definitions that all drawing stages share.
const FRAME: &str = include_str!("../../../../shaders/frame.wgsl");
/// The result of a paint.
const SOURCE: &str = include_str!("../../../../shaders/source.wgsl");
/// Tables of colours.
const TABLE: &str = include_str!("../../../../shaders/table.wgsl");
/// Coverage × paint.
const DRAW: &str = include_str!("../../../../shaders/draw.wgsl");
/// Coverage only.
const MASK: &str = include_str!("../../../../shaders/mask.wgsl");
/// Compositing groups over their surroundings.
const COMPOSE: &str = include_str!("../../../../shaders/compose.wgsl");
/// Gaussian blurs.
const BLUR: &str = include_str!("../../../../shaders/blur.wgsl");
/// Quantising pixels to bytes.
const QUANTISE: &str = include_str!("../../../../shaders/quantise.wgsl");

/// How a pixel's coverage is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coverage {
    Whole,
    Round,
    Ellipse,
    Shadow,
    Glyph,
    Strip,
}

impl Coverage {
    pub const ALL: [Self; 6] = [Self::Whole, Self::Round, Self::Ellipse, Self::Shadow, Self::Glyph, Self::Strip];

    fn source(self) -> &'static str {
        match self {
            Self::Whole => include_str!("../../../../shaders/coverage/whole.wgsl"),
            Self::Round => include_str!("../../../../shaders/coverage/round.wgsl"),
            Self::Ellipse => include_str!("../../../../shaders/coverage/ellipse.wgsl"),
            Self::Shadow => include_str!("../../../../shaders/coverage/shadow.wgsl"),
            Self::Glyph => include_str!("../../../../shaders/coverage/glyph.wgsl"),
            Self::Strip => include_str!("../../../../shaders/coverage/strip.wgsl"),
        }
    }
}

/// How a pixel's colour is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Solid,
    Gradient,
    Pattern,
    Mesh,
    Picture,
    Blurred,
}

impl Paint {
    pub const ALL: [Self; 6] = [Self::Solid, Self::Gradient, Self::Pattern, Self::Mesh, Self::Picture, Self::Blurred];

    /// Returns whether the paint looks colours up in a table.
    fn has_table(self) -> bool {
        matches!(self, Self::Gradient | Self::Pattern | Self::Mesh)
    }

    fn source(self) -> &'static str {
        match self {
            Self::Solid => include_str!("../../../../shaders/paint/solid.wgsl"),
            Self::Gradient => include_str!("../../../../shaders/paint/gradient.wgsl"),
            Self::Pattern => include_str!("../../../../shaders/paint/pattern.wgsl"),
            Self::Mesh => include_str!("../../../../shaders/paint/mesh.wgsl"),
            Self::Picture => include_str!("../../../../shaders/paint/picture.wgsl"),
            Self::Blurred => include_str!("../../../../shaders/paint/blurred.wgsl"),
        }
    }
}

/// A shader module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Module {
    /// Coverage × paint: `corner` and `draw`.
    Draw(Coverage, Paint),
    /// Coverage only: `corner` and `mask`.
    Mask(Coverage),
    /// Groups: `corner` with `over` or `blend`.
    Compose,
    /// `reduce`, `across` and `down`.
    Blur,
    /// `quantise`.
    Quantise,
}

impl Module {
    /// Returns the WGSL source.
    pub fn source(self) -> String {
        match self {
            Self::Draw(coverage, paint) => {
                let table = if paint.has_table() { TABLE } else { "" };
                [FRAME, coverage.source(), SOURCE, table, paint.source(), DRAW].join("\n")
            }
            Self::Mask(coverage) => [FRAME, coverage.source(), MASK].join("\n"),
            Self::Compose => [FRAME, COMPOSE].join("\n"),
            Self::Blur => BLUR.to_owned(),
            Self::Quantise => QUANTISE.to_owned(),
        }
    }

    /// Returns all modules.
    #[allow(dead_code, reason = "the build script and the tests iterate over them")]
    pub fn all() -> impl Iterator<Item = Self> {
        let draws = Coverage::ALL.into_iter().flat_map(|c| Paint::ALL.map(|p| Self::Draw(c, p)));
        draws.chain(Coverage::ALL.map(Self::Mask)).chain([Self::Compose, Self::Blur, Self::Quantise])
    }
}
