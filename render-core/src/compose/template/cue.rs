//! What the foot of a cover says before its arrow.

use crate::content::Language;

/// "Swipe" in a language; `None` where the word is not known.
pub(super) fn swipe(language: &Language) -> Option<&'static str> {
    Some(match language.primary() {
        "en" | "nl" | "da" => "Swipe",
        "de" => "Weiter",
        "fr" => "Glissez",
        "es" => "Desliza",
        "it" => "Scorri",
        "pt" => "Deslize",
        "sv" => "Svep",
        "no" | "nb" | "nn" => "Sveip",
        "fi" => "Pyyhkäise",
        "pl" => "Przesuń",
        "cs" => "Posuňte",
        "sk" => "Posuňte",
        "hu" => "Lapozz",
        "ro" => "Glisează",
        "bg" => "Плъзнете",
        "ru" => "Листайте",
        "uk" => "Гортайте",
        "el" => "Σύρετε",
        "tr" => "Kaydır",
        "ar" => "اسحب",
        "fa" => "بکشید",
        "he" => "החליקו",
        "hi" => "स्वाइप करें",
        "ja" => "スワイプ",
        "zh" => "左滑查看",
        "ko" => "넘기기",
        _ => return None,
    })
}
