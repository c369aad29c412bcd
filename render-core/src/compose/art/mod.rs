//! The art kit: parametric pictures drawn from a seed, in the palette of the page.
//!
//! Art has a zone. It may bleed over the edges of the canvas that the zone touches, and it never comes near text:
//! archetypes give it what their text leaves.

mod arc;
mod contours;
mod limb;
mod mosaic;

pub(super) use limb::center as limb_center;

use super::setter::Setter;
use crate::design::{Art, Recipe};
use crate::scene::Rect;

/// How much of the page the art takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// It leads: a cover.
    Lead,
    /// It accompanies text.
    Accent,
}

/// Where art is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Zone {
    /// The area. An edge that lies on the canvas's edge bleeds.
    pub rect: Rect,
    /// How much it is.
    pub scale: Scale,
}

/// Draws `art` in `zone`.
pub(super) fn draw(setter: &mut Setter<'_>, art: &Art, zone: Zone) {
    // Below this, art is a sticker.
    let least = 0.28 * setter.frame.size.short();
    if zone.rect.w() < least || zone.rect.h() < least {
        return;
    }
    let mut chance = Chance::new(art.seed);
    match art.recipe {
        Recipe::Mosaic => mosaic::draw(setter, zone, &mut chance),
        Recipe::Arc => arc::draw(setter, zone, art.value),
        Recipe::Limb => limb::draw(setter, zone, &mut chance),
        Recipe::Contours => contours::draw(setter, zone, &mut chance),
    }
}

/// Chance that is the same everywhere: SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub(super) struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to 1, 1 left out.
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Between `a` and `b`.
    pub fn range(&mut self, a: f32, b: f32) -> f32 {
        a + (b - a) * self.unit()
    }

    /// 0 to `n`, `n` left out.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}
