//! Finds the call to action and the publisher of a text.

use super::blocks::{Form, Raw};
use super::reader::Reader;
use super::segment::{self, says_any};
use super::words::terms::Terms;
use super::words::{self, Words};
use super::{Declared, Sourced};
use crate::cancel;

/// Last blocks in which a call to action is looked for.
const CLOSING: usize = 6;
/// Last blocks in which an invitation without an address is a call.
const NEAR: usize = 3;
/// Maximum words of a closing line such as "Thanks, J.".
const SIGN_OFF: usize = 3;
/// Maximum characters of a call to action.
const CALL: usize = 160;
/// Maximum bytes of a paragraph that can be an advertisement.
const ADVERT_BYTES: usize = 480;

/// Finds the closing sentence that asks for something, with its score. In an article, a sentence that sells something
/// is an advertiser's and is skipped.
pub(super) fn find(reader: &Reader, from: usize, declared: Option<Declared>) -> Option<(Sourced, f32)> {
    // "Thanks, J." closes the letter and is no call to action.
    let signs_off = |i: usize| {
        let raw = &reader.raws[i];
        raw.form == Form::Paragraph && segment::count_words(&raw.clean.text) <= SIGN_OFF && raw.texts().count() == 1
    };
    let all = reader.raws.len();
    let n =
        if all > from + 1 && signs_off(all - 1) && !opens_with_call(&reader.raws[all - 1].clean.text, reader.lexicon) {
            all - 1
        } else {
            all
        };
    let tail = n.saturating_sub(CLOSING).max(from)..n;
    let mut best: Option<(Sourced, f32)> = None;
    for i in tail {
        if !matches!(reader.raws[i].form, Form::Paragraph | Form::Heading(..)) {
            continue;
        }
        let clean = &reader.raws[i].clean;
        for range in clean.sentences(reader.lexicon) {
            let text = &clean.text[range.clone()];
            let asks = opens_with_call(text, reader.lexicon) || asks_behind(text, reader.lexicon);
            let offers = address(text).is_some() && words::holds(OFFERS, text);
            if text.chars().count() > CALL || !asks && !offers || is_over(text) {
                continue;
            }
            if declared == Some(Declared::Article) && sells(text, reader.terms) {
                continue;
            }
            let addressed = address(text).is_some() || has_code(text);
            // A call without an address counts only at the very end of the text, or if it invites.
            let score = match (addressed, i + 1 == n && range.end == clean.text.len()) {
                (true, _) if asks => 0.9,
                (true, _) => 0.8,
                (false, true) if reader.raws[i].form == Form::Paragraph && n > from + 1 => 0.5,
                // An invitation near the end is one wherever it stands; an instruction may be the last tip.
                (false, false) if i + NEAR >= n && n > from + NEAR && words::holds(INVITES, text) => 0.45,
                _ => continue,
            };
            // A URL at the start or end of a paragraph belongs to the sentence next to it. Of equal scores, the last
            // call wins.
            if best.as_ref().is_none_or(|(_, s)| score >= *s) {
                best = Some((clean.sourced(range), score));
            }
        }
    }
    best
}

/// Phrases of sentences that say where something is available, in any language, separated by `|`.
const OFFERS: &str = "is available at|is available on|are available at|available now at|you can read|you can find|you can get|you can download|\
    you can also|learn more at|more at|read more at|finden sie unter|finden sie auf|verfügbar unter|disponible sur|disponibles sur|\
    disponible en|disponibles en|disponível em|disponibile su|beschikbaar op|доступен на|доступна на";

/// Phrases of sentences that invite readers to answer, in any language, separated by `|`.
const INVITES: &str = "contact us|let us know|tell us|get in touch|reach out|send us|email us|write to us|talk to us|share your|\
    your feedback|your thoughts|your ideas|your email|join us|apply|sign up|register|follow us|work with us|schreiben sie uns|schreib uns|\
    kontaktieren sie uns|melden sie sich|melde dich|sagen sie uns|machen sie mit|mach mit|contactez-nous|écrivez-nous|\
    dites-nous|rejoignez|inscrivez-vous|contáctanos|escríbenos|cuéntanos|únete|inscríbete|contáctenos|escríbanos|\
    fale conosco|escreva para|conte para|junte-se|inscreva-se|contattaci|scrivici|unisciti|iscriviti|neem contact op|\
    schrijf ons|doe mee|напишите нам|свяжитесь с нами|присоединяйтесь|napisz do nas|dołącz|bize yazın|bize ulaşın|联系我们|\
    告诉我们|加入我们|お問い合わせ|ご連絡|ご参加";

/// Whether a sentence asks for something after an opening condition: "If you'd like one, write to us at …".
fn asks_behind(text: &str, lexicon: &Words) -> bool {
    const IF: &str = "if|wenn|falls|si|se|als|если|αν|eğer";
    let behind = text.split_once(", ").filter(|_| words::opens_with(IF, text)).map(|(_, rest)| rest);
    behind.is_some_and(|rest| opens_with_call(rest, lexicon))
}

/// Whether a call is for an event that is over by the time of reading, or points at a link that is not shown.
fn is_over(text: &str) -> bool {
    const OVER: &str =
        "livestream|live stream|this friday|this monday|this tuesday|this wednesday|this thursday|see you there";
    let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    address(text).is_none() && (words::holds(OVER, text) || bare.ends_with(" here"))
}

/// Removes the advertisements between the blocks of an article. A source that consists only of advertisements keeps
/// them.
pub(super) fn without_adverts(raws: Vec<Raw>, lexicon: &Words, terms: &Terms) -> Vec<Raw> {
    let is_advert = |raw: &Raw| {
        cancel::tick();
        let text = raw.clean.text.as_str();
        let short = raw.form == Form::Paragraph && text.len() <= ADVERT_BYTES;
        short
            && sells(text, terms)
            && (has_code(text) || address(text).is_some())
            && raw.clean.sentences(lexicon).into_iter().any(|range| opens_with_call(&text[range], lexicon))
    };
    let adverts: Vec<bool> = raws.iter().map(is_advert).collect();
    let prose = raws.iter().zip(&adverts).any(|(raw, advert)| raw.form == Form::Paragraph && !advert);
    let kept = raws.into_iter().zip(adverts).filter(|(_, advert)| !advert || !prose);
    kept.map(|(raw, _)| raw).collect()
}

/// Whether a text names a code or a reduced price.
fn sells(text: &str, terms: &Terms) -> bool {
    let sum = |c| matches!(c, '%' | '％' | '٪' | '$' | '€' | '£' | '¥' | '₺' | '₽' | '₹' | '₩');
    has_code(text) || text.contains(sum) && says_any(text, terms.discount)
}

/// Returns the account or site that the call names, otherwise the one that the last blocks name.
pub(super) fn publisher(reader: &Reader, call: Option<&Sourced>) -> Option<Sourced> {
    let in_call = call.and_then(|c| {
        let raw =
            reader.raws.iter().find(|r| r.clean.whole().start <= c.span.start && c.span.end <= r.clean.whole().end)?;
        let found = site(&raw.clean.text, address(&raw.clean.text)?);
        Some(raw.clean.sourced(found))
    });
    in_call.or_else(|| {
        // A quoted person is not the publisher.
        let last = reader.raws.iter().rev().take(3).filter(|r| r.form != Form::Quote);
        last.filter_map(|r| handle(&r.clean.text).map(|at| r.clean.sourced(at))).next()
    })
}

fn opens_with_call(text: &str, lexicon: &Words) -> bool {
    let lower = text.to_lowercase();
    let bare = [
        "please ",
        "be sure to ",
        "feel free to ",
        "don't hesitate to ",
        "don’t hesitate to ",
        "we encourage you to ",
        "we invite you to ",
        "we'd love for you to ",
        "we’d love for you to ",
        "bitte ",
        "por favor, ",
        "per favore, ",
        "пожалуйста, ",
        "so ",
        "then ",
        "and ",
        "now ",
        "jetzt ",
        "maintenant, ",
        "ahora ",
        "pls ",
        "请",
    ]
    .into_iter()
    .find_map(|p| lower.strip_prefix(p))
    .unwrap_or(&lower);
    // Hindi, Japanese and Turkish put the verb last. German does so in impersonal instructions: "Jetzt Termin buchen:
    // …".
    let verb_last = matches!(lexicon.code, "hi" | "ja" | "tr" | "de" | "nl");
    let clause = bare.split([':', '：', '→']).next().unwrap_or(bare);
    let end = clause.trim_end_matches(|c: char| !c.is_alphanumeric() && !words::is_mark(c));
    // "If you do one thing, please write to us."
    let asked = [" please ", " pls ", " bitte "].into_iter().find_map(|p| bare.split_once(p)).map(|(_, rest)| rest);
    lexicon.calls.split('|').any(|c| {
        let parted =
            |rest: &str| rest.is_empty() || rest.starts_with(|d: char| !d.is_alphanumeric() || words::is_unspaced(d));
        let opens = |text: &str| text.strip_prefix(c).is_some_and(parted);
        let closes = verb_last
            && end
                .strip_suffix(c)
                .is_some_and(|front| front.ends_with(|d: char| !d.is_alphanumeric() || words::is_unspaced(d)));
        opens(bare) || closes || asked.is_some_and(opens)
    })
}

/// Returns the range of an account or a URL. An account takes precedence, because it is shorter.
pub(super) fn address(text: &str) -> Option<std::ops::Range<usize>> {
    handle(text).or_else(|| words_at(text).find_map(|(at, word)| site_of(word).map(|len| at..at + len)))
}

/// Returns the host of an address, which a page can show as its publisher.
pub(super) fn site(text: &str, address: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let part = &text[address.clone()];
    let scheme = part.find("://").map_or(0, |i| i + 3);
    let www = if part[scheme..].starts_with("www.") { 4 } else { 0 };
    let start = address.start + scheme + www;
    let host = text[start..address.end].find(['/', '?', '#']).map_or(address.end, |i| start + i);
    start..host
}

/// Returns the range of "@name".
fn handle(text: &str) -> Option<std::ops::Range<usize>> {
    words_at(text).find_map(|(at, word)| handle_of(word).map(|r| at + r.start..at + r.end))
}

/// Returns the account name at the start of a word.
pub(super) fn handle_of(word: &str) -> Option<std::ops::Range<usize>> {
    let name = word.strip_prefix('@')?;
    let len = name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))).unwrap_or(name.len());
    let len = name[..len].trim_end_matches('.').len();
    (2..=30).contains(&len).then_some(0..1 + len)
}

/// Returns the byte length of the web address that a word consists of.
pub(super) fn site_of(word: &str) -> Option<usize> {
    let bare = word.trim_end_matches(['.', ',', ';', ')', '!', '?', '。', '、', '，']);
    is_site(bare).then_some(bare.len())
}

/// Returns the words of a text, split at white space and without opening marks, with their offsets.
pub(super) fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_whitespace().map(move |w| {
        let word = w.trim_start_matches(['(', '“', '"', '<']);
        ((word.as_ptr() as usize) - (text.as_ptr() as usize), word)
    })
}

/// Whether a word is a URL, or a name with a dot and a top-level domain.
fn is_site(word: &str) -> bool {
    if word.starts_with("https://") || word.starts_with("http://") || word.starts_with("www.") {
        return word.len() > 12;
    }
    let host = word.split('/').next().unwrap_or("");
    let labels: Vec<&str> = host.split('.').collect();
    let plain = labels.iter().all(|l| !l.is_empty() && l.chars().all(|c| c.is_alphanumeric() || c == '-'));
    let top = labels
        .last()
        .is_some_and(|t| t.len() >= 2 && t.chars().all(char::is_alphabetic) && t.chars().all(char::is_lowercase));
    labels.len() >= 2 && plain && top && labels[0].chars().any(char::is_alphabetic) && labels[0].len() > 1
}

/// Whether a text contains a code of capitals and digits: "SUN30".
fn has_code(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|w| {
        w.len() >= 4
            && w.bytes().any(|b| b.is_ascii_digit())
            && w.bytes().any(|b| b.is_ascii_uppercase())
            && w.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_uppercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_may_stand_behind_a_condition() {
        let en = words::of("en");
        assert!(asks_behind("If you'd like a boat, write to us at pier.example.", en));
        assert!(!asks_behind("If you'd like a boat, the crew has several.", en));
        assert!(is_over("Watch the livestream with us") && is_over("Get yours here"));
        assert!(!is_over("Watch the livestream at pier.example/live"));
    }

    #[test]
    fn addresses() {
        let at = |t: &str| address(t).map(|r| t[r].to_owned());
        assert_eq!(at("Read on at tidelab.example/quiet, or ask.").as_deref(), Some("tidelab.example/quiet"));
        assert_eq!(at("Follow @tide.lab.").as_deref(), Some("@tide.lab"));
        assert_eq!(at("Write to ada@tidelab.example today."), None);
        assert_eq!(at("It rose 3.5 points, e.g. in May."), None);
        assert!(has_code("Use SUN30 today") && !has_code("Use 2024 or NASA"));
    }
}
