//! The words before the signs in the feet of the first and the last slide of a set.

use crate::content::Language;

/// Returns "Swipe" in a language; `None` if the word is unknown.
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

/// Returns "Save" in a language, as applications call keeping a post; `None` if the word is unknown.
pub(super) fn save(language: &Language) -> Option<&'static str> {
    Some(match language.primary() {
        "en" => "Save",
        "de" => "Speichern",
        "fr" => "Enregistrer",
        "es" => "Guardar",
        "it" => "Salva",
        "pt" => "Salvar",
        "nl" => "Opslaan",
        "da" => "Gem",
        "sv" => "Spara",
        "no" | "nb" | "nn" => "Lagre",
        "fi" => "Tallenna",
        "pl" => "Zapisz",
        "cs" => "Uložit",
        "sk" => "Uložiť",
        "hu" => "Mentés",
        "ro" => "Salvează",
        "bg" => "Запази",
        "ru" => "Сохранить",
        "uk" => "Зберегти",
        "el" => "Αποθήκευση",
        "tr" => "Kaydet",
        "ar" => "احفظ",
        "fa" => "ذخیره",
        "he" => "שמירה",
        "hi" => "सेव करें",
        "ja" => "保存",
        "zh" => "收藏",
        "ko" => "저장",
        "id" | "ms" => "Simpan",
        "vi" => "Lưu",
        "th" => "บันทึก",
        _ => return None,
    })
}
