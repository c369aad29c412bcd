use fleet::net::Guard;
use serde_json::{Value, json};

use super::super::creation::read;
use super::*;
use crate::app::Ceilings;

const CEILINGS: Ceilings = Ceilings { text_chars: 200_000, images: 100, translates: false };
const TIPS: &str = "Walk before breakfast. Coffee can wait. Write down three things.";

fn creation(kind: &str, content: &str, counts: &Value, exact: bool) -> Creation {
    let body = json!({
        "inputType": kind,
        "inputContent": content,
        "outputFormats": ["linkedin_carousel", "instagram_post"],
        "carouselCounts": counts,
        "useExactContent": exact,
    });
    read(body.as_object().unwrap(), CEILINGS, &Guard::default()).unwrap()
}

async fn settled(mut creation: Creation, writes: bool) -> Result<Creation, (String, &'static str, String)> {
    match settle(Uuid::nil(), &mut creation, writes).await {
        Ok(()) => Ok(creation),
        Err(ApiError::Invalid(details)) => {
            let detail = details.into_iter().next().unwrap();
            Err((detail.field, detail.code, detail.message))
        }
        Err(other) => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_count_that_is_left_out_is_what_the_words_fill() {
    let made = settled(creation("text", TIPS, &json!({}), false), false).await.unwrap();
    assert_eq!(made.formats[0], ("linkedin_carousel".to_owned(), Some(2)));
    assert_eq!(made.outputs.iter().map(|o| o.slide).collect::<Vec<_>>(), [Some(0), Some(1), None]);
    assert!(made.warnings[0].message.contains("gets 2 slides"), "{:?}", made.warnings);
    // With a language model, the default count stays, because the model writes enough text.
    let written = settled(creation("text", TIPS, &json!({}), false), true).await.unwrap();
    assert_eq!(written.formats[0].1, Some(5));
}

#[tokio::test]
async fn a_count_that_the_words_do_not_fill_is_refused_with_the_one_that_they_fill() {
    for (kind, content, carries) in [("text", TIPS, 2), ("idea", "Slow mornings", 1)] {
        let asked = json!({"linkedin_carousel": 6});
        let (field, code, message) = settled(creation(kind, content, &asked, false), false).await.unwrap_err();
        assert_eq!((field.as_str(), code), ("carouselCounts.linkedin_carousel", "too_little_content"));
        assert!(message.contains(&format!("request {carries}")), "{message}");
        assert_eq!(message.contains("--llm-base-url"), kind == "idea", "{message}");
        let fits = json!({"linkedin_carousel": carries});
        assert!(settled(creation(kind, content, &fits, false), false).await.is_ok());
    }
}

#[tokio::test]
async fn words_that_are_set_whole_need_room_for_all_of_them() {
    let many: String = (0..60).map(|n| format!("Sentence {n} says something that no other does. ")).collect();
    let asked = json!({"linkedin_carousel": 2});
    let (field, code, _) = settled(creation("text", &many, &asked, true), false).await.unwrap_err();
    assert_eq!((field.as_str(), code), ("inputContent", "content_too_long"));
}
