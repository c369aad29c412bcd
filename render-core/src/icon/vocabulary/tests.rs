use super::super::Icon;
use super::*;

fn first(text: &str, code: &str) -> Option<&'static str> {
    calls(text, code).first().map(|of| packed().names[usize::from(*of)].as_str())
}

fn all_right(table: &[(&str, &str, Option<&str>)]) {
    let wrong: Vec<_> = table
        .iter()
        .filter_map(|(code, text, wanted)| {
            let found = first(text, code);
            (found != *wanted).then(|| format!("{code} {text}: {found:?}, not {wanted:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_language_has_words_and_each_is_folded() {
    assert_eq!(table().languages().count(), 36);
    for code in table().languages() {
        let dictionary = table().dictionary(code, packed()).expect(code);
        let mut count = 0;
        for (word, meaning) in dictionary.words() {
            let folded = word.split(' ').map(|part| forms::folded(part, code)).collect::<Vec<_>>().join(" ");
            assert_eq!(folded, word, "{code}");
            count += usize::from(meaning.of.is_some());
        }
        assert!(count > 500, "{code}: {count}");
    }
}

#[test]
fn the_table_names_icons_that_there_are() {
    let bytes = zstd::decode_all(ANNOTATIONS).expect("the vendored table unpacks");
    let bytes: &'static [u8] = bytes.leak();
    assert!(Table::read(bytes, packed()).is_some());
    for cut in [0, 1, 40, bytes.len() / 2, bytes.len() - 1] {
        assert!(Table::read(&bytes[..cut], packed()).is_none(), "{cut}");
    }
    assert!(Icon::all().count() > 400);
}

#[test]
fn words_are_known_in_any_of_their_forms() {
    all_right(&[
        ("en", "Candles", Some("candle")),
        ("de", "Pilze", Some("mushroom")),
        ("de", "Die Äpfel", Some("apple")),
        ("nl", "Katten", Some("cat")),
        ("nl", "De bomen", Some("tree")),
        ("sv", "Nycklarna", None),
        ("sv", "Hunden", Some("dog")),
        ("fi", "Koirat", Some("dog")),
        ("fi", "Sairaalassa", Some("hospital")),
        ("hu", "Almák", Some("apple")),
        ("tr", "Kitapları", Some("book")),
        ("pl", "Koty", Some("cat")),
        ("ru", "Собаки", Some("dog")),
        ("it", "Le chitarre", Some("guitar")),
        ("pt", "Os corações", Some("heart")),
        ("ar", "القطار", Some("trains")),
        ("ko", "자전거를", Some("bike")),
        ("xx", "Coffee", None),
    ]);
}

#[test]
fn compounds_are_what_their_last_part_is() {
    all_right(&[
        ("de", "Apfelkuchen", Some("cake")),
        ("de", "Kartoffelsuppe", Some("soup")),
        ("de", "Schlüsselbund", Some("key")),
        ("de", "Überfluss", None),
        ("de", "Autorität", None),
        ("fi", "Kahvikuppi", Some("coffee")),
    ]);
}

#[test]
fn texts_without_spaces_are_read_by_their_longest_words() {
    all_right(&[
        ("ja", "朝のコーヒー", Some("coffee")),
        ("ja", "犬の散歩", Some("dog")),
        ("ja", "日本", None),
        ("ja", "五つの習慣", Some("repeat")),
        ("ja", "クリスマスツリーの前", Some("pine")),
        ("zh", "咖啡", Some("coffee")),
        ("zh", "本来", None),
        ("th", "แมว", Some("cat")),
    ]);
}

#[test]
fn the_head_of_a_phrase_goes_first_and_general_words_call_for_nothing() {
    all_right(&[
        ("en", "Garden tools", Some("tool")),
        ("en", "Book a flight", Some("plane")),
        ("en", "Ship it", Some("ship")),
        ("fr", "Tasse de thé", Some("tea")),
        ("es", "Llave de la casa", Some("key")),
        ("en", "The right way", None),
        ("en", "One more thing", None),
        ("de", "Am Ende", None),
    ]);
}

#[test]
fn verbs_count_in_their_forms_where_nothing_else_does() {
    all_right(&[
        ("en", "Identify what is there", Some("search")),
        ("en", "Identifying gaps", Some("unlink")),
        ("en", "Measuring it", Some("chart")),
        ("en", "We decided", Some("signpost")),
        ("en", "Planning", Some("calendar-check")),
        ("en", "Improve your coffee", Some("coffee")),
        // A verb's form of a word that isn't weak is another word.
        ("en", "They fired him", None),
        ("en", "Fishing", Some("fish")),
        ("de", "Erwartungen kommunizieren", Some("chats")),
        ("de", "Eine README schreiben", Some("pen")),
        ("de", "Akzeptieren", Some("check-circle")),
        ("de", "Zeit nehmen", Some("clock")),
        ("fr", "Communiquez vos attentes", Some("chats")),
        ("fr", "Partager la charge", Some("share")),
        ("es", "Comparte la propiedad", Some("share")),
        ("es", "Eligiendo el nombre", Some("split")),
        ("it", "Comunica spesso", Some("chats")),
        ("pt", "Compartilhe", Some("share")),
        ("nl", "Verbeter", Some("growth")),
        ("sv", "Förbättra", Some("growth")),
        ("tr", "Paylaşın", Some("share")),
        ("pl", "Zidentyfikuj", Some("search")),
        ("ru", "Планируйте", Some("calendar-check")),
        ("uk", "Плануйте", Some("calendar-check")),
        ("id", "Berbagi", Some("share")),
        ("ja", "品質を改善しよう", Some("growth")),
        ("zh", "改善", Some("growth")),
        ("ko", "개선하기", Some("growth")),
        ("hi", "सीखें", Some("graduation")),
        ("ar", "شارك", Some("share")),
    ]);
}

#[test]
fn idioms_call_for_nothing() {
    all_right(&[("en", "On the other hand", None), ("en", "State of the art", None), ("en", "In terms of it", None)]);
}
