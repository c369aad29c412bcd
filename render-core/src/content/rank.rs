//! Ranks sentences by information: TextRank (Mihalcea and Tarau, 2004) with position, title and figures, and maximal
//! marginal relevance (Carbonell and Goldstein, 1998) against repetition.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::segment;
use super::words::{self, Words};
use crate::cancel;

/// Maximum sentences that are compared with each other. Later ones keep their order.
const COMPARED: usize = 200;
/// Maximum bytes of a word that is stemmed. A stemmer's time grows with the square of a word's length. Longer words
/// are only equal if they are spelled the same.
const STEMMED: usize = 128;
/// Damping factor of the random walk, as in the paper.
const DAMPING: f32 = 0.85;
/// Iterations of the power method, which converges to three digits well before.
const ROUNDS: usize = 30;
/// Weight of relevance relative to novelty.
const MMR_LAMBDA: f32 = 0.7;

/// Compares sentences by their stems.
pub(super) struct Ranker {
    stemmer: Option<Stemmer>,
    lexicon: &'static Words,
    known: RefCell<Vocabulary>,
}

/// The words seen so far. A text repeats most of its words, and its sentences are ranked within several passages.
#[derive(Default)]
struct Vocabulary {
    /// Words in lower case with the number of their stem, or `None` for function words.
    words: HashMap<String, Option<u32>>,
    stems: HashMap<String, u32>,
}

/// The numbers of the stems of a sentence's content words, distinct and in ascending order.
pub(super) struct Stems(Vec<u32>);

impl Ranker {
    /// Creates a ranker for a language by its primary subtag.
    pub fn new(code: &str) -> Self {
        let stemmer = algorithm(code).map(Stemmer::create);
        Self { stemmer, lexicon: words::of(code), known: RefCell::default() }
    }

    /// Returns the stems of each sentence.
    pub fn stems(&self, sentences: &[&str]) -> Vec<Stems> {
        sentences.iter().map(|s| self.stems_of(s)).collect()
    }

    /// Returns the stems of a text.
    pub fn stems_of(&self, text: &str) -> Stems {
        cancel::tick();
        let known = &mut *self.known.borrow_mut();
        let mut out: Vec<u32> = segment::words_of(text).into_iter().filter_map(|w| self.number(known, w)).collect();
        out.sort_unstable();
        out.dedup();
        Stems(out)
    }

    fn number(&self, known: &mut Vocabulary, word: String) -> Option<u32> {
        if let Some(number) = known.words.get(&word) {
            return *number;
        }
        let number = (!words::has(self.lexicon.function, &word)).then(|| {
            let stemmer = self.stemmer.as_ref().filter(|_| word.len() <= STEMMED);
            let stem = stemmer.map_or_else(|| word.clone(), |s| s.stem(&word).into_owned());
            let next = known.stems.len() as u32;
            *known.stems.entry(stem).or_insert(next)
        });
        known.words.insert(word, number);
        number
    }

    /// Whether two texts share a content word.
    pub fn relates(&self, a: &str, b: &str) -> bool {
        self.stems_of(a).shared(&self.stems_of(b)) > 0
    }

    /// Returns how informative each sentence of a text under `title` is, 0–1. `stems` belong to the sentences. The
    /// weights maximise how often the best sentence is one that editors chose too.
    pub fn scores(&self, sentences: &[&str], stems: &[Stems], title: &str) -> Vec<f32> {
        let title = self.stems_of(title);
        let walk = central(stems);
        let n = sentences.len().max(1) as f32;
        sentences
            .iter()
            .zip(stems)
            .enumerate()
            .map(|(i, (text, stems))| {
                let position = 1.0 - i as f32 / n;
                let overlap = title.share_in(stems);
                let figure = f32::from(u8::from(text.chars().any(char::is_numeric)));
                let rank = walk.get(i).copied().unwrap_or(0.0);
                // A section more often opens with a remark than with its topic.
                let second = f32::from(u8::from(i == 1 && !title.0.is_empty()));
                0.3 * rank + 0.38 * overlap + 0.16 * position + 0.08 * second + 0.08 * figure
            })
            .collect()
    }
}

impl Stems {
    /// Returns the share of this text's stems that `other` contains, 0–1.
    pub fn share_in(&self, other: &Self) -> f32 {
        self.shared(other) as f32 / self.0.len().max(1) as f32
    }

    /// Returns the number of stems that both contain.
    fn shared(&self, other: &Self) -> usize {
        let (mut i, mut j, mut n) = (0, 0, 0);
        while let (Some(a), Some(b)) = (self.0.get(i), other.0.get(j)) {
            let order = a.cmp(b);
            n += usize::from(order == Ordering::Equal);
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
        }
        n
    }
}

/// Returns the indices of sentences by their stems and scores, best first. Each is as different from the previous
/// ones as possible.
pub(super) fn order(stems: &[Stems], scores: &[f32]) -> Vec<usize> {
    let compared = &stems[..stems.len().min(COMPARED)];
    let mut nearest = vec![0.0_f32; compared.len()];
    let mut left: Vec<usize> = (0..compared.len()).collect();
    let mut out = Vec::with_capacity(stems.len());
    while !left.is_empty() {
        cancel::tick();
        let value = |i: usize| MMR_LAMBDA * scores[i] - (1.0 - MMR_LAMBDA) * nearest[i];
        let mut best = 0;
        for k in 1..left.len() {
            if value(left[k]) > value(left[best]) {
                best = k;
            }
        }
        let chosen = left.remove(best);
        for &i in &left {
            nearest[i] = nearest[i].max(jaccard(&compared[i], &compared[chosen]));
        }
        out.push(chosen);
    }
    out.extend(compared.len()..stems.len());
    out
}

/// Returns how central each of the first [`COMPARED`] sentences is among them, 0–1.
pub(super) fn central(stems: &[Stems]) -> Vec<f32> {
    let stems = &stems[..stems.len().min(COMPARED)];
    let n = stems.len();
    let length: Vec<f32> = stems.iter().map(|s| libm::logf(s.0.len().max(1) as f32)).collect();
    let mut weight = vec![0.0_f32; n * n];
    for i in 0..n {
        for j in 0..i {
            let shared = stems[i].shared(&stems[j]) as f32;
            let size = length[i] + length[j];
            let w = if shared > 0.0 { shared / size.max(0.5) } else { 0.0 };
            weight[i * n + j] = w;
            weight[j * n + i] = w;
        }
    }
    let out: Vec<f32> = (0..n).map(|i| weight[i * n..(i + 1) * n].iter().sum()).collect();
    let mut rank = vec![1.0_f32; n];
    for _ in 0..ROUNDS {
        cancel::check();
        rank = (0..n)
            .map(|i| {
                let flow: f32 = (0..n).filter(|&j| out[j] > 0.0).map(|j| weight[j * n + i] / out[j] * rank[j]).sum();
                1.0 - DAMPING + DAMPING * flow
            })
            .collect();
    }
    let most = rank.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    rank.into_iter().map(|r| r / most).collect()
}

fn jaccard(a: &Stems, b: &Stems) -> f32 {
    let shared = a.shared(b);
    shared as f32 / (a.0.len() + b.0.len() - shared).max(1) as f32
}

fn algorithm(code: &str) -> Option<Algorithm> {
    Some(match code {
        "ar" => Algorithm::Arabic,
        "da" => Algorithm::Danish,
        "nl" => Algorithm::Dutch,
        "en" => Algorithm::English,
        "fi" => Algorithm::Finnish,
        "fr" => Algorithm::French,
        "de" => Algorithm::German,
        "el" => Algorithm::Greek,
        "hu" => Algorithm::Hungarian,
        "it" => Algorithm::Italian,
        "no" | "nb" => Algorithm::Norwegian,
        "pt" => Algorithm::Portuguese,
        "ro" => Algorithm::Romanian,
        "ru" => Algorithm::Russian,
        "es" => Algorithm::Spanish,
        "sv" => Algorithm::Swedish,
        "ta" => Algorithm::Tamil,
        "tr" => Algorithm::Turkish,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_central_sentence_wins() {
        let ranker = Ranker::new("en");
        let text = [
            "The weather was mild.",
            "A meeting without an agenda wastes the time of everyone in the meeting.",
            "Every meeting needs an agenda and an owner who keeps its time.",
            "Someone brought cake.",
        ];
        let stems = ranker.stems(&text);
        let scores = ranker.scores(&text, &stems, "Meetings and their time");
        let order = order(&stems, &scores);
        assert!(order[0] == 1 || order[0] == 2, "{scores:?}");
        assert_eq!(order.len(), 4);
        assert_ne!(order[1], 3, "cake comes last");
    }
}
