//! Tests of generations from files: uploaded, inline, or by URL.

use std::io::{Cursor, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::pages::{Web, photograph, share_of_it};
use super::{UNHURRIED, fresh};
use crate::service::{Client, id};
use crate::{image, repo};

fn source(name: &str) -> Vec<u8> {
    std::fs::read(repo::root().join("tests/data/sources/pdf").join(name)).unwrap()
}

async fn upload(client: &Client, file: &[u8]) -> String {
    upload_as(client, "application/pdf", file).await
}

/// Uploads a file with a media type and returns its id.
pub async fn upload_as(client: &Client, media: &str, file: &[u8]) -> String {
    let disposition = "Content-Disposition: form-data; name=\"file\"; filename=\"a\"";
    let head = format!("--b\r\n{disposition}\r\nContent-Type: {media}\r\n\r\n");
    let request = client.request("POST", "/api/uploads").header(CONTENT_TYPE, "multipart/form-data; boundary=b");
    let answer = client.send(request.body([head.as_bytes(), file, b"\r\n--b--\r\n"].concat())).await.unwrap();
    assert_eq!(answer.status, 201, "{:#}", answer.json());
    answer.json()["upload"]["id"].as_str().unwrap().to_owned()
}

fn of_pdf(field: &str, value: &str) -> Value {
    json!({"inputType": "pdf", field: value, "outputFormats": ["instagram_post"], "imageFormat": "webp"})
}

#[tokio::test]
async fn a_pdf_becomes_pictures_however_it_is_given() {
    let web = Web::start(|path| {
        let kind = if path == "/bytes" { "application/octet-stream" } else { "application/pdf" };
        (format!("200 OK\r\nContent-Type: {kind}"), source("report.pdf"))
    });
    let host = web.address().to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let report = source("report.pdf");
    let file = upload(&client, &report).await;
    let url = web.url("/report.pdf");
    let encoded = BASE64_STANDARD.encode(&report);
    let page = json!({"inputType": "url", "inputUrl": web.url("/bytes"), "outputFormats": ["instagram_post"]});
    let mut carousel = of_pdf("fileId", &file);
    carousel["outputFormats"] = json!(["linkedin_carousel"]);
    carousel["carouselCounts"] = json!({"linkedin_carousel": 6});
    for body in [
        of_pdf("fileId", &file),
        of_pdf("inputFile", &encoded),
        of_pdf("inputFile", &format!("data:application/pdf;base64,{encoded}")),
        of_pdf("inputFileUrl", &url),
        of_pdf("inputUrl", &url),
        page,
        carousel,
    ] {
        let generation = client.completed(&body).await;
        assert_eq!(generation["title"], "Repair before replace: what 1,200 broken appliances taught us");
        assert_eq!(generation["language"], "en");
        let named = body.get("inputFileUrl").or(body.get("inputUrl")).cloned().unwrap_or(Value::Null);
        assert_eq!(generation["inputUrl"], named);
    }
    let listed = client.get("/api/generations?inputType=pdf").await.json();
    assert_eq!(listed["generations"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn the_photograph_of_a_pdf_leads_its_carousel() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let mut body = of_pdf("inputFile", &BASE64_STANDARD.encode(source("roof-meadow.pdf")));
    body["outputFormats"] = json!(["linkedin_carousel"]);
    body["carouselCounts"] = json!({"linkedin_carousel": 3});
    body["imageFormat"] = json!("png");
    body["seed"] = json!(3);
    let generation = client.completed(&body).await;
    assert_eq!(generation["title"], "A meadow on the roof of a car park");
    assert!(!generation["warnings"].to_string().contains("photo"), "{generation:#}");
    let url = generation["outputs"][0]["imageUrl"].as_str().unwrap();
    let pixels = image::decode(&client.with_key("").get(url).await.body).unwrap();
    let meadow = |p: &&[u8]| p[1] > p[0].saturating_add(20) && p[1] > p[2].saturating_add(20);
    let share = pixels.data.chunks_exact(3).filter(meadow).count() as f64 / f64::from(pixels.width * pixels.height);
    assert!(share > 0.15, "the photograph takes {share} of the cover");
}

#[tokio::test]
async fn pictures_that_are_given_are_shown() {
    let web = Web::start(|path| match path {
        "/wall.png" => ("200 OK\r\nContent-Type: image/png".into(), photograph()),
        _ => ("404 Not Found\r\nContent-Length: 0".into(), Vec::new()),
    });
    let host = web.address().to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let picture = upload(&client, &photograph()).await;
    let text = "# The old harbour\n\n## The keeper climbs at dusk\n\nHe has lit the lamp by hand for forty years.\n\n\
                ## Lanterns hang along the harbour wall\n\nEach of them is older than the boats below it.\n\n\
                ## The ferry leaves at seven\n\nIt carries the post and, on Fridays, the choir.";
    let of = |images: Value| {
        json!({
            "inputType": "text", "inputContent": text, "outputFormats": ["instagram_carousel"], "imageFormat": "png",
            "carouselCounts": {"instagram_carousel": 4}, "images": images, "seed": 3,
        })
    };
    let shares = async |generation: &Value| {
        let mut shares = Vec::new();
        for output in generation["outputs"].as_array().unwrap() {
            shares.push(share_of_it(&client.pixels(&output["imageUrl"]).await) > 0.1);
        }
        shares
    };
    // An upload on the cover, and a URL that can't be fetched.
    let cover = json!({"uploadId": picture, "use": "cover", "alt": "The harbour"});
    let missing = json!({"url": web.url("/missing.png"), "alt": "The ferry"});
    let body = of(json!([cover, missing]));
    let estimate = client.post("/api/generations/estimate", &body).await;
    assert_eq!(estimate.status, 200, "{:#}", estimate.json());
    let generation = client.completed(&body).await;
    assert_eq!(shares(&generation).await, [true, false, false, false]);
    let codes: Vec<&Value> = generation["warnings"].as_array().unwrap().iter().map(|w| &w["code"]).collect();
    assert_eq!(codes, ["photo_unavailable"], "{generation:#}");
    assert_eq!((&generation["inputType"], &generation["inputUrl"]), (&json!("text"), &Value::Null));
    // A picture is placed on the page whose words match its alternative text.
    let wall = json!({"url": web.url("/wall.png"), "alt": "A lantern on the harbour wall"});
    let generation = client.completed(&of(json!([wall]))).await;
    assert_eq!(shares(&generation).await, [false, false, true, false], "{generation:#}");
    // A generation from a file can have pictures, too.
    let mut file = of_pdf("inputFile", &BASE64_STANDARD.encode(source("report.pdf")));
    file["images"] = json!([{"uploadId": picture, "use": "cover"}]);
    file["imageFormat"] = json!("png");
    let generation = client.completed(&file).await;
    assert_eq!((&generation["inputType"], shares(&generation).await), (&json!("pdf"), vec![true]));

    let document = upload(&client, &source("report.pdf")).await;
    let refused = client.post("/api/generations", &of(json!([{"uploadId": document}]))).await;
    assert_eq!(refused.error(400, "invalid_request"), "validation_failed");
    assert_eq!(refused.json()["details"][0]["field"], "images[0].uploadId", "{:#}", refused.json());
    let refused = client.post("/api/generations", &of_pdf("fileId", &picture)).await;
    assert_eq!(refused.json()["details"][0]["field"], "fileId", "{:#}", refused.json());
    let unknown = json!([{"uploadId": "0198c0de-3b1a-7c42-9f0e-5d1c2a7b8e92"}]);
    let refused = client.post("/api/generations", &of(unknown)).await;
    assert_eq!(refused.error(404, "not_found"), "upload_not_found");
}

#[tokio::test]
async fn a_pdf_that_can_not_be_read_is_paid_back() {
    let web = Web::start(|_| ("200 OK\r\nContent-Type: text/html".into(), b"<p>A page".to_vec()));
    let host = web.address().to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let cases = [
        ("scanned.pdf", &["pdf_no_text"][..]),
        ("encrypted.pdf", &["pdf_encrypted"]),
        ("truncated.pdf", &["pdf_invalid", "pdf_no_text"]),
        ("stream-bomb.pdf", &["pdf_invalid", "pdf_too_complex", "pdf_no_text"]),
        ("cyclic-forms.pdf", &["pdf_invalid", "pdf_too_complex", "pdf_no_text"]),
    ];
    for (name, codes) in cases {
        let body = of_pdf("inputFile", &BASE64_STANDARD.encode(source(name)));
        let generation = client.finished(id(&client.create(&body).await)).await;
        assert_eq!(generation["status"], "failed", "{name} {generation:#}");
        assert!(codes.contains(&generation["error"]["code"].as_str().unwrap()), "{name} {generation:#}");
        assert_eq!(generation["creditsRefunded"], 10);
    }
    let page = client.finished(id(&client.create(&of_pdf("inputUrl", &web.url("/"))).await)).await;
    assert_eq!(page["error"]["code"], "url_unsupported_type", "{page:#}");
    // The service continues to work.
    client.completed(&of_pdf("inputFile", &BASE64_STANDARD.encode(source("letter.pdf")))).await;
}

/// Builds an uncompressed ZIP archive. The parsers' own tests cover compressed ones.
fn archive(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        zip.start_file(*name, stored).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A Word document with a title and a few paragraphs.
fn document() -> Vec<u8> {
    let relationships = "<Relationships><Relationship Id='r' Target='word/document.xml' \
        Type='http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'/></Relationships>";
    let styles = "<w:styles><w:style w:type='paragraph' w:styleId='T'><w:name w:val='Title'/></w:style>\
        <w:style w:type='paragraph' w:styleId='H'><w:name w:val='heading 1'/></w:style></w:styles>";
    let paragraph = |style: &str, text: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let body = [
        paragraph("T", "Five habits of calm mornings"),
        paragraph("H", "Get up at the same time"),
        paragraph("N", "The body keeps a clock of its own, and a steady hour sets it."),
        paragraph("H", "Leave the phone in another room"),
        paragraph("N", "Messages can wait for half an hour while you drink your coffee."),
    ];
    let document = format!("<w:document><w:body>{}</w:body></w:document>", body.concat());
    archive(&[("_rels/.rels", relationships), ("word/document.xml", &document), ("word/styles.xml", styles)])
}

#[tokio::test]
async fn files_of_other_kinds_become_pictures_however_they_are_given() {
    const PORTS: &str = "Port,Tidal range in metres\nBrest,6.1\nRoscoff,8.2\nSaint-Malo,12.2\nCherbourg,5.8\n";
    let web = Web::start(|path| match path {
        "/ports.csv" => ("200 OK\r\nContent-Type: text/plain".into(), PORTS.into()),
        _ => ("200 OK\r\nContent-Type: application/octet-stream".into(), document()),
    });
    let host = web.address().to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let word = document();
    let encoded = BASE64_STANDARD.encode(&word);
    let page = json!({"inputType": "url", "inputUrl": web.url("/habits"), "outputFormats": ["instagram_post"]});
    for body in [
        of_pdf("fileId", &upload(&client, &word).await),
        of_pdf("inputFile", &encoded),
        of_pdf("inputFileUrl", &web.url("/habits")),
        page,
    ] {
        let generation = client.completed(&body).await;
        assert_eq!(generation["title"], "Five habits of calm mornings");
        assert_eq!(generation["inputType"], body["inputType"]);
    }
    let table = format!("data:text/csv;base64,{}", BASE64_STANDARD.encode(PORTS));
    for body in [of_pdf("inputFile", &table), of_pdf("inputUrl", &web.url("/ports.csv"))] {
        let generation = client.completed(&body).await;
        assert!(generation["outputs"].to_string().contains("Saint-Malo"), "{generation:#}");
    }
}

#[tokio::test]
async fn a_file_that_can_not_be_read_is_paid_back() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let broken = archive(&[("word/document.xml", "<w:document>")]);
    let sealed = archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", "<manifest><encryption-data/></manifest>"),
        ("content.xml", "x"),
    ]);
    for (file, code) in [(broken, "file_invalid"), (sealed, "file_encrypted")] {
        let body = of_pdf("inputFile", &BASE64_STANDARD.encode(&file));
        let generation = client.finished(id(&client.create(&body).await)).await;
        assert_eq!(
            (&generation["status"], &generation["error"]["code"]),
            (&json!("failed"), &json!(code)),
            "{generation:#}"
        );
        assert_eq!(generation["creditsRefunded"], 10);
    }
    let picture = of_pdf("inputFile", &BASE64_STANDARD.encode(b"\x89PNG\r\n\x1a\n\0"));
    let refused = client.post("/api/generations", &picture).await;
    assert_eq!((refused.status, &refused.json()["code"]), (400, &json!("validation_failed")));
    assert!(refused.json()["details"][0]["message"].as_str().unwrap().contains("DOCX"), "{:#}", refused.json());
}
