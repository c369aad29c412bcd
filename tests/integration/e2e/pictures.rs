//! Tests of generations from an article.

use render_core::Format;
use render_core::format::Resolution;
use serde_json::{Value, json};

use super::{UNHURRIED, codes, fresh};
use crate::service::{Client, id};
use crate::{image, repo};

/// Downloads every output of a completed generation without a key, and checks it from size to quality measurements.
async fn check_outputs(client: &Client, generation: &Value) {
    let resolution = Resolution::by_name(generation["resolution"].as_str().unwrap()).unwrap();
    let outputs = generation["outputs"].as_array().unwrap();
    for (order, output) in outputs.iter().enumerate() {
        let format = Format::by_id(output["formatId"].as_str().unwrap()).unwrap();
        let (width, height) = format.size(resolution);
        assert_eq!((output["width"].as_u64(), output["height"].as_u64()), (Some(width.into()), Some(height.into())));
        assert_eq!(output["sortOrder"], order);
        assert_eq!(output["kind"], if format.carousel { "slide" } else { "visual" });
        assert_eq!(output["slideIndex"].is_u64(), format.carousel, "{output:#}");
        assert_eq!(output["outputId"], output["id"]);
        assert_eq!(output["fileUrl"], output["imageUrl"]);
        assert_eq!(output["mimeType"], "image/png");
        assert_eq!(output["version"], 1);
        assert!(output["altText"].as_str().is_some_and(|t| !t.is_empty()), "{output:#}");

        let answer = client.with_key("").get(output["imageUrl"].as_str().unwrap()).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "image/png");
        assert_eq!(output["bytes"], answer.body.len());
        let pixels = image::decode(&answer.body).unwrap();
        assert_eq!((pixels.width, pixels.height), (width, height));
        assert!(image::colours(&pixels, 20) >= 20, "type alone has more greys than this: {output:#}");

        let thumbnail = client.with_key("").get(output["thumbnailUrl"].as_str().unwrap()).await;
        assert_eq!(thumbnail.status, 200);
        assert!((1..answer.body.len()).contains(&thumbnail.body.len()));
        check_quality(output);
    }
}

/// Checks that every hard quality measurement was taken and passes.
fn check_quality(output: &Value) {
    let quality = &output["quality"];
    assert_eq!(quality["passed"], true, "{output:#}");
    let checks = quality["checks"].as_array().unwrap();
    for name in ["overflow", "overlap", "contrast"] {
        assert!(
            checks.iter().any(|c| c["name"].as_str().unwrap().contains(name)),
            "{name} was not measured: {quality:#}"
        );
    }
    for check in checks.iter().filter(|c| c["hard"] == true) {
        assert_eq!(check["passed"], true, "{check:#} of {}", output["formatId"]);
    }
}

fn article(resolution: &str) -> Value {
    json!({
        "inputType": "text",
        "inputContent": repo::text("tests/data/article.md"),
        "outputFormats": ["linkedin_carousel_portrait", "instagram_post"],
        "carouselCounts": {"linkedin_carousel_portrait": 5},
        "resolution": resolution,
    })
}

#[tokio::test]
async fn an_article_becomes_a_carousel_and_a_post_at_both_resolutions() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    for (resolution, left) in [("2K", 9915), ("4K", 9830)] {
        let generation = client.completed(&article(resolution)).await;
        assert_eq!(generation["creditsCharged"], 85);
        assert_eq!(generation["creditsRefunded"], 0);
        assert_eq!(generation["language"], "en");
        assert!(generation["title"].as_str().is_some_and(|t| !t.is_empty()));
        for time in ["createdAt", "startedAt", "completedAt"] {
            assert!(generation[time].as_str().is_some_and(|t| t.ends_with('Z')), "{generation:#}");
        }
        let formats: Vec<_> = generation["outputs"].as_array().unwrap().iter().map(|o| &o["formatId"]).collect();
        assert_eq!(formats[..5], ["linkedin_carousel_portrait"; 5]);
        assert_eq!(formats[5..], ["instagram_post"]);
        check_outputs(&client, &generation).await;
        let balance = client.get("/api/credits/balance").await.json();
        assert_eq!((&balance["balance"], &balance["reserved"]), (&json!(left), &json!(0)));
    }
}

/// The pixels of the file have the exact size, for every file type and for derived generations.
#[tokio::test]
async fn an_exact_size_is_the_size_of_the_picture() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let sizes = [("ad_mpu", 300, 250), ("ad_leaderboard_728x90", 728, 90), ("ad_mobile_banner", 320, 50)];
    let generation = client
        .completed(&json!({
            "inputType": "text", "inputContent": repo::text("tests/data/article.md"), "exactSize": true,
            "outputFormats": sizes.map(|(id, ..)| id),
        }))
        .await;
    assert_eq!((&generation["exactSize"], &generation["resolution"]), (&json!(true), &json!("2K")));
    for (output, (id, width, height)) in generation["outputs"].as_array().unwrap().iter().zip(sizes) {
        assert_eq!(
            (&output["formatId"], &output["width"], &output["height"]),
            (&json!(id), &json!(width), &json!(height))
        );
        let answer = client.with_key("").get(output["imageUrl"].as_str().unwrap()).await;
        let pixels = image::decode(&answer.body).unwrap();
        assert_eq!((pixels.width, pixels.height), (width, height), "{id}");
        check_quality(output);
    }
}

#[tokio::test]
async fn the_same_request_gives_the_same_pixels() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let request = |seed: u64| {
        json!({
            "inputType": "text", "inputContent": repo::text("tests/data/article.md"),
            "outputFormats": ["instagram_square"], "seed": seed,
        })
    };
    let mut pictures = Vec::new();
    for seed in [1, 1, 2] {
        let generation = client.completed(&request(seed)).await;
        assert_eq!(generation["seed"], seed);
        pictures.push(client.get(generation["outputs"][0]["imageUrl"].as_str().unwrap()).await.body);
    }
    assert_eq!(pictures[0], pictures[1]);
    assert_ne!(pictures[0], pictures[2], "another seed, another picture");
}

#[tokio::test]
async fn every_style_is_drawn() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    for style in ["modern", "minimal", "bold", "elegant", "playful", "corporate", "creative", "dark"] {
        let request = json!({
            "inputType": "text", "inputContent": "# Sleep better\n\n- Keep one bedtime\n- Cool the room\n- No screens",
            "outputFormats": ["ad_mpu"], "visualStyle": style,
        });
        let generation = client.completed(&request).await;
        // An ad of this size has room for one statement. A warning reports what was left out.
        let warned = codes(&generation["warnings"]);
        assert!(warned.iter().all(|code| *code == "content_shortened"), "{style}: {warned:?}");
        check_outputs(&client, &generation).await;
    }
}

#[tokio::test]
async fn pictures_come_as_jpeg_and_webp_too() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    for (format, mime, magic) in [("jpeg", "image/jpeg", &b"\xff\xd8\xff"[..]), ("webp", "image/webp", b"RIFF")] {
        let request = json!({
            "inputType": "text", "inputContent": "Cool the room to 18 °C.", "outputFormats": ["ad_mpu"],
            "imageFormat": format,
        });
        let generation = client.completed(&request).await;
        let output = &generation["outputs"][0];
        assert_eq!(output["mimeType"], mime);
        let answer = client.get(output["imageUrl"].as_str().unwrap()).await;
        assert_eq!(answer.header("content-type"), mime);
        assert!(answer.body.starts_with(magic));
    }
}

/// Inputs that must render instead of failing: no text may break a page or be interpreted as our markup.
#[tokio::test]
async fn odd_texts_become_pictures() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let marks = format!("a{}", "\u{301}".repeat(500));
    let texts = [
        "x".repeat(10_000),
        marks,
        "<script>alert(1)</script> {{7*7}} ${7*7} %s".to_owned(),
        "Right \u{202e}to left\u{202c} override".to_owned(),
        "Ελληνικά, кириллица, and 日本語 with 👩‍👩‍👧‍👦 in one line".to_owned(),
        "- \n- \n- \n\n> \n\n# \n\none word".to_owned(),
        "1".to_owned(),
    ];
    let mut failed = Vec::new();
    for text in texts {
        let request = json!({"inputType": "text", "inputContent": text, "outputFormats": ["instagram_square"]});
        let created = client.create(&request).await;
        let generation = client.finished(id(&created)).await;
        if generation["status"] == "completed" {
            check_outputs(&client, &generation).await;
        } else {
            failed.push(format!("{text:.40}: {}", generation["error"]));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test]
async fn a_url_that_was_tampered_with_shows_nothing() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let request = json!({"inputType": "text", "inputContent": "Cool the room.", "outputFormats": ["ad_mpu"]});
    let generation = client.completed(&request).await;
    let url = generation["outputs"][0]["imageUrl"].as_str().unwrap();
    let keyless = client.with_key("");
    assert_eq!(keyless.get(url).await.status, 200);
    let (path, query) = url.split_once('?').expect("a signature");
    for wrong in [path.to_owned(), format!("{path}?{}", &query[..query.len() - 1]), format!("{path}x?{query}")] {
        let answer = keyless.get(&wrong).await;
        assert!((400..500).contains(&answer.status), "{wrong}: {}", answer.status);
        answer.has_headers();
        assert!(answer.json()["code"].is_string());
    }
    assert_ne!(id(&generation), "");
}
