//! Shaping: turns text into positioned glyphs of one or more faces, in em units, independent of size and measure.

use std::ops::Range;

use harfrust::{Buffer, BufferFlags, Direction, ShapeOptions, ShaperFont};
use unicode_script::Script;

use super::bidi::{Bidi, Level};
use super::character::{is_breaking_space, is_newline};
use super::emoji::EmojiId;
use super::faces::{FaceId, FeatureSet, Fonts, PlanKey};
use super::fallback::Placed;
use super::family::Family;
use super::script::{is_connected, is_general, is_neutral, shaping};
use super::span::{Manner, Manners, place_all};
use super::{Locale, TextSpan, TextStyle};

/// The kind of a cluster for line breaking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ink,
    /// Breaking white space: doesn't count at the end of a line.
    Space,
    /// Forces a break; has no glyphs.
    Newline,
}

/// The smallest stretch of text with glyphs of its own: a grapheme or a ligature. In logical order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cluster {
    /// First byte in the text. The cluster ends where the next one starts.
    pub start: usize,
    /// Index of its first glyph. Its glyphs end where the next cluster's start.
    pub glyphs: usize,
    /// Advance in em of the paragraph, without tracking.
    pub advance: f32,
    pub face: FaceId,
    pub kind: Kind,
    /// Embedding level; odd means right to left.
    pub level: Level,
    /// Whether letter spacing may follow.
    pub tracked: bool,
    /// The picture, if the cluster is an emoji; it then has no glyphs.
    pub emoji: Option<EmojiId>,
    /// Size as a multiple of the paragraph's.
    pub scale: f32,
    /// Distance above the baseline, in em of the paragraph. The positions of its glyphs already include it.
    pub raise: f32,
    /// Space at its left end, in em of the paragraph. Its advance and the positions of its glyphs already include it.
    pub lead: f32,
    /// The tag of its span.
    pub tag: u8,
}

/// A glyph relative to its cluster's left end on the baseline: em units, y down.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapedGlyph {
    pub id: u16,
    pub x: f32,
    pub y: f32,
}

/// A shaped text.
#[derive(Debug)]
pub(super) struct Shaped {
    pub clusters: Vec<Cluster>,
    pub glyphs: Vec<ShapedGlyph>,
    /// Characters that no face has, each once.
    pub missing: Vec<char>,
    /// The script of most letters; Latin includes Greek and Cyrillic.
    pub script: Script,
    /// The face of the first letter of that script.
    pub face: FaceId,
    /// Whether the paragraph runs from right to left.
    pub rtl: bool,
    /// Whether all text runs from left to right.
    pub plain: bool,
}

impl Shaped {
    /// Returns the glyphs of cluster `i`, from left to right.
    pub fn glyphs_of(&self, i: usize) -> &[ShapedGlyph] {
        let end = self.clusters.get(i + 1).map_or(self.glyphs.len(), |c| c.glyphs);
        &self.glyphs[self.clusters[i].glyphs..end]
    }

    /// Returns the bytes of the clusters in `range` of `text`, the shaped text.
    pub fn bytes(&self, text: &str, range: &Range<usize>) -> Range<usize> {
        let byte = |i: usize| self.clusters.get(i).map_or(text.len(), |c| c.start);
        byte(range.start)..byte(range.end)
    }
}

/// Advance of an emoji, in em, and the space beside its picture.
pub(super) const EMOJI_SIDE: f32 = 1.16;
pub(super) const EMOJI_AIR: f32 = 0.06;

/// From this tracking on, in either direction, optional ligatures would stand out. In em.
const LOOSE: f32 = 0.02;
/// Number of characters before and after a run that are visible to its joining letters.
const CONTEXT: usize = 5;

/// Shapes `text`, one stretch of the same face, size, script and direction at a time.
pub(super) fn shape(fonts: &Fonts, text: &str, style: &TextStyle, locale: &Locale, spans: &[TextSpan]) -> Shaped {
    let mut missing = Vec::new();
    let manners = Manners::new(text, style.face, spans);
    let (placed, body) = place_all(fonts, text, &manners, locale, &mut missing);
    let bidi = Bidi::new(text, locale);
    let (script, face) = dominant(&placed, body);
    let (rtl, plain) = (bidi.rtl, bidi.is_plain());
    let mut shaped = Shaped { clusters: Vec::new(), glyphs: Vec::new(), missing, script, face, rtl, plain };
    let mut buffer = Buffer::new();
    let mut from = 0;
    while from < placed.len() {
        let Placed { at, c, face, script, emoji } = placed[from];
        let level = bidi.level(at);
        let Manner { scale, raise, tag, .. } = manners.at(at);
        let first = shaped.clusters.len();
        let like = Cluster {
            start: at,
            glyphs: shaped.glyphs.len(),
            advance: 0.0,
            face,
            kind: Kind::Newline,
            level,
            tracked: false,
            emoji,
            scale,
            raise,
            lead: 0.0,
            tag,
        };
        if is_newline(c) || emoji.is_some() {
            let picture = Cluster { kind: Kind::Ink, advance: (EMOJI_SIDE + 2.0 * EMOJI_AIR) * scale, ..like };
            shaped.clusters.push(if emoji.is_some() { picture } else { like });
            kern(&mut shaped, first, &manners);
            from += 1;
            continue;
        }
        let same = |p: &&Placed| {
            !is_newline(p.c)
                && p.emoji.is_none()
                && p.face == face
                && p.script == script
                && (plain || bidi.level(p.at) == level)
                && (p.at == at || manners.join(at, p.at))
        };
        let run = &placed[from..from + placed[from..].iter().take_while(same).count()];
        let direction = if level.is_rtl() { Direction::RightToLeft } else { Direction::LeftToRight };
        shape_run(fonts, &mut buffer, &placed, from..from + run.len(), direction, style, locale);
        let like = Cluster { kind: Kind::Ink, tracked: !is_connected(script), ..like };
        collect(&buffer, run, like, scale / fonts.units_per_em(face), &mut shaped);
        kern(&mut shaped, first, &manners);
        if manners.is_tagged() {
            shaped.clusters[first..].iter_mut().for_each(|c| c.tag = manners.at(c.start).tag);
        }
        from += run.len();
    }
    shaped
}

/// Inserts the space that a span requests before its first cluster, `at`, on the side where reading begins.
fn kern(shaped: &mut Shaped, at: usize, manners: &Manners) {
    let Some(cluster) = shaped.clusters.get_mut(at) else { return };
    let room = manners.kern_before(cluster.start);
    if room == 0.0 || cluster.kind == Kind::Newline {
        return;
    }
    cluster.advance += room;
    if !cluster.level.is_rtl() {
        cluster.lead = room;
        let from = cluster.glyphs;
        let to = shaped.clusters.get(at + 1).map_or(shaped.glyphs.len(), |c| c.glyphs);
        shaped.glyphs[from..to].iter_mut().for_each(|g| g.x += room);
    }
}

/// Shapes `placed[run]`, which has one face and script, into `buffer`.
pub(super) fn shape_run(
    fonts: &Fonts,
    buffer: &mut Buffer,
    placed: &[Placed],
    run: std::ops::Range<usize>,
    direction: Direction,
    style: &TextStyle,
    locale: &Locale,
) {
    let Placed { face, script, .. } = placed[run.start];
    let connected = is_connected(script);
    let spaced = !connected && parts_ligatures(style.tracking, script, fonts.family(face));
    let set = FeatureSet { tabular: style.tabular, case: style.case, stylistic_set: style.stylistic_set, spaced };
    let features = set.features();
    buffer.clear();
    buffer.set_flags(BufferFlags::DO_NOT_INSERT_DOTTED_CIRCLE);
    if connected {
        set_context(buffer, placed, run.start, run.end);
    }
    for p in &placed[run] {
        buffer.push(u32::from(p.c), p.at as u32);
    }
    buffer.set_direction(direction);
    buffer.set_script(Some(shaping(script)));
    buffer.set_language(locale.shaping());
    let plan = fonts.plan(face, PlanKey { script, direction, set, locale: *locale });
    let options = ShapeOptions::new().plan(Some(&plan)).features(&features);
    harfrust::shape(&ShaperFont::new(fonts.shaping(face)), buffer, options)
        .expect("the plan was made for this direction, script and language");
}

/// Returns whether ligatures are off at a tracking. Optional ligatures, whose letters keep their distance, stand out
/// among letters that are set clearly tighter or looser. Those of sans serifs do so already at the smallest negative
/// tracking: the bar that their letters share, as in `ff`, strikes through letters that are close together. Serifs draw
/// theirs so that hooks and dots don't collide; tight tracking makes such collisions more likely.
fn parts_ligatures(tracking: f32, script: Script, family: Family) -> bool {
    let optional = is_general(script) && !family.is_serif();
    tracking.abs() > LOOSE || optional && tracking < 0.0
}

/// Provides context, so that letters at the ends of `placed[from..to]` join their neighbours in another run.
fn set_context(buffer: &mut Buffer, placed: &[Placed], from: usize, to: usize) {
    let near = |range: &[Placed]| range.iter().map(|p| p.c).collect::<String>();
    buffer.set_pre_context(&near(&placed[from.saturating_sub(CONTEXT)..from]));
    buffer.set_post_context(&near(&placed[to..(to + CONTEXT).min(placed.len())]));
}

/// Returns the script of most letters and the face of its first one.
fn dominant(placed: &[Placed], primary: FaceId) -> (Script, FaceId) {
    let general = |s: Script| if is_general(s) { Script::Latin } else { s };
    let mut counts: Vec<(Script, usize, FaceId)> = Vec::new();
    for p in placed.iter().filter(|p| !is_neutral(p.c)) {
        let script = general(p.script);
        match counts.iter_mut().find(|(s, ..)| *s == script) {
            Some((_, n, _)) => *n += 1,
            None => counts.push((script, 1, p.face)),
        }
    }
    let most = counts.iter().map(|(_, n, _)| *n).max();
    match counts.into_iter().find(|(_, n, _)| Some(*n) == most) {
        Some((script, _, face)) if script != Script::Latin => (script, face),
        _ => (Script::Latin, primary),
    }
}

/// Appends the clusters of a shaped run, with the attributes of `like`, in logical order.
pub(super) fn collect(buffer: &Buffer, run: &[Placed], like: Cluster, scale: f32, out: &mut Shaped) {
    let (infos, positions) = (buffer.glyph_infos(), buffer.glyph_positions());
    let mut next = 0;
    let mut append = |glyphs: std::ops::Range<usize>| {
        let cluster = infos[glyphs.start].cluster;
        while next + 1 < run.len() && (run[next].at as u32) < cluster {
            next += 1;
        }
        let kind = if is_breaking_space(run[next].c) { Kind::Space } else { Kind::Ink };
        let from = out.glyphs.len();
        let mut pen = 0.0;
        for (info, pos) in infos[glyphs.clone()].iter().zip(&positions[glyphs]) {
            // Glyph 0 is the box for missing characters. It is never drawn, even though coverage is checked before
            // shaping.
            if let Some(id) = u16::try_from(info.glyph_id).ok().filter(|id| *id != 0) {
                let (x, y) = (pen + pos.x_offset as f32 * scale, -(pos.y_offset as f32) * scale - like.raise);
                out.glyphs.push(ShapedGlyph { id, x, y });
                pen += pos.x_advance as f32 * scale;
            }
        }
        out.clusters.push(Cluster { start: cluster as usize, glyphs: from, advance: pen, kind, ..like });
    };
    // From right to left, the glyphs of the first cluster come last.
    if like.level.is_rtl() {
        let mut to = infos.len();
        while to > 0 {
            let from = infos[..to].iter().rposition(|i| i.cluster != infos[to - 1].cluster).map_or(0, |i| i + 1);
            append(from..to);
            to = from;
        }
    } else {
        let mut from = 0;
        while from < infos.len() {
            let to = infos[from..].iter().position(|i| i.cluster != infos[from].cluster);
            let to = to.map_or(infos.len(), |n| from + n);
            append(from..to);
            from = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Family;

    fn style(fonts: &Fonts, family: Family) -> TextStyle {
        let face = fonts.face(family, 500);
        TextStyle { face, size: 40.0, tracking: 0.0, leading: 1.2, tabular: false, case: false, stylistic_set: 0 }
    }

    fn shaped(family: Family, text: &str) -> (Fonts, Shaped) {
        let fonts = Fonts::new();
        let shaped = shape(&fonts, text, &style(&fonts, family), &Locale::default(), &[]);
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
    fn a_word_stands_in_one_face_and_a_text_of_many_such_words_too() {
        let (fonts, s) = shaped(Family::InstrumentSans, "Việt is one word in this text");
        let faces: Vec<Family> = s.clusters.iter().map(|c| fonts.family(c.face)).collect();
        assert!(faces[..4].iter().all(|f| *f == Family::InterTight), "{faces:?}");
        assert!(faces[5..].iter().all(|f| *f == Family::InstrumentSans), "{faces:?}");
        let (fonts, s) = shaped(Family::InstrumentSerif, "Mỗi ngày một điều mới, 2 Vivid");
        assert!(s.clusters.iter().all(|c| fonts.family(c.face) == Family::NotoSerif));
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
        assert_eq!(shape(&fonts, "office", &style, &Locale::default(), &[]).glyphs.len(), 6);
    }

    #[test]
    fn tight_tracking_parts_the_ligatures_of_sans_serifs() {
        let fonts = Fonts::new();
        let glyphs = |family, tracking, text| {
            let style = TextStyle { tracking, ..style(&fonts, family) };
            shape(&fonts, text, &style, &Locale::default(), &[]).glyphs.len()
        };
        for family in Family::ALL {
            if !family.is_serif() {
                assert_eq!(glyphs(family, -0.01, "offer"), 5, "{family:?}");
            }
        }
        assert!(glyphs(Family::InstrumentSerif, -0.01, "office") < 6);
        let joined = glyphs(Family::Vazirmatn, 0.0, "لا");
        assert_eq!(glyphs(Family::Vazirmatn, -0.01, "لا"), joined);
    }

    #[test]
    fn figures_are_of_one_width_on_request() {
        let fonts = Fonts::new();
        for family in [Family::InterTight, Family::Manrope, Family::SpaceGrotesk, Family::Geist] {
            let style = TextStyle { tabular: true, ..style(&fonts, family) };
            let [ones, eights] = ["1111", "8888"].map(|t| advance(&shape(&fonts, t, &style, &Locale::default(), &[])));
            assert_eq!(ones, eights, "{family:?}");
        }
    }

    #[test]
    fn a_stylistic_set_changes_the_glyphs_it_is_for() {
        let fonts = Fonts::new();
        let ids = |stylistic_set, text| {
            let style = TextStyle { stylistic_set, ..style(&fonts, Family::InterTight) };
            let s = shape(&fonts, text, &style, &Locale::default(), &[]);
            s.glyphs.iter().map(|g| g.id).collect::<Vec<_>>()
        };
        assert_ne!(ids(0, "69"), ids(1, "69"));
        assert_eq!(ids(0, "178"), ids(1, "178"));
        assert_eq!(ids(0, "69"), ids(20, "69"), "a face without the set has its plain forms");
    }

    #[test]
    fn what_no_face_has_is_left_out_and_told_once() {
        let (_, s) = shaped(Family::Manrope, "go \u{f0000} up \u{f0000}\u{200d}\u{fe0f} \u{13000}");
        assert_eq!(s.missing, ['\u{f0000}', '\u{13000}']);
        let (_, plain) = shaped(Family::Manrope, "go up ");
        assert!((advance(&s) - advance(&plain)).abs() < 0.001, "no hole where it stood");
        let (_, none) = shaped(Family::Manrope, "\u{f0000}\u{200d}\u{f0001}");
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
