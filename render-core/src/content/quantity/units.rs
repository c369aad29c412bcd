//! Units after numbers, with their dimension and size.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::super::durations;
use super::super::words::is_unspaced;

/// The dimension of a quantity, by its base unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Dimension {
    /// Seconds.
    Time,
    /// Metres.
    Length,
    /// Grams.
    Mass,
    /// Litres.
    Volume,
    /// Square metres.
    Area,
    /// Bytes.
    Data,
    /// Watts.
    Power,
    /// Metres per second.
    Speed,
    /// Percent.
    Share,
}

use Dimension::{Area, Data, Length, Mass, Power, Share, Speed, Volume};

/// Units other than those of time: dimension, size, and names in lower case, separated by `|`.
const UNITS: &[(Dimension, f64, &str)] = &[
    (
        Share,
        1.0,
        "%|％|٪|percent|per cent|prozent|pour cent|por ciento|por cento|per cento|procent|procenta|procenty|procentów|процент|\
         процента|процентов|процентам|بالمئة|بالمائة|في المئة|في المائة|パーセント|प्रतिशत|yüzde|퍼센트",
    ),
    (Share, 10.0, "割"),
    (
        Length,
        0.001,
        "mm|millimetre|millimetres|millimeter|millimeters|millimètres|milímetros|millimetri|milimetrów|ملم|مليمتر|ミリ|毫米",
    ),
    (
        Length,
        0.01,
        "cm|centimetre|centimetres|centimeter|centimeters|zentimeter|zentimetern|centimètre|centimètres|centímetro|\
         centímetros|centimetro|centimetri|centymetr|centymetry|centymetrów|сантиметров|сантиметра|سم|سنتيمتر|センチ|センチメートル|厘米|公分",
    ),
    (
        Length,
        1.0,
        "m|metre|metres|meter|meters|metern|mètre|mètres|metro|metros|metri|metr|metry|metrów|метр|метра|метров|متر|مترا|أمتار|\
         メートル|米|公尺|मीटर",
    ),
    (
        Length,
        1_000.0,
        "km|kilometre|kilometres|kilometer|kilometers|kilometern|kilomètre|kilomètres|kilómetro|kilómetros|quilómetro|\
         quilómetros|quilômetro|quilômetros|chilometro|chilometri|kilometr|kilometry|kilometrów|километр|километра|километров|\
         كم|كيلومتر|كيلومترا|كيلومترات|キロメートル|公里|千米|किलोमीटर",
    ),
    (Length, 1_609.344, "mile|miles|mi"),
    (Length, 0.3048, "foot|feet|ft"),
    (
        Mass,
        0.000_001,
        "µg|μg|mcg|ug|microgram|micrograms|mikrogramm|microgrammes|microgramos|microgrammi|microgramas|mikrogram|mikrogramy|mikrogramów|ميكروغرام|マイクログラム|微克",
    ),
    (
        Mass,
        0.001,
        "mg|milligram|milligrams|milligramm|milligrammes|miligramos|milligrammi|miligramas|miligram|miligramów|ملغ|ملليغرام|ミリグラム|毫克",
    ),
    (
        Mass,
        1.0,
        "g|gram|grams|gramm|gramme|grammes|gramo|gramos|grammo|grammi|grama|gramas|gramy|gramów|грамм|грамма|граммов|غ|غرام|غراما|グラム|克",
    ),
    (
        Mass,
        1_000.0,
        "kg|kilo|kilos|kilogram|kilograms|kilogramm|kilogramme|kilogrammes|kilogramo|kilogramos|chilo|chili|chilogrammo|\
         chilogrammi|quilo|quilos|quilograma|quilogramas|kilogramy|kilogramów|килограмм|килограмма|килограммов|كغ|كيلو|كيلوغرام|\
         كيلوغراما|كيلوجرام|キロ|キログラム|公斤|千克",
    ),
    (
        Mass,
        1_000_000.0,
        "t|ton|tons|tonne|tonnes|tonnen|tonelada|toneladas|tonnellata|tonnellate|tona|tony|ton|тонна|тонны|тонн|طن|طنا|أطنان|トン|吨",
    ),
    (
        Volume,
        0.001,
        "ml|millilitre|millilitres|milliliter|milliliters|mililitros|millilitri|mililitrów|мл|مل|ミリリットル|毫升",
    ),
    (Volume, 0.01, "cl"),
    (
        Volume,
        1.0,
        "l|litre|litres|liter|liters|litern|litro|litros|litri|litr|litry|litrów|литр|литра|литров|لتر|لترا|لترات|リットル|升",
    ),
    (Volume, 100.0, "hl"),
    (Volume, 1_000.0, "m³|m3"),
    (Area, 1.0, "m²|m2|sqm|quadratmeter|quadratmetern|平方米|平方メートル"),
    (
        Area,
        10_000.0,
        "ha|hectare|hectares|hektar|hectárea|hectáreas|ettaro|ettari|hectares|hektarów|гектаров|гектара|هكتار|هكتارا|ヘクタール|公顷",
    ),
    (Area, 1_000_000.0, "km²|km2|平方公里|平方キロメートル"),
    (Data, 1e3, "kb|ko|kilobyte|kilobytes|kilooctets"),
    (Data, 1e6, "mb|mo|megabyte|megabytes|megabajt|megabajtów|mégaoctets|ميغابايت|メガバイト"),
    (Data, 1e9, "gb|go|gigabyte|gigabytes|gigabajt|gigabajtów|gigaoctets|غيغابايت|جيجابايت|ギガバイト|吉字节"),
    (Data, 1e12, "tb|to|terabyte|terabytes|terabajt|terabajtów|téraoctets|تيرابايت|テラバイト|太字节"),
    (Data, 1.25e5, "mbit|mbits|megabit|megabits|mbps|mbit/s|ميغابت|メガビット"),
    (Data, 1.25e8, "gbit|gigabit|gigabits|gbps|gbit/s|غيغابت|ギガビット"),
    (Speed, 0.277_778, "km/h|kph|kmh|kilometres per hour|kilometers per hour|كم/س"),
    (Speed, 0.447_04, "mph|miles per hour|mi/h"),
    (Speed, 1.0, "m/s"),
    (Power, 1.0, "w|watt|watts|vatios|واط|ワット|瓦"),
    (Power, 1e3, "kw|kilowatt|kilowatts|kilovatios|كيلوواط|キロワット|千瓦"),
    (Power, 1e6, "mw|megawatt|megawatts|megavatios|ميغاواط|メガワット|兆瓦"),
    (Power, 1e9, "gw|gigawatt|gigawatts|gigavatios|غيغاواط|ギガワット|吉瓦"),
];

/// Units of time in scripts without spaces, besides those of [`durations`]. A count of days or months and a calendar
/// date are written alike and get the same value.
const SPANS: &[(f64, &str)] = &[(31_557_600.0, "年"), (2_629_800.0, "月"), (86_400.0, "日|天"), (604_800.0, "週|星期")];

/// Returns the unit at the start of `rest`, which must be in lower case, after an optional space or hyphen: its
/// dimension, its size, its end.
pub fn unit(rest: &str) -> Option<(Dimension, f64, usize)> {
    let lead: usize = rest
        .chars()
        .take(2)
        .take_while(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '-'))
        .map(char::len_utf8)
        .sum();
    let word = &rest[lead..];
    let named = BY_FIRST.get(&word.chars().next()?)?.iter();
    let best = named.filter(|(.., name)| starts_with(word, name)).max_by_key(|(.., name)| name.len());
    best.map(|(dimension, size, name)| (*dimension, *size, lead + name.len()))
}

/// A unit: its dimension, its size, one of its names.
type Unit = (Dimension, f64, &'static str);

/// All units by the first letters of their names.
static BY_FIRST: LazyLock<HashMap<char, Vec<Unit>>> = LazyLock::new(|| {
    let others = UNITS.iter().map(|(dimension, size, names)| (*dimension, *size, *names));
    let times = durations::UNITS.iter().chain(SPANS).map(|(size, names)| (Dimension::Time, *size, *names));
    let mut out: HashMap<char, Vec<Unit>> = HashMap::new();
    for (dimension, size, names) in others.chain(times) {
        for name in names.split('|') {
            out.entry(name.chars().next().unwrap_or_default()).or_default().push((dimension, size, name));
        }
    }
    out
});

/// Whether `text` begins with `name` at a word boundary.
fn starts_with(text: &str, name: &str) -> bool {
    let Some(rest) = text.strip_prefix(name) else { return false };
    let unspaced = name.chars().next_back().is_some_and(is_unspaced);
    // Arabic vowel marks may follow.
    let bare = rest.trim_start_matches(|c| matches!(c, '\u{64b}'..='\u{652}'));
    let bare = if bare.len() < rest.len() { bare.trim_start_matches('ا') } else { bare };
    let next = bare.chars().next();
    // "30 d'atelier" does not mean days.
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '/');
    unspaced || !name.ends_with(char::is_alphanumeric) || !next.is_some_and(goes_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_as_whole_words() {
        let of = |rest: &str| unit(rest).map(|(d, size, _)| (d, size));
        assert_eq!(of(" km long"), Some((Length, 1_000.0)));
        assert_eq!(of("-minute walk"), Some((Dimension::Time, 60.0)));
        assert_eq!(of("％に"), Some((Share, 1.0)));
        assert_eq!(of("キロの道"), Some((Mass, 1_000.0)));
        assert_eq!(of(" por ciento"), Some((Share, 1.0)));
        assert_eq!(of(" مترًا"), Some((Length, 1.0)));
        assert_eq!(of(" mothers"), None);
        assert_eq!(of(" people"), None);
    }
}
