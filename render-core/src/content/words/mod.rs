//! Word lists per language. They suffice to rank, to shorten and to recognise text, but not to understand it.
//!
//! A text in a language without an entry is read by its structure alone.

mod asia;
pub(super) mod boiler;
pub(super) mod common;
mod europe;
mod phrases;
pub(super) mod terms;

use std::collections::HashMap;
use std::sync::LazyLock;

use memchr::memmem;
use unicode_script::{Script, UnicodeScript};

pub(crate) use self::phrases::Phrases;

/// Word lists of a language. The entries of each list are separated by `|` or by white space, as stated per field.
pub(crate) struct Words {
    /// BCP 47 primary subtag.
    pub code: &'static str,
    /// Function words, which do not indicate the topic of a sentence. Lower case, separated by white space.
    pub function: &'static str,
    /// Openers that a sentence can lose together with the comma after them, separated by `|`.
    pub openers: &'static str,
    /// First words that refer back to a previous sentence, separated by white space.
    pub pointing: &'static str,
    /// Words that negate a sentence, separated by white space. Text that contains one is never cut.
    pub negation: &'static str,
    /// Words of conditions, limits and contrasts, separated by `|`. Text that contains one is not removed, and
    /// nothing is removed from a sentence that contains one.
    pub conditions: &'static str,
    /// Words that compare an amount with a limit ("under", "at least", "from"), separated by `|`. A clause that
    /// contains one qualifies the rest of its sentence.
    pub limits: &'static str,
    /// Prepositions that can be removed together with the figure after them and leave a complete sentence ("rose by
    /// 31 %"), separated by white space.
    pub before_figure: &'static str,
    /// First words of dispensable clauses after a comma, separated by white space.
    pub trailing: &'static str,
    /// Phrases that introduce the source of a figure, separated by `|`.
    pub according: &'static str,
    /// Verbs of saying that attribute a quotation, separated by white space.
    pub saying: &'static str,
    /// Imperatives that open a call to action, separated by `|`. In a language with final verbs they close it.
    pub calls: &'static str,
    /// Words before the number in numbered headings ("Step 3"), separated by white space. Words for steps come first,
    /// the others follow after a `|`.
    pub numbered: &'static str,
    /// Headings that make no point of their own, separated by `|`. Only their content counts.
    pub openings: &'static str,
    /// Headings of closing sections, which repeat earlier content, separated by `|`.
    pub closings: &'static str,
    /// Headings of apparatus that isn't read, separated by `|`.
    pub apparatus: &'static str,
    /// Abbreviations whose period ends no sentence. Lower case, separated by white space.
    pub abbreviations: &'static str,
    /// The "in" of "three in four", separated by white space.
    pub of_many: &'static str,
    /// Units and counted things that make a number a figure, separated by white space.
    pub units: &'static str,
    /// Words for powers of ten as `word=exponent`, separated by white space.
    pub powers: &'static str,
}

fn all() -> impl Iterator<Item = &'static Words> {
    europe::ALL.iter().chain(&asia::ALL)
}

/// Boilerplate at the top and bottom of press releases, in any language, separated by `|`.
pub(crate) const FURNITURE: &str = "press release|for immediate release|embargo|press contact|media contact|\
    notes to editors|pressemitteilung|medienmitteilung|presseinformation|sperrfrist|pressekontakt|bildmaterial|\
    communiqué de presse|contact presse|sous embargo|nota de prensa|contacto de prensa|comunicato stampa|\
    contatto stampa|nota à imprensa|contacto de imprensa|persbericht|perscontact|пресс-релиз|контакт для прессы|\
    δελτίο τύπου|basın bülteni|basın irtibatı|بيان صحفي|للتواصل الإعلامي|प्रेस विज्ञप्ति|プレスリリース|報道関係者各位|\
    新闻稿|媒体联系";

/// Words that make an exception, in any language, separated by `|`.
const EXCEPTIONS: &str = "exception|exceptions|excluded|excludes|exclusion|exclusions|not included|terms apply|\
    conditions apply|ausnahme|ausnahmen|ausgeschlossen|exclu|exclus|exclue|exclues|excepción|excepciones|excluido|excluidos|\
    excluida|excluidas|eccezione|eccezioni|escluso|esclusi|esclusa|escluse|exceção|exceções|excluído|excluídos|excluída|\
    excluídas|uitzondering|uitzonderingen|uitgesloten|исключение|исключения|исключением|исключены|εξαίρεση|εξαιρέσεις|\
    εξαιρείται|εξαιρούνται|istisna|istisnalar|استثناء|استثناءات|مستثنى|अपवाद|例外|対象外|除外|不包括|不含|예외|제외|wyjątek|wyjątki|\
    wyjątkiem|undantag|undantaget|undtagelse|undtagelser|unntak|poikkeus|poikkeukset|výjimka|výjimky|výjimkou|výnimka|\
    výnimky|výnimkou|kivétel|kivételek|excepție|excepții|excepția|izuzetak|iznimka|виняток|винятки|изключение|изключения";

/// Whether `text` makes an exception, in any language.
pub(super) fn makes_exception(text: &str) -> bool {
    holds(EXCEPTIONS, text)
}

/// Whether `text` opens with an exception, in any language.
pub(super) fn opens_exception(text: &str) -> bool {
    opens_with(EXCEPTIONS, text)
}

/// Words that open an informal message, in any language, separated by `|`.
pub(crate) const GREETINGS: &str = "ok so|okay so|ok|so|hey|hi|hello|hi all|hey all|hi everyone|dear|fyi|btw|heads up|quick recap|\
    quick update|good morning|morning|hallo|hi zusammen|hallo zusammen|moin|liebe|lieber|salut|bonjour|coucou|hola|buenas|\
    buenos días|ciao|buongiorno|olá|oi|hoi|hej|cześć|merhaba|selam|привет|всем привет|здравствуйте|γεια|مرحبا|أهلا|السلام عليكم|\
    سلام|नमस्ते|こんにちは|お疲れさまです|大家好|你好|各位|안녕하세요";

/// Weekdays and seasons, in any language, separated by white space.
const TIMES: &str = "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun \
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so \
    lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim \
    lunes martes miércoles jueves viernes sábado domingo mié jue vie sáb dom \
    lunedì martedì mercoledì giovedì venerdì sabato domenica gio sab \
    segunda terça quarta quinta sexta \
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo \
    понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс \
    δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή \
    pazartesi salı çarşamba perşembe cuma cumartesi pazar \
    الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार \
    月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 月 火 水 木 金 土 日 周一 周二 周三 周四 周五 周六 周日 \
    spring summer autumn fall winter frühling frühjahr sommer herbst printemps été automne hiver primavera verano otoño \
    invierno estate autunno inverno verão outono lente zomer herfst весна лето осень зима 春 夏 秋 冬";

/// Whether a word in lower case names a month, a weekday or a season in some language.
pub(crate) fn names_time(word: &str) -> bool {
    terms::months().any(|month| month == word) || has(TIMES, word)
}

/// Words for cycles, in any language, separated by `|`.
const CYCLES: &str = "cycle|cycles|cyclical|loop|loops|feedback loop|kreislauf|kreislaufs|zyklus|schleife|boucle|\
    cycle de vie|ciclo|ciclos|bucle|ciclicità|cyclus|kringloop|cykl|pętla|цикл|круговорот|κύκλος|döngü|döngüsü|دورة|चक्र|\
    循環|サイクル|循环|周而复始|순환";

/// Words of a last step that returns to the first, in any language, separated by `|`.
const RETURNS: &str = "again|repeat|repeats|back to the start|start over|from the top|von vorn|von vorne|wiederholen|\
    wiederhole|von neuem|wieder|recommencer|recommencez|répétez|répéter|vuelta a empezar|repetir|repite|repita|ripeti|\
    ripetere|da capo|recomeçar|repetir|opnieuw|herhaal|od nowa|powtórz|снова|заново|повторить|повторите|ξανά|επανάληψη|\
    tekrar|yeniden|من جديد|كرر|फिर से|दोहराएँ|繰り返す|くり返す|重复|반복";

/// Whether `text` names a cycle.
pub(crate) fn is_cycle(text: &str) -> bool {
    holds(CYCLES, text)
}

/// Whether `text`, as the last of several steps, says that they start over.
pub(crate) fn is_return(text: &str) -> bool {
    holds(CYCLES, text) || holds(RETURNS, text)
}

/// Whether `text` contains one of the phrases of a `|`-separated list at word boundaries. In scripts without spaces,
/// the phrase may be anywhere.
pub(crate) fn holds(list: &str, text: &str) -> bool {
    let lower = lowered(text);
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_unspaced(c));
    list.split('|').filter(|phrase| !phrase.is_empty()).any(|phrase| {
        lower.match_indices(phrase).any(|(at, found)| {
            let (before, after) = (lower[..at].chars().next_back(), lower[at + found.len()..].chars().next());
            !(is_letter(before) || is_letter(after))
        })
    })
}

/// Characters at the start of a text in which an opening phrase is looked for. No list has a longer phrase.
const OPENING: usize = 80;

/// Whether `text` opens with one of the phrases of a `|`-separated list that ends at a word boundary. In scripts
/// without spaces, any text may follow.
pub(crate) fn opens_with(list: &str, text: &str) -> bool {
    let front = text.char_indices().nth(OPENING).map_or(text, |(end, _)| &text[..end]);
    let lower = lowered(front);
    let is_letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let opens = |phrase: &str| lower.strip_prefix(phrase).is_some_and(|rest| !rest.starts_with(is_letter));
    list.split('|').filter(|phrase| !phrase.is_empty()).any(opens)
}

/// Returns the text in lower case, with the Turkish dotted "i" as a single character.
fn lowered(text: &str) -> String {
    let mut lower = text.to_lowercase();
    if text.contains('İ') {
        lower.retain(|c| c != '\u{307}');
    }
    lower
}

/// Returns the entry of a language by its primary subtag, or the fallback entry if the language has none.
pub(crate) fn of(code: &str) -> &'static Words {
    all().find(|w| w.code == code).unwrap_or(&NONE)
}

/// Returns `text` in lower case, except for the few letters whose lower case has a different byte length, so that
/// offsets into one are valid in the other.
pub(crate) fn lower_in_place(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let before = out.len();
        out.extend(c.to_lowercase());
        if out.len() - before != c.len_utf8() {
            out.truncate(before);
            out.push(c);
        }
    }
    out
}

/// Whether a list separated by white space contains `word` (lower case).
pub(crate) fn has(list: &str, word: &str) -> bool {
    lists(list, b' ', word)
}

/// Whether `word` is a function word of a language, even with punctuation around it or contracted ("it’s", "d’une").
/// Always `false` in a language without lists.
pub(crate) fn is_function(code: &str, word: &str) -> bool {
    let lower = word.to_lowercase();
    let bare = lower.trim_matches(|c: char| !c.is_alphanumeric());
    let list = of(code).function;
    let parts = || bare.split(['’', '\'']);
    // The rest of a contraction is one or two letters.
    let part = |part: &str| has(list, part) || part.strip_suffix('n').is_some_and(|verb| has(list, verb));
    let rest = |part: &str| part.chars().count() <= 2;
    has(list, bare)
        || !list.is_empty() && bare.contains(['’', '\'']) && parts().all(|p| part(p) || rest(p)) && parts().any(part)
}

/// Whether a `|`-separated list contains `phrase`, ignoring case.
pub(crate) fn has_phrase(list: &str, phrase: &str) -> bool {
    let phrase = phrase.trim().to_lowercase();
    is_one_of(list, &phrase)
}

/// Whether a `|`-separated list contains `entry`.
pub(crate) fn is_one_of(list: &str, entry: &str) -> bool {
    lists(list, b'|', entry)
}

/// Whether a list contains `entry` between two separators. Lists have hundreds of entries and are queried for every
/// word of a text, so they are searched in place rather than split.
fn lists(list: &str, by: u8, entry: &str) -> bool {
    let list = list.as_bytes();
    let bounds = |at: usize| {
        at.checked_sub(1).is_none_or(|i| list[i] == by) && list.get(at + entry.len()).is_none_or(|b| *b == by)
    };
    !entry.is_empty() && !entry.as_bytes().contains(&by) && memmem::find_iter(list, entry).any(bounds)
}

/// Whether `text` opens with an imperative verb, in any language.
pub(crate) fn is_imperative(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphabetic() && c != '’' && c != '\'').find(|w| !w.is_empty());
    first.is_some_and(|w| all().any(|l| has_phrase(l.calls, w)))
}

/// Returns the power of ten that a word stands for in any language: 6 for "million". A single letter counts only as a
/// capital, except "k": "m" alone is a metre.
pub(crate) fn power(word: &str) -> Option<i32> {
    if word.is_empty() || word.chars().count() == 1 && !word.chars().all(|c| c.is_uppercase() || c == 'k') {
        return None;
    }
    let lower = word.to_lowercase();
    POWERS.get(lower.as_str()).copied()
}

/// Returns the longest power of ten at the start of a text written without spaces, and its byte length.
pub(crate) fn power_at(text: &str) -> Option<(i32, usize)> {
    let opens = POWERS.iter().filter(|(w, _)| text.starts_with(**w));
    opens.max_by_key(|(w, _)| w.len()).map(|(w, exponent)| (*exponent, w.len()))
}

/// Returns the number of characters of the longest word for a power of ten. Lower case never has fewer characters.
pub(crate) fn longest_power() -> usize {
    static LONGEST: LazyLock<usize> =
        LazyLock::new(|| POWERS.keys().map(|word| word.chars().count()).max().unwrap_or(0));
    *LONGEST
}

/// Powers of ten of languages that have no entry here, in the same format.
const OTHER_POWERS: &str = "tysiąc=3 tysiące=3 tysięcy=3 tys=3 milion=6 miliony=6 milionów=6 mln=6 miliard=9 miliardy=9 miliardów=9 \
    тисяча=3 тисячі=3 тисяч=3 тис=3 мільйон=6 мільйона=6 мільйонів=6 мільярд=9 мільярдів=9 tisíc=3 tisíce=3 milionů=6 \
    miliarda=9 miliard=9 tusen=3 miljon=6 miljoner=6 miljarder=9 tusind=3 millioner=6 milliarder=9 tuhat=3 tuhatta=3 \
    miljoona=6 miljoonaa=6 miljardi=9 miljardia=9 ezer=3 millió=6 milliárd=9 mii=3 milioane=6 miliarde=9 ribu=3 juta=6 \
    miliar=9 triliun=12 nghìn=3 ngàn=3 triệu=6 tỷ=9 tỉ=9";

/// Words for powers of ten in any language. If two languages disagree on a word, the first one counts.
static POWERS: LazyLock<HashMap<&'static str, i32>> = LazyLock::new(|| {
    let mut out = HashMap::new();
    let others = OTHER_POWERS.split_whitespace();
    for (word, exponent) in
        all().flat_map(|l| l.powers.split_whitespace()).chain(others).filter_map(|p| p.split_once('='))
    {
        if let Ok(exponent) = exponent.parse() {
            out.entry(word).or_insert(exponent);
        }
    }
    out
});

/// Whether a character belongs to a script without spaces between words.
pub(crate) fn is_unspaced(c: char) -> bool {
    // All such scripts start at or after Thai.
    c >= '\u{e00}'
        && (matches!(
            c.script(),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
        ) || c == 'ー')
}

/// Whether a character is a combining mark.
pub(crate) fn is_mark(c: char) -> bool {
    !c.is_alphanumeric()
        && matches!(c.script(), Script::Inherited | Script::Devanagari | Script::Arabic | Script::Bengali)
}

const NONE: Words = Words {
    code: "",
    function: "",
    openers: "",
    pointing: "",
    negation: "",
    // Openers of contrasting sentences in some languages that have no lists.
    conditions: "다만|단|하지만|그러나|oprócz|chyba że|jednak|ale|tylko|nie|utom|men|dock|endast|bara|om inte|inte|undtagen|dog|kun|\
        ikke|unntatt|paitsi|mutta|vain|ei|kromě|pouze|okrem|iba|kivéve|csak|nem|doar|însă|osim|samo|крім|тільки|лише|освен",
    limits: "",
    before_figure: "",
    trailing: "",
    according: "",
    saying: "",
    calls: "",
    numbered: "",
    openings: "",
    closings: "",
    apparatus: "",
    abbreviations: "",
    of_many: "",
    units: "kg g mg km m cm mm km/h kwh kw mw gb mb tb min h s ml l ha °c °f",
    powers: "",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_told_in_any_language() {
        for text in ["The water cycle", "Ein Kreislauf ohne Ende", "水の循環", "دورة الماء"] {
            assert!(is_cycle(text), "{text}");
        }
        for text in ["A bicycle shop", "Loopholes", "Never lose a file again", "Three steps to a calm desk"] {
            assert!(!is_cycle(text), "{text}");
        }
        assert!(is_return("Check, then start over") && is_return("दोहराएँ") && !is_return("Against the grain"));
    }

    #[test]
    fn function_words_are_told_from_others() {
        for (code, word) in [
            ("en", "into"),
            ("en", "What"),
            ("en", "before"),
            ("en", "it’s"),
            ("en", "Don’t"),
            ("de", "über"),
            ("fr", "d’une"),
        ] {
            assert!(is_function(code, word), "{word}");
        }
        for (code, word) in [("en", "soil"), ("en", "writer’s"), ("fr", "l’eau"), ("xx", "into"), ("en", "")] {
            assert!(!is_function(code, word), "{word}");
        }
    }

    #[test]
    fn imperatives_are_told_by_their_first_word() {
        assert!(is_imperative("Bring a coat") && is_imperative("Lies das Kleingedruckte"));
        assert!(!is_imperative("A coat") && !is_imperative(""));
    }
}
