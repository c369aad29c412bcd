//! Tests of generations from web pages. The pages are served by a server of these tests, which the service is
//! configured to allow.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;

use parking_lot::Mutex;
use render_core::raster::Pixmap;
use serde_json::{Value, json};

use super::{UNHURRIED, fresh};
use crate::service::{Client, id};
use crate::{image, repo};

/// A web server that answers every path with a function. It serves until the tests end.
pub struct Web {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Web {
    /// Starts a server. `answer` returns the response for a path: status line with headers, and the body.
    pub fn start(answer: impl Fn(&str) -> (String, Vec<u8>) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (noted, answer) = (Arc::clone(&asked), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (noted, answer) = (Arc::clone(&noted), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &noted, &*answer));
            }
        });
        Self { address, asked }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn times_asked(&self, path: &str) -> usize {
        self.asked.lock().iter().filter(|p| *p == path).count()
    }
}

fn serve(mut stream: TcpStream, noted: &Mutex<Vec<String>>, answer: &dyn Fn(&str) -> (String, Vec<u8>)) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let first = lines.next().unwrap_or_default();
    let path = first.split(' ').nth(1).unwrap_or("").to_owned();
    while lines.next().is_some_and(|line| !line.is_empty()) {}
    noted.lock().push(path.clone());
    let (head, body) = answer(&path);
    // The service closes the connection once it needs no more of the response.
    let _ = stream.write_all(format!("HTTP/1.1 {head}\r\n\r\n").as_bytes()).and_then(|()| stream.write_all(&body));
}

fn source(name: &str) -> Vec<u8> {
    std::fs::read(repo::root().join("tests/data/sources/html").join(name)).unwrap()
}

fn html(body: Vec<u8>) -> (String, Vec<u8>) {
    ("200 OK\r\nContent-Type: text/html; charset=utf-8".into(), body)
}

fn of_page(url: &str) -> Value {
    json!({"inputType": "url", "inputUrl": url, "outputFormats": ["instagram_post"]})
}

/// Creates a generation from an unusable page, and checks that it fails with `code` and is refunded.
async fn failed(client: &Client, url: &str, code: &str) -> Value {
    let generation = client.create(&of_page(url)).await;
    let generation = client.finished(id(&generation)).await;
    assert_eq!(generation["status"], "failed", "{generation:#}");
    assert_eq!(generation["error"]["code"], code, "{generation:#}");
    assert_eq!((&generation["creditsCharged"], &generation["creditsRefunded"]), (&json!(10), &json!(10)));
    assert!(generation["errorMessage"].as_str().is_some_and(|m| m.len() > 20), "{generation:#}");
    generation
}

#[tokio::test]
async fn a_page_becomes_pictures() {
    let web = Web::start(|path| match path {
        "/old" => ("301 Moved Permanently\r\nLocation: /news".into(), Vec::new()),
        "/notes.md" => {
            let text =
                "# Tides\n\nThe sea rises and falls twice a day.\n\n- Spring tides\n- Neap tides\n- Slack water\n";
            ("200 OK\r\nContent-Type: text/markdown".into(), text.into())
        }
        _ => html(source("news.html")),
    });
    let host = web.address.to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let mut body = of_page(&web.url("/old"));
    body["outputFormats"] = json!(["instagram_post", "linkedin_carousel"]);
    body["carouselCounts"] = json!({"linkedin_carousel": 4});
    let generation = client.completed(&body).await;
    assert_eq!(generation["title"], "Town that banned leaf blowers finds its autumn quieter – and cleaner");
    assert_eq!((&generation["inputType"], &generation["inputUrl"]), (&json!("url"), &json!(web.url("/old"))));
    assert!(generation["language"].as_str().unwrap().starts_with("en"), "{generation:#}");
    let outputs = generation["outputs"].as_array().unwrap();
    assert_eq!(outputs.len(), 5);
    for output in outputs {
        let image = client.with_key("").get(output["imageUrl"].as_str().unwrap()).await;
        assert_eq!((image.status, image.header("content-type")), (200, "image/png"));
        let alt = output["altText"].as_str().unwrap().to_lowercase();
        for furniture in ["cookie", "privacy", "newsletter", "most read", "advertisement"] {
            assert!(!alt.contains(furniture), "{alt}");
        }
    }
    let text = client.completed(&of_page(&web.url("/notes.md"))).await;
    assert_eq!(text["title"], "Tides");
    let listed = client.get("/api/generations?inputType=url").await.json();
    assert_eq!(listed["generations"].as_array().unwrap().len(), 2);
    assert_eq!(client.get("/api/generations?inputType=text").await.json()["generations"], json!([]));
}

/// A photograph that is unlike anything else on a page: a deep green with a small shape in the middle.
pub fn photograph() -> Vec<u8> {
    let (width, height) = (1200, 800);
    let pixel = |i: u32| match (i % width, i / width) {
        (500..700, 300..500) => [240, 200, 60],
        (x, y) => [8, 110 + ((x + y) % 3) as u8, 48],
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    let data = (0..width * height).flat_map(pixel).collect();
    image::write(file.path(), &Pixmap { width, height, data });
    std::fs::read(file.path()).unwrap()
}

/// Returns how much of a picture that photograph covers.
pub fn share_of_it(pixels: &Pixmap) -> f64 {
    let of_it = |p: &&[u8]| p[0] < 40 && (90..130).contains(&p[1]) && (30..70).contains(&p[2]);
    pixels.data.chunks_exact(3).filter(of_it).count() as f64 / f64::from(pixels.width * pixels.height)
}

#[tokio::test]
async fn the_photograph_of_a_page_leads_its_carousel() {
    let canary = Web::start(|_| ("200 OK\r\nContent-Type: image/png".into(), photograph()));
    let inside = canary.url("/");
    let page = |lead: &str| {
        let text = String::from_utf8(source("news.html")).unwrap();
        html(text.replace("https://img.northharbourledger.example/2026/11/wexcombe-rakes-1200x675.jpg", lead).into())
    };
    let web = Web::start(move |path| match path {
        "/photo" => page("/photo.png"),
        "/photo.png" => ("200 OK\r\nContent-Type: image/png".into(), photograph()),
        "/without" => page("/gone.png"),
        "/gone.png" => ("404 Not Found\r\nContent-Length: 0".into(), Vec::new()),
        "/broken" => page("/broken.png"),
        "/broken.png" => ("200 OK\r\nContent-Type: image/png".into(), photograph()[..200].to_vec()),
        _ => page(&inside),
    });
    let host = web.address.to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let body = |path: &str| {
        json!({"inputType": "url", "inputUrl": web.url(path), "outputFormats": ["linkedin_carousel"],
            "carouselCounts": {"linkedin_carousel": 3}, "seed": 3})
    };
    let shown = async |generation: &Value| {
        let url = generation["outputs"][0]["imageUrl"].as_str().unwrap();
        share_of_it(&image::decode(&client.with_key("").get(url).await.body).unwrap())
    };
    let generation = client.completed(&body("/photo")).await;
    let warned = |generation: &Value| generation["warnings"].to_string().contains("photo_unavailable");
    assert!(!warned(&generation), "{generation:#}");
    let share = shown(&generation).await;
    assert!(share > 0.15, "the photograph takes {share} of the cover");
    for path in ["/without", "/broken", "/inside"] {
        let generation = client.completed(&body(path)).await;
        assert!(warned(&generation), "{generation:#}");
        assert!(shown(&generation).await < 0.01);
    }
    assert_eq!(canary.times_asked("/"), 0);
}

#[tokio::test]
async fn the_pictures_of_an_article_stand_on_its_slides() {
    let canary = Web::start(|_| ("200 OK\r\nContent-Type: image/png".into(), photograph()));
    let inside = canary.url("/");
    let web = Web::start(move |path| match path {
        "/quay.png" | "/tower.png" => ("200 OK\r\nContent-Type: image/png".into(), photograph()),
        "/inside.png" => (format!("302 Found\r\nLocation: {inside}"), Vec::new()),
        _ => ("404 Not Found\r\nContent-Length: 0".into(), Vec::new()),
    });
    let host = web.address.to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let article = |first: &str, second: &str| {
        format!(
            "# The lamp on the quay\n\n![The quay at dusk]({})\n\nThe lamp went out in March, and nobody came to mend it \
             for a month.\n\n## The keeper climbs every night\n\nShe carries a can of oil up the ninety steps of the tower. \
             The way takes her an hour in good weather.\n\n![The tower from below]({})\n\n## The boats wait behind the \
             wall\n\nNo skipper leaves the harbour while the light is dark. They have no other sign at night.\n\n\
             ## The town pays for a new lens\n\nThe council found the money in June. The lens came by rail and was fitted \
             within a day.\n",
            web.url(first),
            web.url(second)
        )
    };
    let ask = |text: String| {
        json!({"inputType": "text", "inputContent": text, "outputFormats": ["instagram_carousel"],
            "carouselCounts": {"instagram_carousel": 4}, "visualStyle": "modern", "seed": 3})
    };
    let shares = async |generation: &Value| {
        let mut shares = Vec::new();
        for output in generation["outputs"].as_array().unwrap() {
            shares.push(share_of_it(&client.pixels(&output["imageUrl"]).await));
        }
        shares
    };
    let warned = |generation: &Value| generation["warnings"].to_string().matches("photo_unavailable").count();

    // The same file at two URLs counts as one picture.
    let generation = client.completed(&ask(article("/quay.png", "/tower.png"))).await;
    assert_eq!(warned(&generation), 0, "{generation:#}");
    let seen = shares(&generation).await;
    assert!(seen[0] > 0.08 && seen[2..].iter().all(|share| *share < 0.01), "{seen:?}");
    assert!(generation["outputs"][0]["altText"].as_str().unwrap().contains("The quay at dusk"), "{generation:#}");

    // A picture that can't be fetched only causes a warning; a section's picture is placed on its page.
    for dead in ["/gone.png", "/inside.png"] {
        let generation = client.completed(&ask(article(dead, "/tower.png"))).await;
        assert_eq!(warned(&generation), 1, "{generation:#}");
        let seen = shares(&generation).await;
        assert!(seen[0] < 0.01 && seen[1..].iter().filter(|share| **share > 0.08).count() == 1, "{seen:?}");
        let alt = generation["outputs"].as_array().unwrap().iter().map(|o| o["altText"].as_str().unwrap());
        assert_eq!(alt.filter(|alt| alt.contains("The tower from below") && alt.contains("keeper")).count(), 1);
    }
    assert_eq!(canary.times_asked("/"), 0);
}

#[tokio::test]
async fn a_page_that_can_not_be_used_is_paid_back() {
    let canary = Web::start(|_| html(source("news.html")));
    let inside = canary.url("/");
    let web = Web::start(move |path| match path {
        "/gone" => ("404 Not Found\r\nContent-Type: text/html".into(), b"<p>Gone".to_vec()),
        "/busy" => ("503 Service Unavailable".into(), Vec::new()),
        "/shell" => html(source("app-shell.html")),
        "/empty" => html(Vec::new()),
        "/image" => ("200 OK\r\nContent-Type: image/png".into(), b"\x89PNG".to_vec()),
        "/bytes" => ("200 OK\r\nContent-Type: application/octet-stream".into(), vec![0; 100]),
        "/large" => ("200 OK\r\nContent-Type: text/html\r\nContent-Length: 6000000".into(), Vec::new()),
        "/inside" => (format!("302 Found\r\nLocation: {inside}"), Vec::new()),
        "/metadata" => ("302 Found\r\nLocation: http://169.254.169.254/latest/".into(), Vec::new()),
        "/loop" => ("302 Found\r\nLocation: /loop".into(), Vec::new()),
        _ => unreachable!("{path}"),
    });
    let host = web.address.to_string();
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    for (path, code) in [
        ("/gone", "url_fetch_failed"),
        ("/busy", "url_fetch_failed"),
        ("/loop", "url_fetch_failed"),
        ("/shell", "no_content"),
        ("/empty", "no_content"),
        ("/image", "url_unsupported_type"),
        ("/bytes", "url_unsupported_type"),
        ("/large", "url_too_large"),
        ("/inside", "url_not_allowed"),
        ("/metadata", "url_not_allowed"),
    ] {
        failed(&client, &web.url(path), code).await;
    }
    // Temporary errors are retried, permanent ones are not.
    assert_eq!((web.times_asked("/busy"), web.times_asked("/gone")), (3, 1));
    assert_eq!(canary.times_asked("/"), 0);
    let balance = client.get("/api/credits/balance").await.json();
    assert_eq!((&balance["balance"], &balance["reserved"]), (&json!(10_000), &json!(0)));
}

#[tokio::test]
async fn what_may_not_be_fetched_is_refused_at_once() {
    let canary = Web::start(|_| html(source("news.html")));
    let port = canary.address.port();
    let (_data, _service, client) = fresh(&UNHURRIED);
    for url in [
        canary.url("/"),
        format!("http://2130706433:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        "http://127.1/".into(),
        "HTTP://LOCALHOST/".into(),
        "http://0x7f000001/".into(),
        "http://169.254.169.254/latest/meta-data/".into(),
        "http://[64:ff9b::7f00:1]/".into(),
        "file:///etc/passwd".into(),
        "gopher://example.org/".into(),
        "data:text/html,<p>x".into(),
        "https://me:secret@example.org/".into(),
        "https://example.org:22/".into(),
    ] {
        let answer = client.post("/api/generations", &of_page(&url)).await;
        assert_eq!(answer.error(400, "invalid_request"), "validation_failed", "{url}");
        let detail = &answer.json()["details"][0];
        assert_eq!((&detail["field"], &detail["code"]), (&json!("inputUrl"), &json!("url_not_allowed")), "{url}");
    }
    for url in ["", "example.org/a", "http://", &format!("https://example.org/{}", "x".repeat(2_100))] {
        let answer = client.post("/api/generations", &of_page(url)).await;
        answer.error(400, "invalid_request");
        assert_eq!(answer.json()["details"][0]["code"], "invalid_value", "{url}");
    }
    assert_eq!(canary.times_asked("/"), 0);
}
