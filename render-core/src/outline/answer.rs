//! Orders the sentences of an answer: those that answer the question come first.

use super::tone::Tone;
use crate::content::{Sourced, says_alone, segment, words};

/// Words that ask for a reason, in all supported languages, separated by `|`.
const WHY: &str = "why|how come|warum|wieso|weshalb|pourquoi|por qué|porqué|por que|por quê|perché|perche|waarom|varför|hvorfor|miksi|\
    dlaczego|proč|prečo|miért|de ce|zašto|zakaj|почему|зачем|чому|защо|γιατί|neden|niçin|لماذا|क्यों|なぜ|どうして|为什么|为何|왜|\
    mengapa|kenapa|tại sao|kwa nini";
/// Words that give a reason, in all supported languages, separated by `|`.
const BECAUSE: &str = "because|the reason|reasons|so that|in order to|weil|damit|der grund|deshalb|denn|parce que|car|afin|la raison|\
    porque|para que|la razón|perché|affinché|la ragione|a razão|para que|omdat|zodat|de reden|därför att|fordi|koska|ponieważ|\
    aby|protože|mert|pentru că|jer|потому что|чтобы|причина|тому що|защото|επειδή|çünkü|لأن|كي|क्योंकि|ताकि|ためです|からです|ので|理由|因为|\
    以便|때문|karena|agar|vì|kwa sababu";

/// Share of a sentence's words that must occur in a headline or question for the sentence to count
/// as a repetition.
const SAME: f32 = 0.6;
/// Most words of a short answer that is complete by itself, such as "Yes.".
const BRIEF: usize = 3;
/// Number of leading letters compared: words that share them count as the same word.
const STEM: usize = 5;

/// The stems of the words of a headline or question, without function words.
pub(super) struct Told<'t> {
    stems: Vec<String>,
    tone: &'t Tone,
}

impl<'t> Told<'t> {
    pub fn of(text: &str, tone: &'t Tone) -> Self {
        Self { stems: stems(text, tone), tone }
    }

    /// Returns whether a text mentions one of the same things.
    pub fn relates(&self, text: &str) -> bool {
        // Endings and particles of scripts without spaces name nothing.
        let names = |stem: &&String| {
            let kana = stem.chars().all(|c| matches!(c, '\u{3041}'..='\u{309f}'));
            !kana && stem.chars().count() >= if stem.chars().any(words::is_unspaced) { 2 } else { STEM - 1 }
        };
        stems(text, self.tone).iter().filter(names).any(|stem| self.stems.contains(stem))
    }

    /// Returns whether a sentence only repeats this text: most of its words occur in it. Always
    /// false for documents that are set verbatim.
    pub fn holds(&self, sentence: &str) -> bool {
        if self.tone.exact {
            return false;
        }
        let own = stems(sentence, self.tone);
        let shared = own.iter().filter(|stem| self.stems.contains(stem)).count();
        !own.is_empty() && shared as f32 >= SAME * own.len() as f32
    }
}

fn stems(text: &str, tone: &Tone) -> Vec<String> {
    let code = tone.language.primary();
    let own = segment::words_of(text).into_iter().filter(|word| !words::is_function(code, word));
    own.map(|word| word.chars().take(STEM).collect()).collect()
}

/// Returns the sentences of an answer in the source's order. After a question that asks why, the
/// first sentence that gives a reason moves to the front. Leading sentences that only repeat the
/// question or introduce the answer are left out, unless nothing else remains.
pub(super) fn sentences<'a>(question: &str, answer: &'a [Sourced], tone: &Tone) -> Vec<&'a Sourced> {
    let told = Told::of(question, tone);
    let again = answer.iter().take_while(|s| told.holds(&s.text)).count();
    let new = answer.get(again..).filter(|rest| !rest.is_empty()).unwrap_or(answer);
    // Sentences that only set a scene or introduce the answer don't count either, but a short
    // answer such as "Yes." does.
    let leads = |s: &&Sourced| segment::count_words(&s.text) > BRIEF && !says_alone(&s.text, &tone.language);
    let leading = new.iter().take_while(leads).count();
    let new = new.get(leading..).filter(|rest| !rest.is_empty() && !tone.exact).unwrap_or(new);
    let mut sentences: Vec<&Sourced> = new.iter().collect();
    if words::opens_with(WHY, question.trim_start_matches(|c: char| !c.is_alphanumeric()))
        && let Some(at) = sentences.iter().position(|s| words::holds(BECAUSE, &s.text))
    {
        let reason = sentences.remove(at);
        sentences.insert(0, reason);
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::{Language, Span};

    fn tone(code: &str) -> Tone {
        Tone { language: Language::parse(code).unwrap(), exact: false }
    }

    #[test]
    fn a_reason_answers_why() {
        let said = |texts: &[&str]| -> Vec<Sourced> {
            texts.iter().map(|t| Sourced { text: (*t).to_owned(), span: Span { start: 0, end: 1 } }).collect()
        };
        let answer = said(&["Many people asked.", "Fourth graders come because they still like museums."]);
        let first = |question: &str| sentences(question, &answer, &tone("en"))[0].text.clone();
        assert_eq!(first("Why fourth graders?"), answer[1].text);
        assert_eq!(first("Who comes?"), answer[0].text);
        let german = said(&["Viele fragen das.", "Es ist leiser, weil niemand eilt."]);
        assert_eq!(sentences("Warum morgens?", &german, &tone("de"))[0].text, german[1].text);
    }

    #[test]
    fn an_answer_does_not_ask_again() {
        let said = |text: &str| Sourced { text: text.to_owned(), span: Span { start: 0, end: 1 } };
        let answer = [said("Who counts the boats is a question."), said("The crew does it at dawn.")];
        assert_eq!(sentences("Who counts the boats?", &answer, &tone("en"))[0].text, answer[1].text);
        assert_eq!(sentences("Who counts the boats?", &answer[..1], &tone("en")).len(), 1);
    }
}
