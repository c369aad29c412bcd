//! Paragraph layout: turns lines into positioned glyphs.

use std::ops::Range;
use std::sync::Arc;

use super::hyphen::hyphens;
use super::linebreak::{Breaker, Lines};
use super::placing::{Runs, cluster_starts};
use super::script::least_leading;
use super::shape::{Cluster, EMOJI_AIR, EMOJI_SIDE, Kind, Shaped, shape};
use super::token::is_opening_quote;
use super::{Align, FaceId, Fonts, Laid, LaidLine, Paragraph, Piece, PlacedEmoji, TaggedRun, TextStyle};
use crate::scene::{Glyph, Point, Rect};

/// From this size on, the ink of a line is aligned instead of its advance box. In du.
const OPTICAL_FROM: f32 = 28.0;
/// Up to the first size, lines have the spacing of text; from the second on, that of a headline; between, it is
/// interpolated. In du.
const TEXT_SIZE: f32 = 40.0;
const HEADLINE_SIZE: f32 = 90.0;

/// Up to this size, text counts as running text, where a long word may be hyphenated to keep lines even. In du.
const RUNNING: f32 = 46.0;

/// Lays `p` out in a box of `width` du. Lines are never wider than the box unless a single character is. A word that
/// alone is wider is hyphenated, or broken if it can't be ([`Laid::broken_word`]). With an infinite width, only `\n`
/// breaks lines.
pub fn layout(fonts: &Fonts, p: &Paragraph<'_>, width: f32) -> Laid {
    Prepared::new(fonts, p).set(fonts, p, p.style.size, width)
}

/// A paragraph that is shaped and can be broken into lines at any size.
pub(super) struct Prepared {
    text: Arc<str>,
    shaped: Shaped,
    pub breaker: Breaker,
    hung: usize,
    /// Distance from the baseline to the top of the box, in em.
    pub cap: f32,
}

impl Prepared {
    pub fn new(fonts: &Fonts, p: &Paragraph<'_>) -> Self {
        let shaped = shape(fonts, p.text, &p.style, &p.locale, p.spans);
        let hangs = p.optical && p.align == Align::Start && shaped.rtl == starts_right(p, &shaped);
        let hung = if hangs { hung_clusters(p.text, &shaped) } else { 0 };
        let breaker = Breaker::new(
            p.text,
            &shaped,
            hyphens(fonts, p.text, &shaped, &p.locale),
            &p.locale,
            p.style.tracking,
            hung,
        );
        let cap = fonts.letter_height(shaped.face, shaped.script);
        Self { text: p.text.into(), shaped, breaker, hung, cap }
    }

    /// Returns the distance of baselines at `size` as a multiple of it: the style's leading, or the script's minimum if
    /// that is larger. The minimum is larger for text than for headlines.
    pub fn leading(&self, style: &TextStyle, size: f32) -> f32 {
        let (text, headline) = least_leading(self.shaped.script);
        let t = ((size - TEXT_SIZE) / (HEADLINE_SIZE - TEXT_SIZE)).clamp(0.0, 1.0);
        style.leading.max(text + (headline - text) * t)
    }

    /// Returns how far the ink of any glyph extends below the baseline, in em.
    pub fn depth(&self, fonts: &Fonts) -> f32 {
        let emoji = self.shaped.clusters.iter().filter(|c| c.emoji.is_some());
        let least = emoji.map(|c| self.emoji(c, 0.0, 1.0).y1).fold(0.0, f32::max);
        let glyphs = (0..self.shaped.clusters.len())
            .flat_map(|i| self.shaped.glyphs_of(i).iter().map(move |g| (self.shaped.clusters[i], g)));
        glyphs
            .map(|(c, g)| (fonts.glyph_ink(c.face, g.id), c.scale, g.y))
            .fold(least, |d, (ink, scale, y)| if ink.is_empty() { d } else { f32::max(d, ink.y1 * scale + y) })
    }

    /// Returns how far the highest ink (accents on capitals, ascenders) extends above the cap line, in em.
    pub fn rise(&self, fonts: &Fonts) -> f32 {
        let glyphs = (0..self.shaped.clusters.len())
            .flat_map(|i| self.shaped.glyphs_of(i).iter().map(move |g| (self.shaped.clusters[i], g)));
        let high = glyphs
            .map(|(c, g)| (fonts.glyph_ink(c.face, g.id), c.scale, g.y))
            .fold(0.0, |h, (ink, scale, y)| if ink.is_empty() { h } else { f32::max(h, -(ink.y0 * scale + y)) });
        (high - self.cap).max(0.0)
    }

    /// Lays the paragraph out at `size` instead of its style's size.
    pub fn set(&self, fonts: &Fonts, p: &Paragraph<'_>, size: f32, width: f32) -> Laid {
        let measure = f64::from(width) / f64::from(size);
        let Lines { ranges, broken_word, hyphenated } = self.breaker.set(measure, p.balance, size <= RUNNING);
        let cap = self.cap * size;
        let step = self.leading(&p.style, size) * size;
        let mut runs: Runs<Manner> = Runs::new();
        let (mut emoji, mut pieces) = (Vec::new(), Vec::new());
        let mut lines = Vec::with_capacity(ranges.len());
        let widest = ranges.iter().map(|r| self.breaker.width(r)).fold(0.0, f64::max) as f32 * size;
        let measure = if width.is_finite() { width } else { widest };
        let optical = p.optical && size >= OPTICAL_FROM;
        let rtl = starts_right(p, &self.shaped);
        let mut starts = Vec::new();
        for (i, range) in ranges.into_iter().enumerate() {
            let baseline = cap + i as f32 * step;
            let line_width = self.breaker.width(&range) as f32 * size;
            // Hanging clusters of a right-to-left paragraph are on the right, beyond the measure.
            let before = if range.start == 0 && !self.shaped.rtl { self.hung } else { 0 };
            cluster_starts(&self.shaped, &self.breaker, &range, before, &mut starts);
            let mut inks: Vec<Rect> = range.clone().zip(&starts).map(|(c, x)| self.ink(fonts, c, *x, size)).collect();
            let hyphen = self.breaker.sign(range.end).map(|s| (s, self.breaker.offset(range.start, range.end) as f32));
            if let Some((sign, start)) = hyphen {
                // The hyphen takes size, baseline and tag of the last letter.
                let Cluster { scale, raise, .. } = self.shaped.clusters[range.end - 1];
                let ink = scaled(fonts.glyph_ink(sign.face, sign.glyph), scale).shift(start, -raise);
                inks.push(scaled(ink, size));
                starts.push(start);
            }
            let ink = inks.iter().fold(Rect::EMPTY, |a, b| a.union(b));
            let hung = if range.start == 0 { self.hung.min(inks.len()) } else { 0 };
            // The first ink if lines run from left to right, else the union of all ink.
            let body = match self.shaped.plain {
                true if !rtl => inks[hung..].iter().find(|r| !r.is_empty()).copied(),
                _ => Some(inks[hung..].iter().fold(Rect::EMPTY, |a, b| a.union(b))).filter(|r| !r.is_empty()),
            };
            let x = match (p.align, rtl) {
                (Align::Start, false) => body.filter(|_| optical).map_or(0.0, |r| -r.x0),
                (Align::Start, true) if let Some(body) = body.filter(|_| optical) => measure - body.x1,
                (Align::Center, _) if p.optical && !ink.is_empty() => (measure - ink.w()) / 2.0 - ink.x0,
                (Align::Center, _) => (measure - line_width) / 2.0,
                (Align::End, false) if optical && !ink.is_empty() => measure - ink.x1,
                (Align::End, true) if optical && !ink.is_empty() => -ink.x0,
                (Align::End, true) => 0.0,
                (Align::Start, true) | (Align::End, false) => measure - line_width,
            };
            self.pieces(&range, &starts, &inks, i, (x, baseline), &mut pieces);
            for (c, start) in range.clone().zip(&starts) {
                let cluster = &self.shaped.clusters[c];
                if let Some(id) = cluster.emoji {
                    let rect = self.emoji(cluster, *start, size).shift(x, baseline);
                    emoji.push(PlacedEmoji { id, rect, tag: cluster.tag });
                }
                let start = start * size + x;
                let bytes = self.shaped.bytes(p.text, &(c..c + 1));
                if let Some(id) = cluster.emoji.and_then(|_| fonts.glyph(cluster.face, ' ')) {
                    // This glyph has no ink. It represents the picture when text is extracted from a drawing.
                    let at = Point::new(start, baseline);
                    runs.push((cluster.face, cluster.scale, cluster.tag), Glyph { id, at }, &bytes);
                }
                for g in self.shaped.glyphs_of(c) {
                    if !fonts.glyph_ink(cluster.face, g.id).is_empty() {
                        let at = Point::new(start + g.x * size, baseline + g.y * size);
                        runs.push((cluster.face, cluster.scale, cluster.tag), Glyph { id: g.id, at }, &bytes);
                    }
                }
            }
            if let Some((sign, start)) = hyphen {
                let Cluster { scale, raise, tag, .. } = self.shaped.clusters[range.end - 1];
                let at = Point::new(start * size + x, baseline - raise * size);
                let end = self.shaped.bytes(p.text, &range).end;
                runs.push((sign.face, scale, tag), Glyph { id: sign.glyph, at }, &(end..end));
            }
            let ink = if ink.is_empty() { ink } else { ink.shift(x, baseline) };
            lines.push(LaidLine { range: self.shaped.bytes(p.text, &range), baseline, width: line_width, ink });
        }
        Laid {
            runs: runs
                .into_runs(&self.text, |(face, scale, _)| (*face, size * scale))
                .map(|((_, _, tag), glyphs)| TaggedRun { tag, glyphs })
                .collect(),
            emoji,
            pieces,
            width: widest,
            height: lines.last().map_or(0.0, |l| l.baseline),
            ink: lines.iter().fold(Rect::EMPTY, |a, l| a.union(&l.ink)),
            lines,
            size,
            broken_word,
            hyphenated,
            missing: self.shaped.missing.clone(),
        }
    }

    /// Returns the ink of cluster `c` at `size`, with its left end at `start` em and its baseline at 0.
    fn ink(&self, fonts: &Fonts, c: usize, start: f32, size: f32) -> Rect {
        let cluster = &self.shaped.clusters[c];
        if cluster.emoji.is_some() {
            return self.emoji(cluster, start, size);
        }
        self.shaped.glyphs_of(c).iter().fold(Rect::EMPTY, |all, g| {
            let ink = fonts.glyph_ink(cluster.face, g.id);
            if ink.is_empty() {
                return all;
            }
            let k = cluster.scale;
            all.union(&scaled(scaled(ink, k).shift(start + g.x, g.y), size))
        })
    }

    /// Returns the square of an emoji at `size`, with its cluster at `start` em and its baseline at 0. Its centre is at
    /// half the height of capitals.
    fn emoji(&self, cluster: &Cluster, start: f32, size: f32) -> Rect {
        let k = cluster.scale;
        let (side, middle) = (EMOJI_SIDE * k * size, (-self.cap / 2.0 * k - cluster.raise) * size);
        Rect::at((start + cluster.lead + EMOJI_AIR * k) * size, middle - side / 2.0, side, side)
    }

    /// Appends the positions of the clusters of `line` that have a tag: one piece for each contiguous stretch of one
    /// tag. `starts` and `inks` are those of the clusters and of a hyphen, relative to the line's left end and
    /// baseline.
    fn pieces(
        &self,
        line: &Range<usize>,
        starts: &[f32],
        inks: &[Rect],
        number: usize,
        at: (f32, f32),
        pieces: &mut Vec<Piece>,
    ) {
        let tag = |i: usize| self.shaped.clusters[(line.start + i).min(line.end - 1)].tag;
        if (0..inks.len()).all(|i| tag(i) == 0) {
            return;
        }
        let mut visual: Vec<usize> = (0..inks.len()).collect();
        visual.sort_by(|a, b| starts[*a].total_cmp(&starts[*b]));
        let inked = |clusters: &[usize]| clusters.iter().fold(Rect::EMPTY, |all, i| all.union(&inks[*i]));
        let mut from = 0;
        for stretch in visual.chunk_by(|a, b| tag(*a) == tag(*b)) {
            let ink = inked(stretch);
            let (before, behind) = (&visual[..from], &visual[from + stretch.len()..]);
            from += stretch.len();
            if tag(stretch[0]) != 0 && !ink.is_empty() {
                let has_ink = |i: &&usize| !inks[**i].is_empty();
                let left = before.iter().rfind(has_ink).map_or(f32::INFINITY, |i| ink.x0 - inks[*i].x1);
                let right = behind.iter().find(has_ink).map_or(f32::INFINITY, |i| inks[*i].x0 - ink.x1);
                let ink = ink.shift(at.0, at.1);
                pieces.push(Piece { tag: tag(stretch[0]), line: number, ink, room: [left, right] });
            }
        }
    }
}

/// Returns whether the lines of `p` start on the right. If the language is known, all paragraphs start on that
/// language's side, so that they share one edge. Otherwise, the direction of the text decides.
fn starts_right(p: &Paragraph<'_>, shaped: &Shaped) -> bool {
    if matches!(p.locale.primary(), "" | "und") { shaped.rtl } else { p.locale.is_rtl() }
}

fn scaled(em: Rect, size: f32) -> Rect {
    Rect::new(em.x0 * size, em.y0 * size, em.x1 * size, em.y1 * size)
}

/// Face, size as a multiple of the paragraph's, and tag.
type Manner = (FaceId, f32, u8);

/// Returns how many clusters at the start hang: an opening quotation mark and the no-break space that follows it in
/// French, or a bullet and the space after it.
fn hung_clusters(text: &str, shaped: &Shaped) -> usize {
    let char_at = |i: usize| shaped.clusters.get(i).and_then(|c| text[c.start..].chars().next());
    let is_space = |i: usize| char_at(i).is_some_and(char::is_whitespace);
    if char_at(0).is_some_and(|c| matches!(c, '•' | '◦' | '▪' | '‣' | '–')) && is_space(1) {
        return if shaped.clusters.get(2).is_some_and(|c| c.kind == Kind::Ink) { 2 } else { 0 };
    }
    let quotes = (0..2).take_while(|i| char_at(*i).is_some_and(is_opening_quote)).count();
    let spaces = match char_at(quotes) {
        Some('\u{a0}' | '\u{202f}') if quotes > 0 => 1,
        _ => 0,
    };
    let hung = quotes + spaces;
    // Without text behind it, nothing hangs.
    let more = shaped.clusters.get(hung).is_some_and(|c| c.kind == Kind::Ink);
    if more { hung } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::linebreak::LAST_LINE;
    use crate::text::{Family, Locale, TextStyle};

    fn paragraph<'a>(fonts: &Fonts, text: &'a str, size: f32) -> Paragraph<'a> {
        let face = fonts.face(Family::Manrope, 700);
        let style =
            TextStyle { face, size, tracking: -0.02, leading: 1.1, tabular: false, case: false, stylistic_set: 0 };
        Paragraph {
            text,
            style,
            locale: Locale::default(),
            align: Align::Start,
            balance: true,
            optical: true,
            spans: &[],
        }
    }

    fn lines<'a>(p: &Paragraph<'a>, laid: &Laid) -> Vec<&'a str> {
        laid.lines.iter().map(|l| &p.text[l.range.clone()]).collect()
    }

    fn set(text: &str, size: f32, width: f32) -> (Vec<&str>, Laid) {
        let fonts = Fonts::new();
        let p = paragraph(&fonts, text, size);
        let laid = layout(&fonts, &p, width);
        (lines(&p, &laid), laid)
    }

    #[test]
    fn the_cap_line_is_the_top_and_the_last_baseline_the_bottom() {
        let (_, laid) = set("HEH HEH HEH", 100.0, 250.0);
        assert_eq!(laid.lines.len(), 3);
        assert!(laid.ink.y0.abs() < 0.01 && (laid.ink.y1 - laid.height).abs() < 0.01, "{laid:?}");
        assert!((laid.lines[2].baseline - laid.lines[0].baseline - 220.0).abs() < 0.01);
    }

    #[test]
    fn balance_evens_the_lines_and_keeps_their_number() {
        let fonts = Fonts::new();
        let text = "How to write release notes that people outside the team want to read";
        let balanced = paragraph(&fonts, text, 60.0);
        let greedy = Paragraph { balance: false, ..balanced.clone() };
        let [b, g] = [&balanced, &greedy].map(|p| layout(&fonts, p, 900.0));
        assert_eq!(b.lines.len(), g.lines.len());
        let spread = |l: &Laid| {
            let widths = l.lines.iter().map(|l| l.width);
            widths.clone().fold(0.0, f32::max) - widths.fold(f32::MAX, f32::min)
        };
        assert!(spread(&b) < spread(&g) * 0.75, "{} {}", spread(&b), spread(&g));
        assert!(b.width < g.width);
    }

    #[test]
    fn ink_stands_at_the_edge_of_large_type() {
        let fonts = Fonts::new();
        for (text, align) in
            [("Hotel", Align::Start), ("Oval", Align::Start), ("Tee", Align::End), ("Jot", Align::Center)]
        {
            let p = Paragraph { align, ..paragraph(&fonts, text, 120.0) };
            let ink = layout(&fonts, &p, 600.0).ink;
            let off = match align {
                Align::Start => ink.x0,
                Align::End => ink.x1 - 600.0,
                Align::Center => ink.center().x - 300.0,
            };
            assert!(off.abs() < 0.01, "{text} {off}");
        }
        let (_, small) = set("Hotel", 24.0, 600.0);
        assert!(small.ink.x0 > 0.5, "small type keeps its side bearing");
    }

    #[test]
    fn an_opening_quotation_mark_hangs() {
        for (quoted, plain) in [("“Hello there", "Hello there"), ("«\u{202f}Hello there", "Hello there")] {
            let (_, q) = set(quoted, 90.0, 300.0);
            let (_, p) = set(plain, 90.0, 300.0);
            assert!(q.ink.x0 < -10.0);
            assert_eq!(q.lines.len(), p.lines.len());
            let rest = |l: &Laid| l.runs[0].glyphs.glyphs.iter().rev().take(10).map(|g| g.at.x).collect::<Vec<_>>();
            for (a, b) in rest(&q).into_iter().zip(rest(&p)) {
                assert!((a - b).abs() < 3.0, "{a} {b}");
            }
        }
        // Half of an ideographic bracket is empty; its ink is at the edge.
        let (_, bracket) = set("「毎日ひとつ", 90.0, 600.0);
        assert!(bracket.ink.x0 > -1.0, "{}", bracket.ink.x0);
        let (_, alone) = set("“", 90.0, 300.0);
        assert!(alone.ink.x0 >= -0.01);
    }

    #[test]
    fn what_belongs_together_stays_on_a_line() {
        let (lines, _) = set("We waited 45 min for a bus", 60.0, 330.0);
        assert!(lines.iter().any(|l| l.contains("45 min")), "{lines:?}");
        assert!(lines.iter().all(|l| !l.ends_with(" a") && *l != "a"), "{lines:?}");
        let (lines, _) = set("Growth reached 31 %", 60.0, 480.0);
        assert_eq!(lines, ["Growth", "reached 31 %"]);
    }

    #[test]
    fn glue_gives_way_before_a_word_is_broken() {
        let (lines, laid) = set("a Kindergeburtstag", 60.0, 520.0);
        assert_eq!(lines, ["a", "Kindergeburtstag"]);
        assert!(!laid.broken_word);
    }

    #[test]
    fn addresses_break_behind_slashes_and_long_words_anywhere() {
        let (lines, laid) = set("https://example.com/some/long/path/here", 60.0, 620.0);
        assert!(!laid.broken_word && lines.len() > 1, "{lines:?}");
        assert!(lines[..lines.len() - 1].iter().all(|l| l.ends_with(['/', '.'])), "{lines:?}");
        let (lines, laid) = set("Donaudampfschifffahrtsgesellschaft", 60.0, 300.0);
        assert!(laid.broken_word && lines.len() >= 4, "{lines:?}");
        assert!(laid.lines.iter().all(|l| l.width <= 300.01));
    }

    #[test]
    fn newlines_force_breaks_and_blank_edges_go() {
        assert_eq!(set("\n one \r\n\ntwo\n", 40.0, 900.0).0, ["one", "", "two"]);
        let (lines, laid) = set(" \n ", 40.0, 900.0);
        assert_eq!((lines.len(), laid.height, laid.runs.len()), (0, 0.0, 0));
        assert_eq!(set("one line", 40.0, f32::INFINITY).0, ["one line"]);
    }

    #[test]
    fn nonsense_measures_do_no_harm() {
        let fonts = Fonts::new();
        for (size, width) in [(40.0, 0.0), (40.0, -5.0), (40.0, f32::NAN), (0.0, 100.0), (f32::NAN, 100.0)] {
            let p = paragraph(&fonts, "some words in a box", size);
            assert!(layout(&fonts, &p, width).lines.len() <= 19);
        }
        let long = "x".repeat(2_000);
        assert!(layout(&fonts, &paragraph(&fonts, &long, 40.0), 500.0).broken_word);
    }

    fn words() -> impl Strategy<Value = String> {
        proptest::collection::vec("[a-zäöü]{1,12}[,.]?", 1..40).prop_map(|w| w.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn lines_fit_and_cover_the_text(text in "[a-zA-Zß0-9 ,.\n“”é/-]{0,120}", width in 80f32..900.0, balance: bool) {
            let fonts = FONTS.get_or_init(Fonts::new);
            let p = Paragraph { balance, ..paragraph(fonts, &text, 40.0) };
            let laid = layout(fonts, &p, width);
            let mut at = 0;
            for line in &laid.lines {
                prop_assert!(line.width <= width + 0.01 || laid.broken_word);
                prop_assert!(text[at..line.range.start].trim().is_empty(), "lost {:?}", &text[at..line.range.start]);
                at = line.range.end;
            }
            prop_assert!(text[at..].trim().is_empty());
        }

        /// Finds the longest possible last line by brute force, splitting the text at each position where a line may
        /// end.
        #[test]
        fn the_last_line_is_no_widow_where_there_is_a_choice(text in words(), width in 300f32..900.0, balance: bool) {
            let fonts = FONTS.get_or_init(Fonts::new);
            let p = Paragraph { balance, ..paragraph(fonts, &text, 40.0) };
            let laid = layout(fonts, &p, width);
            let n = laid.lines.len();
            prop_assume!(n > 1 && !laid.broken_word);
            let last = laid.lines[n - 1].width;
            if f64::from(last) < LAST_LINE * f64::from(width) {
                let spaces = text.match_indices(' ').map(|(i, _)| i + 1);
                for at in spaces.filter(|at| *at < laid.lines[n - 1].range.start) {
                    let [head, tail] = [&text[..at - 1], &text[at..]].map(|t| Paragraph { text: t, ..p.clone() });
                    let tail = layout(fonts, &tail, f32::INFINITY).width;
                    let legal = glueless(&text, at);
                    let good = tail <= width && f64::from(tail) >= LAST_LINE * f64::from(width) + 0.5;
                    let count = layout(fonts, &head, width).lines.len();
                    prop_assert!(!(legal && good && count < n), "{:?} could start the last line", &text[at..]);
                }
            }
        }
    }

    static FONTS: std::sync::OnceLock<Fonts> = std::sync::OnceLock::new();

    /// Returns whether the words around byte `at` are too long for any rule to glue them.
    fn glueless(text: &str, at: usize) -> bool {
        let prev = text[..at - 1].rsplit(' ').next().unwrap();
        let next = text[at..].split(' ').next().unwrap();
        prev.chars().count() > 2 && (next.chars().count() > 5 || at + next.len() < text.len())
    }
}
