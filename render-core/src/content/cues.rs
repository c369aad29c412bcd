//! Words by which an idea states its kind, and small numbers in words: nine languages in full, the most common words
//! of some others. This is keyword matching: an idea that contains none of them is a topic.

use super::idea_kind::IdeaKind;
use super::quantity;
use super::words::has;

/// Words and phrases of each kind, in lower case, separated by `|`. Earlier kinds take precedence.
const KINDS: [(IdeaKind, &str); 7] = [
    (
        IdeaKind::Hiring,
        "hiring|join our team|job opening|vacancy|vacancies|we are looking for|we're looking for|wir suchen|stellenangebot|\
         stellenanzeige|wir stellen ein|verstärkung gesucht|on recrute|nous recrutons|recrutement|offre d'emploi|\
         rejoignez notre équipe|estamos contratando|contratamos|vacante|únete a nuestro equipo|cerchiamo|assumiamo|\
         estamos contratando|vaga de emprego|vacature|wij zoeken|мы ищем|вакансия|вакансии|требуется|iş ilanı|\
         ekip arkadaşı|arıyoruz|نوظف|وظيفة|وظائف|भर्ती|नौकरी|採用|求人|招聘|诚聘|채용",
    ),
    (
        IdeaKind::Comparison,
        "vs|versus|compared to|compared with|im vergleich|comparé à|frente a|comparado con|a confronto|против|по сравнению|\
         karşı|مقابل|बनाम|对比|比較",
    ),
    (
        IdeaKind::Offer,
        "sale|discount|coupon|promo|promo code|voucher|special offer|free shipping|half price|buy one|black friday|rabatt|\
         angebot|sonderangebot|gutschein|schlussverkauf|ausverkauf|soldes|remise|réduction|code promo|rebajas|descuento|\
         oferta|cupón|saldi|sconto|offerta|desconto|promoção|korting|aanbieding|скидка|скидки|распродажа|акция|промокод|\
         indirim|kampanya|خصم|تخفيضات|छूट|セール|割引|クーポン|折扣|优惠|促销|할인",
    ),
    (
        IdeaKind::Event,
        "webinar|workshop|meetup|conference|concert|festival|open day|open house|opening night|seminar|lecture|exhibition|\
         party|live stream|livestream|save the date|join us|hackathon|summit|fundraiser|konzert|konferenz|\
         tag der offenen tür|vortrag|ausstellung|lesung|straßenfest|sommerfest|conférence|atelier|exposition|\
         portes ouvertes|conferencia|taller|exposición|concierto|conferenza|mostra|conferência|oficina|конференция|вебинар|\
         концерт|выставка|семинар|лекция|etkinlik|konser|seminer|ندوة|مؤتمر|فعالية|सम्मेलन|कार्यशाला|イベント|セミナー|\
         講演会|展覧会|研讨会|讲座|展览|音乐会|웨비나|세미나",
    ),
    (
        IdeaKind::Launch,
        "introducing|launch|launching|launches|now available|brand new|meet the new|coming soon|out now|just released|\
         jetzt neu|ab sofort erhältlich|wir stellen vor|lancement|découvrez notre nouveau|découvrez notre nouvelle|\
         lanzamiento|presentamos|lancio|presentiamo|lançamento|lancering|запуск|представляем|новинка|lansman|tanıtıyoruz|\
         نقدم لكم|إطلاق|लॉन्च|पेश है|新発売|新登場|发布|上市|출시",
    ),
    (
        IdeaKind::Milestone,
        "anniversary|milestone|birthday|celebrating|we reached|we've reached|we passed|jubiläum|meilenstein|geburtstag|\
         anniversaire|le cap des|aniversario|hito|anniversario|aniversário|jubileum|юбилей|годовщина|yıldönümü|ذكرى|\
         वर्षगांठ|周年|記念|주년",
    ),
    (
        IdeaKind::Announcement,
        "announcing|announcement|announce|we are moving|we're moving|new address|opening hours|now open|closed on|\
         closed from|important notice|wir ziehen um|ankündigung|bekanntmachung|öffnungszeiten|geschlossen|neue adresse|\
         annonce|fermeture|nouveaux horaires|nous déménageons|anuncio|aviso|cerrado|nos mudamos|nuevo horario|annuncio|\
         avviso|nuovi orari|anúncio|mededeling|gesloten|объявление|объявляем|мы переезжаем|duyuru|taşınıyoruz|إعلان|\
         सूचना|घोषणा|お知らせ|公告|通知|공지",
    ),
];

/// Returns the first kind whose words occur in `text`.
pub(super) fn kind_of(text: &str) -> Option<IdeaKind> {
    let lower = text.to_lowercase().replace('’', "'");
    KINDS.iter().find(|(_, words)| words.split('|').any(|w| stands_in(&lower, w))).map(|(kind, _)| *kind)
}

/// Maximum value of a small number.
const SMALL: f64 = 12.0;

/// Returns the value of a small number written as a word, in the language with this code.
pub(super) fn number(word: &str, code: &str) -> Option<u32> {
    let lower = word.to_lowercase();
    // "on" is ten in Turkish and no number in other languages.
    if lower == "on" {
        return (code == "tr").then_some(10);
    }
    quantity::named(&lower).filter(|n| *n <= SMALL && n.fract() == 0.0).map(|n| n as u32)
}

/// Returns the number that a word means after "step" or "reason", in the language with this code: "one", "zwei".
pub(super) fn ordinal(word: &str, code: &str) -> Option<u32> {
    const ONE: &str = "one eins un une uno una um uma een één один ένα bir egy jeden en ett yksi";
    if has(ONE, &word.to_lowercase()) { Some(1) } else { number(word, code) }
}

/// Whether `text` contains `phrase` (both in lower case) at word boundaries. In scripts without spaces, it may be
/// anywhere.
fn stands_in(text: &str, phrase: &str) -> bool {
    let spaced = phrase.chars().all(|c| !is_unspaced(c));
    text.match_indices(phrase).any(|(at, found)| {
        let before = text[..at].chars().next_back();
        let after = text[at + found.len()..].chars().next();
        !spaced || ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

/// Whether a character belongs to a script without spaces between words, or to Korean, whose particles are suffixes.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whole_and_in_any_case() {
        assert_eq!(kind_of("SUMMER SALE now"), Some(IdeaKind::Offer));
        assert_eq!(kind_of("A wholesaler’s day"), None);
        assert_eq!(kind_of("夏のセール開催中"), Some(IdeaKind::Offer));
        assert_eq!(kind_of("We’re looking for a gardener"), Some(IdeaKind::Hiring));
        assert_eq!(kind_of("Tee vs. Kaffee"), Some(IdeaKind::Comparison));
        assert_eq!(kind_of("Sleep"), None);
    }

    #[test]
    fn no_word_of_the_lists_is_unreachable() {
        for (_, words) in KINDS {
            for word in words.split('|') {
                assert!(!word.is_empty() && word == word.trim() && word == word.to_lowercase(), "{word:?}");
                assert!(stands_in(word, word));
            }
        }
        assert_eq!((number("Sieben", "de"), number("on", "tr"), number("sei", "it")), (Some(7), Some(10), Some(6)));
        assert_eq!(number("on", "en"), None);
    }
}
