//! The few words that the layout adds to those of the source, in the document's language.

use crate::content::{FactKind, Language};

/// Returns the title of a set's last page.
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
        "hi" | "mr" | "ne" => "सारांश",
        "bn" => "সারাংশ",
        "ta" => "சுருக்கம்",
        "th" => "สรุป",
        "vi" => "Tóm tắt",
        "id" | "ms" => "Ringkasan",
        "tl" => "Sa madaling sabi",
        "sw" => "Kwa ufupi",
        "fa" => "خلاصه",
        "ur" => "خلاصہ",
        "ca" => "En resum",
        "et" => "Lühidalt",
        "lv" => "Īsumā",
        "lt" => "Trumpai",
        _ => "Recap",
    }
}

/// Returns the label of the true statement, where the source only labels the myth; `None` in
/// languages without one here.
pub(super) fn fact(language: &Language) -> Option<&'static str> {
    Some(match language.primary() {
        "en" => "Fact",
        "de" => "Fakt",
        "fr" => "Réalité",
        "es" => "Realidad",
        "it" => "Realtà",
        "pt" => "Realidade",
        "nl" => "Feit",
        "pl" => "Fakt",
        "ru" => "Факт",
        "uk" => "Факт",
        "sv" => "Fakta",
        "da" | "no" | "nb" => "Fakta",
        "tr" => "Gerçek",
        "ja" => "事実",
        "zh" => "事实",
        "ko" => "사실",
        "ar" => "الحقيقة",
        _ => return None,
    })
}

/// Returns the label of an announcement's fact; `None` where it needs none, or in languages without
/// labels here.
pub(super) fn fact_kind(kind: FactKind, language: &Language) -> Option<&'static str> {
    use FactKind::{Code, Date, Discount, Handle, Place, Price, Speaker, Time, Url};
    let words: [&'static str; 7] = match language.primary() {
        "en" => ["Off", "Price", "Code", "Date", "Time", "Place", "With"],
        "de" => ["Rabatt", "Preis", "Code", "Datum", "Uhrzeit", "Ort", "Mit"],
        "fr" => ["Remise", "Prix", "Code", "Date", "Heure", "Lieu", "Avec"],
        "es" => ["Descuento", "Precio", "Código", "Fecha", "Hora", "Lugar", "Con"],
        "it" => ["Sconto", "Prezzo", "Codice", "Data", "Ora", "Luogo", "Con"],
        "pt" => ["Desconto", "Preço", "Código", "Data", "Hora", "Local", "Com"],
        "nl" => ["Korting", "Prijs", "Code", "Datum", "Tijd", "Plaats", "Met"],
        "pl" => ["Rabat", "Cena", "Kod", "Data", "Godzina", "Miejsce", "Gość"],
        "ru" => ["Скидка", "Цена", "Код", "Дата", "Время", "Место", "Гость"],
        "ja" => ["割引", "価格", "コード", "日付", "時間", "場所", "ゲスト"],
        "zh" => ["优惠", "价格", "优惠码", "日期", "时间", "地点", "嘉宾"],
        "ar" => ["الخصم", "السعر", "الرمز", "التاريخ", "الوقت", "المكان", "مع"],
        _ => return None,
    };
    let at = match kind {
        Discount => 0,
        Price => 1,
        Code => 2,
        Date => 3,
        Time => 4,
        Place => 5,
        Speaker => 6,
        Url | Handle => return None,
    };
    Some(words[at])
}
