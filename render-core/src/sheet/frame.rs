//! The frame of a page: the area for content, and the design units of the scales' steps.

use crate::content::Direction;
use crate::design::Theme;
use crate::format::{Density, Format};
use crate::scene::{Rect, Size};
use crate::tree::{Shape, Space, Step};

/// Design units of the spacing steps on a canvas 1080 du wide.
const SPACES: [f32; 10] = [0.0, 8.0, 14.0, 22.0, 32.0, 44.0, 60.0, 80.0, 108.0, 144.0];
/// Multiples of the size of running text up to `lg`; from `xl` on, of the base size of display type.
const SIZES: [f32; 10] = [0.71, 0.84, 1.0, 1.25, 1.66, 2.3, 3.15, 4.5, 8.4, 17.0];

/// Space above the cap line of words at the top of a safe area, in sizes of running text.
const RISE: f32 = 0.6;

/// Returns the sizes in du of labels, of running text, and the base size of display type.
pub fn type_sizes(format: &Format) -> [f32; 3] {
    let (size, px) = (format.size_du(), format.pixel_du());
    let w = size.w;
    match format.density {
        Density::Banner => {
            // Strips are at most three lines high, skyscrapers one word wide.
            let lead = (0.2 * size.h).min(0.085 * w).clamp(9.0 * px, 15.0 * px);
            [10.0 * px, 12.5 * px, lead]
        }
        Density::Poster => [(0.0235 * w).max(26.0), (0.03 * w).max(38.0), (0.03 * w).max(38.0)],
        Density::Slide => [24.0, 36.0, 46.0],
        Density::Document => [20.0, 28.0, 37.0],
    }
}

/// The frame of one page, in du.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// The canvas.
    pub size: Size,
    /// The area for content: inside the margin and the format's safe area.
    pub room: Rect,
    /// The shape of the canvas.
    pub shape: Shape,
    /// Factor of the spacing scale: 1 on a canvas 1080 du wide, more if a canvas is displayed smaller.
    pub k: f32,
    /// Additional factor of spaces, set by edits.
    pub air: f32,
    /// Whether the page is read from right to left.
    pub rtl: bool,
    body: f32,
    lead: f32,
    smallest: f32,
    smallest_note: f32,
}

impl Frame {
    /// Creates the frame of a page of `format` in the style of `theme`. `space` gives distances in hundredths of the
    /// usual ones.
    pub fn of(format: &Format, theme: &Theme, direction: Direction, space: u16) -> Self {
        let size = format.size_du();
        let [small, body, lead] = type_sizes(format);
        let k = small / 26.0;
        let margin = theme.margin * if size.aspect() > 2.2 { k.min(1.6) } else { k.clamp(0.85, 1.25) };
        let margin = margin.min(0.09 * size.h.min(size.w) + 24.0) * f32::from(space) / 100.0;
        // Ascenders reach above the cap line by which text is placed; they must stay in the safe area too.
        let safe = format.safe_rect_du();
        let safe = Rect { y0: safe.y0 + if safe.y0 > 0.0 { RISE * body } else { 0.0 }, ..safe };
        let room = safe.intersect(&Rect::new(0.0, 0.0, size.w, size.h).grow(-margin));
        Self {
            size,
            room,
            shape: Shape::of_page(size, room.size()),
            k,
            air: f32::from(space) / 100.0,
            rtl: direction == Direction::Rtl,
            body,
            lead,
            smallest: format.smallest_size(),
            smallest_note: format.smallest_note(),
        }
    }

    /// Returns a space in du.
    pub fn space(&self, space: Space) -> f32 {
        match space {
            Space::Step(n) => SPACES[usize::from(n.min(9))] * self.k * self.air,
            Space::Du(du) => du,
        }
    }

    /// Returns a type size in du.
    pub fn size(&self, step: Step) -> f32 {
        let base = if step > Step::Lg { self.lead } else { self.body };
        // All words above the smallest step have at least the minimum size of notes.
        let least = if step == Step::Xs { self.smallest } else { self.smallest_note.max(self.smallest) };
        (SIZES[step as usize] * base).max(least)
    }

    /// Returns the smallest size in du of running text, whatever its step.
    pub fn least_text(&self) -> f32 {
        self.smallest_note.max(self.smallest)
    }

    /// Returns the smallest size in du to which words of `step` may shrink if a page is full.
    pub fn floor(&self, step: Step) -> f32 {
        match step {
            Step::Xs => self.smallest,
            Step::Sm | Step::Md | Step::Lg => self.smallest_note.max(self.smallest),
            step => (0.6 * self.size(step)).max(self.body),
        }
        .min(self.size(step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Style;

    #[test]
    fn scales_rise_in_every_format() {
        for format in Format::all() {
            let frame = Frame::of(format, Theme::of(Style::MODERN), Direction::Ltr, 100);
            assert!(frame.room.w() > 0.0 && frame.room.h() > 0.0, "{}", format.id);
            let steps = [
                Step::Xs,
                Step::Sm,
                Step::Md,
                Step::Lg,
                Step::Xl,
                Step::Xxl,
                Step::Xxxl,
                Step::Hero,
                Step::Giant,
                Step::Colossal,
            ];
            for pair in steps.windows(2) {
                assert!(frame.size(pair[0]) <= frame.size(pair[1]), "{}: {pair:?}", format.id);
            }
            assert!(steps.iter().all(|s| frame.floor(*s) <= frame.size(*s)), "{}", format.id);
        }
    }
}
