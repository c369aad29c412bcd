//! Every fault in a creation's body has its own code, and one response reports all of them.

use base64::Engine;
use fleet::files::FileKind;
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::http::error::DETAILS;

const CEILINGS: Ceilings = Ceilings { text_chars: 200_000, images: 100, translates: false };

/// The id of an upload.
const ID: &str = "0192a0c4-0000-7000-8000-000000000000";

/// Text that language detection reliably identifies as English.
const ENGLISH: &str = "The keeper of the lighthouse went up the stairs every evening to light the lamp.";

fn read_value(value: &Value) -> Result<Creation, ApiError> {
    read(value.as_object().unwrap(), CEILINGS, &Guard::default())
}

/// A valid body with some fields replaced.
fn with(fields: &Value) -> Value {
    let mut body = json!({"inputType": "text", "inputContent": "A fox.", "outputFormats": ["instagram_post"]});
    for (name, value) in fields.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

fn details(value: &Value) -> Vec<(String, &'static str)> {
    match read_value(value) {
        Err(ApiError::Invalid(details)) => details.into_iter().map(|d| (d.field, d.code)).collect(),
        other => panic!("{value}: {other:?}"),
    }
}

#[test]
fn what_another_type_of_input_has_is_ignored_but_well_formed() {
    let ignored = with(&json!({"inputUrl": "", "fileId": "x", "inputFile": "", "inputFileUrl": null}));
    let warned = read_value(&ignored).unwrap().warnings.into_iter().map(|w| w.code).collect::<Vec<_>>();
    assert_eq!(warned, [WarningCode::UnknownField; 3]);
    let long = "x".repeat(2_049);
    let wrong = with(&json!({"inputUrl": 7, "inputFileUrl": long, "fileId": {}, "inputFile": true}));
    let fields = ["inputUrl", "inputFileUrl", "inputFile", "fileId"];
    assert_eq!(details(&wrong), fields.map(|f| (f.to_owned(), "invalid_value")));
    let content = json!({"inputType": "url", "inputUrl": "https://example.org", "inputContent": "x".repeat(200_001)});
    assert_eq!(details(&with(&content)), [("inputContent".to_owned(), "content_too_long")]);
}

#[test]
fn wishes_are_read_and_a_warning_says_where_they_have_no_effect() {
    let wishes = json!({"audience": " managers ", "goal": "try it", "tone": "dry"});
    let read_with = |fields: &Value, translates: bool| {
        let ceilings = Ceilings { translates, ..CEILINGS };
        read(with(fields).as_object().unwrap(), ceilings, &Guard::default()).unwrap()
    };
    let written = read_with(&wishes, true);
    assert_eq!(written.wishes.audience.as_deref(), Some("managers"));
    assert_eq!((written.wishes.goal.as_deref(), written.wishes.tone.as_deref()), (Some("try it"), Some("dry")));
    assert!(written.warnings.is_empty(), "{:?}", written.warnings);
    let codes = |creation: Creation| creation.warnings.into_iter().map(|w| w.code).collect::<Vec<_>>();
    assert_eq!(codes(read_with(&wishes, false)), [WarningCode::CopywriterUnavailable]);
    let mut exact = wishes.clone();
    exact["useExactContent"] = json!(true);
    assert_eq!(codes(read_with(&exact, true)), [WarningCode::CopywriterUnavailable]);
    assert!(read_with(&json!({"audience": null}), false).warnings.is_empty());
    let wrong = json!({"audience": "x".repeat(301), "goal": 7, "tone": "x".repeat(201)});
    assert_eq!(details(&with(&wrong)).len(), 3);
}

#[test]
fn a_carousel_without_a_count_gets_the_default() {
    for counts in [json!({}), json!(null), json!({"linkedin_carousel": null})] {
        let body = with(&json!({"outputFormats": ["linkedin_carousel"], "carouselCounts": counts}));
        let creation = read_value(&body).unwrap();
        assert_eq!(creation.formats, [("linkedin_carousel".to_owned(), Some(5))]);
        assert_eq!(creation.defaulted, ["linkedin_carousel"]);
    }
    for format in Format::all().iter().filter(|f| f.carousel) {
        let body = with(&json!({"outputFormats": [format.id.as_str()]}));
        let bounds = format.slides.unwrap();
        let slides = read_value(&body).unwrap().formats[0].1.unwrap();
        assert_eq!(slides, 5.clamp(bounds.min, bounds.max), "{}", format.id);
        assert_eq!(bounds.min, 1, "{}", format.id);
    }
}

#[test]
fn a_whole_body_is_read() {
    let creation = read_value(&with(&json!({
        "outputFormats": ["instagram_post", "linkedin_carousel"],
        "carouselCounts": {"linkedin_carousel": 3.0},
        "visualStyle": "elegant", "language": "de", "resolution": "4K", "title": " T ", "seed": 7,
        "imageFormat": "webp", "maxCredits": 55, "useExactContent": false, "brandId": null,
    })))
    .unwrap();
    assert_eq!(creation.formats, [("instagram_post".into(), None), ("linkedin_carousel".into(), Some(3))]);
    let outputs: Vec<_> = creation.outputs.iter().map(|o| (o.slide, o.width, o.height, o.cost)).collect();
    let slide = |n| (Some(n), 4096, 4096, 15);
    assert_eq!(outputs, [(None, 3276, 4096, 10), slide(0), slide(1), slide(2)]);
    assert_eq!(creation.cost(), 55);
    assert_eq!((creation.title.as_deref(), creation.style.as_deref()), (Some("T"), Some("elegant")));
    assert_eq!((creation.seed, creation.max_credits), (Some(7), Some(55)));
    assert_eq!((creation.resolution, creation.image_format), (Resolution::FourK, ImageFormat::Webp));
    assert_eq!(creation.warnings, []);
}

#[test]
fn what_is_left_out_has_its_default() {
    let creation = read_value(&with(&json!({}))).unwrap();
    assert_eq!((creation.resolution, creation.image_format), (Resolution::TwoK, ImageFormat::Png));
    assert_eq!(creation.seed, None);
    assert_eq!((creation.style, creation.language, creation.title, creation.max_credits), (None, None, None, None));
}

#[test]
fn an_exact_size_is_the_platforms_own() {
    let sizes = |fields: Value| -> Vec<(u32, u32)> {
        let creation = read_value(&with(&fields)).unwrap();
        creation.outputs.iter().map(|o| (o.width, o.height)).collect()
    };
    let formats = json!(["ad_mpu", "ad_leaderboard_728x90", "meta_carousel_ad"]);
    let asked = |exact: Value, resolution: Value| {
        sizes(json!({
            "outputFormats": formats, "carouselCounts": {"meta_carousel_ad": 2},
            "exactSize": exact, "resolution": resolution,
        }))
    };
    let exact = [(300, 250), (728, 90), (1080, 1080), (1080, 1080)];
    assert_eq!(asked(json!(true), Value::Null), exact);
    assert_eq!(asked(json!(true), json!("2K")), exact);
    let upscaled = [(2048, 1706), (2048, 254), (2048, 2048), (2048, 2048)];
    assert_eq!(asked(json!(false), Value::Null), upscaled);
    assert_eq!(asked(Value::Null, json!("2K")), upscaled);
    let both = details(&with(&json!({"exactSize": true, "resolution": "4K"})));
    assert_eq!(both, [("exactSize".to_owned(), "invalid_value")]);
}

#[test]
fn an_idea_is_read_as_a_text_is() {
    let creation = read_value(&with(&json!({"inputType": "idea", "inputContent": "5 tips for better sleep"}))).unwrap();
    assert_eq!(creation.input, Input::Idea("5 tips for better sleep".into()));
    assert!(read_value(&with(&json!({"inputType": "idea", "inputContent": "é".repeat(2_000)}))).is_ok());
}

#[test]
fn a_file_is_given_in_one_of_four_ways() {
    let of = |fields: Value| {
        let creation = read_value(&with(&fields)).unwrap();
        (creation.input, creation.warnings.len())
    };
    // A field of another input type is ignored with a warning.
    for file in ["JVBERi0xLjc=", "JVBERi0xLjc", "data:application/pdf;base64,JVBERi0xLjc="] {
        let given = of(json!({"inputType": "pdf", "inputFile": file}));
        assert_eq!(given, (Input::File(b"%PDF-1.7".as_slice().into(), FileKind::Pdf), 1), "{file}");
    }
    let url = "https://example.org/a.pdf";
    for field in ["inputUrl", "inputFileUrl"] {
        let given = of(json!({"inputType": "pdf", field: url})).0;
        assert_eq!((given.field(), given), (field, Input::FileUrl(url.into(), field)));
    }
    assert_eq!(of(json!({"inputType": "pdf", "fileId": ID})).0, Input::Upload(ID.parse().unwrap()));
}

#[test]
fn the_kind_of_a_file_is_told_by_its_bytes_and_its_media_type() {
    let sent = |head: &str, file: &[u8]| {
        let file = format!("{head}{}", base64::prelude::BASE64_STANDARD.encode(file));
        read_value(&with(&json!({"inputType": "pdf", "inputFile": file})))
    };
    let ports = b"port,range\nBrest,6\n";
    for (head, file, kind) in [
        ("", &ports[..], FileKind::Text),
        ("data:text/csv;base64,", ports, FileKind::Csv),
        ("data:text/markdown;charset=utf-8;base64,", b"# Tides", FileKind::Markdown),
        ("", b"<!doctype html><p>Tides", FileKind::Html),
        ("data:text/csv;base64,", b"%PDF-1.7", FileKind::Pdf),
    ] {
        assert_eq!(sent(head, file).unwrap().input, Input::File(file.to_vec().into(), kind), "{head}");
    }
    for (head, file) in
        [("", &b"\x89PNG\r\n\x1a\n\0"[..]), ("", b"PK\x03\x04"), ("data:application/pdf;base64,", ports), ("", b" ")]
    {
        let Err(ApiError::Invalid(faults)) = sent(head, file) else { panic!("{head} {file:?} is taken") };
        assert_eq!((faults.len(), faults[0].code), (1, "invalid_value"));
        assert!(faults[0].message.contains("empty") || faults[0].message.contains("DOCX"), "{}", faults[0].message);
    }
}

#[test]
fn the_language_named_is_taken_whatever_the_words_read_as() {
    let polish = "Jeżeli chcesz spać dłużej, włącz łagodne światło i wyłącz telefon";
    let russian = "Смотритель маяка поднимался по лестнице";
    for (content, language) in [(ENGLISH, "de"), ("Sale", "de"), (polish, "pl"), (polish, "en"), (russian, "uk")] {
        for input in ["text", "idea"] {
            let fields = json!({"language": language, "inputContent": content, "inputType": input});
            let creation = read_value(&with(&fields)).unwrap();
            assert_eq!((creation.language.as_deref(), creation.warnings.len()), (Some(language), 0), "{content}");
        }
    }
}

#[test]
fn every_fault_of_input_and_formats_has_its_code() {
    let carousel = |count: Value| {
        let format = "linkedin_carousel";
        (json!({"outputFormats": [format], "carouselCounts": {format: count}}), "carouselCounts.linkedin_carousel")
    };
    let url = |url: Value| json!({"inputType": "url", "inputUrl": url});
    let many: Vec<_> = Format::all().iter().filter(|f| !f.carousel).take(21).map(|f| f.id.as_str()).collect();
    let cases = [
        (json!({"inputType": null}), "inputType", "missing_field"),
        (json!({"inputType": "voice"}), "inputType", "invalid_value"),
        (json!({"inputType": 1}), "inputType", "invalid_value"),
        (json!({"inputType": "url"}), "inputUrl", "missing_field"),
        (url(json!(7)), "inputUrl", "invalid_value"),
        (url(json!("")), "inputUrl", "invalid_value"),
        (url(json!("example.org")), "inputUrl", "invalid_value"),
        (url(json!(format!("https://example.org/{}", "x".repeat(2_048)))), "inputUrl", "invalid_value"),
        (url(json!("ftp://example.org/")), "inputUrl", "url_not_allowed"),
        (url(json!("https://me@example.org/")), "inputUrl", "url_not_allowed"),
        (url(json!("https://example.org:8443/")), "inputUrl", "url_not_allowed"),
        (url(json!("http://2130706433/")), "inputUrl", "url_not_allowed"),
        (url(json!("http://[::ffff:10.0.0.1]/")), "inputUrl", "url_not_allowed"),
        (url(json!("http://localhost/")), "inputUrl", "url_not_allowed"),
        (json!({"inputType": "pdf"}), "inputFileUrl", "missing_field"),
        (json!({"inputType": "pdf", "inputFileUrl": "http://localhost/a.pdf"}), "inputFileUrl", "url_not_allowed"),
        (json!({"inputType": "pdf", "inputUrl": "http://localhost/a.pdf"}), "inputUrl", "url_not_allowed"),
        (json!({"inputType": "pdf", "fileId": "mine"}), "fileId", "invalid_value"),
        (json!({"inputType": "pdf", "fileId": 7}), "fileId", "invalid_value"),
        (json!({"inputType": "pdf", "inputFile": "%PDF-"}), "inputFile", "invalid_value"),
        (json!({"inputType": "pdf", "inputFile": "AAAA"}), "inputFile", "invalid_value"),
        (json!({"inputType": "pdf", "inputFile": "data:application/pdf,JVBERi0xLjc="}), "inputFile", "invalid_value"),
        (json!({"inputType": "pdf", "inputFile": "JVBERi0xLjc=", "fileId": ID}), "inputFile", "invalid_value"),
        (json!({"inputType": "idea", "inputContent": " "}), "inputContent", "content_empty"),
        (json!({"inputType": "idea", "inputContent": null}), "inputContent", "missing_field"),
        (json!({"inputType": "idea", "inputContent": "é".repeat(2_001)}), "inputContent", "content_too_long"),
        (json!({"inputContent": null}), "inputContent", "missing_field"),
        (json!({"inputContent": ["a"]}), "inputContent", "invalid_value"),
        (json!({"inputContent": ""}), "inputContent", "content_empty"),
        (json!({"inputContent": " \n\t\u{a0}"}), "inputContent", "content_empty"),
        (json!({"inputContent": "é".repeat(200_001)}), "inputContent", "content_too_long"),
        (json!({"inputContent": "a\u{0}"}), "inputContent", "invalid_characters"),
        (json!({"inputContent": "a\u{1b}[0m"}), "inputContent", "invalid_characters"),
        (json!({"outputFormats": null}), "outputFormats", "missing_field"),
        (json!({"outputFormats": "instagram_post"}), "outputFormats", "invalid_value"),
        (json!({"outputFormats": []}), "outputFormats", "invalid_value"),
        (json!({"outputFormats": many}), "outputFormats", "invalid_value"),
        (json!({"outputFormats": vec!["x"; 10_000]}), "outputFormats[0]", "unknown_format"),
        (json!({"outputFormats": [7]}), "outputFormats[0]", "invalid_value"),
        (json!({"outputFormats": ["instagram_post", "instagram_post"]}), "outputFormats[1]", "invalid_value"),
        (json!({"carouselCounts": [3]}), "carouselCounts", "invalid_value"),
        (carousel(json!(0)).0, carousel(json!(0)).1, "carousel_count_out_of_range"),
        (carousel(json!(-1)).0, carousel(json!(0)).1, "carousel_count_out_of_range"),
        (carousel(json!(21)).0, carousel(json!(0)).1, "carousel_count_out_of_range"),
        (carousel(json!(1e9)).0, carousel(json!(0)).1, "carousel_count_out_of_range"),
        (carousel(json!(1.5)).0, carousel(json!(0)).1, "invalid_value"),
        (carousel(json!("3")).0, carousel(json!(0)).1, "invalid_value"),
    ];
    every_fault_is_told(&cases);
}

/// Asserts that each of these fields is reported with its fault code.
fn every_fault_is_told(cases: &[(Value, &str, &'static str)]) {
    for (fields, field, code) in cases {
        let found = details(&with(fields));
        assert!(found.contains(&((*field).to_owned(), *code)), "{field} {code} is not in {found:?}");
    }
}

#[test]
fn every_fault_of_an_option_has_its_code() {
    every_fault_is_told(&[
        (json!({"brandId": "acme"}), "brandId", "invalid_value"),
        (json!({"visualStyle": "loud"}), "visualStyle", "invalid_value"),
        (json!({"language": "klingonese"}), "language", "unknown_language"),
        (json!({"resolution": "8K"}), "resolution", "invalid_value"),
        (json!({"exactSize": "yes"}), "exactSize", "invalid_value"),
        (json!({"imageFormat": "gif"}), "imageFormat", "invalid_value"),
        (json!({"title": ""}), "title", "invalid_value"),
        (json!({"title": "x".repeat(201)}), "title", "invalid_value"),
        (json!({"title": "a\nb"}), "title", "invalid_characters"),
        (json!({"seed": -1}), "seed", "invalid_value"),
        (json!({"seed": 1.5}), "seed", "invalid_value"),
        (json!({"seed": 1_u64 << 53}), "seed", "invalid_value"),
        (json!({"workspaceId": "w"}), "workspaceId", "unsupported_field"),
        (json!({"maxCredits": "10"}), "maxCredits", "invalid_value"),
        (json!({"webhookUrl": 7}), "webhookUrl", "invalid_value"),
        (json!({"webhookUrl": "hooks.example/in"}), "webhookUrl", "invalid_value"),
        (json!({"webhookUrl": format!("https://hooks.example/{}", "x".repeat(2_048))}), "webhookUrl", "invalid_value"),
        (json!({"webhookUrl": "ftp://hooks.example/"}), "webhookUrl", "url_not_allowed"),
        (json!({"webhookUrl": "http://127.1/"}), "webhookUrl", "url_not_allowed"),
        (json!({"webhookUrl": "https://hooks.example:8443/"}), "webhookUrl", "url_not_allowed"),
        (json!({"useExactContent": "yes"}), "useExactContent", "invalid_value"),
    ]);
}

#[test]
fn all_faults_are_told_at_once_and_not_without_end() {
    let found = details(&json!({"inputContent": "", "outputFormats": [], "seed": -1, "title": 1}));
    assert_eq!(
        found.iter().map(|(f, _)| f.as_str()).collect::<Vec<_>>(),
        ["inputType", "outputFormats", "title", "seed"]
    );
    assert!(details(&with(&json!({"outputFormats": vec!["nope"; 10_000]}))).len() <= DETAILS);
}

#[test]
fn images_are_counted_over_all_formats() {
    let body = with(&json!({
        "outputFormats": ["tiktok_carousel", "presentation_slide", "pitch_deck", "instagram_carousel"],
        "carouselCounts": {"tiktok_carousel": 35, "presentation_slide": 30, "pitch_deck": 30, "instagram_carousel": 6},
    }));
    assert_eq!(details(&body), [("outputFormats".to_owned(), "too_many_outputs")]);
}

#[test]
fn unknown_fields_and_idle_counts_are_warned_of() {
    let creation = read_value(&with(&json!({
        "visualStlye": "dark", "x": 1, "carouselCounts": {"linkedin_carousel": 3, "nope": 1, "instagram_post": 2},
    })))
    .unwrap();
    let codes: Vec<_> = creation.warnings.iter().map(|w| w.code).collect();
    use WarningCode::{CountIgnored, UnknownField};
    assert_eq!(codes, [UnknownField, UnknownField, CountIgnored, CountIgnored, CountIgnored]);
    let messages: Vec<_> = creation.warnings.iter().map(|w| w.message.as_str()).collect();
    assert!(messages[0].ends_with("Did you mean visualStyle?"), "{messages:?}");
    assert!(!messages[1].contains("Did you mean"), "{messages:?}");
    let many: serde_json::Map<_, _> = (0..5000).map(|n| (format!("field{n}"), json!(n))).collect();
    assert!(read_value(&with(&Value::Object(many))).unwrap().warnings.len() <= UNKNOWN_FIELDS);
}

#[test]
fn texts_that_are_odd_but_must_be_set_are_read() {
    for text in ["\u{202e}abc\u{202c}", "👩‍👩‍👧‍👦", "<script>alert(1)</script>", "{{7*7}}", "a\r\n\tb"]
    {
        assert_eq!(read_value(&with(&json!({"inputContent": text}))).unwrap().input.as_str(), text);
    }
    let marks = format!("e{}", "\u{301}".repeat(500));
    assert!(read_value(&with(&json!({"inputContent": marks}))).is_ok());
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,20}".prop_map(Value::from),
        Just(json!("text")),
        Just(json!("linkedin_carousel")),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-z_]{0,18}", inner), 0..4)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_body_is_read_or_refused(fields in prop::collection::vec((0usize..FIELDS.len(), any_value()), 0..12)) {
        let fields = fields.into_iter().map(|(i, v)| (FIELDS[i].to_owned(), v)).collect();
        match read(&fields, CEILINGS, &Guard::default()) {
            Ok(creation) => prop_assert!(!creation.outputs.is_empty()),
            Err(ApiError::Invalid(details)) => prop_assert!(!details.is_empty() && details.len() <= DETAILS),
            Err(other) => prop_assert!(false, "{:?}", other),
        }
    }
}
