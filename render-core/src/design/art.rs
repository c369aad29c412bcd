//! The art of a page and the recipe that draws it. The module `art` implements the recipes, one file each.

/// Art drawn by a recipe of the kit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Art {
    /// Which recipe.
    pub recipe: Recipe,
    /// Seed of everything it draws at random.
    pub seed: u64,
    /// A share in 0–1 that the recipe shows, if it supports one.
    pub value: Option<f32>,
}

macro_rules! recipes {
    ($($(#[$doc:meta])+ $recipe:ident $name:literal;)+) => {
        /// The recipes of the art kit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Recipe {
            $($(#[$doc])+ $recipe,)+
        }

        impl Recipe {
            /// Every recipe.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$recipe),+];

            /// Returns whether it is a background for words and shows no object, so that a viewer looks for no meaning
            /// in it.
            pub const fn is_ground(self) -> bool {
                matches!(self, Self::Contours | Self::Beams | Self::Flow | Self::Sprig | Self::Horizon)
            }

            /// Returns its name, in kebab case.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$recipe => $name,)+
                }
            }
        }
    };
}

recipes! {
    /// Quarter circles, dots and discs on a square grid.
    Mosaic "mosaic";
    /// A field of dots that swell and shrink.
    Dots "dots";
    /// A few large shapes that overlap.
    Stack "stack";
    /// Contour lines of a height field.
    Contours "contours";
    /// One large ring with an arc of it drawn in the accent.
    Arc "arc";
    /// A sun half risen, or a disc half under water.
    Horizon "horizon";
    /// A few hairlines in a progression.
    Strokes "strokes";
    /// Flat wedges around a point.
    Rays "rays";
    /// Big dots or bars that grow until they fill the edge.
    Halftone "halftone";
    /// Flat areas that split the zone, and a large contrasting shape.
    Blocks "blocks";
    /// An arched window on a landscape at dusk.
    Arch "arch";
    /// Soft rays of light from the corner.
    Beams "beams";
    /// Phases of a moon, in a row.
    Phases "phases";
    /// Stacked stones.
    Pebbles "pebbles";
    /// A few discs and rings that touch, overlap or contain one another.
    Discs "discs";
    /// A bent stem with leaves.
    Sprig "sprig";
    /// A fan of fine lines between half circles.
    Fan "fan";
    /// A sun with stubby rays.
    Sun "sun";
    /// Large organic shapes in pastels.
    Blobs "blobs";
    /// A thick ribbon that enters from the edge.
    Squiggles "squiggles";
    /// Scallops in pastels, row under row.
    Scallops "scallops";
    /// Rising columns, the last in the accent.
    Columns "columns";
    /// A fine grid with a few cells filled.
    Grid "grid";
    /// A flight of steps up to the edge.
    Steps "steps";
    /// Curves over level lines, one of them in the accent.
    Trend "trend";
    /// Concentric rings around a corner, each drawn up to its value.
    Rings "rings";
    /// Ribbons that cross from edge to edge, one of them in the accent.
    Flow "flow";
    /// Blocks on a square plan seen from above a corner.
    Prisms "prisms";
    /// Wave-cut fields at an edge.
    Waves "waves";
    /// A ball of halftone dots.
    Ball "ball";
    /// Quarter discs in the squares of a golden spiral.
    Quarters "quarters";
    /// The lit limb of a planet.
    Limb "limb";
    /// Thin orbits, and one lit body on one of them.
    Orbit "orbit";
    /// Curtains of northern light.
    Aurora "aurora";
    /// Bars of light around a horizontal line, like a sound wave.
    Pulse "pulse";
    /// Ridges of light, one behind the other.
    Ridge "ridge";
}

impl Recipe {
    /// Returns whether it needs the full free width of a page and not just a corner.
    pub fn spreads(self) -> bool {
        matches!(
            self,
            Self::Contours
                | Self::Rays
                | Self::Halftone
                | Self::Blocks
                | Self::Beams
                | Self::Phases
                | Self::Flow
                | Self::Pulse
                | Self::Trend
                | Self::Waves
                | Self::Aurora
                | Self::Ridge
        )
    }
}
