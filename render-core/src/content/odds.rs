//! The odds that an editor would show a sentence on a page: a linear model over the form and the position of each
//! sentence of a passage.
//!
//! The weights are a conditional logit over 1,368 passages of 330 articles in nine languages. Editors marked the sentences
//! that they would put under the heading, and those that they would not accept (November 2026). In held-out articles, the
//! best sentence is one of the former in 73 of 100 passages, and one of the latter in 21. If the first sentence were
//! chosen instead, these numbers would be 52 and 45.

use super::condense::unjoined;
use super::context::{Marks, Worth, stands_alone};
use super::merit::merit;
use super::rank::{self, Stems};
use super::reader::{Reader, Sentence};
use super::segment;
use super::words::{self, Words};

/// Log odds of a sentence without any of the features below.
const BASE: f32 = -5.02;
/// It is complete without the previous sentence. After a question, incomplete answers are frequent too.
const ALONE: f32 = 0.71;
const ALONE_ANSWER: f32 = -0.37;
/// The next sentence depends on it.
const LEANT_ON: f32 = 0.21;
/// How central it is in its passage, 0–1.
const CENTRAL: f32 = 0.47;
/// The share of the heading's stems that it contains, and that its first words contain.
const HEADING: f32 = 0.95;
const HEADING_FIRST: f32 = 0.61;
/// The natural logarithm of its word count plus one.
const LENGTH: f32 = 0.84;
/// A word joins it to the previous sentence.
const JOINED: f32 = -0.29;
/// It refers to something another sentence names, or adds to that.
const BACK: f32 = -0.48;
/// It announces what comes.
const ANNOUNCES: f32 = -0.63;
/// It sets a scene.
const SETS_UP: f32 = -0.52;
/// It reports a result.
const RESULTS: f32 = 0.56;
/// It claims something.
const CLAIMS: f32 = 0.17;
/// It is a question, ends in a colon, or ends in an exclamation mark.
const ASKS: f32 = -1.42;
const LEADS_ON: f32 = -1.38;
const EXCLAIMS: f32 = -0.52;
/// It speaks of the past or of what has gone on for a while.
const PAST: f32 = -0.44;
/// It concedes something or says that it is so sometimes.
const CONCEDES: f32 = -0.28;
/// It speaks of the authors.
const OWN: f32 = 0.21;
/// It tells the reader what to do.
const INSTRUCTS: f32 = 0.75;
/// It says what can be done, or what something helps with.
const ENABLES: f32 = 0.12;
/// The author emphasised words of it.
const EMPHASISED: f32 = 0.46;
/// It opens with "yes", "no", "probably" under a question.
const DECIDES: f32 = 2.89;
/// Its position, from 0 for the last to 1 for the first.
const POSITION: f32 = 1.59;
/// It is the first; the same divided by the number of sentences; it is the first, and the heading is a question.
const FIRST: f32 = 0.31;
const FIRST_OF: f32 = -2.33;
const FIRST_ANSWER: f32 = 0.81;
/// It is the second.
const SECOND: f32 = -0.32;
/// It is one of the last two of several.
const LATE: f32 = 0.14;
/// It opens a paragraph, and one that is not the first.
const OPENS: f32 = -0.55;
const OPENS_NEXT: f32 = 0.67;

/// Word count above which a longer sentence gains nothing.
const MOST: usize = 80;
/// Number of first words that are compared with the heading.
const FRONT: usize = 4;

/// Openings of sentences that decide a question, in any language, separated by `|`.
const DECISIONS: &str = "yes|no|probably|maybe not|it depends|absolutely|definitely|generally|the short answer|short answer|sure|never|\
    ja|nein|wahrscheinlich|vermutlich|die kurze antwort|es kommt darauf an|oui|non|probablement|cela dépend|ça dépend|sí|\
    probablemente|depende|la respuesta corta|sim|não|provavelmente|a resposta curta|sì|probabilmente|la risposta breve|\
    waarschijnlijk|да|нет|вероятно|скорее|tak|nie|prawdopodobnie|evet|hayır|muhtemelen|نعم|لا|ربما|हाँ|हां|नहीं|शायद|はい|\
    いいえ|おそらく|たぶん|是的|不是|可能|大概|不需要|不一定|네|아니|아마|ya|tidak|mungkin";

/// Phrases of sentences about the past, in English, separated by `|`. In other languages, the tenses of narration and
/// of findings don't differ by such words.
const EARLIER: &str = "in the past|recently|last year|last month|years ago|months ago|weeks ago|has been|have been|had been|for the past|\
    over the past|historically|traditionally|at first|initially|previously|earlier|originally|before|when we started|when i";

/// Words of concessions and of restricted statements, in any language, separated by `|`.
const CONCESSIONS: &str = "may|might|can be|could|some|sometimes|perhaps|it is natural|it's natural|of course|it's easy to|sure,|while|\
    although|though|many people|most people|you may|you might|kann|können|manchmal|einige|natürlich|vielleicht|obwohl|während|\
    peut|parfois|certains|bien sûr|peut-être|bien que|puede|algunos|a veces|quizás|aunque|por supuesto|pode|alguns|às vezes|\
    talvez|embora|может|иногда|некоторые|конечно|可能|有时|有些|一些|当然|虽然|も|時には|もちろん";

/// Words by which authors speak of themselves, in any language.
const OURS: &str =
    "i my me we our us ich wir mein unser uns je nous mon notre nos yo nosotros mi nuestro nuestra eu nós meu nosso";

/// Words of sentences that say what can be done, in any language, separated by `|`.
const ENABLING: &str = "can|could|will|allows|enables|lets|makes|helps|kann|können|wird|hilft|peut|permet|puede|ayuda|pode|ajuda|可以|能|\
    できます|सकते|सकता|يمكن|يساعد";

/// English words that open instructions.
const IMPERATIVES: &str = "use make write keep add start find ask give build create try avoid choose consider remember think focus \
    work learn tell show help let take look set test read share explain include put get be do don't don’t never always bring \
    check define plan document treat respond thank invite encourage offer provide ensure identify decide talk listen hire \
    pick limit reduce remove open label link close wait stop begin run prioritize prioritise measure track follow review";

/// Converts log odds to a probability.
pub(super) fn share(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-odds))
}

/// Returns, for each sentence of a passage under `head`, the log odds that an editor would show it. A passage without
/// a heading has the title of its text as `head`.
pub(super) fn odds(reader: &Reader, sentences: &[Sentence], head: &str) -> Vec<f32> {
    let texts: Vec<&str> = sentences.iter().map(|s| reader.text(s)).collect();
    odds_of(reader, sentences, &reader.ranker.stems(&texts), head)
}

/// Returns the same for sentences whose stems are known.
pub(super) fn odds_of(reader: &Reader, sentences: &[Sentence], stems: &[Stems], head: &str) -> Vec<f32> {
    let texts: Vec<&str> = sentences.iter().map(|s| reader.text(s)).collect();
    let central = rank::central(stems);
    let asked = head.trim_end().ends_with(['?', '？', '؟']);
    let head = reader.ranker.stems_of(head);
    let alone: Vec<bool> = texts.iter().map(|text| stands_alone(text, reader.lexicon)).collect();
    let one = |i: usize| {
        let front = segment::words_of(texts[i]).into_iter().take(FRONT).collect::<Vec<_>>().join(" ");
        BASE + form(texts[i], reader.lexicon)
            + merit(texts[i], reader.lexicon.code)
            + place(reader, sentences, i, asked)
            + when(alone[i], ALONE + when(asked, ALONE_ANSWER))
            + when(alone.get(i + 1) == Some(&false), LEANT_ON)
            + when(asked && words::opens_with(DECISIONS, texts[i]), DECIDES)
            + CENTRAL * central.get(i).copied().unwrap_or(0.0)
            + HEADING * head.share_in(&stems[i])
            + HEADING_FIRST * head.share_in(&reader.ranker.stems_of(&front))
    };
    (0..texts.len()).map(one).collect()
}

fn when(holds: bool, weight: f32) -> f32 {
    if holds { weight } else { 0.0 }
}

/// Returns the weight of a sentence by its own words.
fn form(text: &str, lexicon: &Words) -> f32 {
    let Marks { back, announces, sets_up, results, claims, .. } = Worth::of(text, lexicon.code).marks;
    // An ideograph counts as half a word.
    let count = match words::is_unspaced(text.chars().next().unwrap_or(' ')) {
        true => text.chars().count() / 2,
        false => segment::count_words(text),
    };
    let own = segment::words_of(text);
    LENGTH * libm::logf(1.0 + count.min(MOST) as f32)
        + when(unjoined(text, lexicon).is_some(), JOINED)
        + when(back, BACK)
        + when(announces, ANNOUNCES)
        + when(sets_up, SETS_UP)
        + when(results, RESULTS)
        + when(claims, CLAIMS)
        + when(text.ends_with(['?', '？', '؟']), ASKS)
        + when(text.ends_with([':', '：']), LEADS_ON)
        + when(text.ends_with('!'), EXCLAIMS)
        + when(words::holds(EARLIER, text), PAST)
        + when(words::holds(CONCESSIONS, text), CONCEDES)
        + when(own.iter().any(|word| words::has(OURS, word)), OWN)
        + when(instructs(text, &own, lexicon.code), INSTRUCTS)
        + when(words::holds(ENABLING, text), ENABLES)
}

/// Returns whether a sentence tells the reader what to do: "Write it down.", "Schreiben Sie es auf.", "Écrivez-le.",
/// "请写下来。", "書いてください。"
fn instructs(text: &str, own: &[String], code: &str) -> bool {
    let first = own.first().map_or("", String::as_str);
    let formal = match code {
        "de" => first.ends_with("en") && own.get(1).is_some_and(|word| word == "sie"),
        "fr" => first.ends_with("ez") && !matches!(first, "vous" | "chez" | "assez"),
        "zh" => text.starts_with('请'),
        "ja" => text.contains("ください") || text.contains("ましょう"),
        _ => false,
    };
    formal || words::has(IMPERATIVES, first)
}

/// Returns the weight of a sentence by its position in the passage and the paragraph.
fn place(reader: &Reader, sentences: &[Sentence], i: usize, asked: bool) -> f32 {
    let n = sentences.len().max(1) as f32;
    let Sentence { raw, range } = &sentences[i];
    let emphasis = &reader.raws[*raw].clean.emphasis;
    let emphasised = emphasis.iter().any(|own| own.start < range.end && range.start < own.end);
    let next = i > 0 && sentences[i - 1].raw != *raw;
    POSITION * (1.0 - i as f32 / n)
        + when(i == 0, FIRST + FIRST_OF / n + when(asked, FIRST_ANSWER))
        + when(i == 1, SECOND)
        + when(i >= 2 && i + 2 >= sentences.len(), LATE)
        + when(range.start == 0, OPENS)
        + when(next, OPENS_NEXT)
        + when(emphasised, EMPHASISED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_recognised() {
        let instructs = |text: &str, code: &str| instructs(text, &segment::words_of(text), code);
        assert!(instructs("Write it down.", "en"));
        assert!(instructs("Schreiben Sie es auf.", "de"));
        assert!(instructs("Écrivez-le.", "fr") || instructs("Écrivez le texte.", "fr"));
        assert!(instructs("请写下来。", "zh"));
        assert!(!instructs("The crew writes it down.", "en"));
        assert!(!instructs("Vous écrivez le texte.", "fr"));
    }

    #[test]
    fn instructions_outrank_concessions() {
        let en = words::of("en");
        assert!(form("Write down who decides.", en) > form("Some people may decide alone.", en));
    }
}
