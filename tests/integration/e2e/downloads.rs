//! Tests of exports: PDF and ZIP files, read with poppler and an unpacker.

use std::io::{Cursor, Read as _};

use render_core::Format;
use render_core::raster::Pixmap;
use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::poppler::{Read, apart};
use crate::service::{Client, id};
use crate::{image, repo};

/// Maximum difference between a PDF page and its image, in percent.
const TOLERANCE: f64 = 3.0;

async fn export(client: &Client, generation: &Value, query: &str) -> Value {
    client.get(&format!("/api/generations/{}/export?{query}", id(generation))).await.json()
}

/// Downloads an export without a key.
async fn file(client: &Client, export: &Value) -> Vec<u8> {
    let answer = client.with_key("").get(export["url"].as_str().unwrap()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(export["bytes"], answer.body.len());
    answer.body.to_vec()
}

async fn pixels(client: &Client, output: &Value) -> Pixmap {
    image::decode(&client.get(output["imageUrl"].as_str().unwrap()).await.body).unwrap()
}

fn article(style: &str) -> Value {
    json!({
        "inputType": "text", "inputContent": repo::text("tests/data/article.md"), "visualStyle": style, "seed": 7,
        "outputFormats": ["linkedin_carousel", "poster_a4"], "carouselCounts": {"linkedin_carousel": 4},
    })
}

#[tokio::test]
async fn a_carousel_is_exported_as_pdf_in_every_style() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    for style in ["modern", "minimal", "bold", "elegant", "playful", "corporate", "creative", "dark"] {
        let generation = client.completed(&article(style)).await;
        let made = export(&client, &generation, "format=pdf&formatId=linkedin_carousel").await;
        assert_eq!((&made["pages"], &made["format"]), (&json!(4), &json!("pdf")), "{made:#}");
        let bytes = file(&client, &made).await;
        let again = export(&client, &generation, "format=pdf&formatId=linkedin_carousel").await;
        assert_eq!(file(&client, &again).await, bytes);
        let Some(read) = Read::of(&bytes) else { return };
        let (width, height) = Format::by_id("linkedin_carousel").unwrap().size_points();
        assert_eq!(read.pages, [(f64::from(width), f64::from(height)); 4]);
        assert_eq!(read.title, generation["title"].as_str().unwrap());
        assert!(
            !read.fonts().is_empty() && read.fonts().iter().all(|(_, is_embedded)| *is_embedded),
            "{:?}",
            read.fonts()
        );
        let outputs = generation["outputs"].as_array().unwrap();
        for (page, output) in (1..).zip(outputs.iter().filter(|o| o["formatId"] == "linkedin_carousel")) {
            let picture = pixels(&client, output).await;
            let far = apart(&read.picture(page, picture.width, picture.height), &picture);
            assert!(far <= TOLERANCE, "{style}, page {page}: {far:.2} %");
        }
        let cover = read.text(1).split_whitespace().collect::<Vec<_>>().join(" ");
        let title = generation["title"].as_str().unwrap();
        // Some covers set their title in capitals.
        let cover = cover.to_lowercase();
        let found = title.split_whitespace().filter(|word| cover.contains(&word.to_lowercase())).count();
        assert!(2 * found >= title.split_whitespace().count(), "{style}: {title:?} in {cover:?}");
    }
}

#[tokio::test]
async fn an_archive_holds_what_was_drawn_and_changes_with_an_edit() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let generation = client.completed(&article("bold")).await;
    let outputs = generation["outputs"].as_array().unwrap();
    let made = export(&client, &generation, "format=zip").await;
    let mut archive = zip::ZipArchive::new(Cursor::new(file(&client, &made).await)).unwrap();
    let names: Vec<String> =
        (0..archive.len()).map(|i| archive.by_index(i).unwrap().name().unwrap().into_owned()).collect();
    let mut expected: Vec<String> = (1..=4).map(|n| format!("{n:02}-linkedin_carousel.png")).collect();
    expected.extend(["05-poster_a4.png".to_owned(), "alt-texts.txt".to_owned()]);
    assert_eq!(names, expected);
    for (place, output) in outputs.iter().enumerate() {
        let mut bytes = Vec::new();
        archive.by_index(place).unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, client.get(output["imageUrl"].as_str().unwrap()).await.body);
    }
    let mut texts = String::new();
    archive.by_name("alt-texts.txt").unwrap().read_to_string(&mut texts).unwrap();
    assert!(outputs.iter().all(|output| texts.contains(output["altText"].as_str().unwrap())), "{texts}");

    // All images in one PDF, with each page in its own size, and paper formats in paper size.
    let all = file(&client, &export(&client, &generation, "format=pdf").await).await;
    if let Some(read) = Read::of(&all) {
        assert_eq!(read.pages.len(), 5);
        let (width, height) = read.pages[4];
        assert!((width - 595.2).abs() < 0.1 && (height - 841.92).abs() < 0.1, "{:?}", read.pages);
    }

    let output = &outputs[4];
    let edit = format!("/api/images/{}/edit", id(&generation));
    let prompt = json!({"outputId": output["id"], "prompt": "set the headline to “Quite another headline”"});
    let proposed = client.post(&edit, &prompt).await.json();
    let mut confirmed = prompt.clone();
    confirmed["confirmedInstruction"] = proposed["refinedInstruction"].clone();
    assert_eq!(client.post(&edit, &confirmed).await.status, 200, "{proposed:#}");
    let edited = file(&client, &export(&client, &generation, "format=pdf").await).await;
    assert_ne!(edited, all);
    if let Some(read) = Read::of(&edited) {
        assert!(read.text(5).split_whitespace().collect::<Vec<_>>().join(" ").contains("Quite another headline"));
    }
    // The carousel was not edited, so its file is unchanged.
    let zip = export(&client, &generation, "format=zip").await;
    assert_ne!(zip["url"].as_str().unwrap().split('?').next(), made["url"].as_str().unwrap().split('?').next());
}
