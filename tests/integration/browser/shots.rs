//! Screenshots for docs/console: every page at three widths, light and dark.

use serde_json::json;

use super::Visit;
use crate::repo;

/// Windows: name, width and height.
const WINDOWS: [(&str, u32, u32); 3] = [("phone", 390, 844), ("tablet", 820, 1180), ("desktop", 1440, 900)];
/// The demo content and the style of each generation.
const CONTENTS: [(&str, &str, &str); 6] = [
    (
        "creative",
        "Cities for people, not for parking",
        "Five squares that came back to life, and what each of them cost.",
    ),
    ("elegant", "The quiet art of waiting", "Patience is not the ability to wait, but how we act while we do."),
    (
        "dark",
        "Night trains are back",
        "- Paris to Berlin in 13 hours\n- Vienna to Rome in 14 hours\n- Brussels to Prague in 15 hours",
    ),
    ("playful", "Bake bread on a weeknight", "1. Mix before breakfast\n2. Fold at noon\n3. Bake after dinner"),
    ("bold", "73 %", "73 % of readers decide within three seconds whether to stay."),
    ("modern", "Small habits beat grand plans", "What we learned from a thousand mornings."),
];

/// Takes new screenshots. Run after a visual change: `cargo test --workspace --test integration -- --ignored docs_console`.
#[tokio::test]
#[ignore = "writes docs/console"]
async fn docs_console() {
    let visit = Visit::signed_in().await.expect("pictures need a browser");
    let colors = json!({"primary": "#0a5f38", "accent": "#ff7a00", "background": "#fbf7ef"});
    let fonts = json!({"heading": "Instrument Serif", "body": "Inter Tight"});
    let kit = json!({
        "name": "Northwind", "isDefault": true, "colors": colors, "fonts": fonts, "handle": "@northwind",
        "url": "https://northwind.example",
    });
    let brand = visit.client.post("/api/brands", &kit).await.json()["brand"]["id"].as_str().unwrap().to_owned();
    let other =
        json!({"name": "Studio Kestrel", "colors": {"primary": "#5b2a86", "accent": "#f2b705"}, "visualStyle": "bold"});
    assert_eq!(visit.client.post("/api/brands", &other).await.status, 201);
    for (style, title, words) in CONTENTS {
        let content = format!("# {title}\n\n{words}");
        visit
            .made(
                json!({"inputContent": content, "visualStyle": style, "seed": 3, "outputFormats": ["instagram_post"]}),
            )
            .await;
    }
    let formats = json!(["instagram_post", "instagram_carousel"]);
    let generation = visit
        .made(json!({"outputFormats": formats, "carouselCounts": {"instagram_carousel": 5}, "brandId": brand}))
        .await;
    let (id, output) = (generation["id"].as_str().unwrap(), generation["outputs"][1]["id"].as_str().unwrap());
    let pages = [
        ("create", "/".to_owned(), Some("create")),
        ("library", "/library".to_owned(), None),
        ("generation", format!("/generations/{id}"), None),
        ("edit", format!("/generations/{id}/outputs/{output}"), Some("edit")),
        ("brands", "/brands".to_owned(), None),
        ("brand", format!("/brands/{brand}"), None),
        ("integrations", "/integrations".to_owned(), None),
        ("credits", "/credits".to_owned(), None),
        ("account", "/account".to_owned(), None),
        ("fleet", "/fleet".to_owned(), None),
        ("login", "/login".to_owned(), None),
    ];
    let folder = repo::root().join("docs/console");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, path, act) in &pages {
        for theme in ["light", "dark"] {
            for (window, width, height) in WINDOWS {
                visit.browser.device(width, height, theme).await;
                visit.go(path).await;
                visit.browser.until("document.readyState === 'complete' && !document.querySelector('.skeleton')").await;
                match *act {
                    Some("create") => visit.write_content().await,
                    Some("edit") => visit.propose("make the headline bigger and the background navy").await,
                    _ => {}
                }
                visit.browser.until("[...document.images].every(i => i.complete || i.loading === 'lazy')").await;
                // Wait until fonts are loaded and transitions have ended.
                visit
                    .browser
                    .run_async("await document.fonts.ready; await new Promise(r => setTimeout(r, 400));")
                    .await;
                std::fs::write(folder.join(format!("{name}-{window}-{theme}.webp")), visit.browser.picture().await)
                    .unwrap();
            }
        }
    }
}
