//! Orders the glyphs of a page by its tags, if that order is plausible.

use super::marks::Mark;
use super::page::Glyph;
use super::tags::Place;

/// The share of a page that may lack a position in the tags.
const UNTAGGED: f32 = 0.1;
/// A line that is so many em above the previous one starts another column.
const UP: f32 = 1.5;

/// The glyphs of one block in one column.
pub type Part = Vec<Glyph>;

/// Returns the parts of a page, in order; `marks` are those of its glyphs.
///
/// # Errors
/// The glyphs, if the page has no tags, if its tags omit too much of it, or if their order jumps up and down.
pub fn parts(glyphs: Vec<Glyph>, marks: &[Mark]) -> Result<Vec<Part>, Vec<Glyph>> {
    let mark = |g: &Glyph| marks.get(g.mark).copied().unwrap_or(Mark::None);
    let place = |g: &Glyph| match mark(g) {
        Mark::Content(place) => Some(place),
        Mark::None | Mark::Artifact => None,
    };
    let inked = || glyphs.iter().filter(|g| mark(g) != Mark::Artifact && !g.text.trim().is_empty());
    let (all, placed) = (inked().count(), inked().filter(|g| place(g).is_some()).count());
    if placed == 0 || (all - placed) as f32 > UNTAGGED * all as f32 {
        return Err(glyphs);
    }
    // Glyphs without a position follow the block that is drawn before them.
    let mut last = Place { block: 0, nth: 0 };
    let mut ordered: Vec<((u32, bool), u32, usize)> = Vec::with_capacity(glyphs.len());
    for (n, glyph) in glyphs.iter().enumerate().filter(|(_, g)| mark(g) != Mark::Artifact) {
        let own = place(glyph);
        last = own.unwrap_or(last);
        ordered.push(((last.block, own.is_none()), last.nth, n));
    }
    ordered.sort_unstable();
    let mut parts: Vec<((u32, bool), Part)> = Vec::new();
    for (block, _, n) in ordered {
        let glyph = &glyphs[n];
        match parts.last_mut() {
            Some((same, part)) if *same == block && !is_above(glyph, part) => part.push(glyph.clone()),
            _ => parts.push((block, vec![glyph.clone()])),
        }
    }
    let parts: Vec<Part> = parts.into_iter().map(|(_, part)| part).collect();
    if is_sane(&parts) { Ok(parts) } else { Err(glyphs) }
}

/// Returns whether a glyph is above the last one of a part, so that it starts a column.
fn is_above(glyph: &Glyph, part: &Part) -> bool {
    part.last().is_some_and(|last| glyph.y < last.y - UP * glyph.size.max(last.size))
}

/// Returns whether parts go down the page, and up only to continue beside.
fn is_sane(parts: &[Part]) -> bool {
    let boxes: Vec<[f32; 4]> = parts.iter().map(bounds).collect();
    let astray = |w: &&[[f32; 4]]| {
        let ([ax0, atop, ax1, _], [bx0, btop, bx1, _]) = (w[0], w[1]);
        btop < atop - 2.0 && bx0 < ax1 && bx1 > ax0
    };
    boxes.windows(2).filter(astray).count() <= (parts.len() / 6).max(2)
}

/// Left, top, right and bottom.
fn bounds(part: &Part) -> [f32; 4] {
    part.iter().fold([f32::MAX, f32::MAX, f32::MIN, f32::MIN], |[x0, top, x1, bottom], g| {
        [x0.min(g.x0), top.min(g.y - g.size), x1.max(g.x1), bottom.max(g.y)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns lines of one glyph each, from the number of its mark and its position.
    fn page(lines: &[(usize, f32, f32)]) -> Vec<Glyph> {
        let glyph = |(mark, x, y): &(usize, f32, f32)| Glyph {
            text: format!("{x}/{y}"),
            x0: *x,
            x1: x + 200.0,
            y: *y,
            size: 10.0,
            bold: false,
            font: 0,
            guessed: false,
            mark: *mark,
        };
        lines.iter().map(glyph).collect()
    }

    const NONE: usize = 0;
    const ARTIFACT: usize = 1;

    /// Returns content marks from number 2 on, each of a block.
    fn marks(blocks: &[u32]) -> Vec<Mark> {
        let placed = blocks.iter().zip(0..).map(|(block, nth)| Mark::Content(Place { block: *block, nth }));
        [Mark::None, Mark::Artifact].into_iter().chain(placed).collect()
    }

    fn texts(parts: &[Part]) -> Vec<Vec<&str>> {
        parts.iter().map(|part| part.iter().map(|g| g.text.as_str()).collect()).collect()
    }

    #[test]
    fn tags_order_a_page_and_a_block_may_go_on_in_the_next_column() {
        // Drawn from the last to the first; the second block ends in the right column.
        let drawn = page(&[(ARTIFACT, 0.0, 20.0), (4, 300.0, 100.0), (3, 0.0, 200.0), (2, 0.0, 100.0)]);
        let parts = parts(drawn, &marks(&[1, 2, 2])).unwrap();
        assert_eq!(texts(&parts), [["0/100"], ["0/200"], ["300/100"]]);
    }

    #[test]
    fn what_has_no_place_follows_the_block_before_it_and_parts_none() {
        let mut lines: Vec<_> = (0..20_u8).map(|n| (2, 0.0, 100.0 + f32::from(n))).collect();
        // The mark of the last item is drawn late, and a note follows it.
        lines.extend([(4, 30.0, 130.0), (3, 0.0, 130.0), (NONE, 0.0, 700.0)]);
        let parts = parts(page(&lines), &marks(&[1, 2, 2])).unwrap();
        assert_eq!(texts(&parts)[1..], [vec!["0/130", "30/130"], vec!["0/700"]]);
    }

    #[test]
    fn an_order_without_sense_is_none() {
        let up: Vec<_> = (0..20_u8).map(|n| (2 + usize::from(n), 0.0, 400.0 - 20.0 * f32::from(n))).collect();
        let blocks: Vec<_> = (0..20).collect();
        assert!(parts(page(&up), &marks(&blocks)).is_err(), "from the foot to the head");
        let bare = page(&[(2, 0.0, 100.0), (NONE, 0.0, 120.0)]);
        assert_eq!(parts(bare, &marks(&[0])).unwrap_err().len(), 2, "half of it has no tags");
        assert!(parts(page(&[(NONE, 0.0, 1.0)]), &[]).is_err());
    }
}
