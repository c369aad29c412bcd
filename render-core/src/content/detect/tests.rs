//! Tests with sentences in all languages, similar language pairs, and arbitrary texts.

use proptest::prelude::*;

use super::*;

fn code(text: &str) -> &'static str {
    Detection::of(text).map_or("none", |found| found.code)
}

fn excludes(text: &str, code: &str) -> bool {
    Detection::of(text).is_some_and(|found| found.excludes(code))
}

/// A sentence in each language of the model.
const SENTENCES: [(&str, &str); 36] = [
    ("en", "The baker opens her shop before the sun rises"),
    ("de", "Die Bäckerin öffnet ihren Laden noch vor Sonnenaufgang"),
    ("fr", "La boulangère ouvre son magasin avant le lever du soleil"),
    ("es", "La panadera abre su tienda antes de que salga el sol"),
    ("pt", "A padeira abre a sua loja antes de o sol nascer"),
    ("it", "La fornaia apre il suo negozio prima che sorga il sole"),
    ("nl", "De bakker opent haar winkel voordat de zon opkomt"),
    ("sv", "Bagaren öppnar sin butik innan solen har gått upp"),
    ("nb", "Bakeren åpner butikken sin før solen har stått opp"),
    ("da", "Bageren åbner sin butik, før solen er stået op"),
    ("fi", "Leipuri avaa kauppansa joka aamu ennen auringon nousua"),
    ("pl", "Piekarka otwiera swój sklep jeszcze przed wschodem słońca"),
    ("cs", "Pekařka otevírá svůj obchod ještě před východem slunce"),
    ("sk", "Pekárka otvára svoj obchod ešte pred východom slnka"),
    ("hu", "A pék minden reggel napkelte előtt nyitja ki a boltját"),
    ("ro", "Brutăreasa își deschide magazinul înainte de răsăritul soarelui"),
    ("bg", "Хлебарката отваря магазина си преди да изгрее слънцето"),
    ("uk", "Пекарка відчиняє свою крамницю ще до сходу сонця"),
    ("ru", "Пекарь открывает свою лавку ещё до восхода солнца"),
    ("el", "Η φουρνάρισσα ανοίγει το μαγαζί της πριν βγει ο ήλιος"),
    ("tr", "Fırıncı her sabah güneş doğmadan önce dükkânını açar"),
    ("vi", "Người thợ làm bánh mở cửa hàng trước khi mặt trời mọc"),
    ("id", "Tukang roti itu membuka tokonya karena pelanggan bisa datang pagi"),
    ("ms", "Pembuat roti itu membuka kedainya kerana pelanggan boleh datang awal pagi"),
    ("sw", "Mwokaji hufungua duka lake kabla ya jua kuchomoza asubuhi"),
    ("tl", "Binubuksan ng panadera ang kanyang tindahan bago sumikat ang araw"),
    ("ar", "تفتح الخبازة متجرها كل صباح قبل شروق الشمس"),
    ("fa", "نانوا هر روز مغازه‌اش را پیش از طلوع آفتاب باز می‌کند"),
    ("he", "האופה פותחת את החנות שלה עוד לפני הזריחה"),
    ("hi", "बेकर हर सुबह सूरज निकलने से पहले अपनी दुकान खोलती है"),
    ("bn", "রুটিওয়ালা প্রতিদিন সূর্য ওঠার আগেই তার দোকান খোলেন"),
    ("ta", "ரொட்டி செய்பவர் சூரியன் உதிக்கும் முன் கடையைத் திறக்கிறார்"),
    ("th", "คนทำขนมปังเปิดร้านของเธอก่อนพระอาทิตย์ขึ้นทุกเช้า"),
    ("zh", "面包师每天日出之前打开她的小店"),
    ("ja", "パン屋さんは毎朝、日が昇る前に店を開けます"),
    ("ko", "제빵사는 매일 아침 해가 뜨기 전에 가게 문을 연다"),
];

#[test]
fn every_language_of_the_model_is_told() {
    for (expected, text) in SENTENCES {
        assert_eq!(code(text), expected, "{text}");
        assert!(!excludes(text, expected), "{text}");
        assert_eq!(code(&format!("{text} https://example.org/the-way-to-the-shop #bakery @baker")), expected, "{text}");
    }
    let told: Vec<_> = SENTENCES.iter().map(|(code, _)| *code).collect();
    assert_eq!(told, LANGUAGES);
}

#[test]
fn capitals_and_decomposed_letters_change_nothing() {
    for (expected, text) in SENTENCES {
        assert_eq!(code(&text.to_uppercase()), expected, "{text}");
        let apart = icu_normalizer::DecomposingNormalizerBorrowed::new_nfd().normalize(text).into_owned();
        assert_eq!(Detection::of(&apart), Detection::of(text), "{text}");
    }
}

#[test]
fn languages_that_are_alike_are_told_apart() {
    for (expected, text) in [
        ("nb", "Hva kan vi gjøre for å få flere til å sykle til jobben?"),
        ("da", "Hvad kan vi gøre for at få flere til at cykle på arbejde?"),
        ("nb", "Møtet blir flyttet til neste uke fordi noen av oss er syke"),
        ("da", "Mødet bliver flyttet til næste uge, fordi nogle af os er syge"),
        ("id", "Perusahaan itu mengatakan bahwa uang Anda bisa dikembalikan setelah tiga hari"),
        ("ms", "Syarikat itu berkata bahawa wang anda boleh dikembalikan selepas tiga hari"),
        ("cs", "Proč se schůze přesouvá až na příští týden?"),
        ("sk", "Prečo sa stretnutie presúva až na budúci týždeň?"),
        ("bg", "Защо срещата се отлага за следващата седмица?"),
        ("ru", "Почему встреча переносится на следующую неделю?"),
        ("uk", "Чому зустріч переноситься на наступний тиждень?"),
    ] {
        assert_eq!(code(text), expected, "{text}");
    }
}

#[test]
fn languages_that_the_model_lacks_are_told_by_script_or_letters() {
    for (expected, text) in [
        ("ka", "მცხობელი დილით ადრე აღებს მაღაზიას"),
        ("hy", "Հացթուխը բացում է խանութը վաղ առավոտյան"),
        ("te", "రొట్టెలు చేసే ఆమె ఉదయాన్నే దుకాణం తెరుస్తుంది"),
        ("am", "ጋጋሪዋ ሱቋን በጠዋት ትከፍታለች"),
        ("km", "អ្នកដុតនំបើកហាងនៅពេលព្រឹក"),
        ("lv", "Maizes cepēja atver savu veikalu, pirms uzlec saule, un ķeras pie mīklas"),
        ("lt", "Kepėja atidaro savo parduotuvę dar prieš saulėtekį, kai žmonės miega"),
        ("is", "Bakarinn opnar búðina sína áður en sólin kemur upp og það er kalt"),
        ("be", "Пекар адчыняе сваю краму яшчэ да ўзыходу сонца, калі ўсе спяць, і ўсміхаецца"),
        ("mk", "Ќерката на пекарот ја отвора продавницата пред да изгрее сонцето, бидејќи луѓето доаѓаат рано"),
        ("ur", "نانبائی ہر صبح سورج نکلنے سے پہلے اپنی دکان کھولتا ہے اور روٹی بیچتا ہے"),
    ] {
        assert_eq!(code(text), expected, "{text}");
    }
}

#[test]
fn brief_texts_are_english_unless_they_say_otherwise() {
    for text in ["Sale", "Summer sale", "Agenda", "Hello", "Roadmap", "Tide Lab", "Q3 results"] {
        assert_eq!(code(text), "en", "{text}");
    }
    for (expected, text) in [("de", "Über uns"), ("de", "Die Kunst der Pause"), ("pl", "Łódź"), ("fr", "À propos")]
    {
        assert_eq!(code(text), expected, "{text}");
    }
    assert_eq!(Detection::of("42 %"), None);
}

#[test]
fn a_text_is_never_sure_to_be_in_a_language_whose_alphabet_it_leaves() {
    // English words around Polish names are English by their n-grams, but not with certainty.
    let text = "The old town of Łódź and the hills near Żółkiewka are worth a trip";
    assert_eq!(code(text), "en");
    assert!(!excludes(text, "pl"));
    assert!(excludes("The old town and the hills near the river are worth a trip", "pl"));
    let polish = "Jeżeli chcesz spać dłużej, włącz łagodne światło i wyłącz telefon";
    assert!(!excludes(polish, "pl") && excludes(polish, "en") && excludes(polish, "cs"));
}

#[test]
fn nothing_is_sure_of_languages_that_the_model_lacks() {
    let english = "The keeper of the lighthouse went up the stairs every evening to light the lamp.";
    for lacking in ["ca", "hr", "af", "eu", "zu", "nn"] {
        assert!(!excludes(english, lacking), "{lacking}");
    }
    for other in ["ka", "uk", "fa", "ja", "sw", "no", "fil"] {
        assert!(excludes(english, other), "{other}");
    }
    assert!(
        !excludes("灯台守在黄昏时分登上楼梯点亮灯", "ja")
            && excludes("灯台守は毎晩、階段を上って灯りをともした。", "zh")
    );
    assert!(!excludes("मुलगी रोज सकाळी लवकर दुकान उघडते आणि पाव विकते", "mr"));
}

proptest! {
    #[test]
    fn any_text_has_one_answer(text in "\\PC{0,200}", code in "[a-z]{2}") {
        let found = Detection::of(&text);
        prop_assert_eq!(found, Detection::of(&text));
        prop_assert!(found.is_none_or(|f| f.lead >= 0.0));
        prop_assert!(found.is_none_or(|f| !f.excludes(f.code)));
        let _ = found.map(|f| f.excludes(&code));
    }

    #[test]
    fn what_stands_behind_the_sample_is_not_looked_at(unit in "[a-zа-я日 .@#-]{1,9}", tail in "\\PC{0,40}") {
        let long = unit.repeat(6_000 / unit.chars().count() + 1);
        let start: String = long.chars().take(6_000).collect();
        prop_assert_eq!(Detection::of(&format!("{start}{tail}")), Detection::of(&start));
    }
}
