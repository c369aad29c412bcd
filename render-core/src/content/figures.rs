//! Figures: numbers with a unit, and the clause that gives them meaning.

use std::ops::Range;
use std::sync::LazyLock;

use super::Stat;
use super::blocks::Clean;
use super::condense::negates;
use super::context::stands_alone;
use super::entities::is_currency;
use super::headline;
use super::number;
use super::segment;
use super::words::{self, Phrases, Words};

/// Maximum digits of a figure. Longer numbers are telephone and serial numbers.
const DIGITS: usize = 12;
/// Maximum characters of a label that fits a page.
const LABEL: usize = 140;
/// Maximum characters of a sentence that is searched for figures.
const SENTENCE: usize = 900;

/// Score penalty of a figure that the text only supposes, denies or mentions in passing.
const DOUBT: f32 = 0.35;
/// Words of hypothetical sentences and examples, in any language, separated by `|`.
const SUPPOSED: &str = "if|imagine|suppose|supposing|assume|assuming|let's say|let’s say|let us say|say that|for example|for instance|e.g|could|\
    might|hypothetical|hypothetically|wenn|falls|angenommen|könnte|könnten|beispielsweise|zum beispiel|z. b|imaginez|supposons|\
    pourrait|pourraient|par exemple|imagina|imagine que|supongamos|podría|podrían|por ejemplo|immagina|supponiamo|potrebbe|\
    potrebbero|ad esempio|suponha|poderia|poderiam|por exemplo|stel|bijvoorbeeld|zou kunnen|если|допустим|представьте|например|\
    мог бы|могла бы|могли бы|αν|παράδειγμα|eğer|örneğin|diyelim|إذا|لو|مثلا|अगर|यदि|उदाहरण|例えば|もし|例如|如果|假设|예를 들어|만약|\
    jeśli|gdyby|na przykład|om man|till exempel|jika|misalnya|наприклад|якщо";

/// Words of sentences in which a figure is a bound or a condition, in any language, separated by `|`.
const BOUNDS: &str = "or less|or fewer|or more|and under|or under|and over|or over|and above|or above|and below|or below|in cases where|in case|exceed|exceeds|threshold|maximum of|minimum of|oder weniger|\
    oder mehr|höchstens|mindestens|schwelle|ou moins|ou plus|au plus|au moins|seuil|o menos|o más|como máximo|al menos|umbral|\
    o meno|o più|al massimo|almeno|soglia|ou menos|ou mais|no máximo|pelo menos|of minder|of meer|hoogstens|minstens|drempel";

/// Words that an English label doesn't open with, and the word count below which a label is short.
const CUT: &str = "about|by|of|from|over|under|nearly|almost|than|and|or|up|down|around|roughly|as|at|on|in|for";
const SHORT: usize = 4;

/// A number as written.
#[derive(Debug, Clone, PartialEq)]
struct Number {
    range: Range<usize>,
    value: f64,
}

/// What makes a number a figure, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Count,
    Power,
    Ratio,
    Share,
}

/// A number with its sign, currency and unit.
#[derive(Debug, Clone, PartialEq)]
struct Found {
    kind: Kind,
    /// The range of number, sign, currency and unit.
    range: Range<usize>,
    value: String,
    unit: String,
    number: f64,
}

/// Returns the figures of one sentence of a clean text with their scores, best first.
pub(super) fn stats(clean: &Clean, sentence: Range<usize>, lexicon: &Words) -> Vec<(Stat, f32)> {
    let text = &clean.text[sentence.clone()];
    // A question or an overlong sentence gives a figure no clear meaning.
    if text.trim_end().ends_with('?') || text.chars().nth(SENTENCE).is_some() {
        return Vec::new();
    }
    let found = figures(text, lexicon);
    let numbers = numbers(text, lexicon);
    // If a sentence has several prices, none of them is the main one.
    let is_money = |f: &Found| f.kind == Kind::Share && text[f.range.clone()].contains(is_currency);
    let prices = found.iter().filter(|f| is_money(f)).count();
    let is_one_price = |f: &Found| prices > 1 && is_money(f);
    let mut out: Vec<(Stat, f32)> = found
        .into_iter()
        .filter_map(|f| {
            let (source, clause) = source_of(text, lexicon, &f.range);
            let in_clause = numbers.iter().filter(|n| clause.contains(&n.range.start)).count();
            let (label, reads) = label(text, clause, &f, in_clause, lexicon)?;
            // "about fewer" is the remainder after a figure was cut out.
            if lexicon.code == "en" && words::opens_with(CUT, &label) && segment::count_words(&label) < SHORT {
                return None;
            }
            let mut score: f32 = match f.kind {
                Kind::Share => 0.8,
                Kind::Ratio => 0.75,
                Kind::Power => 0.7,
                Kind::Count => 0.45,
            };
            score += if reads { 0.1 } else { 0.0 } + if source.is_some() { 0.05 } else { 0.0 };
            score -= if in_clause > 2 { 0.1 } else { 0.0 } + if label.chars().count() > 90 { 0.1 } else { 0.0 };
            // "She had 22 % more": who?
            score -= if reads || stands_alone(&label, lexicon) { 0.0 } else { 0.25 };
            score -= if is_doubtful(text, &f.range, lexicon) || is_one_price(&f) { DOUBT } else { 0.0 };
            let at = |r: Range<usize>| sentence.start + r.start..sentence.start + r.end;
            let stat = Stat {
                value: f.value,
                unit: f.unit,
                number: f.number,
                label: super::Sourced { text: label, span: clean.span(sentence.clone()) },
                source: source.map(|r| clean.sourced(at(r))),
                span: clean.span(at(f.range)),
            };
            Some((stat, score.clamp(0.0, 1.0)))
        })
        .collect();
    out.sort_by(|a, b| b.1.total_cmp(&a.1));
    out
}

/// Whether a text is hypothetical or gives an example.
pub(crate) fn supposes(text: &str) -> bool {
    SUPPOSE.stand_in(&text.to_lowercase())
}

static SUPPOSE: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(SUPPOSED));

/// Whether a sentence supposes or denies a figure, or mentions it in passing, so that the text is not about it.
pub(super) fn is_doubtful(text: &str, figure: &Range<usize>, lexicon: &Words) -> bool {
    static BOUND: LazyLock<Phrases> = LazyLock::new(|| Phrases::new(BOUNDS));
    let before = &text[..figure.start];
    let last: Vec<&str> = before.split_whitespace().rev().take(2).collect();
    let denied =
        last.iter().any(|word| negates(word, lexicon) && !words::has("only nur seulement solo sólo только", word));
    let (opened, closed) = (before.rfind(['(', '（']), before.rfind([')', '）']));
    let passing = opened.is_some_and(|at| closed.is_none_or(|end| end < at));
    let lower = text.to_lowercase();
    denied || passing || supposes(&lower) || BOUND.stand_in(&lower)
}

/// Whether a figure is a share, a multiple or money rather than a quantity.
pub(super) fn is_share(stat: &Stat) -> bool {
    let marks = |t: &str| t.contains(['%', '‰', '×', '$', '€', '£', '¥', '₽']);
    marks(&stat.value) || marks(&stat.unit) || stat.value.contains(' ')
}

/// Returns the numbers of a text. Years, versions, dates and serial numbers are included; later checks tell them
/// apart.
fn numbers(text: &str, lexicon: &Words) -> Vec<Number> {
    let mut out = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if number::digit(c).is_none() {
            continue;
        }
        let mut end = start + c.len_utf8();
        let mut plain = String::from(number::ascii(c));
        while let Some(&(at, c)) = chars.peek() {
            let behind = &text[at + c.len_utf8()..];
            let separates = matches!(c, '.' | ',' | '\u{66b}' | '\u{66c}')
                && behind.chars().next().is_some_and(|d| number::digit(d).is_some());
            let groups = number::is_space(c) && number::groups(&plain, behind);
            if !(number::digit(c).is_some() || separates || groups) {
                break;
            }
            plain.push(match c {
                '\u{66b}' => '.',
                '\u{66c}' => ',',
                _ if groups => ' ',
                c => number::ascii(c),
            });
            end = at + c.len_utf8();
            chars.next();
        }
        let before = text[..start].chars().next_back();
        let letter = |c: char| c.is_alphanumeric() && !words::is_unspaced(c);
        let glued = before.is_some_and(|c| letter(c) || matches!(c, '.' | '/' | ':' | '#' | '_'));
        let dated = matches!(text[end..].chars().next(), Some('/' | ':' | '_'));
        let digits = plain.bytes().filter(u8::is_ascii_digit).count();
        if let Some(value) = parse(&plain, lexicon.code)
            && !glued
            && !dated
            && digits <= DIGITS
        {
            out.push(Number { range: start..end, value });
        }
    }
    out
}

/// Parses digits with separators by the conventions of the language.
fn parse(text: &str, code: &str) -> Option<f64> {
    let decimal_comma = !matches!(code, "en" | "zh" | "ja" | "ko" | "th" | "he" | "hi" | "");
    let compact: String = text.chars().filter(|c| *c != ' ').collect();
    let (dots, commas) = (compact.matches('.').count(), compact.matches(',').count());
    let last_group = compact.rsplit(['.', ',']).next().map_or(0, str::len);
    let decimal = match (dots, commas) {
        (0, 0) => None,
        (1, 0) => (last_group != 3 || !decimal_comma).then_some('.'),
        (0, 1) => (last_group != 3 || decimal_comma).then_some(','),
        (d, 1) if d >= 1 => Some(','),
        (1, c) if c >= 1 => Some('.'),
        (_, 0) | (0, _) => None,
        _ => return None,
    };
    let plain: String = compact
        .chars()
        .filter_map(|c| match c {
            '.' | ',' if Some(c) == decimal => Some('.'),
            '.' | ',' => None,
            other => Some(other),
        })
        .collect();
    plain.parse().ok()
}

fn figures(text: &str, lexicon: &Words) -> Vec<Found> {
    let numbers = numbers(text, lexicon);
    let mut out: Vec<Found> = Vec::new();
    for (k, number) in numbers.iter().enumerate() {
        let next = numbers.get(k + 1);
        if out.last().is_some_and(|f| f.range.end > number.range.start) || in_range(text, number) {
            continue;
        }
        if let Some(found) = ratio(text, number, next, lexicon).or_else(|| measured(text, number, lexicon)) {
            out.push(found);
        }
    }
    out
}

/// Whether a number is one end of a range ("10–15 %"). Shown alone, it would lose the other end.
fn in_range(text: &str, number: &Number) -> bool {
    let dash = |c: char| matches!(c, '-' | '–' | '—' | '−');
    let behind = &text[number.range.end..];
    let before = &text[..number.range.start];
    let digit = |c: Option<char>| c.is_some_and(|c| number::digit(c).is_some());
    let opens = behind.starts_with(dash) && digit(behind.chars().nth(1));
    let closes = before.ends_with(dash) && digit(before.chars().nth_back(1));
    opens || closes
}

/// Reads "3 in 4".
fn ratio(text: &str, number: &Number, next: Option<&Number>, lexicon: &Words) -> Option<Found> {
    let next = next?;
    let between = &text[number.range.end..next.range.start];
    let mut all = between.split_whitespace();
    let first = all.next()?;
    let rest: Vec<&str> = all.collect();
    let out_of = lexicon.code == "en" && first == "out" && rest == ["of"];
    let of_many = rest.is_empty() && words::has(lexicon.of_many, first) && between.len() == first.len() + 2;
    let small = |n: &Number| n.value.fract() == 0.0 && (1.0..=100.0).contains(&n.value);
    let has_unit = measured(text, next, lexicon).is_some_and(|m| m.kind == Kind::Share);
    if !(of_many || out_of) || !small(number) || !small(next) || number.value >= next.value || has_unit {
        return None;
    }
    let range = number.range.start..next.range.end;
    let value = text[range.clone()].to_owned();
    Some(Found { kind: Kind::Ratio, range, value, unit: String::new(), number: number.value / next.value })
}

/// Units of shares, multiples and money, in any language.
const SHARES: &str = "percent prozent procent процент процента процентов times fold mal fois veces volte vezes keer раза раз φορές \
    euros euro dollars pounds рублей рубля ευρώ reais 倍 元 円 yüzde प्रतिशत रुपये रुपए lira kat パーセント";

/// Returns the kind of figure that a unit in words makes of the number that ends at `end`, and the end of the unit.
fn worded(text: &str, end: usize, lexicon: &Words) -> Option<(Kind, usize)> {
    if let Some((word, to)) = unit_at(text, end, lexicon) {
        let share = words::has(SHARES, &word.to_lowercase());
        return Some((if share { Kind::Share } else { Kind::Count }, per(text, to)));
    }
    let (_, to) = token(text, end).filter(|(word, _)| *word == "per")?;
    token(text, to).filter(|(word, _)| *word == "cent").map(|(_, to)| (Kind::Share, to))
}

/// Whether the text after an "x" makes its number a multiple: "10x faster".
fn is_multiple(behind: &str, lexicon: &Words) -> bool {
    !behind.starts_with(char::is_alphanumeric) && headline::multiplies(behind, lexicon)
}

/// Reads a number with a currency, a percent sign, a multiplier, a power of ten, or a unit.
fn measured(text: &str, number: &Number, lexicon: &Words) -> Option<Found> {
    let mut start = number.range.start;
    let before = &text[..start];
    let currency = before.chars().next_back().filter(|c| is_currency(*c));
    if let Some(c) = currency {
        start -= c.len_utf8();
    }
    // Turkish puts the percent sign first: "%37".
    let per_cent_before = lexicon.code == "tr" && before.ends_with('%');
    let sign = text[..start].chars().next_back().filter(|c| matches!(c, '+' | '-' | '−'));
    if let Some(c) = sign.filter(|c| text[..start - c.len_utf8()].chars().next_back().is_none_or(char::is_whitespace)) {
        start -= c.len_utf8();
    }
    let mut end = number.range.end;
    let mut kind = if currency.is_some() { Some(Kind::Share) } else { None };
    let mut factor = 1.0;
    let mut unit = String::new();
    if let Some((power, to)) = power_at(text, end, lexicon) {
        unit = text[end..to].trim().to_owned();
        (factor, end) = (power, to);
        kind = kind.max(Some(Kind::Power));
    }
    let rest = &text[end..];
    let lead = rest.len() - rest.trim_start_matches(' ').len();
    let mark = rest[lead..].chars().next().filter(|_| lead <= 1);
    let behind_mark = mark.and_then(|c| rest[lead + c.len_utf8()..].chars().next());
    match mark {
        _ if per_cent_before => {
            kind = kind.max(Some(Kind::Share));
            unit = "%".to_owned();
            start = number.range.start;
        }
        Some(c)
            if (is_currency(c) || matches!(c, '%' | '％' | '٪' | '×' | '°' | '‰'))
                && !(c == '$' && currency.is_some()) =>
        {
            end += lead + c.len_utf8();
            if c == '°'
                && let Some(scale) = behind_mark.filter(|c| matches!(c, 'C' | 'F'))
            {
                end += scale.len_utf8();
            }
            kind = kind.max(Some(if c == '°' { Kind::Count } else { Kind::Share }));
            unit = text[number.range.end..end].trim().to_owned();
        }
        Some('x') if lead == 0 && is_multiple(&rest[1..], lexicon) => {
            end += 1;
            kind = kind.max(Some(Kind::Share));
            unit = "×".to_owned();
        }
        _ => {
            if let Some((own, to)) = worded(text, end, lexicon) {
                kind = kind.max(Some(own));
                end = to;
                unit = text[number.range.end..end].trim().to_owned();
                // The sign takes much less space than the words.
                if unit == "per cent" || words::has(super::entities::PERCENT_WORDS, &unit.to_lowercase()) {
                    unit = "%".to_owned();
                }
            }
        }
    }
    let kind = kind?;
    let value = text[start..number.range.end].to_owned();
    let negative = value.starts_with(['-', '−']);
    let magnitude = number.value * factor;
    // Zero is not worth showing large: "0 %".
    if magnitude == 0.0 {
        return None;
    }
    Some(Found { kind, range: start..end, value, unit, number: if negative { -magnitude } else { magnitude } })
}

/// Returns the unit after `at`: a unit word of the language, or any noun counted per day or week.
fn unit_at<'a>(text: &'a str, at: usize, lexicon: &Words) -> Option<(&'a str, usize)> {
    let rest = &text[at..];
    if let Some(word) = rest.strip_prefix([' ', '\u{a0}']).or(Some(rest)).filter(|w| w.starts_with(words::is_unspaced))
    {
        let from = text.len() - word.len();
        let known = lexicon.units.split_whitespace().filter(|u| word.starts_with(u)).max_by_key(|u| u.len())?;
        return Some((&text[from..from + known.len()], from + known.len()));
    }
    let (word, to) = token(text, at)?;
    let lower = word.to_lowercase();
    let known = words::has(lexicon.units, &lower);
    let counted = || lower.chars().count() > 3 && !words::has(lexicon.function, &lower) && per(text, to) > to;
    (known || counted()).then_some((word, to))
}

/// Returns the word after `at`, with at most one space between them, and its end.
fn token(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = &text[at..];
    let word = rest.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
    if rest[..rest.len() - word.len()].chars().nth(1).is_some() {
        return None;
    }
    let lead = rest.len() - word.len();
    let len = word.find(|c: char| !(c.is_alphabetic() || c == '/' || words::is_mark(c))).unwrap_or(word.len());
    (len > 0).then(|| (&word[..len], at + lead + len))
}

/// Returns the power of ten after `at`, as a factor, and the end of its word.
fn power_at(text: &str, at: usize, lexicon: &Words) -> Option<(f64, usize)> {
    let rest = &text[at..];
    if rest.starts_with(words::is_unspaced) {
        let (exponent, len) = words::power_at(rest)?;
        return Some((number::ten_to(exponent), at + len));
    }
    let (word, to) = token(text, at)?;
    let own = lexicon.powers.split_whitespace().filter_map(|p| p.split_once('='));
    let lower = word.to_lowercase();
    own.filter(|(w, _)| *w == lower).find_map(|_| Some((number::ten_to(words::power(word)?), to)))
}

/// Returns the end of "a week" or "per day" after a unit.
fn per(text: &str, at: usize) -> usize {
    let Some((link, to)) = token(text, at) else { return at };
    if !matches!(link.to_lowercase().as_str(), "a" | "an" | "per" | "pro" | "par" | "por" | "al" | "am" | "в") {
        return at;
    }
    match token(text, to) {
        Some((period, end))
            if matches!(
                period.to_lowercase().as_str(),
                "day"
                    | "week"
                    | "month"
                    | "year"
                    | "hour"
                    | "minute"
                    | "tag"
                    | "woche"
                    | "monat"
                    | "jahr"
                    | "stunde"
                    | "jour"
                    | "semaine"
                    | "mois"
                    | "an"
                    | "día"
                    | "semana"
                    | "mes"
                    | "año"
                    | "giorno"
                    | "mese"
                    | "anno"
                    | "dia"
                    | "mês"
                    | "ano"
                    | "dag"
                    | "maand"
                    | "jaar"
                    | "день"
                    | "неделю"
                    | "месяц"
                    | "год"
            ) =>
        {
            end
        }
        _ => at,
    }
}

/// Returns who measured the figure, if the sentence says so, and the range of the clause about the figure.
fn source_of(text: &str, lexicon: &Words, figure: &Range<usize>) -> (Option<Range<usize>>, Range<usize>) {
    let end = text.trim_end().len();
    let lower = words::lower_in_place(text);
    for phrase in lexicon.according.split('|').filter(|p| !p.is_empty()) {
        if let Some(rest) = lower.strip_prefix(phrase).filter(|r| r.starts_with(' '))
            && let Some(comma) = rest.find(", ").map(|c| c + phrase.len()).filter(|c| *c < figure.start)
        {
            return (Some(phrase.len() + 1..comma), comma + 2..end);
        }
        if let Some(at) = lower.rfind(&format!(", {phrase} ")).filter(|at| *at >= figure.end) {
            let tail = text[at..end].trim_end_matches(['.', '!']).len() + at;
            return (Some(at + 3 + phrase.len()..tail), 0..at);
        }
    }
    // "In a survey of 412 teams, 63 % …": the study is the source.
    const STUDIES: &str = "survey study poll trial report census audit count sample umfrage studie erhebung auswertung untersuchung \
        enquête étude sondage encuesta estudio sondeo indagine studio sondaggio pesquisa onderzoek enquête опросе исследовании \
        опросу исследованию έρευνα μελέτη δημοσκόπηση";
    if let Some(comma) = text.find(", ").filter(|c| *c < figure.start) {
        let opening = &text[..comma];
        let words = segment::words_of(opening);
        let names_study = words.iter().any(|w| words::has(STUDIES, w));
        let starts =
            words.first().is_some_and(|w| matches!(w.as_str(), "in" | "dans" | "en" | "em" | "bei" | "в" | "σε" | "i"));
        if names_study && starts && words.len() >= 3 {
            let mut at = opening.find(' ').map_or(0, |s| s + 1);
            for article in
                ["a ", "an ", "the ", "one ", "our ", "einer ", "der ", "une ", "una ", "um ", "uma ", "een ", "μια "]
            {
                if text[at..].starts_with(article) {
                    at += article.len();
                    break;
                }
            }
            return (Some(at..comma), comma + 2..end);
        }
    }
    (None, 0..end)
}

/// Returns the words that give a figure its meaning, and whether they read well next to it.
fn label(text: &str, clause: Range<usize>, found: &Found, numbers: usize, lexicon: &Words) -> Option<(String, bool)> {
    let whole = text[clause.clone()].trim().trim_end_matches(['.', '!', ';', ',']).trim();
    if whole.chars().nth(LABEL * 2).is_some() || segment::count_words(whole) < 3 {
        return None;
    }
    let front = text.get(clause.start..found.range.start)?.trim();
    let back = text[found.range.end.min(clause.end)..clause.end].trim().trim_end_matches(['.', '!', ';']).trim();
    if front.is_empty() {
        // "63 % of teams …": the figure opens the sentence. A counted noun stays with the words.
        let back = match found.kind {
            Kind::Count => format!("{} {back}", found.unit),
            _ => back.to_owned(),
        };
        let back = back.trim().to_owned();
        return (segment::count_words(&back) >= 2 && !back.starts_with([',', '–', '—'])).then_some((back, true));
    }
    let next = segment::words_of(back).into_iter().next().unwrap_or_default();
    // "In the first twelve weeks, 9 in 10 …": the figure opens the clause after an adverbial.
    let adverbial = front.strip_suffix(',').filter(|f| !f.contains(',') && !negates(f, lexicon));
    let opening = adverbial.and_then(|f| segment::words_of(f).into_iter().next());
    if opening.is_some_and(|w| words::has(lexicon.function, &w))
        && found.kind != Kind::Count
        && segment::count_words(back) >= 3
    {
        return Some((back.to_owned(), true));
    }
    // "22 % more": the comparison works without its figure.
    const COMPARED: &str = "more fewer less higher lower faster slower cooler warmer cheaper longer shorter better mehr weniger höher \
        niedriger schneller plus moins más menos più meno mais meer minder больше меньше выше ниже περισσότερα περισσότερο \
        λιγότερα λιγότερο";
    if words::has(COMPARED, &next) && numbers == 1 && front.chars().last().is_some_and(char::is_alphanumeric) {
        return Some((format!("{front} {back}"), stands_alone(front, lexicon)));
    }
    let last = front.rsplit(' ').next().unwrap_or("").to_lowercase();
    let goes_on = back.is_empty()
        || back.starts_with([',', '–', '—'])
        || words::has(lexicon.function, &next)
            && !matches!(next.as_str(), "of" | "der" | "des" | "de" | "di" | "van" | "von" | "than" | "als" | "que");
    if words::has(lexicon.before_figure, &last) && goes_on && numbers == 1 && !negates(front, lexicon) {
        let keep =
            if matches!(last.as_str(), "up" | "down") { front } else { front[..front.len() - last.len()].trim_end() };
        let joint = if back.is_empty() || back.starts_with(',') { "" } else { " " };
        let rest = format!("{keep}{joint}{back}");
        if segment::count_words(&rest) >= 2 {
            return Some((rest, true));
        }
    }
    Some((whole.to_owned(), false))
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
