//! Shaping: text to positioned glyphs of one or more faces, in em units and independent of size and measure.

use harfrust::{Buffer, BufferFlags, Direction, ShapeOptions, ShaperFont};
use unicode_script::{Script, UnicodeScript};
use unicode_segmentation::UnicodeSegmentation;

use super::TextStyle;
use super::faces::{FaceId, FeatureSet, Fonts, SCRIPTS, is_invisible};

/// What a cluster is to line breaking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ink,
    /// Breaking white space: not counted at a line's end.
    Space,
    /// Forces a break; has no glyphs.
    Newline,
}

/// The smallest stretch of text that has glyphs of its own: a grapheme or a ligature. In logical order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cluster {
    /// First byte in the text; it reaches to the next cluster's.
    pub start: usize,
    /// Its glyphs: from here to the next cluster's.
    pub glyphs: usize,
    /// Advance in em, without tracking.
    pub advance: f32,
    pub face: FaceId,
    pub kind: Kind,
}

/// A glyph relative to its cluster's start on the baseline: em units, y down.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapedGlyph {
    pub id: u16,
    pub x: f32,
    pub y: f32,
}

/// A shaped text.
#[derive(Debug, Default)]
pub(super) struct Shaped {
    pub clusters: Vec<Cluster>,
    pub glyphs: Vec<ShapedGlyph>,
    /// Characters that no face has, each once.
    pub missing: Vec<char>,
}

impl Shaped {
    /// The glyphs of cluster `i`.
    pub fn glyphs_of(&self, i: usize) -> &[ShapedGlyph] {
        let end = self.clusters.get(i + 1).map_or(self.glyphs.len(), |c| c.glyphs);
        &self.glyphs[self.clusters[i].glyphs..end]
    }
}

/// A character and the face that it is set in.
#[derive(Clone, Copy)]
struct Placed {
    at: usize,
    c: char,
    face: FaceId,
}

/// From this tracking on, either way, optional ligatures would stand out. In em.
const LOOSE: f32 = 0.02;

/// Shapes `text`, left to right, each stretch of one face and script at once.
pub(super) fn shape(fonts: &Fonts, text: &str, style: &TextStyle) -> Shaped {
    let mut shaped = Shaped::default();
    let placed = place(fonts, text, style.face, &mut shaped.missing);
    let set = FeatureSet { tabular: style.tabular, case: style.case, spaced: style.tracking.abs() > LOOSE };
    let features = set.features();
    let scripts = scripts(&placed);
    let mut buffer = Buffer::new();
    let mut from = 0;
    while from < placed.len() {
        if is_newline(placed[from].c) {
            let glyphs = shaped.glyphs.len();
            let Placed { at, face, .. } = placed[from];
            shaped.clusters.push(Cluster { start: at, glyphs, advance: 0.0, face, kind: Kind::Newline });
            from += 1;
            continue;
        }
        let (face, script) = (placed[from].face, scripts[from]);
        let more = (from..placed.len())
            .take_while(|i| !is_newline(placed[*i].c) && placed[*i].face == face && scripts[*i] == script)
            .count();
        let run = &placed[from..from + more];
        buffer.clear();
        buffer.set_flags(BufferFlags::DO_NOT_INSERT_DOTTED_CIRCLE);
        for p in run {
            buffer.push(u32::from(p.c), p.at as u32);
        }
        buffer.set_direction(Direction::LeftToRight);
        buffer.set_script(Some(SCRIPTS[script]));
        let options = ShapeOptions::new().plan(Some(fonts.plan(face, script, set))).features(&features);
        harfrust::shape(&ShaperFont::new(fonts.shaping(face)), &mut buffer, options)
            .expect("the plan was made for this direction and script");
        collect(&buffer, run, 1.0 / fonts.units_per_em(face), &mut shaped);
        from += more;
    }
    shaped
}

/// Appends the clusters of a shaped run.
fn collect(buffer: &Buffer, run: &[Placed], scale: f32, out: &mut Shaped) {
    let mut next = 0;
    let mut pen = 0.0;
    let mut last = u32::MAX;
    for (info, pos) in buffer.glyph_infos().iter().zip(buffer.glyph_positions()) {
        if info.cluster != last {
            last = info.cluster;
            pen = 0.0;
            while next + 1 < run.len() && (run[next].at as u32) < info.cluster {
                next += 1;
            }
            let c = run[next].c;
            let kind = if is_breaking_space(c) { Kind::Space } else { Kind::Ink };
            out.clusters.push(Cluster {
                start: info.cluster as usize,
                glyphs: out.glyphs.len(),
                advance: 0.0,
                face: run[next].face,
                kind,
            });
        }
        // Glyph 0 is the box for missing characters: never drawn, though coverage was checked before shaping.
        if let Some(id) = u16::try_from(info.glyph_id).ok().filter(|id| *id != 0) {
            let (x, y) = (pen + pos.x_offset as f32 * scale, -(pos.y_offset as f32) * scale);
            out.glyphs.push(ShapedGlyph { id, x, y });
            pen += pos.x_advance as f32 * scale;
            if let Some(cluster) = out.clusters.last_mut() {
                cluster.advance = pen;
            }
        }
    }
}

/// Which of [`SCRIPTS`] each character belongs to; marks, digits and punctuation follow their neighbours.
fn scripts(placed: &[Placed]) -> Vec<usize> {
    let own = |p: &Placed| match p.c.script() {
        Script::Latin => Some(0),
        Script::Greek => Some(1),
        Script::Cyrillic => Some(2),
        Script::Common | Script::Inherited => None,
        _ => Some(3),
    };
    let mut current = placed.iter().find_map(own).unwrap_or(0);
    placed
        .iter()
        .map(|p| {
            current = own(p).unwrap_or(current);
            current
        })
        .collect()
}

/// Chooses a face for each character and leaves out what no face has. A word stands in one face where one has all of
/// it, a grapheme always.
fn place(fonts: &Fonts, text: &str, primary: FaceId, missing: &mut Vec<char>) -> Vec<Placed> {
    let plain = |c: char| c.is_whitespace() || (!is_invisible(c) && fonts.covers(primary, c));
    if text.chars().all(plain) {
        return text.char_indices().map(|(at, c)| Placed { at, c: spaced(c), face: primary }).collect();
    }
    let weight = fonts.weight(primary);
    let chain = fonts.family(primary).fallback().iter().map(|f| fonts.face(*f, weight));
    let chain: Vec<FaceId> = std::iter::once(primary).chain(chain.filter(|f| *f != primary)).collect();

    let mut placed = Vec::new();
    // Where in `placed` graphemes begin, and whether they are letters.
    let mut graphemes: Vec<(usize, bool)> = Vec::new();
    for (start, grapheme) in text.grapheme_indices(true) {
        let from = placed.len();
        graphemes.push((from, grapheme.chars().next().is_some_and(char::is_alphabetic)));
        for (i, c) in grapheme.char_indices() {
            keep(fonts, &chain, Placed { at: start + i, c, face: primary }, from, &mut placed, missing);
        }
    }
    let mut i = 0;
    while i < graphemes.len() {
        let letters = graphemes[i..].iter().take_while(|g| g.1).count().max(1);
        let bounds = &graphemes[i..i + letters];
        let end = graphemes.get(i + letters).map_or(placed.len(), |g| g.0);
        if !choose(fonts, &chain, &mut placed[bounds[0].0..end]) {
            let ends = bounds[1..].iter().map(|g| g.0).chain([end]);
            for (from, to) in bounds.iter().map(|g| g.0).zip(ends) {
                if !choose(fonts, &chain, &mut placed[from..to]) {
                    (from..to).for_each(|i| {
                        choose(fonts, &chain, &mut placed[i..=i]);
                    });
                }
            }
        }
        i += letters;
    }
    // White space goes with what stands before it, so that it doesn't part a run.
    for i in 1..placed.len() {
        if placed[i].c.is_whitespace() {
            placed[i].face = placed[i - 1].face;
        }
    }
    placed
}

/// Appends a character of the grapheme that begins at `placed[from]` if some face has it.
fn keep(fonts: &Fonts, chain: &[FaceId], p: Placed, from: usize, placed: &mut Vec<Placed>, missing: &mut Vec<char>) {
    let has = |c: char| chain.iter().any(|f| fonts.covers(*f, c));
    if p.c.is_whitespace() {
        // Where a character between two spaces was left out, one of them goes too.
        let doubled = !missing.is_empty() && placed.last().is_some_and(|l| is_breaking_space(l.c));
        if !(doubled && is_breaking_space(p.c)) {
            placed.push(Placed { c: spaced(p.c), ..p });
        }
    } else if is_invisible(p.c) {
        // Nothing to draw, nothing missing; but joiners matter to the shaping of what they stand between.
        if is_joiner(p.c) && placed.len() > from {
            placed.push(p);
        }
    } else if matches!(p.c, '\u{2010}' | '\u{2011}') && !fonts.covers(p.face, p.c) {
        placed.push(Placed { c: '-', ..p });
    } else if has(p.c) || placed[from..].last().is_some_and(|b| composed(b.c, p.c).is_some_and(has)) {
        placed.push(p);
    } else if !missing.contains(&p.c) {
        missing.push(p.c);
    }
}

/// Sets `placed` in the first face of `chain` that has all of it; false where none has.
fn choose(fonts: &Fonts, chain: &[FaceId], placed: &mut [Placed]) -> bool {
    let has_all = |face: FaceId| {
        let mut base = None;
        placed.iter().all(|p| {
            let whole = base.and_then(|b| composed(b, p.c)).filter(|c| fonts.covers(face, *c));
            base = whole.or(Some(p.c));
            whole.is_some() || p.c.is_whitespace() || is_joiner(p.c) || fonts.covers(face, p.c)
        })
    };
    let Some(face) = chain.iter().copied().find(|f| has_all(*f)) else { return false };
    placed.iter_mut().for_each(|p| p.face = face);
    true
}

/// The character that `base` and the mark `c` make together.
fn composed(base: char, c: char) -> Option<char> {
    harfrust::unicode::compose(u32::from(base), u32::from(c)).and_then(char::from_u32)
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Whether a line ends at `c` come what may.
pub(super) fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// White space that a line may end at.
fn is_breaking_space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}') && !is_newline(c)
}

/// A tab is a space: a paragraph has no tab stops.
fn spaced(c: char) -> char {
    if c == '\t' { ' ' } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Family;

    fn style(fonts: &Fonts, family: Family) -> TextStyle {
        let face = fonts.face(family, 500);
        TextStyle { face, size: 40.0, tracking: 0.0, leading: 1.2, tabular: false, case: false }
    }

    fn shaped(family: Family, text: &str) -> (Fonts, Shaped) {
        let fonts = Fonts::new();
        let shaped = shape(&fonts, text, &style(&fonts, family));
        (fonts, shaped)
    }

    fn advance(s: &Shaped) -> f32 {
        s.clusters.iter().map(|c| c.advance).sum()
    }

    const SAMPLES: [&str; 8] = [
        "Trường hợp đặc biệt: nghĩa là gì?",
        "Zażółć gęślą jaźń, „Łódź”.",
        "İstanbul'da ığdır çayı – şöyle böyle",
        "Größe, Straße, ÜBERMÄSSIG: 30 € § 5",
        "Καλημέρα κόσμε, ΰψος Ώρα",
        "Съешь ещё этих мягких булок; Їжак, љубав, ўсё",
        "Þórður Ægisson, naïve façade, Dvořák, Škoda, ģērbtuves",
        "“A”—‘b’… №1 ½ × 3 ≤ 4 → 5 ₽ £ ¥ ™ © • − ≈",
    ];

    #[test]
    fn every_language_of_the_three_scripts_is_covered() {
        for family in Family::ALL {
            for text in SAMPLES {
                let (_, s) = shaped(family, text);
                assert!(s.missing.is_empty(), "{family:?} {text} {:?}", s.missing);
                let inkless = s.clusters.windows(2).filter(|w| w[0].kind == Kind::Ink && w[0].glyphs == w[1].glyphs);
                assert_eq!(inkless.count(), 0, "{family:?} {text}");
            }
        }
    }

    #[test]
    fn a_word_stands_in_one_face() {
        let (fonts, s) = shaped(Family::InstrumentSans, "Việt Nam");
        let faces: Vec<Family> = s.clusters.iter().map(|c| fonts.family(c.face)).collect();
        assert!(faces[..4].iter().all(|f| *f == Family::InterTight), "{faces:?}");
        assert!(faces[5..].iter().all(|f| *f == Family::InstrumentSans), "{faces:?}");
    }

    #[test]
    fn a_serif_falls_back_to_a_serif() {
        let (fonts, s) = shaped(Family::InstrumentSerif, "Привет");
        assert!(s.clusters.iter().all(|c| fonts.family(c.face) == Family::NotoSerif));
    }

    #[test]
    fn kerning_and_ligatures_are_on() {
        for family in [Family::Manrope, Family::InstrumentSerif, Family::Geist, Family::NotoSans] {
            let [av, a, v] = ["AV", "A", "V"].map(|t| advance(&shaped(family, t).1));
            assert!(av < a + v - 0.01, "{family:?}");
        }
        let (_, s) = shaped(Family::InstrumentSerif, "office");
        assert!(s.glyphs.len() < 6, "{} glyphs", s.glyphs.len());
    }

    #[test]
    fn tracking_outwards_parts_ligatures() {
        let fonts = Fonts::new();
        let style = TextStyle { tracking: 0.1, ..style(&fonts, Family::InstrumentSerif) };
        assert_eq!(shape(&fonts, "office", &style).glyphs.len(), 6);
    }

    #[test]
    fn figures_are_of_one_width_on_request() {
        let fonts = Fonts::new();
        for family in [Family::InterTight, Family::Manrope, Family::SpaceGrotesk, Family::Geist] {
            let style = TextStyle { tabular: true, ..style(&fonts, family) };
            let [ones, eights] = ["1111", "8888"].map(|t| advance(&shape(&fonts, t, &style)));
            assert_eq!(ones, eights, "{family:?}");
        }
    }

    #[test]
    fn what_no_face_has_is_left_out_and_told_once() {
        let (_, s) = shaped(Family::Manrope, "go \u{1f680} up \u{1f680}\u{200d}\u{fe0f} 漢");
        assert_eq!(s.missing, ['\u{1f680}', '漢']);
        let (_, plain) = shaped(Family::Manrope, "go up ");
        assert!((advance(&s) - advance(&plain)).abs() < 0.001, "no hole where it stood");
        let (_, none) = shaped(Family::Manrope, "\u{1f468}\u{200d}\u{1f469}");
        assert!(none.glyphs.iter().all(|g| g.id != 0) && advance(&none) == 0.0);
    }

    #[test]
    fn decomposed_letters_need_no_fallback() {
        let (fonts, s) = shaped(Family::Manrope, "cafe\u{301}");
        assert!(s.clusters.iter().all(|c| fonts.family(c.face) == Family::Manrope));
        assert_eq!(s.clusters.len(), 4);
    }

    #[test]
    fn strange_input_is_survived() {
        let marks = format!("e{}", "\u{301}".repeat(500));
        for text in ["", "\u{202e}abc\u{202c}", "\0\u{1b}x", "\u{301}", "\u{200d}", " \n\r\n ", &marks] {
            let (_, s) = shaped(Family::HankenGrotesk, text);
            assert!(s.clusters.windows(2).all(|w| w[0].start < w[1].start), "{text:?}");
        }
    }
}
