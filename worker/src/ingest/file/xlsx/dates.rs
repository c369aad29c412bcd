//! Dates and times, which spreadsheets store as days since the end of 1899.

use super::codes::Token;

/// Formats the point in time of a day number; `None` if no calendar has that day.
pub(super) fn date(number: f64, tokens: &[Token], since_1904: bool) -> Option<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    const DAYS: [&str; 7] = ["Saturday", "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"];
    if !(0.0..2_958_466.0).contains(&number) {
        return None;
    }
    let seconds_in_all = (number * 86_400.0).round() as i64;
    let (day, seconds) = (seconds_in_all / 86_400, seconds_in_all % 86_400);
    let day = if since_1904 { day + 1462 } else { day };
    let (year, month, of_month) = calendar(day);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let halves = tokens.contains(&Token::Date("am/pm".to_owned()));
    let clock = if halves { (hour + 11) % 12 + 1 } else { hour };
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let part = match token {
            Token::Literal(text) => {
                out.push_str(text);
                continue;
            }
            Token::Date(part) => part.as_str(),
            _ => continue,
        };
        let month_name = MONTHS[(month - 1) as usize];
        match part {
            "yy" => out.push_str(&format!("{:02}", year % 100)),
            _ if part.starts_with('y') => out.push_str(&format!("{year}")),
            "m" | "mm" if is_minute(tokens, at) => out.push_str(&padded(minute, part)),
            "m" | "mm" => out.push_str(&padded(month, part)),
            "mmm" => out.push_str(&month_name[..3]),
            "mmmmm" => out.push_str(&month_name[..1]),
            _ if part.starts_with('m') => out.push_str(month_name),
            "d" | "dd" => out.push_str(&padded(of_month, part)),
            "ddd" => out.push_str(&DAYS[(day % 7) as usize][..3]),
            _ if part.starts_with('d') => out.push_str(DAYS[(day % 7) as usize]),
            _ if part.starts_with('h') => out.push_str(&padded(clock, part)),
            _ if part.starts_with('s') => out.push_str(&padded(second, part)),
            "am/pm" => out.push_str(if hour < 12 { "AM" } else { "PM" }),
            _ if part.starts_with("[h") => out.push_str(&padded(seconds_in_all / 3600, &part[1..part.len() - 1])),
            _ if part.starts_with("[m") => out.push_str(&padded(seconds_in_all / 60, &part[1..part.len() - 1])),
            _ => out.push_str(&padded(seconds_in_all, &part[1..part.len() - 1])),
        }
    }
    Some(out.trim().to_owned())
}

fn padded(number: i64, letters: &str) -> String {
    if letters.len() > 1 { format!("{number:02}") } else { number.to_string() }
}

/// Returns whether an `m` means minutes: after hours, or before seconds.
fn is_minute(tokens: &[Token], at: usize) -> bool {
    let is = |token: Option<&Token>, letter: char| matches!(token, Some(Token::Date(part)) if part.trim_start_matches('[').starts_with(letter));
    let mut before = tokens[..at].iter().rev().filter(|t| matches!(t, Token::Date(_)));
    let mut after = tokens[at + 1..].iter().filter(|t| matches!(t, Token::Date(_)));
    is(before.next(), 'h') || is(after.next(), 's')
}

/// Returns year, month and day of a day number, of which 1 is 1 January 1900. The calendar of spreadsheets has a 29
/// February 1900, so the days before it have numbers one less than in the true calendar.
fn calendar(day: i64) -> (i64, i64, i64) {
    // Days since 1 March of the year 0, by eras of 400 years.
    let days = day + 693_899 + i64::from(day < 60);
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, of_month)
}
