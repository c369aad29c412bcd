//! Shortens the source's own words, by deletion only.
//!
//! What can be removed: an opening connective, a parenthesis, an aside between dashes, a dispensable clause after a
//! comma, semicolon or dash, and whole sentences from the end. Nothing is cut inside a number, a quotation or a name.
//! A sentence that negates, or that contains a condition, an exception or a contrast, keeps all of its clauses,
//! because the remainder could say the opposite. No sentence loses a clause that contains a figure, an amount of
//! money or a limit, because such a clause can qualify the rest. A sentence that opens with a condition, an exception
//! or a negation is never dropped. In a language without word lists, and in one that negates by endings, only whole
//! sentences are dropped. An ellipsis is never added.

use std::ops::Range;

use super::Language;
use super::claim::{is_adverbial, opens_subordinate};
use super::entities::is_currency;
use super::quotes::enclosed;
use super::segment;
use super::words::{self, Words};
use crate::limits;

/// Minimum words of a shortened version.
const LEAST_WORDS: usize = 3;
/// Maximum number of versions of a text.
const MOST: usize = 16;
/// Maximum number of versions that drop whole sentences.
const MOST_FRONTS: usize = MOST / 2;

/// One way to shorten a text. Receives the ranges inside quotation marks or brackets. Returns `None` if it finds
/// nothing to cut.
type Cut = fn(&str, &[Range<usize>], &Words) -> Option<String>;

/// Returns at most sixteen versions of `text`, the text itself first, each shorter than the one before. Words are
/// only deleted, although the first letter may become a capital. A text longer than [`limits::SLOT_CHARS`] only loses
/// whole sentences until it fits one slot, so that the work grows with the slot and not with the square of the text.
pub fn shorten(text: &str, language: &Language) -> Vec<String> {
    let lexicon = words::of(language.primary());
    let mut out = vec![text.trim().to_owned()];
    let sentences = segment::sentences(text, lexicon);
    // Drop whole sentences first, from the end back to one that qualifies its predecessors. Then cut within the first
    // sentence.
    let kept = sentences.iter().rposition(|s| takes_back(&text[s.clone()], lexicon)).unwrap_or(0);
    let fronts: Vec<&str> = sentences
        .iter()
        .take(sentences.len().saturating_sub(1))
        .skip(kept)
        .map(|s| &text[sentences[0].start..s.end])
        .take_while(|front| fits_a_slot(front))
        .collect();
    // If there are too many candidates, keep the longest, the first sentence alone, and evenly spaced ones between
    // them.
    let most = fronts.len().min(MOST_FRONTS);
    out.extend((0..most).rev().map(|i| fronts[i * (fronts.len() - 1) / (most - 1).max(1)].to_owned()));
    let mut last = out.last().cloned().unwrap_or_default();
    // In a text of several sentences, a detected clause can span a sentence boundary.
    let is_several = kept > 0 && sentences.len() > 1;
    if is_several || !fits_a_slot(&last) || !loses_clauses(lexicon) {
        return out;
    }
    let mut inside = enclosed(&last, true);
    let cuts: [Cut; 4] = [without_opener, without_parentheses, without_aside, without_tail];
    for cut in cuts {
        while out.len() < MOST
            && let Some(shorter) = cut(&last, &inside, lexicon)
        {
            if segment::count_words(&shorter) < LEAST_WORDS || shorter.len() >= last.len() {
                break;
            }
            inside = enclosed(&shorter, true);
            out.push(shorter.clone());
            last = shorter;
        }
    }
    out
}

fn fits_a_slot(text: &str) -> bool {
    text.chars().nth(limits::SLOT_CHARS).is_none()
}

/// Returns shorter versions of a headline: those of [`shorten`], and the part before a colon or dash if it can stand
/// alone, which requires that it has no more words than the part that explains it.
pub fn shorten_head(text: &str, language: &Language) -> Vec<String> {
    let text = text.trim();
    let lexicon = words::of(language.primary());
    // The period of "a.m." does not end a sentence.
    let initials = |t: &str| {
        let mut back = t.chars().rev();
        back.next().is_some_and(char::is_alphabetic) && back.next() == Some('.')
    };
    let bare = text.strip_suffix('.').filter(|t| segment::sentences(t, lexicon).len() == 1 && !initials(t));
    let mut out = shorten(bare.unwrap_or(text), language);
    let last = out.last().filter(|last| fits_a_slot(last)).cloned().unwrap_or_default();
    if !loses_clauses(lexicon) || qualifies(&last, lexicon) {
        return out;
    }
    let inside = enclosed(&last, true);
    let at = last
        .char_indices()
        .filter(|(i, _)| !inside.iter().any(|r| r.contains(i)))
        .find(|(i, c)| (*c == ':' && last[i + 1..].starts_with(' ')) || is_dash_at(&last, *i))
        .map(|(i, _)| i);
    if let Some((front, tail)) = at.map(|i| (last[..i].trim_end(), &last[i..]))
        && (2..=segment::count_words(tail)).contains(&segment::count_words(front))
        && !limits(tail, lexicon)
    {
        out.push(front.to_owned());
    }
    out
}

/// Returns a sentence without the words that join it to the previous one ("But", "However,"), or `None` if it has
/// none.
pub(crate) fn unjoined(text: &str, lexicon: &Words) -> Option<String> {
    let once = without_opener(text, &[], lexicon).filter(|rest| segment::count_words(rest) >= LEAST_WORDS)?;
    Some(without_opener(&once, &[], lexicon).filter(|rest| segment::count_words(rest) >= LEAST_WORDS).unwrap_or(once))
}

fn without_opener(text: &str, _: &[Range<usize>], lexicon: &Words) -> Option<String> {
    let lower = text.to_lowercase();
    // The offsets agree only if lower-casing keeps byte lengths, which it does for every opener in the lists.
    let opener = lexicon
        .openers
        .split('|')
        .filter(|o| lower.starts_with(*o) && text.is_char_boundary(o.len()))
        .max_by_key(|o| o.len())?;
    let rest = &text[opener.len()..];
    // A conjunction needs no comma ("But they"). An adverb is an aside only before a comma.
    let conjunction = matches!(lexicon.code, "en" | "fr" | "es" | "it" | "pt" | "ru" | "el" | "de" | "nl")
        && words::has(
            "and but so or aber und denn mais et or car donc pero y entonces ma e quindi mas então но и а αλλά και κι maar en want dus",
            opener,
        );
    let rest = match rest.strip_prefix([',', '、', '，', '،']) {
        Some(rest) => rest.trim_start(),
        // "Además ayuda": Spanish and Portuguese write no comma here.
        None if words::has("además também ademais", opener) && rest.starts_with(' ') => rest.trim_start(),
        None if conjunction && rest.starts_with(' ') => rest.trim_start(),
        // Chinese writes no comma behind "但是" and "然而". A single sign may begin a word.
        None if lexicon.code == "zh" && opener.chars().count() > 1 => rest,
        None => return None,
    };
    // "So far" and "or else" are not openers of a sentence.
    let bound = match opener {
        "so" => "far|that|long|much|many|on|too|as|few|little|to|forth|be|do|does|did|are|is",
        "or" => "else|so|on|too|to|forth|neither|nor",
        _ => "else|so|on|too|as|to|forth|neither|nor",
    };
    if conjunction && words::opens_with(bound, rest.trim_start()) {
        return None;
    }
    // "For example, swagger." without its opener is a fragment.
    let first = segment::sentences(rest, lexicon).into_iter().next();
    if first.is_some_and(|first| segment::count_words(&rest[first]) < LEAST_WORDS) {
        return None;
    }
    // "And Other Stories" is a name: two capitalised words follow a word that no sentence needs.
    let mut capitals = rest.split_whitespace().map(|w| w.starts_with(char::is_uppercase));
    if lexicon.code != "de" && conjunction && !text[opener.len()..].starts_with(',') {
        let two = capitals.next() == Some(true) && capitals.next() == Some(true);
        if two {
            return None;
        }
    }
    // "And yet" loses both words or none. A remainder that points back or opens with a verb stays unchanged.
    (!rest.is_empty()).then(|| capitalised(rest))
}

/// Maximum words of a parenthesis that may limit what it follows: "(unnoticed)", "(in summer)".
const LIMITING: usize = 2;

fn without_parentheses(text: &str, _: &[Range<usize>], lexicon: &Words) -> Option<String> {
    let quoted = enclosed(text, false);
    let opens = text.char_indices().filter(|(i, c)| *c == '（' || *c == '(' && text[..*i].ends_with(' '));
    opens.filter(|(i, _)| !quoted.iter().any(|r| r.contains(i))).find_map(|(open, c)| {
        let close = closing(text, open)?;
        let aside = &text[open..close];
        // Keep a parenthesis that qualifies the sentence or contains a quotation.
        let limits = limits(aside, lexicon) || segment::count_words(aside) <= LIMITING;
        if limits || !enclosed(aside, false).is_empty() {
            return None;
        }
        let from = if c == '(' { open - 1 } else { open };
        Some(format!("{}{}", &text[..from], &text[close..]))
    })
}

/// Returns the offset after the parenthesis that closes the one at `open`.
fn closing(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (i, c) in text[open..].char_indices() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + i + c.len_utf8());
        }
    }
    None
}

/// Removes the text between two dashes.
fn without_aside(text: &str, inside: &[Range<usize>], lexicon: &Words) -> Option<String> {
    let dashes: Vec<usize> = text
        .char_indices()
        .filter(|(i, _)| is_dash_at(text, *i) && !inside.iter().any(|r| r.contains(i)))
        .map(|(i, _)| i)
        .collect();
    let [first, second] = dashes.as_slice() else { return None };
    let aside = &text[*first..*second];
    if limits(aside, lexicon) {
        return None;
    }
    let front = text[..*first].trim_end();
    let rest = text[*second..].trim_start_matches(['–', '—', '-', ' ']);
    // The second dash also ended an introductory phrase, which needs a comma: "After a week at sea – it rained – the
    // crew …".
    let comma = if is_adverbial(front) { "," } else { "" };
    Some(format!("{front}{comma} {rest}"))
}

/// Removes the last clause.
fn without_tail(text: &str, inside: &[Range<usize>], lexicon: &Words) -> Option<String> {
    let stop = text.chars().last().filter(|c| matches!(c, '.' | '!' | '?'));
    let (at, mark) = text
        .char_indices()
        .filter(|(i, c)| {
            matches!(c, ',' | ';' | '،' | '؛') && text[i + c.len_utf8()..].starts_with(' ') || is_dash_at(text, *i)
        })
        .rfind(|(i, _)| !inside.iter().any(|r| r.contains(i)))?;
    let tail = text[at + mark.len_utf8()..].trim_start();
    let front = text[..at].trim_end();
    let first = segment::words_of(tail).into_iter().next()?;
    // "…, and it works for years" is an independent clause, which can be removed whole.
    let second = segment::words_of(tail).into_iter().nth(1).unwrap_or_default();
    let own = matches!(mark, ',' | '،') && words::has(AND, &first) && words::has(SUBJECTS, &second);
    // A clause that only explains opens with a listed word. Any other clause after a dash or semicolon may qualify
    // the sentence.
    let loose = own || words::has(lexicon.trailing, &first);
    // A negation or a condition affects every clause of its sentence, except an independent one.
    let bound = limits(tail, lexicon) || !own && qualifies(text, lexicon);
    // A clause between commas may be an aside in a longer sentence, so only the last clause is certain to be a tail.
    // A front that ends in a subordinate opening ("when it rains") would be left incomplete.
    let hanging = front.rsplit([',', ';', '،', '؛']).next().is_some_and(|clause| match joined(clause) {
        // "… ten members, and as the team grows, so do they".
        Some(rest) => opens_subordinate(rest),
        None => opens_subordinate(clause) && front.len() == clause.len(),
    });
    if !loose || hanging || bound || segment::count_words(front) < LEAST_WORDS {
        return None;
    }
    Some(match stop {
        Some(stop) if !front.ends_with(stop) => format!("{front}{stop}"),
        _ => front.to_owned(),
    })
}

/// Returns the text after the conjunction that opens a clause.
fn joined(clause: &str) -> Option<&str> {
    let (first, rest) = clause.trim_start().split_once(' ')?;
    words::has(AND, &first.to_lowercase()).then_some(rest)
}

const AND: &str = "and und et y e en и και";
/// Pronouns that open an independent clause.
const SUBJECTS: &str =
    "it he she they we you er sie es wir il elle ils elles on nous él ella ellos het hij zij он она они оно мы вы";

pub(super) fn negates(text: &str, lexicon: &Words) -> bool {
    segment::words_of(text).iter().any(|w| words::has(lexicon.negation, w) || w.ends_with("n't") || w.ends_with("n’t"))
}

/// Whether sentences of a language may lose clauses, which requires word lists to tell which clauses matter. Turkish
/// negates and sets conditions by endings, which no list covers.
fn loses_clauses(lexicon: &Words) -> bool {
    !matches!(lexicon.code, "" | "tr")
}

/// Whether `text` negates, or contains a condition, an exception or a contrast.
pub(crate) fn qualifies(text: &str, lexicon: &Words) -> bool {
    let unspaced = || {
        let negation = lexicon.negation.split_whitespace();
        text.chars().any(words::is_unspaced) && negation.clone().any(|w| text.contains(w))
    };
    negates(text, lexicon) || words::holds(lexicon.conditions, text) || words::makes_exception(text) || unspaced()
}

/// Whether a clause can limit the rest of its sentence: it qualifies, or contains a figure, an amount of money or a
/// word of the limits list.
pub(crate) fn limits(clause: &str, lexicon: &Words) -> bool {
    clause.chars().any(|c| c.is_numeric() || is_currency(c))
        || words::holds(lexicon.limits, clause)
        || qualifies(clause, lexicon)
}

/// Whether the clauses of a sentence appear to be independent of each other.
fn comes_apart(sentence: &str, lexicon: &Words) -> bool {
    loses_clauses(lexicon) && !limits(sentence, lexicon)
}

/// Whether a sentence qualifies the text before it: it opens with a condition, an exception, a contrast or a
/// negation.
pub(crate) fn takes_back(sentence: &str, lexicon: &Words) -> bool {
    let sentence = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = segment::words_of(sentence).into_iter().next().unwrap_or_default();
    let negation = lexicon.negation.split_whitespace();
    negates(&first, lexicon)
        || words::opens_with(lexicon.conditions, sentence) && !words::opens_with(TIMES, sentence)
        || words::opens_exception(sentence)
        || sets_against(sentence)
        || sentence.starts_with(words::is_unspaced) && negation.clone().any(|w| sentence.starts_with(w))
}

/// English words from the conditions list that, at the start of a sentence, only state a time or a substitute.
const TIMES: &str = "after|before|once|despite|in spite of|instead of|rather than";
/// Words that contrast the subject of a sentence with that of the previous one. They follow the subject and a comma.
const AGAINST: &str = "however,|by contrast,|in contrast,|though,|hingegen,|dagegen,|jedoch,|cependant,|sin embargo,|\
    por el contrario,|invece,|tuttavia,|no entanto,|daarentegen,|echter,|однако,|напротив,";
/// Words that open a sentence that gives the opposite view of the previous one, in any language, separated by `|`.
const OTHER_SIDE: &str = "on the other hand|conversely|andererseits|auf der anderen seite|d'un autre côté|d’un autre côté|\
    en revanche|par contre|por otro lado|por otra parte|en cambio|dall'altra parte|d'altra parte|d’altra parte|por outro lado|\
    aan de andere kant|anderzijds|с другой стороны|з іншого боку|z drugiej strony|natomiast|å andra sidan|på den anden side|\
    på den andre siden|toisaalta|na druhou stranu|na druhej strane|másrészt|másfelől|pe de altă parte|s druge strane|\
    po drugi strani|από την άλλη|öte yandan|diğer yandan|من ناحية أخرى|من جهة أخرى|दूसरी ओर|दूसरी तरफ|その一方で|一方で|一方、|他方|\
    另一方面|반면|한편|di sisi lain|mặt khác|kwa upande mwingine";
/// Maximum bytes of a subject after which a contrast is looked for.
const SUBJECT: usize = 60;

/// Whether a sentence gives the opposite view of the text before it.
pub(crate) fn answers_back(sentence: &str) -> bool {
    words::opens_with(OTHER_SIDE, sentence)
}

/// Whether a sentence contrasts its subject with that of the previous one ("Technical debt, on the other hand, …"),
/// or gives the opposite view.
fn sets_against(sentence: &str) -> bool {
    let behind = sentence.find(", ").filter(|at| *at <= SUBJECT).map_or("", |at| &sentence[at + 2..]);
    answers_back(sentence) || answers_back(behind) || words::opens_with(AGAINST, behind)
}

/// Whether there is a dash between spaces at `i`.
fn is_dash_at(text: &str, i: usize) -> bool {
    let c = text[i..].chars().next();
    matches!(c, Some('–' | '—' | '-'))
        && text[..i].ends_with(' ')
        && c.is_some_and(|c| text[i + c.len_utf8()..].starts_with(' '))
}

/// Returns a title of at most `most` characters: `text` itself, otherwise the longest of its shorter versions that
/// fits, otherwise its front.
pub(super) fn within(text: &str, most: usize, language: &Language) -> String {
    let fits = |text: &str| text.chars().nth(most).is_none();
    if fits(text) {
        return text.to_owned();
    }
    let shorter = shorten_head(text, language);
    let whole = shorter.iter().find(|wording| fits(wording)).cloned();
    whole.unwrap_or_else(|| front(shorter.last().map_or(text, String::as_str), most).to_owned())
}

/// Returns the front of `text`, at most `most` characters, cut between two words if possible. This is the last resort
/// for text that fits nowhere: the cut can be anywhere in a sentence.
pub fn front(text: &str, most: usize) -> &str {
    let Some((limit, _)) = text.char_indices().nth(most) else { return text };
    let cut = text[..limit].rfind(char::is_whitespace).filter(|cut| segment::count_words(&text[..*cut]) > 0);
    text[..cut.unwrap_or(limit)].trim_end_matches([',', ';', ':', ' ', '–', '—'])
}

/// Returns the [`front`] of `text`, at most `most` characters, or `None` if `text` already fits or if the removed
/// part can qualify the rest.
pub fn clip<'t>(text: &'t str, most: usize, language: &Language) -> Option<&'t str> {
    let lexicon = words::of(language.primary());
    let front = front(text, most);
    let rest = &text[front.len()..];
    let is_safe = comes_apart(rest, lexicon) && !qualifies(text, lexicon);
    (is_safe && !rest.is_empty()).then_some(front)
}

/// Capitalises the first letter.
pub(crate) fn capitalised(text: &str) -> String {
    // A quotation mark may precede the word.
    let quoted = text.len() - text.trim_start_matches(['“', '„', '«', '"', '‘', '‚', '‹']).len();
    if quoted > 0 {
        return format!("{}{}", &text[..quoted], capitalised(&text[quoted..]));
    }
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return String::new() };
    // "ß" has no single-letter capital.
    let mut upper = first.to_uppercase();
    let one = upper.next().filter(|_| upper.next().is_none()).unwrap_or(first);
    std::iter::once(one).chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn en(text: &str) -> Vec<String> {
        shorten(text, &Language::english())
    }

    #[test]
    fn cuts_what_a_sentence_can_do_without() {
        let got = en("However, the team (all nine of them) moved its meetings, which freed two mornings.");
        assert_eq!(got.last().unwrap(), "The team moved its meetings.");
        assert_eq!(en("But they stayed late.").last().unwrap(), "They stayed late.");
        assert_eq!(en("They left (with (all) bags) at ten.").last().unwrap(), "They left at ten.");
        assert_eq!(en("Rain — the soft kind — helps roots grow.").last().unwrap(), "Rain helps roots grow.");
        assert_eq!(
            en("A narrow street makes careful drivers, and it does so every day.").last().unwrap(),
            "A narrow street makes careful drivers."
        );
        assert_eq!(
            en("The market opens at dawn – which the bakers like best.").last().unwrap(),
            "The market opens at dawn."
        );
        assert_eq!(en("Water at dawn. The ground is cool then.").last().unwrap(), "Water at dawn.");
    }

    #[test]
    fn never_cuts_numbers_negations_lists_or_quotations() {
        for text in [
            "It cost 1,200 euros.",
            "Plant sage, thyme and rosemary.",
            "Water early, but never at noon.",
            "“Slow down, which is hard,” she said.",
            "Everybody came (but not Ada) to the mill.",
            "She called it “a (very) long walk” then.",
            "And Other Stories prints in Sheffield.",
            "When it rains, the barrel fills.",
            "We will not be raising prices — unless they ask us to do so.",
            "Shipping is free; orders below €50 are excepted, unless you are a member.",
            "Everyone gets a refund (except on sale items) this week.",
            "Bring your dog — if it is on a lead — to the park.",
            "The pool opens at six, but members wait until seven.",
            "A narrow street makes careful drivers, and it does so without signs.",
            "Shipping is free for all our customers in Europe – orders under €50 cost €5.",
            "Shipping is free for all our customers in Europe; islands pay a little more.",
            "Shipping is free for all our customers in Europe – orders under fifty euros pay for it.",
            "The tour is open to everyone, which means children over ten.",
            "The tour is open to everyone (children from ten on) all year.",
            "The tour is open to everyone – all 12 of you – this year.",
            "We have several members, and as the town grows, so will our team.",
        ] {
            assert_eq!(en(text), [text], "{text}");
        }
    }

    #[test]
    fn a_sentence_that_takes_something_back_is_never_dropped() {
        for (language, text) in [
            ("en", "All tickets are refundable. Exception: festival passes."),
            ("en", "All tickets are refundable. Call us early. Except for festival passes."),
            ("en", "All tickets are refundable. But festival passes are not."),
            ("en", "All tickets are refundable. However, festival passes stay yours."),
            ("en", "All tickets are refundable. Unless you bought a festival pass."),
            ("en", "All tickets are refundable. Only festival passes are yours to keep."),
            ("en", "All tickets are refundable. Not festival passes, though."),
            ("en", "All tickets are refundable. “Don't ask for festival passes.”"),
            ("de", "Alle Karten werden erstattet. Ausnahme: Festivalpässe."),
            ("de", "Alle Karten werden erstattet. Nicht aber Festivalpässe."),
            ("fr", "Tous les billets sont remboursables. Exception : les pass festival."),
            ("fr", "Tous les billets sont remboursables. Sauf les pass festival."),
            ("es", "Todas las entradas son reembolsables. Excepción: los abonos."),
            ("it", "Tutti i biglietti sono rimborsabili. Eccezione: gli abbonamenti."),
            ("pt", "Todos os bilhetes são reembolsáveis. Exceção: os passes."),
            ("nl", "Alle kaarten worden terugbetaald. Uitzondering: festivalpassen."),
            ("ru", "Все билеты можно вернуть. Исключение: абонементы."),
            ("el", "Όλα τα εισιτήρια επιστρέφονται. Εξαίρεση: οι κάρτες."),
            ("tr", "Bütün biletler iade edilir. İstisna: festival kartları."),
            ("ar", "جميع التذاكر قابلة للاسترداد. استثناء: تذاكر المهرجان."),
            ("hi", "सभी टिकट वापस हो सकते हैं। अपवाद: उत्सव पास।"),
            ("ja", "すべての券は払い戻せます。ただし通し券は対象外です。"),
            ("zh", "所有门票均可退款。但通票不可。"),
            ("ko", "모든 표는 환불됩니다. 다만 축제 이용권은 아닙니다."),
            ("pl", "Wszystkie bilety podlegają zwrotowi. Wyjątek: karnety."),
            ("sv", "Alla biljetter återbetalas. Undantag: festivalpass."),
        ] {
            let language = Language::parse(language).unwrap();
            assert_eq!(shorten(text, &language), [text], "{language:?}");
        }
        let text = "All tickets are refundable. Except for festival passes. Ask at the desk. We are glad to help.";
        let last = "All tickets are refundable. Except for festival passes.";
        assert_eq!(en(text).last().unwrap(), last);
    }

    #[test]
    fn a_front_loses_nothing_that_qualifies_it() {
        let clipped = |text: &'static str| clip(text, 24, &Language::english());
        assert_eq!(clipped("We will not be raising prices unless they ask us to do so"), None);
        assert_eq!(clipped("We are raising prices for all of you, unless you ask us not to"), None);
        assert_eq!(clipped("Nobody who came to the harbour early saw the boats"), None);
        assert_eq!(clipped("Shipping is free for everybody who spends €50"), None);
        assert_eq!(clipped("A short one"), None);
        assert_eq!(clipped("The boats came home to the harbour early"), Some("The boats came home to"));
        assert_eq!(super::clip("Wszystkie bilety podlegają zwrotowi", 24, &Language::parse("pl").unwrap()), None);
    }

    /// Sentences that mean the opposite, or more, without the part after their comma, colon or dash.
    #[test]
    fn what_qualifies_a_sentence_stays_in_every_language() {
        for (language, text) in [
            ("en", "We will not be raising prices for existing customers, unless they ask us to do so"),
            ("en", "Free returns: only for members"),
            ("en", "Nobody was hurt, which the report confirms"),
            ("de", "Wir erhöhen die Preise nicht – es sei denn, Sie bitten darum"),
            ("de", "Der Eintritt ist frei, sofern Sie Mitglied sind"),
            ("fr", "L’entrée est gratuite – sauf le dimanche et les jours fériés"),
            ("fr", "Nous remboursons tout, si vous gardez le ticket de caisse"),
            ("es", "Devolvemos el dinero, siempre que conserve el recibo de compra"),
            ("it", "Il museo è gratuito, tranne la prima domenica del mese"),
            ("pt", "A entrada é livre – exceto aos domingos e feriados"),
            ("nl", "De toegang is gratis, tenzij u na tien uur komt"),
            ("ru", "Мы не поднимем цены – если вы сами об этом не попросите"),
            ("ru", "Вход для всех свободный, кроме выходных и праздников"),
            ("el", "Η είσοδος είναι δωρεάν – εκτός από τις Κυριακές"),
            ("tr", "Giriş herkese ücretsizdir – pazar günleri hariç"),
            ("tr", "Fiyatları artırmayacağız – bunu kendiniz istemezseniz"),
            ("ar", "الدخول مجاني للجميع – إلا في أيام الجمعة"),
            ("hi", "प्रवेश सबके लिए मुफ़्त है – सिवाय रविवार के"),
            ("ja", "入場は無料です – ただし日曜日を除きます"),
            ("zh", "所有人免费入场 – 除非另有通知"),
            ("ko", "입장은 모두에게 무료입니다 – 일요일은 제외"),
            ("pl", "Wstęp jest bezpłatny – z wyjątkiem niedziel"),
            ("sv", "Inträdet är gratis för alla – utom på söndagar"),
        ] {
            let language = Language::parse(language).unwrap();
            assert_eq!(shorten_head(text, &language), [text], "{language:?}");
        }
    }

    #[test]
    fn heads_stop_at_the_colon() {
        let got = shorten_head("Quiet mornings: how a small team got its hours back", &Language::english());
        assert_eq!(got.last().unwrap(), "Quiet mornings");
        assert_eq!(shorten_head("Rest first.", &Language::english()), ["Rest first"]);
        for text in [
            "Free shipping: orders of €50 and more",
            "Free shipping: orders over fifty euros",
            "Shipping is free for all our customers – islands pay extra",
        ] {
            assert_eq!(shorten_head(text, &Language::english()), [text]);
        }
    }

    #[test]
    fn long_texts_have_few_wordings() {
        for part in ["a (b) ", "and ", "But, ", "a — b ", "(a) ", "One more. ", "It rains, which helps, "] {
            let text = part.repeat(200_000 / part.chars().count());
            for wordings in [en(&text), shorten_head(&text, &Language::english())] {
                assert!(wordings.len() <= MOST + 1, "{part}: {}", wordings.len());
                let beside: usize = wordings[1..].iter().map(|w| w.chars().count()).sum();
                assert!(beside <= MOST * limits::SLOT_CHARS, "{part}: {beside}");
            }
        }
        // Prefixes of whole sentences that fit a slot are kept, including the first sentence alone.
        let sentences = en(&"Water early in the day. ".repeat(8_000));
        assert_eq!(sentences.last().unwrap(), "Water early in the day.");
        assert!(sentences.windows(2).all(|p| p[1].len() < p[0].len()));
    }

    /// Whether `part` is `whole` with some of its characters deleted, ignoring case.
    fn is_subsequence(part: &str, whole: &str) -> bool {
        let mut whole = whole.chars().flat_map(char::to_lowercase);
        part.chars().flat_map(char::to_lowercase).all(|c| whole.any(|w| w == c))
    }

    proptest! {
        #[test]
        fn only_deletes(text in "([A-Za-zа-я0-9éß]{1,8}(, |; | — | |\\. | \\(|\\) |, which |But |And, |“|”|: )){0,14}") {
            for language in ["en", "de", "ru", "ja"] {
                let language = Language::parse(language).unwrap();
                let wordings = shorten_head(&text, &language);
                for pair in wordings.windows(2) {
                    prop_assert!(pair[1].len() < pair[0].len(), "{:?}", wordings);
                    prop_assert!(is_subsequence(&pair[1], &text), "{:?}", wordings);
                }
            }
        }

        #[test]
        fn reads_anything(text in "\\PC{0,80}") {
            let _ = shorten_head(&text, &Language::english());
        }
    }
}
