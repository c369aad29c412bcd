//! Tests of pages in the page language over HTTP: rendered, checked, charged once, and stored.

use serde_json::{Value, json};

use super::pages::{Web, photograph, share_of_it};
use super::{UNHURRIED, fresh};
use crate::image;
use crate::service::{Client, id};

const PATH: &str = "/api/pages/render";
const PAGES: &str = r#"
<page>
  <headline id="title">Flat should mean flat</headline>
  <grid columns="2" grow="1">
    <card><text>Some are more equal</text></card>
    <card fill="accent"><text>Everyone on a par</text></card>
  </grid>
</page>
<page field="close"><headline>Start on Monday</headline><button>Read more</button></page>"#;

fn request(pages: &str) -> Value {
    json!({"pages": pages, "format": "instagram_carousel", "visualStyle": "dark", "seed": 7})
}

async fn balance(client: &Client) -> [u64; 2] {
    let balance = client.get("/api/credits/balance").await.json();
    [&balance["balance"], &balance["reserved"]].map(|v| v.as_u64().unwrap())
}

#[tokio::test]
async fn pages_are_rendered_in_the_same_request_and_charged_once() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let [money, _] = balance(&client).await;
    let keyed = || client.request("POST", PATH).header("Idempotency-Key", "pages-1").json(&request(PAGES));
    let answer = client.send(keyed()).await.unwrap();
    let g = answer.json()["generation"].clone();
    assert_eq!((answer.status, &g["status"], &g["inputType"]), (200, &json!("completed"), &json!("pages")), "{g:#}");
    let outputs = g["outputs"].as_array().unwrap();
    assert_eq!(outputs.iter().map(|o| &o["slideIndex"]).collect::<Vec<_>>(), [&json!(0), &json!(1)]);
    assert_eq!(balance(&client).await, [money - 20, 0], "a page costs what a visual costs");
    let mut pictures = Vec::new();
    for output in outputs {
        let file = client.get(output["imageUrl"].as_str().unwrap()).await;
        let pixels = image::decode(&file.body).unwrap();
        assert!(image::colours(&pixels, 50) >= 50);
        assert_eq!(json!(pixels.width), output["width"]);
        assert!(output["altText"].as_str().unwrap().len() > 10, "{output:#}");
        pictures.push(file.body);
    }
    // Repeating the request with the same key returns the same generation.
    let again = client.send(keyed()).await.unwrap();
    assert_eq!((again.status, id(&again.json()["generation"])), (200, id(&g)));
    assert_eq!(balance(&client).await, [money - 20, 0]);
    // Another request with the same pages renders the same images.
    let other = client.post(PATH, &request(PAGES)).await.json();
    for (output, before) in other["generation"]["outputs"].as_array().unwrap().iter().zip(&pictures) {
        assert_eq!(&client.get(output["imageUrl"].as_str().unwrap()).await.body, before);
    }
    // The generation is read, listed and exported like any other.
    let read = client.get(&format!("/api/generations/{}", id(&g))).await.json();
    // URLs are signed anew in every response.
    let kept = |of: &Value| -> Vec<Value> {
        of["outputs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|o| json!([o["id"], o["version"], o["bytes"], o["altText"]]))
            .collect()
    };
    assert_eq!(kept(&read["generation"]), kept(&g));
    let listed = client.get("/api/generations?inputType=pages").await.json();
    assert_eq!(listed["generations"].as_array().unwrap().len(), 2);
    let export = client.get(&format!("/api/generations/{}/export?format=pdf", id(&g))).await.json();
    let pdf = client.get(export["url"].as_str().unwrap()).await;
    assert!(pdf.status == 200 && pdf.body.starts_with(b"%PDF"), "{export:#}");
    // Pages that were not planned from text can't be edited by prompt.
    let body = json!({"outputId": g["outputs"][0]["id"], "prompt": "make the headline smaller"});
    let edit = client.post(&format!("/api/images/{}/edit", id(&g)), &body).await;
    assert_eq!(edit.error(409, "conflict"), "written_pages");
    let varied = client.post(&format!("/api/generations/{}/variations", id(&g)), &json!({"count": 1})).await;
    assert_eq!(varied.error(409, "conflict"), "written_pages");
}

#[tokio::test]
async fn faults_of_pages_are_told_one_by_one_and_cost_nothing() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let [money, _] = balance(&client).await;
    let faulty = r##"<page><headline fit="vast">x</headline><blink>y</blink>
        <text id="a">1</text><text id="a">2</text>
        <svg><script>alert(1)</script><rect width="1" height="1" fill="url(https://a.example/b)"/></svg></page>"##;
    let answer = client.post(PATH, &request(faulty)).await;
    assert_eq!(answer.error(400, "invalid_request"), "page_invalid");
    let details = answer.json()["details"].clone();
    let elements: Vec<&str> = details.as_array().unwrap().iter().map(|d| d["element"].as_str().unwrap()).collect();
    assert!(elements.contains(&"headline-1") && elements.contains(&"a"), "{details:#}");
    let told = details.to_string();
    assert!(told.contains("blink") && told.contains("script"), "{details:#}");

    // Text that does not fit is a fault of its element, found without rendering.
    let words = "far too many words for one banner ".repeat(40);
    let long = format!("<page><headline id=\"title\">{words}</headline></page>");
    let body = json!({"pages": long, "format": "twitter_header", "dryRun": true});
    let trial = client.post(PATH, &body).await;
    let faults = trial.json()["faults"].clone();
    assert_eq!((trial.status, &faults[0]["element"]), (200, &json!("title")), "{faults:#}");
    let refused = client.post(PATH, &json!({"pages": long, "format": "twitter_header"})).await;
    assert_eq!(refused.error(400, "invalid_request"), "page_invalid");

    let sound = client.post(PATH, &json!({"pages": PAGES, "format": "instagram_post", "dryRun": true})).await;
    assert_eq!((sound.status, sound.json()), (200, json!({"faults": []})));
    assert_eq!(balance(&client).await, [money, 0]);
    assert_eq!(client.get("/api/generations").await.json()["generations"], json!([]));
}

#[tokio::test]
async fn pages_show_the_photographs_at_the_addresses_that_they_name() {
    let canary = Web::start(|_| ("200 OK\r\nContent-Type: image/png".into(), photograph()));
    let inside = canary.url("/photo.png");
    let web = Web::start(move |path| match path {
        "/one.png" | "/two.png" => ("200 OK\r\nContent-Type: image/png".into(), photograph()),
        "/inside.png" => (format!("302 Found\r\nLocation: {inside}"), Vec::new()),
        _ => ("404 Not Found\r\nContent-Length: 0".into(), Vec::new()),
    });
    let host = web.address().to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let [money, _] = balance(&client).await;
    let page = |paths: &[&str]| {
        let photos = paths.iter().map(|path| format!("<img src=\"{}\" grow=\"1\"/>", web.url(path)));
        format!("<page><headline>Two photographs</headline><row grow=\"1\">{}</row></page>", photos.collect::<String>())
    };
    let ask = |pages: &str| json!({"pages": pages, "format": "instagram_post"});
    let answer = client.post(PATH, &ask(&page(&["/one.png", "/two.png"]))).await;
    let g = answer.json()["generation"].clone();
    assert_eq!((answer.status, &g["status"]), (200, &json!("completed")), "{g:#}");
    let shown = client.pixels(&g["outputs"][0]["imageUrl"]).await;
    assert!(share_of_it(&shown) > 0.15, "{}", share_of_it(&shown));

    // A photograph that can't be fetched is a fault of its element; nothing is charged.
    for (path, element) in [("/missing.png", "img-2"), ("/inside.png", "img-2")] {
        let refused = client.post(PATH, &ask(&page(&["/one.png", path]))).await;
        assert_eq!(refused.error(400, "invalid_request"), "page_invalid");
        assert_eq!(refused.json()["details"][0]["element"], element, "{:#}", refused.json());
    }
    for source in ["stage", "file:///etc/passwd", "http://127.0.0.1:1/x.png"] {
        let pages = format!("<page><img id=\"photo\" src=\"{source}\"/></page>");
        let body = json!({"pages": pages, "format": "instagram_post", "dryRun": true});
        let faults = client.post(PATH, &body).await.json()["faults"].clone();
        assert_eq!(faults[0]["element"], "photo", "{source}: {faults:#}");
    }
    let many: String = (0..=20).map(|n| format!("<img src=\"{}\"/>", web.url(&format!("/{n}.png")))).collect();
    let refused = client.post(PATH, &ask(&format!("<page>{many}</page>"))).await;
    assert_eq!(refused.json()["details"][0]["element"], "img-21", "{:#}", refused.json());
    assert_eq!((canary.times_asked("/photo.png"), balance(&client).await), (0, [money - 10, 0]));
}
