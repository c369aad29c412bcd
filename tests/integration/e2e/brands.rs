//! Tests of brand kits: they survive a restart, generations use them, and malicious logos and fonts do no harm.

use serde_json::{Value, json};

use super::pages::Web;
use super::{UNHURRIED, codes, fresh};
use crate::repo;
use crate::service::{Answer, Client, Service, id};

fn data(path: &str) -> Vec<u8> {
    std::fs::read(repo::root().join("tests/data").join(path)).unwrap()
}

impl Client {
    async fn kit(&self, body: &Value) -> Value {
        let answer = self.post("/api/brands", body).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        answer.json()["brand"].take()
    }

    async fn put_logo(&self, kit: &Value, query: &str, file: impl Into<Vec<u8>>) -> Answer {
        let path = format!("/api/brands/{}/logo{query}", id(kit));
        self.send(self.request("PUT", &path).body(file.into())).await.unwrap()
    }

    async fn upload(&self, name: &str, file: &[u8]) -> Answer {
        let head = format!("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
        let body = [head.as_bytes(), file, b"\r\n--b--\r\n"].concat();
        let request = self.request("POST", "/api/uploads").header("content-type", "multipart/form-data; boundary=b");
        self.send(request.body(body)).await.unwrap()
    }
}

fn of(kit: &Value) -> Value {
    json!({
        "inputType": "text", "inputContent": "# Water early\n\n- Water at six\n- Water the roots\n- Leave the leaves dry",
        "outputFormats": ["instagram_square"], "brandId": kit["id"], "seed": 3,
    })
}

#[tokio::test]
async fn a_kit_is_kept_and_worn() {
    let data = tempfile::tempdir().unwrap();
    let service = Service::start(data.path(), &UNHURRIED);
    let client = service.client();
    let kit = client
        .kit(&json!({
            "name": "Acme", "isDefault": true, "colors": {"primary": "#0A5F38", "background": "#fffdf5"},
            "fonts": {"heading": "Instrument Serif", "body": "instrument sans"}, "tone": "warm, plain",
            "handle": "@acme", "url": "https://acme.example", "visualStyle": "minimal", "footer": true,
        }))
        .await;
    assert_eq!(kit["fonts"], json!({"heading": "Instrument Serif", "body": "Instrument Sans"}));
    assert_eq!(client.put_logo(&kit, "", self::data("logos/disc.png")).await.status, 200);
    let generation = client.completed(&of(&kit)).await;
    assert_eq!((&generation["brandId"], &generation["visualStyle"]), (&kit["id"], &json!("minimal")));
    let estimate = client.post("/api/generations/estimate", &of(&kit)).await;
    assert_eq!(estimate.json()["estimate"]["visualStyle"], "minimal", "{}", estimate.json());
    let key = service.key.clone().unwrap();
    service.kill();

    let service = Service::start(data.path(), &UNHURRIED);
    let client = Client::new(&service.base, &key);
    let listed = client.get("/api/brands").await.json();
    assert_eq!((&listed["count"], &listed["brands"][0]["name"]), (&json!(1), &json!("Acme")));
    let kept = client.get(&format!("/api/brands/{}", id(&kit))).await.json()["brand"].take();
    let logo = client.with_key("").get(kept["logoUrl"].as_str().unwrap()).await;
    assert_eq!((logo.status, logo.header("content-type")), (200, "image/png"));
    let seen = crate::image::decode(&logo.body).unwrap();
    assert_eq!((seen.width, seen.height), (48, 48));
    // Except for the logo, the kit is unchanged.
    let mut same = kept.clone();
    for field in ["logoUrl", "updatedAt"] {
        same[field] = kit[field].clone();
    }
    assert_eq!(same, kit);

    let path = format!("/api/brands/{}", id(&kit));
    let replaced = client.send(client.request("PUT", &path).json(&json!({"name": "Acme 2"}))).await.unwrap().json();
    assert_eq!((&replaced["brand"]["name"], &replaced["brand"]["tone"]), (&json!("Acme 2"), &Value::Null));
    assert_eq!(replaced["brand"]["isDefault"], false);
    let found = client.get(&format!("/api/generations?brandId={}", id(&kit))).await.json();
    assert_eq!(found["generations"].as_array().unwrap().len(), 1);
    assert_eq!(client.send(client.request("DELETE", &path)).await.unwrap().status, 204);
    for absent in [path.as_str(), "/api/brands/7", "/api/brands/..%2f", "/api/brands/%00"] {
        assert_eq!(client.get(absent).await.error(404, "not_found"), "brand_not_found", "{absent}");
    }
    let gone = client.post("/api/generations", &of(&kit)).await;
    assert_eq!(gone.error(404, "not_found"), "brand_not_found");
    let gone = client.post("/api/generations/estimate", &of(&kit)).await;
    assert_eq!(gone.error(404, "not_found"), "brand_not_found");
    let still = client.generation(id(&generation)).await;
    assert_eq!((&still["status"], &still["brandId"]), (&json!("completed"), &kit["id"]), "what was made stays");
}

#[tokio::test]
async fn every_fault_of_a_kit_is_told_at_once() {
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--max-brands", "2"]].concat());
    let wrong = json!({
        "name": "x".repeat(101), "colors": {"primary": "#12", "accent": 5}, "fonts": {"body": "Comic Sans", "heading": []},
        "tone": "x".repeat(301), "handle": "a b", "url": "gopher://acme.example", "visualStyle": "loud", "footer": 1,
        "isDefault": "yes",
    });
    let answer = client.post("/api/brands", &wrong).await;
    assert_eq!(answer.error(400, "invalid_request"), "validation_failed");
    let told = answer.json()["details"].take();
    let fields: Vec<&str> = told.as_array().unwrap().iter().map(|d| d["field"].as_str().unwrap()).collect();
    for field in [
        "name",
        "colors.primary",
        "colors.accent",
        "fonts.body",
        "fonts.heading",
        "tone",
        "handle",
        "url",
        "visualStyle",
        "footer",
        "isDefault",
    ] {
        assert!(fields.contains(&field), "{field} is missing in {told:#}");
    }
    let warned = client.post("/api/brands", &json!({"name": "A", "colour": {}, "fonts": {"headline": "x"}})).await;
    assert_eq!(warned.status, 201);
    let warnings = &warned.json()["warnings"];
    assert_eq!(codes(warnings), ["unknown_field", "unknown_field"]);
    assert!(warnings.to_string().contains("fonts.heading"), "{warnings:#}");
    client.kit(&json!({"name": "B", "isDefault": true})).await;
    let full = client.post("/api/brands", &json!({"name": "C"})).await;
    full.error(400, "invalid_request");
    assert_eq!(codes(&full.json()["details"]), ["too_many_brands"]);
    let plain = client.request("POST", "/api/brands").header("content-type", "text/plain").body("{}");
    assert_eq!(client.send(plain).await.unwrap().error(415, "invalid_request"), "unsupported_media_type");
}

#[tokio::test]
async fn logos_of_every_kind_are_taken() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let kit = client.kit(&json!({"name": "A"})).await;
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 64'>\
               <circle cx='40' cy='32' r='24' fill='#c81e28'/></svg>";
    let files = ["disc.png", "disc-palette.png", "disc-lossless.webp", "disc.gif", "disc.jpg", "disc-cmyk.jpg"];
    let files = files.map(|name| data(&format!("logos/{name}"))).into_iter().chain([svg.as_bytes().to_vec()]);
    for (n, file) in files.enumerate() {
        let (query, field) = if n % 2 == 0 { ("", "logoUrl") } else { ("?variant=dark", "logoDarkUrl") };
        let answer = client.put_logo(&kit, query, file).await;
        assert_eq!(answer.status, 200, "{n}: {}", String::from_utf8_lossy(&answer.body));
        let shown = client.get(answer.json()["brand"][field].as_str().unwrap()).await;
        let seen = crate::image::decode(&shown.body).unwrap();
        let middle = ((seen.height / 2 * seen.width + seen.width * 5 / 12) * 3) as usize;
        let red = &seen.data[middle..middle + 3];
        assert!(red[0] > 170 && red[1] < 80 && red[2] < 90, "{n}: {red:?}");
    }
}

/// A PNG whose header declares this size.
fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    file.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
    file.extend([1, 0, 0, 0, 0]);
    let mut check = u32::MAX;
    for byte in &file[12..] {
        check ^= u32::from(*byte);
        for _ in 0..8 {
            check = if check & 1 == 1 { check >> 1 ^ 0xedb8_8320 } else { check >> 1 };
        }
    }
    file.extend((!check).to_be_bytes());
    file
}

fn svg(body: &str) -> Vec<u8> {
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{body}</svg>").into_bytes()
}

#[tokio::test]
async fn hostile_logos_are_refused_and_nothing_is_fetched_for_them() {
    let canary = Web::start(|_| ("200 OK\r\nContent-Type: image/png".into(), Vec::new()));
    let host = canary.address().to_string();
    // Even if fetching from that host is allowed.
    let (_data, _service, client) = fresh(&[&UNHURRIED[..], &["--allow-host", &host]].concat());
    let kit = client.kit(&json!({"name": "A"})).await;
    let out = canary.url("/a.png");
    let mut laughs = "<!DOCTYPE svg [<!ENTITY a0 'ha'>".to_owned();
    for n in 1..20 {
        laughs += &format!("<!ENTITY a{n} '{}'>", format!("&a{};", n - 1).repeat(10));
    }
    laughs += "]><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><desc>&a19;</desc><rect width='9' height='9'/></svg>";
    let mut uses = "<g id='u0'><rect width='9' height='9'/></g>".to_owned();
    for n in 1..40 {
        uses += &format!("<g id='u{n}'>{}</g>", format!("<use href='#u{}'/>", n - 1).repeat(10));
    }
    let xxe = |target: &str| {
        format!(
            "<!DOCTYPE svg [<!ENTITY x SYSTEM '{target}'>]><svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>\
                 <title>&x;</title><rect width='9' height='9'/></svg>"
        )
    };
    let mut cut = data("logos/disc.png");
    cut.truncate(cut.len() / 2);
    let mut checksum = data("logos/disc.png");
    let last = checksum.len() - 13;
    checksum[last] ^= 1;
    for (name, file) in [
        ("a bomb", png_of(60_000, 60_000)),
        ("nothing but a header", png_of(64, 64)),
        ("a bad checksum", checksum),
        ("cut short", cut),
        ("a picture from outside", svg(&format!("<image href='{out}' width='9' height='9'/>"))),
        ("a part of another file", svg(&format!("<use href='{out}#a'/>"))),
        ("a file of the host", svg("<image href='file:///etc/passwd' width='9' height='9'/>")),
        ("a foreign entity", xxe(&out).into_bytes()),
        ("a file as an entity", xxe("file:///etc/passwd").into_bytes()),
        ("billion laughs", laughs.into_bytes()),
        ("nested uses", svg(&uses)),
        ("deep", svg(&"<g>".repeat(200_000))),
        ("text", svg("<text y='9'>Acme</text>")),
        ("nothing to see", svg("<script>fetch('/')</script>")),
    ] {
        let answer = client.put_logo(&kit, "", file).await;
        assert_eq!(answer.error(400, "invalid_request"), "logo_invalid", "{name}");
    }
    for file in [b"plain text".to_vec(), b"%PDF-1.7".to_vec(), Vec::new(), b"<html><body/></html>".to_vec()] {
        let answer = client.put_logo(&kit, "", file).await;
        assert_eq!(answer.error(415, "invalid_request"), "unsupported_media_type");
    }
    let large = client.put_logo(&kit, "", vec![0x89; (5 << 20) + 1]).await;
    assert_eq!(large.error(413, "invalid_request"), "body_too_large");
    let wrong = client.put_logo(&kit, "?variant=blue", data("logos/disc.png")).await;
    assert_eq!(wrong.error(400, "invalid_request"), "validation_failed");
    let nobodys = json!({"id": "0192a0c4-0000-7000-8000-000000000000"});
    let absent = client.put_logo(&nobodys, "", data("logos/disc.png")).await;
    assert_eq!(absent.error(404, "not_found"), "brand_not_found");
    // An external style sheet, a script and a link are dropped from the picture; everything else is unchanged.
    let styled = svg(&format!(
        "<style>@import url('{out}'); rect {{ fill: url('{out}') #c81e28 }}</style><script href='{out}'/>\
         <a href='{out}'><rect width='9' height='9'/></a>"
    ));
    assert_eq!(client.put_logo(&kit, "", styled).await.status, 200);
    assert_eq!(canary.times_asked("/a.png"), 0, "nothing was fetched");
}

#[tokio::test]
async fn a_font_of_the_account_s_own_is_checked_and_worn() {
    let (_data, _service, client) = fresh(&UNHURRIED);
    let file = data("fonts/noto-sans-cherokee-700.woff2");
    let sent = client.upload("brand.woff2", &file).await;
    assert_eq!(sent.status, 201, "{}", String::from_utf8_lossy(&sent.body));
    let upload = sent.json()["upload"].take();
    assert_eq!((&upload["mimeType"], &upload["bytes"]), (&json!("font/woff2"), &json!(file.len())));
    assert_eq!(upload["font"], json!({"family": "Noto Sans Cherokee", "weight": 700}));
    let fonts = client.get("/api/fonts").await.json();
    let all = fonts["fonts"].as_array().unwrap();
    assert_eq!(fonts["count"], all.len());
    let own: Vec<&Value> = all.iter().filter(|f| f["source"] == "account").collect();
    assert_eq!((own.len(), &own[0]["family"], &own[0]["weights"]), (1, &upload["font"]["family"], &json!([700])));
    assert!(all.iter().any(|f| f["family"] == "Manrope" && f["source"] == "built-in"));

    let kit = client.kit(&json!({"name": "ᏣᎳᎩ", "fonts": {"heading": "Noto Sans Cherokee"}})).await;
    let cherokee = |brand: Option<&Value>| {
        let mut body = json!({
            "inputType": "text", "inputContent": "# ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ\n\n- ᎠᏂᏴᏫ ᎠᎴ\n- ᎣᏏᏲ\n- ᎣᏍᏓ", "language": "en",
            "outputFormats": ["instagram_square"], "seed": 1,
        });
        if let Some(kit) = brand {
            body["brandId"] = kit["id"].clone();
        }
        body
    };
    // No other font has these characters: only generations with the kit can render them.
    let worn = client.completed(&cherokee(Some(&kit))).await;
    assert!(!codes(&worn["warnings"]).contains(&"missing_glyphs"), "{:#}", worn["warnings"]);
    let without = client.create(&cherokee(None)).await;
    let without = client.finished(id(&without)).await;
    let lacks = without["status"] == "failed" || codes(&without["warnings"]).contains(&"missing_glyphs");
    assert!(lacks, "{without:#}");

    for (name, broken) in [
        ("cut.ttf", &data("fonts/noto-sans-cherokee-400.ttf")[..900]),
        ("collection.ttc", b"ttcf and nothing more"),
        ("noise.woff2", b"wOF2 and nothing more"),
    ] {
        let refused = client.upload(name, broken).await;
        assert_eq!(refused.error(400, "invalid_request"), "validation_failed", "{name}");
        assert_eq!(codes(&refused.json()["details"]), ["font_invalid"], "{name}");
    }
    let other = client.upload("program", b"\x7fELF\x02\x01\x01\0\0\0\0\0").await;
    assert_eq!(other.error(415, "invalid_request"), "unsupported_media_type");
    let mut of_font = cherokee(None);
    of_font["inputType"] = json!("pdf");
    of_font["fileId"] = upload["id"].clone();
    assert_eq!(client.post("/api/generations", &of_font).await.error(400, "invalid_request"), "validation_failed");
}
