//! Line breaking: chooses the line ends among the allowed positions.
//!
//! All lengths are `f64` em, so that one shaping serves every size. No result takes more lines than filling each line
//! in turn does. Balanced paragraphs minimise the sum of squared slack over all lines, like Knuth and Plass ("Breaking
//! paragraphs into lines", 1981), but with the simpler costs of ragged setting.

use std::ops::Range;

use super::Locale;
use super::hyphen::{Hyphen, Sign};
use super::opportunity::{Opportunity, Strength, opportunities};
use super::shape::{Cluster, Kind, Shaped};

/// The last line of a paragraph takes at least this share of the measure if possible.
pub(super) const LAST_LINE: f64 = 0.28;
/// Weight of the last line's slack relative to the other lines. In headlines and short texts, the last line should be
/// about as long as the others. Running text of several lines fills its measure, and its last line may have any length.
const LAST_WEIGHT: f64 = 0.7;
const LAST_OF_RUNNING: f64 = 0.1;
/// Text with at least this many lines counts as running text.
const RUNS: usize = 3;
/// Cost of a line that ends with a word of up to three letters; 1 is the cost of an empty line.
const SHORT_END: f64 = 0.004;
/// Cost of a line that ends with a hyphen; the second of two such lines in a row costs this much more.
const HYPHENATED: f64 = 0.05;
/// If a line of running text would leave more than this share of the measure empty, the next word may be hyphenated.
const RAGGED: f64 = 0.36;
/// Fewest letters of a word that is hyphenated to even out lines.
const LONG: usize = 14;
/// A hyphen must lengthen the shortest line by this share of the measure.
const GAIN: f64 = 0.15;
/// Rounding tolerance when a line is compared with the measure, in em.
const EPSILON: f64 = 1e-5;

/// The lines of a paragraph as ranges of clusters, without white space at their ends.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub ranges: Vec<Range<usize>>,
    /// Whether a word was wider than the measure and had to be split without a hyphen.
    pub broken_word: bool,
    /// Whether a word was wider than the measure and was split with hyphens, or between the letters of a script that
    /// has none.
    pub hyphenated: bool,
}

/// A shaped text with its widths and break opportunities. It can be broken for any measure.
#[derive(Debug)]
pub(super) struct Breaker {
    /// Start of each cluster, including tracking; one entry more than there are clusters.
    sums: Vec<f64>,
    /// Tracking after each cluster.
    tracking: Vec<f64>,
    /// Whether each cluster is white space or a newline.
    blank: Vec<bool>,
    opportunities: Vec<Opportunity>,
    /// Positions where words may be hyphenated, in ascending order.
    hyphens: Vec<Hyphen>,
    /// Number of clusters at the start that hang outside the measure.
    hung: usize,
}

impl Breaker {
    /// Prepares `text`, shaped as `shaped`, which may be split at `hyphens`. The first `hung` clusters take no room.
    pub fn new(text: &str, shaped: &Shaped, hyphens: Vec<Hyphen>, locale: &Locale, tracking: f32, hung: usize) -> Self {
        let clusters = &shaped.clusters;
        let mut sums = Vec::with_capacity(clusters.len() + 1);
        sums.push(0.0);
        // Tight tracking must not narrow the spaces between words: what the letter before a space loses is added after
        // it.
        let behind = |c: &Cluster| match f64::from(tracking) * f64::from(c.scale) {
            _ if c.advance <= 0.0 || !c.tracked => 0.0,
            tracked if tracked < 0.0 && c.kind != Kind::Ink => -tracked,
            tracked => tracked,
        };
        let tracking: Vec<f64> = clusters.iter().map(behind).collect();
        for (c, t) in clusters.iter().zip(&tracking) {
            sums.push(sums[sums.len() - 1] + f64::from(c.advance) + t);
        }
        let blank = clusters.iter().map(|c| c.kind != Kind::Ink).collect();
        let mut opportunities = opportunities(text, shaped, locale);
        // Hanging clusters must not form a line of their own.
        opportunities.retain(|o| o.at > hung || o.strength == Strength::Forced);
        Self { sums, tracking, blank, opportunities, hyphens, hung }
    }

    /// Adds space after each cluster, in em; the space is dropped at line ends.
    pub fn with_gaps(mut self, gaps: &[f32]) -> Self {
        let mut sum = 0.0;
        for (i, gap) in gaps.iter().enumerate() {
            sum += f64::from(*gap);
            self.tracking[i] += f64::from(*gap);
            self.sums[i + 1] += sum;
        }
        self
    }

    /// Returns the position of cluster `i` on a line that starts with cluster `line`, in em; negative for hanging
    /// clusters.
    pub fn offset(&self, line: usize, i: usize) -> f64 {
        self.sums[i] - self.sums[self.origin(line)]
    }

    /// Returns the advance of cluster `i` including the tracking after it, in em.
    pub fn advance(&self, i: usize) -> f64 {
        self.sums[i + 1] - self.sums[i]
    }

    /// Returns the width of `line`, including a hyphen at its end, without tracking there.
    pub fn width(&self, line: &Range<usize>) -> f64 {
        let Some(last) = line.end.checked_sub(1).filter(|_| line.end > line.start) else { return 0.0 };
        let to = match self.hyphen(line.end) {
            Some(Hyphen { sign: Some(sign), .. }) => self.sums[line.end] + f64::from(sign.advance),
            _ => self.sums[line.end] - self.tracking[last],
        };
        (to - self.sums[self.origin(line.start)]).max(0.0)
    }

    /// Returns the sign at the end of a line that ends before cluster `end`.
    pub fn sign(&self, end: usize) -> Option<Sign> {
        self.hyphen(end)?.sign
    }

    /// Returns the hyphen before cluster `end`. Lines end there only if they split a word.
    fn hyphen(&self, end: usize) -> Option<&Hyphen> {
        self.hyphens.binary_search_by_key(&end, |h| h.at).ok().map(|i| &self.hyphens[i])
    }

    /// Returns the width of the longest stretch without a break opportunity, in em.
    pub fn longest_word(&self) -> f64 {
        let mut from = self.hung;
        self.opportunities.iter().fold(0.0, |longest, o| {
            let word = self.trimmed(from.min(o.at), o.at);
            from = o.at;
            f64::max(longest, self.width(&word))
        })
    }

    /// Returns the fewest lines of at most `measure` em, by filling each in turn.
    pub fn fill(&self, measure: f64) -> Lines {
        self.lines(measure, |_, ends, from| self.greedy(ends, from, measure))
    }

    /// Returns at most as many lines as [`Breaker::fill`], with a last line that is no widow. With `balance`, all lines
    /// have about the same width, except the last of several lines of `running` text. In running text, a long word is
    /// hyphenated if one of the lines would otherwise be too short.
    pub fn set(&self, measure: f64, balance: bool, running: bool) -> Lines {
        self.lines(measure, |opportunities, ends, from| {
            let filled = self.greedy(ends, from, measure);
            if filled.len() < 2 || !measure.is_finite() {
                return filled;
            }
            let choose = |ends: &[usize], filled: Vec<usize>| {
                if balance {
                    let short = |end: usize| {
                        let found = opportunities.binary_search_by_key(&end, |o| o.at);
                        found.is_ok_and(|i| opportunities[i].short)
                    };
                    let last = if running && filled.len() >= RUNS { LAST_OF_RUNNING } else { LAST_WEIGHT };
                    self.balanced(ends, from, measure, &filled, last, short)
                } else {
                    self.without_widow(ends, from, measure, filled)
                }
            };
            let whole = choose(ends, filled);
            let shortest = self.shortest(&whole, from, measure);
            if !running || shortest >= 1.0 - RAGGED {
                return whole;
            }
            let ends = self.hyphenated(ends, from, measure);
            let filled = self.greedy(&ends, from, measure);
            let parted = if filled.len() > 1 { choose(&ends, filled) } else { filled };
            let better = self.shortest(&parted, from, measure) >= shortest + GAIN;
            if better && parted.len() <= whole.len() { parted } else { whole }
        })
    }

    /// Returns the share of the measure that the shortest line except the last takes, 0–1; 1 for a single line.
    fn shortest(&self, ends: &[usize], mut from: usize, measure: f64) -> f64 {
        let lines = ends.split_last().map_or(&[][..], |(_, lines)| lines);
        lines.iter().fold(1.0, |least, end| {
            let width = self.width(&self.trimmed(from, *end));
            from = *end;
            f64::min(least, width / measure)
        })
    }

    /// Adds to `ends` the hyphenation positions of words so long that they leave a line ragged. The last word of a text
    /// is never split.
    fn hyphenated(&self, ends: &[usize], start: usize, measure: f64) -> Vec<usize> {
        let mut all = Vec::with_capacity(ends.len());
        let mut from = start;
        for (i, end) in ends.iter().copied().enumerate() {
            let word = self.trimmed(from, end);
            if i + 1 < ends.len() && word.len() >= LONG && self.width(&word) >= RAGGED * measure {
                let common = self.hyphens.iter().filter(|h| !h.name).map(|h| h.at);
                all.extend(common.filter(|at| word.contains(at) && *at > from));
            }
            all.push(end);
            from = end;
        }
        all
    }

    /// Breaks each stretch between forced breaks with `set`. It receives the opportunities of the stretch, the allowed
    /// line ends and the start, and returns the chosen ends.
    fn lines(&self, measure: f64, set: impl Fn(&[Opportunity], &[usize], usize) -> Vec<usize>) -> Lines {
        let mut lines = Lines::default();
        let mut from = 0;
        for stretch in self.opportunities.split_inclusive(|o| o.strength == Strength::Forced) {
            let end = stretch.last().map_or(from, |o| o.at);
            let start = (from..end).find(|i| !self.blank[*i]).unwrap_or(end);
            let ends = self.legal_ends(stretch, start, measure, &mut lines);
            let mut at = start;
            for end in set(stretch, &ends, start) {
                lines.ranges.push(self.trimmed(at, end));
                at = end;
            }
            if start == end {
                lines.ranges.push(start..start);
            }
            from = end;
        }
        // White space around the text isn't set, and a newline at its end starts no line.
        let leading = lines.ranges.iter().take_while(|r| r.is_empty()).count();
        lines.ranges.drain(..leading);
        while lines.ranges.last().is_some_and(Range::is_empty) {
            lines.ranges.pop();
        }
        lines
    }

    fn origin(&self, line: usize) -> usize {
        if line == 0 { self.hung } else { line }
    }

    fn trimmed(&self, from: usize, mut end: usize) -> Range<usize> {
        while end > from && self.blank[end - 1] {
            end -= 1;
        }
        from..end
    }

    fn fits(&self, from: usize, end: usize, measure: f64) -> bool {
        self.width(&self.trimmed(from, end)) <= measure + EPSILON
    }

    /// Returns the positions where lines may end for this measure: free opportunities; within a stretch that is too
    /// wide, as few glued ones as necessary; within a word that is still too wide, hyphens; and if there is none, any
    /// cluster.
    fn legal_ends(&self, stretch: &[Opportunity], start: usize, measure: f64, lines: &mut Lines) -> Vec<usize> {
        let mut ends = Vec::with_capacity(stretch.len());
        let mut from = start;
        for unit in stretch.split_inclusive(|o| o.strength != Strength::Glued) {
            let Some(end) = unit.last().map(|o| o.at).filter(|end| *end > from) else { continue };
            if self.fits(from, end, measure) {
                ends.push(end);
            } else {
                // First between words, then within words that are too wide.
                let words = self.cuts(from..end, unit.iter().filter(|o| !o.inside).map(|o| o.at), measure);
                for word in words {
                    for end in self.cuts(from..word, unit.iter().map(|o| o.at), measure) {
                        lines.hyphenated |= unit.iter().any(|o| o.at == end && o.parts);
                        self.split(from, end, measure, &mut ends, lines);
                        from = end;
                    }
                }
            }
            from = end;
        }
        ends
    }

    /// Chooses the line ends of a stretch that is too wide, among `places`. Works backwards from its end, so that a
    /// preposition stays with its noun.
    fn cuts(&self, stretch: Range<usize>, places: impl Iterator<Item = usize>, measure: f64) -> Vec<usize> {
        let inner = places.filter(|at| (stretch.start + 1..stretch.end).contains(at));
        let starts: Vec<usize> = std::iter::once(stretch.start).chain(inner).chain([stretch.end]).collect();
        let (mut cuts, mut last) = (vec![stretch.end], stretch.end);
        for pair in starts.windows(2).rev() {
            if last != pair[1] && !self.fits(pair[0], last, measure) {
                cuts.push(pair[1]);
                last = pair[1];
            }
        }
        cuts.reverse();
        cuts
    }

    /// Appends ends that split `from..end` into pieces of at most `measure`, but at least one cluster.
    fn split(&self, mut from: usize, end: usize, measure: f64, ends: &mut Vec<usize>, lines: &mut Lines) {
        while !self.fits(from, end, measure) {
            let inside = self.hyphens.iter().map(|h| h.at).filter(|at| (from + 1..end).contains(at));
            if let Some(cut) = inside.take_while(|cut| self.fits(from, *cut, measure)).last() {
                lines.hyphenated = true;
                ends.push(cut);
                from = cut;
                continue;
            }
            lines.broken_word = true;
            let cut = (from + 2..end).find(|cut| !self.fits(from, *cut, measure)).unwrap_or(end) - 1;
            if cut <= from || self.trimmed(cut, end).is_empty() {
                break;
            }
            ends.push(cut);
            from = cut;
        }
        ends.push(end);
    }

    /// Fills each line in turn.
    fn greedy(&self, ends: &[usize], start: usize, measure: f64) -> Vec<usize> {
        let mut chosen = Vec::new();
        let mut from = start;
        for pair in ends.windows(2) {
            if !self.fits(from, pair[1], measure) {
                chosen.push(pair[0]);
                from = pair[0];
            }
        }
        chosen.extend(ends.last());
        chosen
    }

    /// Returns the latest start of the last line for which the line is no widow.
    fn last_start(&self, ends: &[usize], measure: f64) -> Option<usize> {
        let end = *ends.last()?;
        let starts = ends[..ends.len() - 1].iter().rev().copied();
        starts
            .take_while(|start| self.fits(*start, end, measure))
            .find(|start| self.width(&self.trimmed(*start, end)) >= LAST_LINE * measure)
    }

    /// Moves words down into a last line that is too short. The lines before it take no more lines than they did,
    /// because their text is only a part of the previous text.
    fn without_widow(&self, ends: &[usize], start: usize, measure: f64, filled: Vec<usize>) -> Vec<usize> {
        let last = self.last_start(ends, measure);
        match last.filter(|last| *last > start && filled.len() > 1 && *last < filled[filled.len() - 2]) {
            Some(last) => {
                let before = &ends[..=ends.partition_point(|e| *e < last)];
                let mut chosen = self.greedy(before, start, measure);
                chosen.extend(ends.last());
                chosen
            }
            None => filled,
        }
    }

    /// Returns the breaking into `filled.len()` lines with the least cost.
    fn balanced(
        &self,
        ends: &[usize],
        start: usize,
        measure: f64,
        filled: &[usize],
        last_weight: f64,
        short: impl Fn(usize) -> bool,
    ) -> Vec<usize> {
        let count = filled.len();
        let last_start = self.last_start(ends, measure).unwrap_or(usize::MAX);
        // Line l ends no later than when all lines are filled from the top, and no earlier than when they are filled
        // from the bottom.
        let mut earliest = vec![0; count];
        earliest[count - 1] = ends.len() - 1;
        for l in (1..count).rev() {
            let end = ends[earliest[l]];
            let first = ends[..earliest[l]].partition_point(|e| !self.fits(*e, end, measure));
            earliest[l - 1] = first.min(earliest[l].saturating_sub(1));
        }
        // best[i]: cost of the lines so far if the current one ends at ends[i], and the end of the previous line.
        let mut best: Vec<Vec<(f64, usize)>> = Vec::with_capacity(count);
        for l in 0..count {
            let is_last = l + 1 == count;
            let latest = ends.partition_point(|e| *e < filled[l]);
            let mut row = Vec::with_capacity(latest + 1 - earliest[l].min(latest));
            for i in earliest[l]..=latest {
                let mut cheapest = (f64::INFINITY, 0);
                let mut consider = |from: usize, before: f64, which: usize| {
                    let width = self.width(&self.trimmed(from, ends[i]));
                    if width > measure + EPSILON || !before.is_finite() {
                        return;
                    }
                    let slack = (measure - width).max(0.0) / measure;
                    let mut cost = before + slack * slack * if is_last { last_weight } else { 1.0 };
                    // Higher than any cost of slack, so a widow remains only if every breaking has one.
                    if is_last && from > last_start {
                        cost += count as f64 + 1.0;
                    }
                    if !is_last && short(ends[i]) {
                        cost += SHORT_END;
                    }
                    if self.hyphen(ends[i]).is_some() {
                        cost += HYPHENATED + if self.hyphen(from).is_some() { HYPHENATED } else { 0.0 };
                    }
                    if cost < cheapest.0 {
                        cheapest = (cost, which);
                    }
                };
                match l.checked_sub(1) {
                    None => consider(start, 0.0, 0),
                    Some(l) => {
                        for (k, (before, _)) in best[l].iter().enumerate() {
                            if earliest[l] + k < i {
                                consider(ends[earliest[l] + k], *before, k);
                            }
                        }
                    }
                }
                row.push(cheapest);
            }
            best.push(row);
        }
        let mut k = best[count - 1].len() - 1;
        let mut chosen = vec![0; count];
        for l in (0..count).rev() {
            if !best[l][k].0.is_finite() {
                return filled.to_vec();
            }
            chosen[l] = ends[earliest[l] + k];
            k = best[l][k].1;
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::shape::shape;
    use crate::text::{Family, Fonts, TextStyle};

    fn breaker(text: &str) -> Breaker {
        static FONTS: std::sync::OnceLock<Fonts> = std::sync::OnceLock::new();
        let fonts = FONTS.get_or_init(Fonts::new);
        let face = fonts.face(Family::NotoSans, 400);
        let style =
            TextStyle { face, size: 1.0, tracking: 0.01, leading: 1.0, tabular: false, case: false, stylistic_set: 0 };
        let locale = Locale::default();
        Breaker::new(text, &shape(fonts, text, &style, &locale, &[]), Vec::new(), &locale, style.tracking, 0)
    }

    /// Returns the cost of a breaking, as the module's documentation defines it.
    fn cost(b: &Breaker, ranges: &[Range<usize>], measure: f64) -> f64 {
        let costs = ranges.iter().enumerate().map(|(i, r)| {
            let slack = (measure - b.width(r)) / measure;
            let short = b.opportunities.iter().any(|o| o.short && b.trimmed(r.start, o.at) == *r);
            let last = i + 1 == ranges.len();
            slack * slack * if last { LAST_WEIGHT } else { 1.0 } + if short && !last { SHORT_END } else { 0.0 }
        });
        costs.sum()
    }

    /// Returns every breaking of the clusters from `from` on into at most `count` lines.
    fn all(b: &Breaker, ends: &[usize], from: usize, count: usize, measure: f64) -> Vec<Vec<Range<usize>>> {
        if from == ends[ends.len() - 1] {
            return vec![Vec::new()];
        }
        let mut found = Vec::new();
        for end in ends.iter().copied().filter(|end| count > 0 && *end > from && b.fits(from, *end, measure)) {
            for mut rest in all(b, ends, end, count - 1, measure) {
                rest.insert(0, b.trimmed(from, end));
                found.push(rest);
            }
        }
        found
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn balance_is_the_cheapest_of_all_breakings(
            words in proptest::collection::vec("[a-z]{1,9}", 1..11),
            measure in 5f64..14.0,
        ) {
            let b = breaker(&words.join(" "));
            let (filled, set) = (b.fill(measure), b.set(measure, true, false));
            prop_assert_eq!(filled.ranges.len(), set.ranges.len());
            let ends = b.legal_ends(&b.opportunities, 0, measure, &mut Lines::default());
            let every = all(&b, &ends, 0, set.ranges.len(), measure);
            prop_assert!(every.iter().all(|r| r.len() == set.ranges.len()), "filling takes the fewest lines");
            let widow = |r: &[Range<usize>]| r.len() > 1 && b.width(&r[r.len() - 1]) < LAST_LINE * measure;
            let best = every.iter().filter(|r| !widow(r)).map(|r| cost(&b, r, measure)).fold(f64::INFINITY, f64::min);
            if best.is_finite() {
                prop_assert!(!widow(&set.ranges));
                prop_assert!(cost(&b, &set.ranges, measure) <= best + 1e-9);
            }
        }
    }
}
