//! Publication dates and reading times, in the languages of the web.

use std::sync::LazyLock;

use super::fold::{Words, folded, words};

/// Phrases of reading times. Folded.
const READING: &[&str] = &[
    "min read",
    "mins read",
    "minute read",
    "minutes read",
    "min to read",
    "minutes to read",
    "reading time",
    "read time",
    "lesezeit",
    "lesedauer",
    "min lesen",
    "minuten lesen",
    "temps de lecture",
    "min de lecture",
    "minutes de lecture",
    "tiempo de lectura",
    "min de lectura",
    "minutos de lectura",
    "tempo de leitura",
    "min de leitura",
    "tempo di lettura",
    "min di lettura",
    "minuti di lettura",
    "leestijd",
    "min lezen",
    "lästid",
    "min läsning",
    "czas czytania",
    "minut czytania",
    "minuty czytania",
    "min czytania",
    "okuma süresi",
    "dk okuma",
    "dakika okuma",
    "время чтения",
    "мин чтения",
    "минут на чтение",
    "час читання",
    "хв читання",
    "χρόνος ανάγνωσης",
    "وقت القراءة",
    "دقائق قراءة",
    "דקות קריאה",
    "मिनट में पढ़ें",
    "मिनट का समय",
    "阅读时间",
    "分钟阅读",
    "分鐘閱讀",
    "この記事は約",
    "分で読めます",
    "읽는 시간",
    "분 읽기",
];

/// The words of datelines: months, days, and labels of dates. Folded.
static DATE_WORDS: Words = LazyLock::new(|| {
    words(
        "\
    january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|\
    sep|sept|oct|nov|dec|monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thur|thurs|fri|\
    sat|sun|st|nd|rd|th|am|pm|a|p|m|utc|gmt|est|edt|et|pst|pdt|pt|cet|cest|ist|bst|posted|published|updated|modified|\
    last|first|on|at|of|and|the|by|date|time|ago|min|mins|minute|minutes|hour|hours|day|days|week|weeks|month|months|\
    year|years|read|reading|views|today|yesterday|edited|created|written|\
    januar|februar|märz|mai|juni|juli|oktober|dezember|jänner|mär|okt|dez|montag|dienstag|mittwoch|donnerstag|freitag|\
    samstag|sonnabend|sonntag|mo|di|mi|do|fr|sa|so|uhr|stand|am|um|der|vom|den|aktualisiert|veröffentlicht|vor|stunden|\
    tagen|minuten|lesezeit|zuletzt|datum|\
    janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|lundi|mardi|mercredi|jeudi|\
    vendredi|samedi|dimanche|publié|mis|mise|à|jour|le|h|heures|il|y|lecture|modifié|\
    enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|lunes|martes|miércoles|\
    jueves|viernes|sábado|domingo|publicado|actualizado|el|de|del|las|hace|horas|\
    janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|segunda|terça|quarta|quinta|sexta|feira|\
    atualizado|em|às|há|\
    gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|lunedì|martedì|mercoledì|giovedì|venerdì|\
    sabato|domenica|pubblicato|aggiornato|alle|ore|\
    januari|februari|maart|mei|augustus|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|gepubliceerd|\
    bijgewerkt|op|om|uur|publicerad|uppdaterad|den|kl|maj|augusti|måndag|tisdag|onsdag|torsdag|lördag|söndag|\
    stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|poniedziałek|\
    wtorek|środa|czwartek|piątek|sobota|niedziela|opublikowano|aktualizacja|publikacja|dnia|godz|r|\
    ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık|pazartesi|salı|çarşamba|perşembe|cuma|\
    cumartesi|pazar|güncelleme|yayınlanma|tarihi|saat|\
    января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|понедельник|вторник|среда|четверг|\
    пятница|суббота|воскресенье|опубликовано|обновлено|в|г|года|\
    січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня|понеділок|вівторок|середа|\
    четвер|пʼятниця|субота|неділя|опубліковано|оновлено|о|р|року|\
    ιανουαρίου|φεβρουαρίου|μαρτίου|απριλίου|μαΐου|ιουνίου|ιουλίου|αυγούστου|σεπτεμβρίου|οκτωβρίου|νοεμβρίου|δεκεμβρίου|\
    δευτέρα|τρίτη|τετάρτη|πέμπτη|παρασκευή|σάββατο|κυριακή|\
    يناير|فبراير|مارس|أبريل|ابريل|مايو|يونيو|يوليو|أغسطس|اغسطس|سبتمبر|أكتوبر|اكتوبر|نوفمبر|ديسمبر|الأحد|الاثنين|الإثنين|\
    الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|نشر|آخر|تحديث|في|الساعة|م|ص|\
    בינואר|בפברואר|במרץ|באפריל|במאי|ביוני|ביולי|באוגוסט|בספטמבר|באוקטובר|בנובמבר|בדצמבר|פורסם|עודכן|ב|יום|ראשון|שני|שלישי|\
    רביעי|חמישי|שישי|שבת|\
    जनवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|अक्टूबर|नवंबर|दिसंबर|सोमवार|मंगलवार|बुधवार|गुरुवार|शुक्रवार|शनिवार|रविवार|\
    प्रकाशित|अपडेटेड|को|बजे",
    )
});

/// Words among them that also measure durations.
const UNITS: &[&str] = &[
    "min", "mins", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks", "month", "months", "year",
    "years", "minuten", "stunden", "heures", "horas", "ore", "uur", "saat", "the", "and",
];

/// Characters of the longest dateline.
const DATELINE: usize = 110;

/// Returns whether a line states a reading time: "5 min read". `folded` is the same line, folded.
pub(super) fn is_reading_time(line: &str, folded: &str) -> bool {
    line.chars().count() <= 60 && line.chars().any(char::is_numeric) && READING.iter().any(|r| folded.contains(r))
}

/// Returns whether a line states when a page was published, and hardly more.
pub(super) fn is_dateline(line: &str) -> bool {
    if line.chars().count() > DATELINE || !line.chars().any(char::is_numeric) {
        return false;
    }
    if line.contains(['年', '년']) && line.contains(['月', '월']) {
        let other = |c: &char| c.is_alphabetic() && !"年月日时時分秒년월일시분초午前後上下".contains(*c);
        return line.chars().filter(other).count() <= 8 && !line.ends_with(['。', '！', '？']);
    }
    if line.trim_end().ends_with(['!', '?', '。', '।']) {
        return false;
    }
    if ["配信", "更新", "公開", "発表", "发布", "發布", "입력", "수정"].iter().any(|e| line.trim_end().ends_with(e))
    {
        return true;
    }
    let folded = folded(line);
    let mut other = 0;
    let mut months = 0;
    let mut numbers = 0;
    for word in folded.split(' ') {
        let bare = word.trim_end_matches(char::is_alphabetic);
        if word.chars().all(char::is_numeric) || (!bare.is_empty() && word.len() - bare.len() <= 2) {
            numbers += 1;
        } else if DATE_WORDS.contains(word) {
            months += usize::from(word.chars().count() > 2 && !UNITS.contains(&word));
        } else {
            other += 1;
        }
    }
    // "09.11.2026, 12:46", "9 November 2026".
    numbers >= 1 && (months >= 1 || numbers >= 3 || is_clock(line)) && other <= 2 && other <= months + numbers / 2
}

/// Returns whether a line is a time of day: "14:10".
fn is_clock(line: &str) -> bool {
    line.split([':', '.', 'h']).count() == 2 && line.chars().filter(|c| !c.is_whitespace()).count() <= 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datelines_are_told_from_sentences() {
        for line in [
            "9 November 2026",
            "Monday, November 9, 2026 at 12:46 p.m.",
            "Published Nov. 9, 2026, 10:00 PM UTC / Updated Nov. 10, 2026, 8:05 AM UTC",
            "09.11.2026 12:46",
            "11.09.26",
            "Stand: 9. November 2026, 12:46 Uhr",
            "Publié le 9 novembre 2026 à 12h46",
            "9 de noviembre de 2026 · Actualizado a las 12:46",
            "9 novembre 2026, ore 12:46",
            "9 listopada 2026, 12:46",
            "9 Kasım 2026, Pazartesi",
            "9 ноября 2026, 12:46",
            "9 نوفمبر 2026",
            "9 नवंबर 2026",
            "2026年11月9日 12:46",
            "2026년 11월 9일",
            "3 hours ago",
            "14:10",
            "Tidewater 11/9(月) 18:45配信",
        ] {
            assert!(is_dateline(line), "{line}");
        }
        for line in [
            "The mill was built in May 1904.",
            "In 2026 the pier opened",
            "Spring tides, 2026",
            "200 g flour",
            "15 – 30 min",
            "3 of 10 boats",
            "Version 4.2",
            "May you live long",
            "",
        ] {
            assert!(!is_dateline(line), "{line}");
        }
        for (line, told) in [
            ("5 min read", true),
            ("Lesezeit: 5 Minuten", true),
            ("阅读时间 5 分钟", true),
            ("We read for 5 hours.", false),
        ] {
            assert_eq!(is_reading_time(line, &folded(line)), told, "{line}");
        }
    }
}
