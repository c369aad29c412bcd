//! Reads mail headers: "From: …", "Subject: …", in the languages of mail programs.

use std::ops::Range;

use super::entries::{Entries, Value};
use crate::content::dialect::code::lines;
use crate::content::words::is_one_of;

/// Minimum header lines.
const LEAST: usize = 2;
/// Maximum lines that are searched for headers.
const MOST: usize = 20;

const SUBJECT: &str = "subject|betreff|objet|asunto|oggetto|assunto|onderwerp|тема|θέμα|konu|الموضوع|विषय|件名|主题|主旨|temat|ämne|emne|제목";
const FROM: &str =
    "from|von|de|da|van|от|από|gönderen|kimden|من|प्रेषक|差出人|发件人|寄件者|od|från|fra|보낸사람|보낸 사람";
const OTHERS: &str = "to|cc|bcc|date|sent|reply-to|an|datum|gesendet|kopie|à|envoyé|para|fecha|enviado|a|data|inviato|aan|verzonden|\
    кому|дата|отправлено|копия|προς|ημερομηνία|στάλθηκε|alıcı|kime|tarih|gönderildi|إلى|التاريخ|أرسل|प्रति|दिनांक|宛先|日時|送信日時|\
    收件人|收件者|日期|抄送|发送时间|do|wysłano|till|skickat|til|sendt|받는사람|받는 사람|날짜|message-id|attachments|importance|priority";

/// Returns the headers that open the source at `start`, and their end.
pub(super) fn read(source: &str, start: usize) -> Option<(Entries, usize)> {
    let mut out = Entries::default();
    let mut end = start;
    let (mut found, mut named, mut subject) = (0, false, false);
    for (offset, line) in lines(&source[start..]).take(MOST) {
        let at = start + offset;
        if line.trim().is_empty() {
            if found == 0 {
                continue;
            }
            break;
        }
        let Some((key, range)) = header(line, at) else {
            // A header may continue on the next line, indented.
            if found > 0 && line.starts_with([' ', '\t']) {
                end = (at + line.len() + 1).min(source.len());
                continue;
            }
            break;
        };
        let value = || Value { text: source[range.clone()].trim().to_owned(), range: range.clone() };
        if is_one_of(SUBJECT, &key) {
            subject = true;
            let bare = without_prefix(&source[range.clone()]);
            out.push("title", Value { text: bare.to_owned(), range: range.clone() });
        } else if is_one_of(FROM, &key) {
            named = true;
            out.push("author", value());
        } else if !is_one_of(OTHERS, &key) {
            break;
        }
        found += 1;
        end = (at + line.len() + 1).min(source.len());
    }
    // "From: …" and "To: …" alone may describe a journey.
    (found >= LEAST && subject && (named || found > LEAST || found == 2)).then_some((out, end))
}

/// Returns the end of the message that begins at `start`: before its signature, or before the quoted message that it
/// answers.
pub(super) fn stop(source: &str, start: usize) -> Option<usize> {
    const WROTE: [&str; 12] = [
        "wrote:",
        "schrieb:",
        "a écrit :",
        "escribió:",
        "ha scritto:",
        "escreveu:",
        "schreef:",
        "пишет:",
        "написал:",
        "έγραψε:",
        "yazdı:",
        "写道：",
    ];
    let all: Vec<(usize, &str)> = lines(&source[start..]).collect();
    all.iter().enumerate().find_map(|(i, (at, line))| {
        let text = line.trim();
        let quoted = || all[i + 1..].iter().take(3).any(|(_, l)| l.starts_with('>'));
        let answers = WROTE.iter().any(|w| text.ends_with(w)) && quoted();
        let parts = text.starts_with("-----") && text.ends_with("-----") && text.chars().any(char::is_alphabetic);
        (*line == "-- " || text == "--" && i > 0 || answers || parts).then_some(start + at)
    })
}

/// Returns the key of a header in lower case, and the range of its value. Emphasis marks around the key are ignored.
fn header(line: &str, at: usize) -> Option<(String, Range<usize>)> {
    let colon = line.find([':', '：'])?;
    let key = line[..colon].trim().trim_matches('*').trim().to_lowercase();
    let rest = line[colon..].trim_start_matches([':', '：', '*']);
    let start = at + line.len() - rest.trim_start().len();
    (!key.is_empty()).then(|| (key, start..at + line.trim_end().len().max(start - at)))
}

/// Removes "Re:", "Fwd:" and similar prefixes of a subject.
fn without_prefix(subject: &str) -> &str {
    const PREFIXES: [&str; 14] =
        ["re:", "fwd:", "fw:", "aw:", "wg:", "tr:", "rv:", "sv:", "vs:", "r:", "i:", "antw:", "отв:", "回复:"];
    let mut rest = subject.trim();
    loop {
        let lower = rest.to_lowercase();
        let Some(prefix) = PREFIXES.into_iter().find(|p| lower.starts_with(p)) else { return rest };
        match rest.get(prefix.len()..) {
            Some(bare) => rest = bare.trim_start(),
            None => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(Vec<(String, String)>, &str)> {
        let (read, end) = read(text, 0)?;
        Some((read.0.into_iter().map(|e| (e.key, e.values[0].text.clone())).collect(), &text[end..]))
    }

    #[test]
    fn heads_of_messages() {
        let (head, rest) =
            found("From: Ada Moor <ada@tide.example>\nTo: all\nSubject: Re: FWD: Low water\n\nWe meet.").unwrap();
        assert_eq!(head[0], ("author".to_owned(), "Ada Moor <ada@tide.example>".to_owned()));
        assert_eq!((head[1].1.as_str(), rest.trim()), ("Low water", "We meet."));
        let (head, _) = found("**Von:** Ada\n**Gesendet:** Montag\n**Betreff:** AW: Niedrigwasser\n\nHallo").unwrap();
        assert_eq!(head[1].1, "Niedrigwasser");
        assert!(found("件名：干潮について\n差出人：浜口\n\n本文").is_some());
    }

    #[test]
    fn what_is_no_head() {
        for text in
            ["From: Bergen\nTo: Oslo\n\nBy train.", "Subject: grammar is the topic.\n\nIt is old.", "Note: a\nb"]
        {
            assert!(found(text).is_none(), "{text}");
        }
    }
}
