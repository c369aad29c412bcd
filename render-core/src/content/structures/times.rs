//! Extends times of day to complete facts: with "a.m." or "p.m.", and up to the end time.

use std::ops::Range;

/// Suffixes of times of day.
const HALVES: [&str; 12] = ["a.m.", "p.m.", "a. m.", "p. m.", "a.m", "p.m", "am", "pm", "Uhr", "uhr", "h", "hrs"];
/// Joints between the start and the end of a time range.
const JOINTS: [&str; 26] = [
    " to ", " – ", "–", " — ", " - ", "-", " until ", " till ", " and ", " bis ", " à ", " a ", " a las ", " al ",
    " alle ", " às ", " tot ", " до ", " do ", " til ", " έως ", "至", "～", "〜", "から", "~",
];
/// Number of letters of a time zone.
const ZONE: std::ops::RangeInclusive<usize> = 2..=4;

/// Returns the complete range of the time at `at` in a text: "9:30 a.m. to 11:30 a.m. ET".
pub(super) fn whole(text: &str, at: Range<usize>) -> Range<usize> {
    let mut range = opening(text, at.start)..half(text, at.end);
    if let Some(end) = ending(text, range.end) {
        range.end = end;
    }
    range.end = zone(text, range.end);
    range
}

/// Returns the end of the suffix at `at`, or `at` if there is none.
fn half(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let lead = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '\u{202f}']).len();
    let said = HALVES.iter().find(|half| {
        let behind = rest[lead..].strip_prefix(**half);
        behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
    });
    said.map_or(at, |half| at + lead + half.len())
}

/// Returns the end of the time range that begins before `at`.
fn ending(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    let joint = JOINTS.iter().filter(|joint| rest.starts_with(**joint)).max_by_key(|joint| joint.len())?;
    let from = at + joint.len();
    let len = clock(&text[from..])?;
    let end = half(text, from + len);
    // "10:30 to 5 people" has no second time.
    (end > from + len || text[from..from + len].contains([':', '.'])).then_some(end)
}

/// Returns the start of the time range that ends with the time at `at`: "9" of "9–11 a.m.".
fn opening(text: &str, at: usize) -> usize {
    let before = &text[..at];
    let joint = JOINTS.iter().filter(|joint| before.ends_with(**joint)).max_by_key(|joint| joint.len());
    let Some(front) = joint.map(|joint| &before[..before.len() - joint.len()]) else { return at };
    let digits = front.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':');
    let number = &front[digits.len()..];
    let time =
        clock(number) == Some(number.len()) && !digits.ends_with(|c: char| c.is_alphanumeric() || ".,/-–".contains(c));
    if time { digits.len() } else { at }
}

/// Returns the end of a time zone in capitals.
fn zone(text: &str, at: usize) -> usize {
    let Some(rest) = text[at..].strip_prefix(' ') else { return at };
    let capitals = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_uppercase()).len();
    let zone = [
        "ET", "CT", "MT", "PT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "GMT", "UTC", "BST", "CET",
        "CEST", "EET", "IST", "JST",
    ];
    if ZONE.contains(&capitals) && zone.contains(&&rest[..capitals]) { at + 1 + capitals } else { at }
}

/// Returns the length in bytes of a clock time: "9", "11:30", "18.00".
fn clock(text: &str) -> Option<usize> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let hours = digits(text);
    if !(1..=2).contains(&hours) {
        return None;
    }
    let minutes = text[hours..].strip_prefix([':', '.']).filter(|rest| digits(rest) == 2);
    Some(if minutes.is_some() { hours + 3 } else { hours })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_said_up_to_its_end() {
        for (text, found, said) in [
            ("June 27, from 9:30 a.m. to 11:30 a.m. ET in town", "9:30", "9:30 a.m. to 11:30 a.m. ET"),
            ("8:00 a.m. – 11:00 a.m. (networking first)", "8:00", "8:00 a.m. – 11:00 a.m."),
            ("Come by, 9–11 am.", "11 am", "9–11 am"),
            ("von 18:00 bis 20:30 Uhr", "18:00", "18:00 bis 20:30 Uhr"),
            ("at 7 pm and 9 people", "7 pm", "7 pm"),
            ("10:30 to 5 people", "10:30", "10:30"),
        ] {
            let at = text.find(found).unwrap();
            assert_eq!(&text[whole(text, at..at + found.len())], said, "{text}");
        }
    }
}
