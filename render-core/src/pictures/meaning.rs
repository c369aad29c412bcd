//! Chooses the pictures that illustrate a page's words.

use std::sync::OnceLock;

use unicode_segmentation::UnicodeSegmentation;

use super::{Entry, all};
use crate::content::vocabulary::{Call, Vocabulary};

/// Languages with words that select pictures.
const LANGUAGES: [&str; 4] = ["en", "de", "fr", "es"];

/// The weight of a word of full weight and of one of low weight, in a headline.
const CLAIM: [u32; 2] = [12, 6];
/// The same in the first sentence of a text without a headline. Two words of low weight are enough there, but a word of
/// full weight needs another reason: a longer text mentions much in passing.
const TOLD: [u32; 2] = [8, 5];
/// The same in the first sentence under a headline, and in later sentences.
const LEAD: [u32; 2] = [6, 4];
const REST: [u32; 2] = [4, 2];
/// The additional weight of two or more consecutive words that call for a picture together.
const PHRASE: u32 = 2;
/// The additional weight for a picture of what the source mentions often.
const SUBJECT: u32 = 4;
/// The weight that a picture must reach.
const ENOUGH: u32 = 10;
/// Most words of a headline in which a word of low weight counts in full.
const BRIEF: usize = 2;
/// Fewest bytes of a sentence: "The U.S." is none.
const SENTENCE: usize = 40;

/// Returns the pictures whose words a headline and the text under it contain, best first by the weights of the words.
/// `language` is a primary subtag.
pub fn meant(headline: &str, text: &str, language: &str) -> Vec<&'static Entry> {
    let Some(vocabulary) = vocabulary(language) else { return Vec::new() };
    let mut sum = Sum::default();
    sum.add(vocabulary.calls(headline), CLAIM, true);
    sum.add_text(vocabulary, text, LEAD, false);
    sum.best(|_| false)
}

/// Returns the pictures that illustrate a page of a document, best first. A text without a headline is the headline,
/// and a word of low weight counts in full if it is most of a headline. `often` tells which pictures the source calls
/// for often.
pub fn illustrating(headline: &str, text: &str, language: &str, often: impl Fn(&str) -> bool) -> Vec<&'static Entry> {
    let Some(vocabulary) = vocabulary(language) else { return Vec::new() };
    let mut sum = Sum::default();
    if headline.is_empty() {
        sum.add_text(vocabulary, text, TOLD, true);
    } else {
        let brief = headline.split_whitespace().count() <= BRIEF;
        sum.add(vocabulary.calls(headline), if brief { [CLAIM[0], ENOUGH] } else { CLAIM }, true);
        sum.add_text(vocabulary, text, LEAD, false);
    }
    sum.best(often)
}

/// Returns the pictures that any word of a text calls for, without duplicates.
pub fn mentioned(text: &str, language: &str) -> Vec<&'static Entry> {
    let mut out: Vec<u16> = Vec::new();
    for call in vocabulary(language).map(|v| v.calls(text)).unwrap_or_default() {
        if !out.contains(&call.of) {
            out.push(call.of);
        }
    }
    out.into_iter().filter_map(|of| all().get(usize::from(of))).collect()
}

/// Returns the words of a language that select pictures.
fn vocabulary(language: &str) -> Option<&'static Vocabulary> {
    static READ: OnceLock<Vec<Vocabulary>> = OnceLock::new();
    let read = || {
        let lists = |code: &'static str| all().iter().map(move |entry| entry.words_in(code));
        LANGUAGES.iter().filter_map(|code| Vocabulary::read(code, lists(code))).collect()
    };
    READ.get_or_init(read).iter().find(|v| v.code() == language)
}

/// The weights of the pictures that words call for, in the order of first mention.
#[derive(Debug, Default)]
struct Sum(Vec<Weight>);

/// The weight of a picture.
#[derive(Debug, Clone, Copy)]
struct Weight {
    of: u16,
    /// The weight of the words of the claim.
    claim: u32,
    /// The weight of all words.
    all: u32,
}

impl Sum {
    /// Adds words with the weights of a full one and of a low one. The claim is the headline, or else the first
    /// sentence.
    fn add(&mut self, calls: Vec<Call>, [full, low]: [u32; 2], is_claim: bool) {
        for call in calls {
            let own = if call.weak { low } else { full };
            let more = if call.words > 1 && !call.weak { PHRASE } else { 0 };
            let at = self.0.iter().position(|weight| weight.of == call.of).unwrap_or_else(|| {
                self.0.push(Weight { of: call.of, claim: 0, all: 0 });
                self.0.len() - 1
            });
            self.0[at].all += own + more;
            self.0[at].claim += if is_claim { own } else { 0 };
        }
    }

    /// Adds the words of a text: those of its first sentence, and with less weight those after it.
    fn add_text(&mut self, vocabulary: &Vocabulary, text: &str, lead: [u32; 2], is_claim: bool) {
        let (first, rest) = text.split_at(opening(text));
        self.add(vocabulary.calls(first), lead, is_claim);
        self.add(vocabulary.calls(rest), REST, false);
    }

    /// Returns the pictures with enough weight: those that the claim calls for most often first, and among those as
    /// often the one that is mentioned first. What the source mentions often counts, but doesn't come before what only
    /// this page says.
    fn best(mut self, often: impl Fn(&str) -> bool) -> Vec<&'static Entry> {
        let entry = |of: u16| all().get(usize::from(of));
        let subject = |of: u16| if entry(of).is_some_and(|entry| often(entry.name)) { SUBJECT } else { 0 };
        self.0.retain(|weight| weight.all + subject(weight.of) >= ENOUGH);
        self.0.sort_by_key(|weight| std::cmp::Reverse(weight.claim));
        self.0.into_iter().filter_map(|weight| entry(weight.of)).collect()
    }
}

/// Returns the end of the first sentence of a text.
fn opening(text: &str) -> usize {
    let ends = text.split_sentence_bound_indices().map(|(at, sentence)| at + sentence.len());
    ends.into_iter().find(|end| *end >= SENTENCE).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(headline: &str, text: &str, language: &str) -> Option<&'static str> {
        meant(headline, text, language).first().map(|entry| entry.name)
    }

    fn shown(headline: &str, text: &str, subject: &str) -> Option<&'static str> {
        illustrating(headline, text, "en", |name| name == subject).first().map(|entry| entry.name)
    }

    #[test]
    fn headlines_call_for_pictures_and_texts_only_often() {
        assert_eq!(first("Mind the bridge between two teams", "", "en"), Some("bridge"));
        assert_eq!(first("Who was it?", "A pyramid is old. A pyramid has a top.", "en"), Some("pyramid"));
        assert_eq!(first("Who was it?", "A pyramid is old.", "en"), None);
        assert_eq!(first("Nothing is here", "", "en"), None);
        assert_eq!(first("Bridge", "", "fi"), None);
    }

    #[test]
    fn texts_without_a_headline_are_headlines() {
        assert_eq!(shown("", "Nobody had seen the pyramid before that day.", ""), None);
        assert_eq!(shown("", "Nobody had seen the pyramid before that day.", "pyramid"), Some("pyramid"));
        assert_eq!(shown("Nobody knew", "Nobody had seen the pyramid before that day.", ""), None);
        assert_eq!(shown("Nobody knew", "Nobody had seen the pyramid before that day.", "pyramid"), Some("pyramid"));
    }

    #[test]
    fn words_of_low_weight_need_another_reason() {
        assert_eq!(shown("We went over and saw the tower", "", ""), None);
        assert_eq!(shown("The tower", "", ""), Some("towers"));
        assert_eq!(shown("", "From the tower we saw that the giant had gone.", ""), Some("towers"));
        assert_eq!(shown("We went over and saw the tower", "", "towers"), Some("towers"));
    }
}
