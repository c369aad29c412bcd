//! Line breaking: which of the places where lines may end they do end at.
//!
//! All lengths are `f64` em, so that one shaping serves every size. A breaking never takes more lines than filling each
//! one in turn does. Balanced paragraphs minimise the sum of squared slack over all lines, as Knuth and Plass do
//! ("Breaking paragraphs into lines", 1981), with ragged setting's simpler costs.

use std::ops::Range;

use super::Locale;
use super::hyphen::{Hyphen, Sign};
use super::opportunity::{Opportunity, Strength, opportunities};
use super::shape::{Cluster, Kind, Shaped};

/// The last line of a paragraph takes at least this share of the measure where it can.
pub(super) const LAST_LINE: f64 = 0.28;
/// What the last line's slack weighs against the others': in headlines and short texts, whose lines are about as long, and
/// in running text of several lines, which fills its measure and ends where it ends.
const LAST_WEIGHT: f64 = 0.7;
const LAST_OF_RUNNING: f64 = 0.1;
/// Lines from which on text runs.
const RUNS: usize = 3;
/// Cost of a line that ends in a word of up to three letters; 1 is the cost of an empty line.
const SHORT_END: f64 = 0.004;
/// Cost of a line that ends in a hyphen, and of the second of two such lines in a row more.
const HYPHENATED: f64 = 0.05;
/// A line of running text that would leave more than this share of the measure empty may part the word behind it.
const RAGGED: f64 = 0.36;
/// Letters of the shortest word that is parted for the sake of even lines.
const LONG: usize = 14;
/// A hyphen has to lengthen the shortest line by this share of the measure.
const GAIN: f64 = 0.15;
/// Rounding allowed when a line is compared with the measure, em.
const EPSILON: f64 = 1e-5;

/// The lines of a paragraph as ranges of clusters, white space at their ends left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub ranges: Vec<Range<usize>>,
    /// A word was wider than the measure and had to be parted where no hyphen can stand.
    pub broken_word: bool,
    /// A word was wider than the measure and was parted by hyphens, or between the letters of a script that has none.
    pub hyphenated: bool,
}

/// A shaped text with its widths and opportunities: breaks into lines for any measure.
#[derive(Debug)]
pub(super) struct Breaker {
    /// Where each cluster starts, tracking counted; one more than there are clusters.
    sums: Vec<f64>,
    /// Tracking behind each cluster.
    tracking: Vec<f64>,
    /// Clusters of white space, newlines included.
    blank: Vec<bool>,
    opportunities: Vec<Opportunity>,
    /// Where words may be parted, rising.
    hyphens: Vec<Hyphen>,
    /// Clusters at the start that hang outside the measure.
    hung: usize,
}

impl Breaker {
    /// Prepares `text` as `shaped`, which may be parted at `hyphens`; the first `hung` clusters take no room.
    pub fn new(text: &str, shaped: &Shaped, hyphens: Vec<Hyphen>, locale: &Locale, tracking: f32, hung: usize) -> Self {
        let clusters = &shaped.clusters;
        let mut sums = Vec::with_capacity(clusters.len() + 1);
        sums.push(0.0);
        // Tight tracking takes nothing of the spaces between words: what the letter before one loses comes back behind it.
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
        // What hangs is no line of its own.
        opportunities.retain(|o| o.at > hung || o.strength == Strength::Forced);
        Self { sums, tracking, blank, opportunities, hyphens, hung }
    }

    /// With more space behind each cluster, em, that goes where a line ends.
    pub fn with_gaps(mut self, gaps: &[f32]) -> Self {
        let mut sum = 0.0;
        for (i, gap) in gaps.iter().enumerate() {
            sum += f64::from(*gap);
            self.tracking[i] += f64::from(*gap);
            self.sums[i + 1] += sum;
        }
        self
    }

    /// Where cluster `i` starts on a line that starts with cluster `line`, in em; below 0 for what hangs.
    pub fn offset(&self, line: usize, i: usize) -> f64 {
        self.sums[i] - self.sums[self.origin(line)]
    }

    /// Advance of cluster `i` with the tracking behind it, in em.
    pub fn advance(&self, i: usize) -> f64 {
        self.sums[i + 1] - self.sums[i]
    }

    /// Width of `line`, a hyphen at its end counted, tracking there left out.
    pub fn width(&self, line: &Range<usize>) -> f64 {
        let Some(last) = line.end.checked_sub(1).filter(|_| line.end > line.start) else { return 0.0 };
        let to = match self.hyphen(line.end) {
            Some(Hyphen { sign: Some(sign), .. }) => self.sums[line.end] + f64::from(sign.advance),
            _ => self.sums[line.end] - self.tracking[last],
        };
        (to - self.sums[self.origin(line.start)]).max(0.0)
    }

    /// The sign that stands at the end of a line which ends before cluster `end`.
    pub fn sign(&self, end: usize) -> Option<Sign> {
        self.hyphen(end)?.sign
    }

    /// The hyphen before cluster `end`: only lines that part a word end there.
    fn hyphen(&self, end: usize) -> Option<&Hyphen> {
        self.hyphens.binary_search_by_key(&end, |h| h.at).ok().map(|i| &self.hyphens[i])
    }

    /// Width of the longest stretch that no line may end within, in em.
    pub fn longest_word(&self) -> f64 {
        let mut from = self.hung;
        self.opportunities.iter().fold(0.0, |longest, o| {
            let word = self.trimmed(from.min(o.at), o.at);
            from = o.at;
            f64::max(longest, self.width(&word))
        })
    }

    /// The fewest lines of at most `measure` em: each filled in turn.
    pub fn fill(&self, measure: f64) -> Lines {
        self.lines(measure, |_, ends, from| self.greedy(ends, from, measure))
    }

    /// As many lines as [`Breaker::fill`] at the most, with the last one no widow; all of about one width where `balance`
    /// is set, but for the last one of several lines of `running` text. There, a long word is parted where one of the lines would be too short otherwise.
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

    /// How much of the measure the shortest line but the last takes, 0–1; 1 where there is one line alone.
    fn shortest(&self, ends: &[usize], mut from: usize, measure: f64) -> f64 {
        let lines = ends.split_last().map_or(&[][..], |(_, lines)| lines);
        lines.iter().fold(1.0, |least, end| {
            let width = self.width(&self.trimmed(from, *end));
            from = *end;
            f64::min(least, width / measure)
        })
    }

    /// `ends` with those within words so long that they leave a line ragged. The last word of a text stays whole.
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

    /// Breaks each stretch between forced breaks by `set`, which gets the opportunities of the stretch, the legal ends
    /// of lines and the start, and answers with the ends it chose.
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
        // White space around the text is nothing to set, and a newline at its end begins no line.
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

    /// Where lines may end for this measure: free opportunities; within what is too wide, as few glued ones as will do;
    /// within a word that is still too wide, at hyphens; where none will do, before any cluster.
    fn legal_ends(&self, stretch: &[Opportunity], start: usize, measure: f64, lines: &mut Lines) -> Vec<usize> {
        let mut ends = Vec::with_capacity(stretch.len());
        let mut from = start;
        for unit in stretch.split_inclusive(|o| o.strength != Strength::Glued) {
            let Some(end) = unit.last().map(|o| o.at).filter(|end| *end > from) else { continue };
            if self.fits(from, end, measure) {
                ends.push(end);
            } else {
                // Between words, and within those that are too wide.
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

    /// Where a stretch that is too wide ends its lines, of the places given: from its end backwards, so that a preposition
    /// stays with its noun.
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

    /// Appends ends that cut `from..end` into pieces of at most `measure`, one cluster at the least.
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

    /// Where the last line can start so that it is no widow: as far right as it goes.
    fn last_start(&self, ends: &[usize], measure: f64) -> Option<usize> {
        let end = *ends.last()?;
        let starts = ends[..ends.len() - 1].iter().rev().copied();
        starts
            .take_while(|start| self.fits(*start, end, measure))
            .find(|start| self.width(&self.trimmed(*start, end)) >= LAST_LINE * measure)
    }

    /// Pulls words down into a last line that is too short. What stands before it then takes no more lines than before:
    /// it is a part of what did.
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

    /// The breaking into `filled.len()` lines of least cost.
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
        // Line l ends no later than when all are filled from the top, no earlier than when filled from the bottom.
        let mut earliest = vec![0; count];
        earliest[count - 1] = ends.len() - 1;
        for l in (1..count).rev() {
            let end = ends[earliest[l]];
            let first = ends[..earliest[l]].partition_point(|e| !self.fits(*e, end, measure));
            earliest[l - 1] = first.min(earliest[l].saturating_sub(1));
        }
        // best[i]: cost of the lines so far when the current one ends at ends[i], and where the one before ended.
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
                    // Above every cost of slack, so a widow stays only where each breaking has one.
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

    /// What a breaking costs, as the module's header has it.
    fn cost(b: &Breaker, ranges: &[Range<usize>], measure: f64) -> f64 {
        let costs = ranges.iter().enumerate().map(|(i, r)| {
            let slack = (measure - b.width(r)) / measure;
            let short = b.opportunities.iter().any(|o| o.short && b.trimmed(r.start, o.at) == *r);
            let last = i + 1 == ranges.len();
            slack * slack * if last { LAST_WEIGHT } else { 1.0 } + if short && !last { SHORT_END } else { 0.0 }
        });
        costs.sum()
    }

    /// Every breaking of clusters from `from` on into at most `count` lines.
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
