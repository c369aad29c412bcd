//! The colours of data: what matters in the accent, the rest quiet, each seen on its ground.

use crate::scene::Color;
use crate::sheet::{With, mix};

/// A mark is told from its ground by this contrast at least (WCAG 2.2, 1.4.11).
const SEEN: f32 = 3.0;
/// A track is told from its ground by this contrast.
const TRACK: f32 = 1.12;

/// The colours of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tones {
    /// The marks that matter.
    pub hero: Color,
    /// The marks that they are held against.
    pub quiet: Color,
    /// The ground that a share is a part of.
    pub track: Color,
}

impl Tones {
    /// Those on an element's ground.
    pub fn of(with: &With<'_>) -> Self {
        let (ink, ground) = (with.inks.ink(), with.inks.ground);
        let mut shares = (0..14).map(|n| 0.66 - 0.04 * n as f32).map(|share| mix(ink, ground, share));
        let grey = shares.find(|c| c.contrast(ground) >= SEEN).unwrap_or(ink);
        let surface = with.inks.surface();
        let track = if surface.contrast(ground) >= TRACK { surface } else { mix(ink, ground, 0.87) };
        // In an outline the palest is seen.
        let quiet = if with.outline().is_some() { mix(ink, ground, 0.78) } else { grey };
        Self { hero: with.inks.accent(), quiet, track }
    }

    /// The colours of `count` series: one of two in the accent and the other quiet, more in the colours of data.
    pub fn series(&self, with: &With<'_>, count: usize, hero: Option<usize>) -> Vec<Color> {
        let others = |i: usize, hero: usize| (i + usize::from(i < hero)) as u8;
        (0..count)
            .map(|i| match hero {
                Some(hero) if i == hero => self.hero,
                Some(_) if count == 2 => self.quiet,
                Some(hero) => with.inks.data(others(i, hero)),
                None => with.inks.data(i as u8),
            })
            .collect()
    }
}
