//! Parses numbers in words: "fünfundzwanzig", "quatre-vingt-dix", "две трети", "三分之二". Supports thirteen languages,
//! up to the thousands.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::LazyLock;

/// A language's number words, in lower case and, in Arabic, without diacritics. Variants of one number are separated
/// by `/`.
struct NumberWords {
    /// 1 to 19 in order, separated by spaces.
    ones: &'static str,
    /// 20 to 90 in order.
    tens: &'static str,
    /// Patterns that join tens `{t}` and ones `{o}`, separated by `|`.
    joins: &'static str,
}

const LANGUAGES: [NumberWords; 12] = [
    NumberWords {
        ones: "- two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
               eighteen nineteen",
        tens: "twenty thirty forty fifty sixty seventy eighty ninety",
        joins: "{t}-{o}|{t} {o}",
    },
    NumberWords {
        ones: "- zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn \
               achtzehn neunzehn",
        tens: "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
        joins: "{o}und{t}",
    },
    NumberWords {
        ones: "- deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit \
               dix-neuf",
        tens: "vingt trente quarante cinquante soixante soixante-dix/septante quatre-vingt/quatre-vingts/huitante \
               quatre-vingt-dix/nonante",
        joins: "{t}-{o}|{t} et {o}",
    },
    NumberWords {
        ones: "- dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete \
               dieciocho diecinueve",
        tens: "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
        joins: "{t} y {o}",
    },
    NumberWords {
        ones: "- due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici \
               diciassette diciotto diciannove",
        tens: "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
        joins: "{t}{o}",
    },
    NumberWords {
        ones: "- dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze \
               dezasseis/dezesseis dezassete/dezessete dezoito dezanove/dezenove",
        tens: "vinte trinta quarenta cinquenta/cinqüenta sessenta setenta oitenta noventa",
        joins: "{t} e {o}",
    },
    NumberWords {
        ones: "- twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien \
               achttien negentien",
        tens: "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
        joins: "{o}en{t}|{o}ën{t}",
    },
    NumberWords {
        ones: "- dwa/dwie/dwóch/dwoje/dwaj/dwom/dwiema trzy/trzech/trzej/trzem/trzema/troje \
               cztery/czterech/czterej/czterem/czterema/czworo pięć/pięciu/pięcioma/pięcioro sześć/sześciu/sześcioro \
               siedem/siedmiu ośmiu/osiem dziewięć/dziewięciu dziesięć/dziesięciu jedenaście/jedenastu dwanaście/dwunastu \
               trzynaście/trzynastu czternaście/czternastu piętnaście/piętnastu szesnaście/szesnastu \
               siedemnaście/siedemnastu osiemnaście/osiemnastu dziewiętnaście/dziewiętnastu",
        tens: "dwadzieścia/dwudziestu trzydzieści/trzydziestu czterdzieści/czterdziestu pięćdziesiąt/pięćdziesięciu \
               sześćdziesiąt/sześćdziesięciu siedemdziesiąt/siedemdziesięciu osiemdziesiąt/osiemdziesięciu \
               dziewięćdziesiąt/dziewięćdziesięciu",
        joins: "{t} {o}",
    },
    NumberWords {
        ones: "- два/две/двух/двум/двумя/двое три/трёх/трех/трём/трем/трое четыре/четырёх/четырех/четырем/четверо пять/пяти \
               шесть/шести семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать/одиннадцати \
               двенадцать/двенадцати тринадцать/тринадцати четырнадцать/четырнадцати пятнадцать/пятнадцати \
               шестнадцать/шестнадцати семнадцать/семнадцати восемнадцать/восемнадцати девятнадцать/девятнадцати",
        tens: "двадцать/двадцати тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят/шестидесяти \
               семьдесят/семидесяти восемьдесят/восьмидесяти девяносто",
        joins: "{t} {o}",
    },
    NumberWords {
        ones: "- اثنان/اثنين/اثنتان/اثنتين/اثنا/اثني ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني/ثمان \
               تسعة/تسع عشرة/عشر - - - - - - - - -",
        tens: "عشرون/عشرين ثلاثون/ثلاثين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين تسعون/تسعين",
        joins: "{o} و{t}",
    },
    NumberWords {
        ones: "- iki üç dört beş altı yedi sekiz dokuz - - - - - - - - - -",
        tens: "yirmi otuz kırk elli altmış yetmiş seksen doksan",
        joins: "{t} {o}",
    },
    NumberWords {
        ones: "- दो तीन चार पाँच/पांच छह/छः सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस",
        tens: "बीस तीस चालीस पचास साठ सत्तर अस्सी नब्बे",
        joins: "",
    },
];

/// Words that follow no pattern.
const OTHERS: &[(&str, f64)] = &[
    ("dozen douzaine docena dozzina dúzia dutzend tuzin tuzina dozijn дюжина", 12.0),
    ("half-dozen", 6.0),
    ("quinzaine quincena quindicina", 15.0),
    ("vingtaine veintena ventina", 20.0),
    ("trentaine treintena trentina", 30.0),
    ("quarantaine", 40.0),
    ("cinquantaine cincuentena cinquantina", 50.0),
    ("centaine centena centinaio", 100.0),
    ("hundred hundert einhundert cent cien ciento cento cem honderd sto сто مئة مائة مئه yüz", 100.0),
    ("zweihundert doscientos doscientas duecento duzentos duzentas dwieście двести مئتان مئتين مائتان مائتين", 200.0),
    ("thousand tausend eintausend mille mil duizend tysiąc тысяча ألف bin", 1_000.0),
    ("zweitausend deux-mille duemila dwutysięczny ألفان ألفين", 2_000.0),
    ("vingt-et-un veintiuno veintiún veintiuna ventuno", 21.0),
    ("veintidós veintidos", 22.0),
    ("veintitrés veintitres ventitré", 23.0),
    ("veinticuatro", 24.0),
    ("veinticinco", 25.0),
    ("veintiséis veintiseis", 26.0),
    ("veintisiete", 27.0),
    ("veintiocho ventotto", 28.0),
    ("veintinueve", 29.0),
    ("trentuno", 31.0),
    ("trentotto", 38.0),
    ("quarantotto", 48.0),
    ("anderthalb eineinhalb anderthalbe anderhalf anderhalve półtora półtorej полтора полторы", 1.5),
    ("zweieinhalb", 2.5),
    ("dreieinhalb", 3.5),
];

/// Phrases of several words, with their values.
const PHRASES: &[(&str, f64)] = &[
    ("half a dozen|media docena|meia dúzia|demi-douzaine|mezza dozzina|halbes dutzend|pół tuzina|half dozijn", 6.0),
    ("vingt et un|vingt et une", 21.0),
    ("trente et un|trente et une", 31.0),
    ("quarante et un|quarante et une", 41.0),
    ("cinquante et un|cinquante et une", 51.0),
    ("two hundred|deux cents|deux cent", 200.0),
    ("three hundred|trois cents|trois cent", 300.0),
    ("four hundred|quatre cents", 400.0),
    ("five hundred|cinq cents", 500.0),
    ("six hundred|six cents", 600.0),
    ("seven hundred|sept cents", 700.0),
    ("eight hundred|huit cents", 800.0),
    ("nine hundred|neuf cents", 900.0),
    ("two thousand|deux mille|dos mil|dois mil|dwa tysiące|две тысячи", 2_000.0),
    ("three thousand|trois mille|tres mil|três mil|trzy tysiące|три тысячи|ثلاثة آلاف", 3_000.0),
    ("five thousand|cinq mille|cinco mil|pięć tysięcy|пять тысяч|خمسة آلاف", 5_000.0),
    ("ten thousand|dix mille|diez mil|dez mil|dziesięć tysięcy|десять тысяч|عشرة آلاف", 10_000.0),
];
/// Hundreds that precede smaller numbers.
const HUNDREDS: &[(&str, f64)] = &[
    ("cento hundert einhundert ciento cent sto сто honderd", 100.0),
    ("duecento zweihundert doscientos doscientas duzentos duzentas dwieście двести tweehonderd", 200.0),
    ("trecento dreihundert trescientos trescientas trezentos trezentas trzysta триста driehonderd", 300.0),
    ("quattrocento vierhundert cuatrocientos cuatrocientas quatrocentos quatrocentas czterysta четыреста", 400.0),
    ("cinquecento fünfhundert quinientos quinientas quinhentos quinhentas pięćset пятьсот", 500.0),
    ("seicento sechshundert seiscientos seiscientas seiscentos seiscentas sześćset шестьсот", 600.0),
    ("settecento siebenhundert setecientos setecientas setecentos setecentas siedemset семьсот", 700.0),
    ("ottocento achthundert ochocientos ochocientas oitocentos oitocentas osiemset восемьсот", 800.0),
    ("novecento neunhundert novecientos novecientas novecentos novecentas dziewięćset девятьсот", 900.0),
];

/// Words that are numbers in one language and common words in another.
const COMMON: [&str; 11] = ["on", "due", "sei", "dix", "once", "elf", "mil", "bin", "otto", "cent", "sto"];

/// Chinese numerals for zero, in two forms, and for one to nine.
const SIGNS: &str = "〇零一二三四五六七八九";
/// Counters after which even a single numeral is a number.
const COUNTERS: &str = "つ人名年月日時分秒個个件社校店台週か箇割点位種项種家所天小座张張条條次倍岁歳杯枚本冊册回间間届屆项層层部场場款段句步歩站口只匹館馆園园院局軒头頭羽曲棟栋面巻卷号號級级期問题題票通皿杯門门支艘輛辆架套双雙対对組组班隊队周";

/// All words of the tables with their values.
static WORDS: LazyLock<HashMap<String, f64>> = LazyLock::new(|| {
    let mut out = HashMap::new();
    let options = |words: &'static str| words.split_whitespace().map(|w| w.split('/').collect::<Vec<_>>());
    for language in &LANGUAGES {
        let ones: Vec<Vec<&str>> = options(language.ones).collect();
        for (n, words) in ones.iter().enumerate() {
            for word in words.iter().filter(|word| **word != "-") {
                out.insert((*word).to_owned(), n as f64 + 1.0);
            }
        }
        for (t, words) in options(language.tens).enumerate() {
            let value = 10.0 * (t as f64 + 2.0);
            for ten in words {
                out.insert(ten.to_owned(), value);
                for (o, one) in ones.iter().enumerate().filter(|(o, _)| *o > 0 && *o < 19) {
                    // French continues with teens up to 79 and 99.
                    if o >= 9 && !language.joins.contains("et {o}") {
                        continue;
                    }
                    for join in language.joins.split('|').filter(|join| !join.is_empty()) {
                        for word in one.iter().filter(|word| **word != "-") {
                            let joined = join.replace("{t}", ten).replace("{o}", word);
                            out.entry(joined).or_insert(value + o as f64 + 1.0);
                        }
                    }
                }
            }
        }
    }
    for (words, value) in OTHERS.iter().chain(HUNDREDS) {
        out.extend(words.split(' ').map(|word| (word.to_owned(), *value)));
    }
    for (phrases, value) in PHRASES {
        out.extend(phrases.split('|').map(|phrase| (phrase.to_owned(), *value)));
    }
    out
});
/// Maximum words of a number.
const LONGEST: usize = 3;
/// Bytes of "cento" and "uno", the shortest hundreds and ones that are written as a single word.
const SHORTEST_JOINED: usize = 7;

/// Returns the value of a word that is a number in any language.
pub fn named(word: &str) -> Option<f64> {
    WORDS.get(word).copied()
}

/// Returns the numbers in words, in order: their ranges in `lower`, which must be in lower case, their values, and
/// whether the word is a common one in another language.
pub fn spelled(lower: &str) -> Vec<(Range<usize>, f64, bool)> {
    let words: Vec<Range<usize>> = words_of(lower);
    let mut out: Vec<(Range<usize>, f64, bool)> = Vec::new();
    let mut i = 0;
    while i < words.len() {
        let most = LONGEST.min(words.len() - i);
        // Few words begin a number, so most are skipped.
        let longest = if begins(&lower[words[i].clone()]) { most } else { 0 };
        let found = (1..=longest).rev().find_map(|n| {
            let range = words[i].start..words[i + n - 1].end;
            let text = lower[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
            value(&text).map(|value| (n, range, value))
        });
        match found {
            Some((n, range, value)) => {
                let common = COMMON.contains(&&lower[range.clone()]);
                out.push((range, value, common));
                i += n;
            }
            None => i += 1,
        }
    }
    out.extend(signs(lower).into_iter().map(|(range, value)| (range, value, false)));
    out.sort_by_key(|(range, ..)| range.start);
    out
}

/// Whether a word may begin a number.
fn begins(word: &str) -> bool {
    static FIRST: LazyLock<HashSet<&str>> =
        LazyLock::new(|| WORDS.keys().map(|key| key.split(' ').next().unwrap_or(key)).collect());
    let is_arabic = |c: char| matches!(c, '\u{600}'..='\u{6ff}');
    FIRST.contains(word) || word.starts_with(is_arabic) || word.len() > SHORTEST_JOINED && hundreds(word).is_some()
}

/// Returns the value of one or several words, ignoring Arabic articles and prepositions before them.
fn value(text: &str) -> Option<f64> {
    let bare = |prefix: &str| text.strip_prefix(prefix).filter(|rest| rest.chars().count() > 2);
    let with_prefix = || ["وال", "بال", "ال", "و", "ب", "ل"].into_iter().find_map(|p| named(bare(p)?));
    named(text).or_else(with_prefix).or_else(|| hundreds(text))
}

/// Returns the value of hundreds with the words after them: "duecentocinquanta", "dwieście pięćdziesiąt", "two
/// hundred and fifty".
fn hundreds(text: &str) -> Option<f64> {
    static NAMES: LazyLock<Vec<(&str, f64)>> = LazyLock::new(|| {
        HUNDREDS.iter().flat_map(|(words, value)| words.split(' ').map(|word| (word, *value))).collect()
    });
    NAMES.iter().find_map(|(word, value)| {
        let rest = text.strip_prefix(word)?;
        let rest = rest.trim_start().trim_start_matches("and ").trim_start_matches("e ").trim_start_matches("und");
        named(rest).filter(|rest| *rest < 100.0).map(|rest| value + rest)
    })
}

/// Returns the words of a text. A hyphen and the vowel signs of Devanagari are part of their word.
fn words_of(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphabetic() || matches!(c, '-' | '\u{900}'..='\u{963}');
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                out.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    out
}

/// Returns the numbers in Chinese numerals: two signs or more, or one before a counter.
fn signs(text: &str) -> Vec<(Range<usize>, f64)> {
    let is_sign = |c: char| SIGNS.contains(c) || "十百千万两兩".contains(c);
    let mut out = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if !is_sign(c) {
            continue;
        }
        let mut run = vec![c];
        while let Some(&(_, next)) = chars.peek().filter(|(_, next)| is_sign(*next)) {
            run.push(next);
            chars.next();
        }
        let end = chars.peek().map_or(text.len(), |(at, _)| *at);
        let counted = chars.peek().is_some_and(|(_, next)| COUNTERS.contains(*next));
        if (run.len() > 1 || counted)
            && let Some(value) = of_signs(&run)
        {
            out.push((start..end, value));
        }
    }
    out
}

fn of_signs(run: &[char]) -> Option<f64> {
    let digit = |c: char| match c {
        '两' | '兩' => Some(2.0),
        c => SIGNS.chars().position(|s| s == c).map(|n| (n as f64 - 1.0).max(0.0)),
    };
    let unit = |c: char| match c {
        '十' => Some(10.0),
        '百' => Some(100.0),
        '千' => Some(1_000.0),
        _ => None,
    };
    if run.iter().all(|c| digit(*c).is_some()) {
        // Digits in positional notation: 二〇二五.
        return Some(run.iter().fold(0.0, |n, c| 10.0 * n + digit(*c).unwrap_or(0.0)));
    }
    let (mut total, mut part, mut last) = (0.0, 0.0, None);
    for c in run {
        if let Some(n) = digit(*c) {
            last = Some(n);
        } else if let Some(n) = unit(*c) {
            part += n * last.take().unwrap_or(1.0);
        } else {
            total += 10_000.0 * (part + last.take().unwrap_or(0.0)).max(1.0);
            part = 0.0;
        }
    }
    Some(total + part + last.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words_have_values() {
        for (text, value) in [
            ("twenty-five people", 25.0),
            ("ninety nine", 99.0),
            ("fünfundzwanzig leute", 25.0),
            ("quatre-vingt-dix-sept", 97.0),
            ("soixante-douze heures", 72.0),
            ("vingt et un", 21.0),
            ("treinta y cinco", 35.0),
            ("veinticinco días", 25.0),
            ("trentacinque", 35.0),
            ("vinte e cinco", 25.0),
            ("vijfentwintig", 25.0),
            ("dwadzieścia pięć osób", 25.0),
            ("trzech nowych", 3.0),
            ("двадцати пяти", 25.0),
            ("خمسة وعشرون", 25.0),
            ("والثلاثين", 30.0),
            ("二十五人", 25.0),
            ("三つの", 3.0),
            ("二〇二五年", 2025.0),
            ("两个月", 2.0),
            ("a dozen eggs", 12.0),
            ("anderthalb stunden", 1.5),
            ("duecentocinquanta ore", 250.0),
            ("half a dozen", 6.0),
        ] {
            assert_eq!(spelled(text).first().map(|(_, v, _)| *v), Some(value), "{text}");
        }
        for none in ["on the way", "统一的", "一緒に", "sei froh", "elf of the forest"] {
            assert!(spelled(none).iter().all(|(.., common)| *common), "{none}: {:?}", spelled(none));
        }
    }
}
