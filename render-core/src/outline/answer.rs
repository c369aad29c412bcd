//! The sentences of an answer, those that answer the question first.

use crate::content::{Sourced, words};

/// Words that ask for a reason, in any language, by `|`.
const WHY: &str = "why|how come|warum|wieso|weshalb|pourquoi|por qué|porqué|por que|por quê|perché|perche|waarom|varför|hvorfor|miksi|\
    dlaczego|proč|prečo|miért|de ce|zašto|zakaj|почему|зачем|чому|защо|γιατί|neden|niçin|لماذا|क्यों|なぜ|どうして|为什么|为何|왜|\
    mengapa|kenapa|tại sao|kwa nini";
/// Words that give one, in any language, by `|`.
const BECAUSE: &str = "because|the reason|reasons|so that|in order to|weil|damit|der grund|deshalb|denn|parce que|car|afin|la raison|\
    porque|para que|la razón|perché|affinché|la ragione|a razão|para que|omdat|zodat|de reden|därför att|fordi|koska|ponieważ|\
    aby|protože|mert|pentru că|jer|потому что|чтобы|причина|тому що|защото|επειδή|çünkü|لأن|كي|क्योंकि|ताकि|ためです|からです|ので|理由|因为|\
    以便|때문|karena|agar|vì|kwa sababu";

/// The sentences of an answer. After a question that asks why, the first sentence that gives a reason comes first; all
/// others keep the order of the source.
pub(super) fn sentences<'a>(question: &str, answer: &'a [Sourced]) -> Vec<&'a Sourced> {
    let mut sentences: Vec<&Sourced> = answer.iter().collect();
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
    use crate::content::Span;

    #[test]
    fn a_reason_answers_why() {
        let said = |texts: &[&str]| -> Vec<Sourced> {
            texts.iter().map(|t| Sourced { text: (*t).to_owned(), span: Span { start: 0, end: 1 } }).collect()
        };
        let answer = said(&["Many people asked.", "Fourth graders come because they still like museums."]);
        let first = |question: &str| sentences(question, &answer)[0].text.clone();
        assert_eq!(first("Why fourth graders?"), answer[1].text);
        assert_eq!(first("Who comes?"), answer[0].text);
        let german = said(&["Viele fragen das.", "Es ist leiser, weil niemand eilt."]);
        assert_eq!(sentences("Warum morgens?", &german)[0].text, german[1].text);
    }
}
