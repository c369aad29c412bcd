//! Letters as evidence of a language: the script, and letters outside its alphabet.

use std::sync::LazyLock;

use unicode_script::{Script, UnicodeScript};

use super::model::{COUNT, LANGUAGES};

/// Languages of the model that share a script, with the letters that their texts use besides a to z. Vietnamese uses
/// every Latin letter with diacritics.
const ALPHABETS: [(&str, &str); 26] = [
    ("en", ""),
    ("de", "äöüß"),
    ("fr", "àâæçéèêëîïôœùûüÿ"),
    ("es", "áéíñóúü"),
    ("pt", "áâãàçéêíóôõúü"),
    ("it", "àèéìíîòóùú"),
    ("nl", "éëïóöüèáíúê"),
    ("sv", "åäöéáàü"),
    ("nb", "æøåéèêóòôä"),
    ("da", "æøåéáíóúý"),
    ("fi", "äöåšž"),
    ("pl", "ąćęłńóśźż"),
    ("cs", "áčďéěíňóřšťúůýž"),
    ("sk", "áäčďéíĺľňóôŕšťúýž"),
    ("hu", "áéíóöőúüű"),
    ("ro", "ăâîșțşţ"),
    ("tr", "çğıiöşüâîû"),
    ("id", "é"),
    ("ms", "é"),
    ("sw", ""),
    ("tl", "ñáàâéèêíìîóòôúùû"),
    ("ru", "абвгдежзийклмнопрстуфхцчшщъыьэюяё"),
    ("uk", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    ("bg", "абвгдежзийклмнопрстуфхцчшщъьюяѝ"),
    ("ar", "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئةىـ"),
    ("fa", "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیءآأؤئةإيكىـ"),
];

/// Languages outside the model, with their script and all letters besides a to z. A text that leaves the alphabets of
/// the model's languages and keeps to one of these is in that language.
const OTHERS: [(&str, Script, &str); 14] = [
    ("et", Script::Latin, "äöõüšž"),
    ("lv", Script::Latin, "āčēģīķļņšūž"),
    ("lt", Script::Latin, "ąčęėįšųūž"),
    ("hr", Script::Latin, "čćđšž"),
    ("is", Script::Latin, "áðéíóúýþæö"),
    ("ca", Script::Latin, "àçéèíïóòúü"),
    ("az", Script::Latin, "çəğıöşü"),
    ("be", Script::Cyrillic, "абвгдеёжзійклмнопрстуўфхцчшыьэюя"),
    ("mk", Script::Cyrillic, "абвгдѓежзѕијклљмнњопрстќуфхцчџшѐѝ"),
    ("sr", Script::Cyrillic, "абвгдђежзијклљмнњопрстћуфхцчџш"),
    ("kk", Script::Cyrillic, "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя"),
    ("ur", Script::Arabic, "ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءیئےآأؤۂۃ"),
    ("ps", Script::Arabic, "ابپتټثجځچڅحخدډذرړزژږسشښصضطظعغفقکګلمنڼوهۀيېیۍئآأؤ"),
    ("ckb", Script::Arabic, "ئابپتجچحخدرڕزژسشعغفڤقکگلڵمنوۆهەیێھ"),
];

/// Scripts used by a single one of the languages that are told apart here.
const ALONE: [(Script, &str); 24] = [
    (Script::Greek, "el"),
    (Script::Hiragana, "ja"),
    (Script::Hangul, "ko"),
    (Script::Han, "zh"),
    (Script::Thai, "th"),
    (Script::Hebrew, "he"),
    (Script::Devanagari, "hi"),
    (Script::Bengali, "bn"),
    (Script::Tamil, "ta"),
    (Script::Georgian, "ka"),
    (Script::Armenian, "hy"),
    (Script::Telugu, "te"),
    (Script::Kannada, "kn"),
    (Script::Malayalam, "ml"),
    (Script::Gujarati, "gu"),
    (Script::Gurmukhi, "pa"),
    (Script::Sinhala, "si"),
    (Script::Oriya, "or"),
    (Script::Khmer, "km"),
    (Script::Lao, "lo"),
    (Script::Myanmar, "my"),
    (Script::Ethiopic, "am"),
    (Script::Tibetan, "bo"),
    (Script::Thaana, "dv"),
];

/// Returns the language of a script that only one language uses.
pub(super) fn alone(script: Script) -> Option<&'static str> {
    ALONE.iter().find(|(its, _)| *its == script).map(|(_, code)| *code)
}

/// Whether a language is written in a script, or `None` if its scripts are unknown.
pub(super) fn writes(code: &str, script: Script) -> Option<bool> {
    let code = match code {
        "nn" => "nb",
        "yue" => "zh",
        "bs" => "hr",
        "yi" => "he",
        "mr" | "ne" => "hi",
        code => code,
    };
    Some(match code {
        "ja" => matches!(script, Script::Hiragana | Script::Han),
        "ko" => matches!(script, Script::Hangul | Script::Han),
        "sr" | "az" | "kk" => matches!(script, Script::Cyrillic | Script::Latin | Script::Arabic),
        code => script == of_model(code).or_else(|| of_others(code)).or_else(|| of_alone(code))?,
    })
}

fn of_alone(code: &str) -> Option<Script> {
    ALONE.iter().find(|(_, its)| *its == code).map(|(script, _)| *script)
}

fn of_others(code: &str) -> Option<Script> {
    OTHERS.iter().find(|(its, ..)| *its == code).map(|(_, script, _)| *script)
}

/// Returns the script of a language of the model that shares its script with others of the model.
fn of_model(code: &str) -> Option<Script> {
    Some(match code {
        "ru" | "uk" | "bg" => Script::Cyrillic,
        "ar" | "fa" => Script::Arabic,
        "vi" => Script::Latin,
        code => ALPHABETS.iter().any(|(its, _)| *its == code).then_some(Script::Latin)?,
    })
}

/// Returns the columns of the model's languages that share a script.
pub(super) fn columns(script: Script) -> impl Iterator<Item = usize> {
    (0..COUNT).filter(move |column| of_model(LANGUAGES[*column]) == Some(script))
}

/// Returns the predominant script of a text and its number of letters, or `None` if there is no letter.
///
/// Names in Latin letters appear in texts of every script, so a Latin letter counts less than others. A letter for a
/// syllable or a word counts more.
pub(super) fn script(text: &str) -> Option<(Script, usize)> {
    let mut found: Vec<(Script, usize)> = Vec::new();
    let letters = text.chars().filter(|c| !c.is_numeric()).map(|c| match c {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        ' '..='\u{7f}' => Script::Common,
        c => c.script(),
    });
    for script in letters {
        let script = match script {
            Script::Common | Script::Inherited | Script::Unknown => continue,
            Script::Katakana => Script::Hiragana,
            Script::Bopomofo => Script::Han,
            script => script,
        };
        match found.iter_mut().find(|(its, _)| *its == script) {
            Some((_, count)) => *count += 1,
            None => found.push((script, 1)),
        }
    }
    // Chinese characters count as Japanese if there are more kana between them than a name would have.
    let count = |script| found.iter().find(|(its, _)| *its == script).map_or(0, |(_, count)| *count);
    let (han, kana) = (count(Script::Han), count(Script::Hiragana));
    if kana > 0 && kana * 10 >= han {
        found.retain(|(its, _)| *its != Script::Han);
        found.iter_mut().filter(|(its, _)| *its == Script::Hiragana).for_each(|(_, count)| *count += han);
    }
    let weight = |(script, count): &(Script, usize)| match script {
        Script::Latin => *count,
        Script::Han | Script::Hiragana | Script::Hangul => 8 * count,
        _ => 4 * count,
    };
    // Of equal weights, the first one wins.
    found.into_iter().rev().max_by_key(weight)
}

/// Counts of a text's letters that each language lacks.
pub(super) struct Foreign {
    /// By column of the model.
    pub model: [usize; COUNT],
    others: [usize; OTHERS.len()],
}

impl Foreign {
    /// Counts the letters of a text in composed form.
    pub(super) fn of(text: &str, script: Script) -> Self {
        let mut foreign = Self { model: [0; COUNT], others: [0; OTHERS.len()] };
        let letters = text.chars().filter(|c| !c.is_ascii() && c.is_alphabetic() && c.script() == script);
        for letter in letters.flat_map(char::to_lowercase) {
            let users = users(letter);
            let bits = |n: usize| (!users >> n & 1) as usize;
            foreign.model.iter_mut().enumerate().for_each(|(n, count)| *count += bits(n));
            foreign.others.iter_mut().enumerate().for_each(|(n, count)| *count += bits(COUNT + n));
        }
        foreign
    }

    /// Returns the language outside the model that fits a text in `script`: `left` letters are outside the alphabet
    /// of the model's likeliest language, and few are outside this one's.
    pub(super) fn other(&self, script: Script, left: usize) -> Option<&'static str> {
        let others = OTHERS.iter().zip(&self.others).filter(|((_, its, _), _)| *its == script);
        let ((code, ..), count) = others.min_by_key(|(_, count)| **count)?;
        (count * 8 <= left).then_some(*code)
    }
}

/// Returns the languages that use a letter as bits: one per column of the model, then one per other language.
fn users(letter: char) -> u64 {
    static USERS: LazyLock<Vec<(char, u64)>> = LazyLock::new(|| {
        let of_model = ALPHABETS.iter().filter_map(|(code, letters)| {
            LANGUAGES.iter().position(|its| its == code).map(|column| (column, *letters))
        });
        let of_others = OTHERS.iter().enumerate().map(|(n, (.., letters))| (COUNT + n, *letters));
        let mut all: Vec<(char, u64)> =
            of_model.chain(of_others).flat_map(|(n, letters)| letters.chars().map(move |c| (c, 1 << n))).collect();
        all.sort_unstable();
        all.chunk_by(|a, b| a.0 == b.0).map(|same| (same[0].0, same.iter().fold(0, |bits, (_, b)| bits | b))).collect()
    });
    static VIETNAMESE: LazyLock<u64> =
        LazyLock::new(|| LANGUAGES.iter().position(|code| *code == "vi").map_or(0, |column| 1 << column));
    let known = USERS.binary_search_by_key(&letter, |(c, _)| *c).map_or(0, |at| USERS[at].1);
    known | *VIETNAMESE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_of_the_model_has_a_script() {
        for (column, code) in LANGUAGES.iter().enumerate() {
            let shared = of_model(code);
            assert_eq!(shared.is_none(), of_alone(code).is_some(), "{code}");
            assert!(shared.is_none_or(|script| columns(script).any(|its| its == column)), "{code}");
        }
        let known: Vec<_> = ALPHABETS.iter().filter(|(code, _)| !LANGUAGES.contains(code)).collect();
        assert!(known.is_empty(), "{known:?}");
    }

    #[test]
    fn the_script_is_that_of_most_letters() {
        for (text, expected) in [
            ("NIKE Air Max, новинка сезона", Some(Script::Cyrillic)),
            ("Google Workspace を使う", Some(Script::Hiragana)),
            ("睡眠改善", Some(Script::Han)),
            ("睡眠の改善", Some(Script::Hiragana)),
            ("The price is 5 µg or 日 a day for all of them", Some(Script::Latin)),
            ("42 %", None),
        ] {
            assert_eq!(script(text).map(|(script, _)| script), expected, "{text}");
        }
    }

    #[test]
    fn letters_outside_an_alphabet_are_counted() {
        let foreign = Foreign::of("Żółta łódź", Script::Latin);
        let of = |code: &str| foreign.model[LANGUAGES.iter().position(|its| *its == code).unwrap()];
        assert_eq!((of("en"), of("pl"), of("vi"), of("es")), (6, 0, 0, 4));
    }
}
