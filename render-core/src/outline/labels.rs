//! The few words that are the layout's own and not the source's, in the document's language.

use crate::content::Language;

/// What the last page of a set is called.
pub(super) fn recap(language: &Language) -> &'static str {
    match language.primary() {
        "de" => "Auf einen Blick",
        "fr" => "En bref",
        "es" => "En resumen",
        "it" => "In breve",
        "pt" => "Em resumo",
        "nl" => "In het kort",
        "da" => "Kort sagt",
        "sv" => "I korthet",
        "no" | "nb" | "nn" => "Kort sagt",
        "fi" => "Lyhyesti",
        "pl" => "W skrócie",
        "cs" => "Ve zkratce",
        "sk" => "V skratke",
        "hu" => "Röviden",
        "ro" => "Pe scurt",
        "bg" => "Накратко",
        "ru" => "Коротко",
        "uk" => "Коротко",
        "sr" => "Укратко",
        "hr" | "bs" | "sl" => "Ukratko",
        "el" => "Με δυο λόγια",
        "tr" => "Kısaca",
        "ar" => "باختصار",
        "he" => "בקצרה",
        "ja" => "まとめ",
        "zh" => "要点回顾",
        "ko" => "한눈에 보기",
        _ => "Recap",
    }
}
