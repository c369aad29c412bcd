//! The colours of data: the accent for what matters, a neutral colour for the rest, both visible on their ground.

use crate::scene::Color;
use crate::sheet::{With, mix};

/// Least contrast of a mark with its ground (WCAG 2.2, 1.4.11).
const SEEN: f32 = 3.0;
/// Least contrast of a track with its ground.
const TRACK: f32 = 1.12;

/// The colours of a chart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tones {
    /// The marks in focus.
    pub hero: Color,
    /// The marks for comparison.
    pub quiet: Color,
    /// The track behind a share.
    pub track: Color,
}

impl Tones {
    /// Returns the colours on an element's ground.
    pub fn of(with: &With<'_>) -> Self {
        let (ink, ground) = (with.inks.ink(), with.inks.ground);
        let mut shares = (0..14).map(|n| 0.66 - 0.04 * n as f32).map(|share| mix(ink, ground, share));
        let grey = shares.find(|c| c.contrast(ground) >= SEEN).unwrap_or(ink);
        let surface = with.inks.surface();
        let track = if surface.contrast(ground) >= TRACK { surface } else { mix(ink, ground, 0.87) };
        // With an outline, even the palest colour is visible.
        let quiet = if with.outline().is_some() { mix(ink, ground, 0.78) } else { grey };
        Self { hero: with.inks.accent(), quiet, track }
    }

    /// Returns the colours of `count` series: of two, one in the accent and the other neutral; of more, the colours of
    /// data.
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
