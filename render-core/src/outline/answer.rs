//! The sentences of an answer, those that answer the question first.

use crate::content::{Sourced, segment, words};

/// Words that ask for a reason, in any language, by `|`.
const WHY: &str = "why|how come|warum|wieso|weshalb|pourquoi|por qué|porqué|por que|por quê|perché|perche|waarom|varför|hvorfor|miksi|\
    dlaczego|proč|prečo|miért|de ce|zašto|zakaj|почему|зачем|чому|защо|γιατί|neden|niçin|لماذا|क्यों|なぜ|どうして|为什么|为何|왜|\
    mengapa|kenapa|tại sao|kwa nini";
/// Words that give one, in any language, by `|`.
const BECAUSE: &str = "because|the reason|reasons|so that|in order to|weil|damit|der grund|deshalb|denn|parce que|car|afin|la raison|\
    porque|para que|la razón|perché|affinché|la ragione|a razão|para que|omdat|zodat|de reden|därför att|fordi|koska|ponieważ|\
    aby|protože|mert|pentru că|jer|потому что|чтобы|причина|тому що|защото|επειδή|çünkü|لأن|كي|क्योंकि|ताकि|ためです|からです|ので|理由|因为|\
    以便|때문|karena|agar|vì|kwa sababu";

/// Share of a sentence's words that stand in the question where it only says the question again.
const SAME: f32 = 0.6;
/// Letters by which two words are one.
const STEM: usize = 5;

/// The sentences of an answer. After a question that asks why, the first sentence that gives a reason comes first; all
/// others keep the order of the source. What only says the question again is left out in front of the rest.
pub(super) fn sentences<'a>(question: &str, answer: &'a [Sourced], code: &str) -> Vec<&'a Sourced> {
    let again = answer.iter().take_while(|s| says_again(&s.text, question, code)).count();
    let told = answer.get(again..).filter(|rest| !rest.is_empty()).unwrap_or(answer);
    let mut sentences: Vec<&Sourced> = told.iter().collect();
    if words::opens_with(WHY, question.trim_start_matches(|c: char| !c.is_alphanumeric()))
        && let Some(at) = sentences.iter().position(|s| words::holds(BECAUSE, &s.text))
    {
        let reason = sentences.remove(at);
        sentences.insert(0, reason);
    }
    sentences
}

/// Whether most words of `sentence` stand in `text`, function words aside.
pub(super) fn says_again(sentence: &str, text: &str, code: &str) -> bool {
    let stems = |text: &str| -> Vec<String> {
        let own = segment::words_of(text).into_iter().filter(|word| !words::is_function(code, word));
        own.map(|word| word.chars().take(STEM).collect()).collect()
    };
    let (own, other) = (stems(sentence), stems(text));
    let shared = own.iter().filter(|stem| other.contains(stem)).count();
    !own.is_empty() && shared as f32 >= SAME * own.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Span;

    #[test]
    fn a_reason_answers_why() {
        let said = |texts: &[&str]| -> Vec<Sourced> {
            texts.iter().map(|t| Sourced { text: (*t).to_owned(), span: Span { start: 0, end: 1 } }).collect()
        };
        let answer = said(&["Many people asked.", "Fourth graders come because they still like museums."]);
        let first = |question: &str| sentences(question, &answer, "en")[0].text.clone();
        assert_eq!(first("Why fourth graders?"), answer[1].text);
        assert_eq!(first("Who comes?"), answer[0].text);
        let german = said(&["Viele fragen das.", "Es ist leiser, weil niemand eilt."]);
        assert_eq!(sentences("Warum morgens?", &german, "de")[0].text, german[1].text);
    }
    #[test]
    fn an_answer_does_not_ask_again() {
        let said = |text: &str| Sourced { text: text.to_owned(), span: Span { start: 0, end: 1 } };
        let answer = [said("Who counts the boats is a question."), said("The crew does it at dawn.")];
        assert_eq!(sentences("Who counts the boats?", &answer, "en")[0].text, answer[1].text);
        assert_eq!(sentences("Who counts the boats?", &answer[..1], "en").len(), 1);
    }
}
