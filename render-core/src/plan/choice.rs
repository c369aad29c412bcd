//! Which archetypes a page is tried in: those that set its kind, by how well they fit what it says, how much the style
//! likes them, whether the page before looked the same, and a seeded tie-break, so that another seed shows another.

use crate::design::{Archetype, Recipe, Theme};
use crate::format::Format;
use crate::outline::{PageKind, PageOutline};

/// What a page's neighbours and its place say about its look.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    /// The archetype of the page before.
    pub before: Option<Archetype>,
    /// Everything drawn by chance is drawn from this.
    pub seed: u64,
    /// Whether there is a photograph to show.
    pub photo: bool,
}

/// How much of a choice each part is: fit, the style's taste, another look than the page before, chance.
const FIT: f32 = 1.0;
const TASTE: f32 = 0.6;
const REPEATED: f32 = 0.25;
const CHANCE: f32 = 0.3;
/// The taste at which a style never uses an archetype.
const NEVER: f32 = -1.0;

/// The archetypes that can set a page in a format, with their scores, best first.
pub(super) fn archetypes(
    said: &PageOutline,
    format: &Format,
    theme: &Theme,
    context: Context,
) -> Vec<(Archetype, f32)> {
    let mut out: Vec<(Archetype, f32)> = Archetype::ALL
        .into_iter()
        .filter(|a| a.kinds().contains(&said.kind) && theme.likes(*a) > NEVER)
        .filter(|a| suits(*a, theme, context))
        .filter_map(|a| {
            let fit = fit(a, said, format)?;
            let repeated = if context.before == Some(a) { REPEATED } else { 0.0 };
            Some((a, FIT * fit + TASTE * theme.likes(a) - repeated + CHANCE * chance(a, context.seed)))
        })
        .collect();
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    out
}

/// Whether what a page would show is what the archetype is made for.
fn suits(archetype: Archetype, theme: &Theme, context: Context) -> bool {
    match archetype {
        Archetype::CoverSplit => context.photo,
        // Its art stands on a grid; any other would be a patch.
        Archetype::CoverMosaic => super::dress::recipe(theme, context.seed) == Recipe::Mosaic,
        _ => true,
    }
}

/// How well an archetype suits what a page says, 0–1; `None` where it can't set it.
fn fit(archetype: Archetype, said: &PageOutline, format: &Format) -> Option<f32> {
    let aspect = format.size_du().aspect();
    let strip = format.size_du().aspect() > 2.5;
    Some(match archetype {
        Archetype::CoverLockup => {
            let title = said.title.as_ref()?.wordings.iter().map(|w| w.split_whitespace().count()).min()?;
            if (2..=8).contains(&title) { 0.6 } else { return None }
        }
        // A photograph that comes with the content leads.
        Archetype::CoverSplit => 1.0,
        Archetype::CoverMosaic if aspect < 1.22 => 0.75,
        Archetype::CoverMosaic => return None,
        Archetype::ArticleCard if (1.22..2.5).contains(&aspect) => 0.75,
        Archetype::ArticleCard => return None,
        Archetype::ListGrid if said.kind == PageKind::List || strip => 0.6,
        Archetype::ListGrid => 0.35,
        _ => 0.5,
    })
}

/// 0–1, the same for a seed and an archetype wherever they meet: SplitMix64's mix (Steele, Lea, Flood 2014).
fn chance(archetype: Archetype, seed: u64) -> f32 {
    let name = archetype
        .name()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let mut z = seed.wrapping_add(name).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 40) as f32 / (1_u64 << 24) as f32
}
