//! Tests of brand kits through the router, with a fake decoder for logos and fonts.

use async_trait::async_trait;
use axum::body::Bytes;
use fleet::fair_semaphore::Busy;
use fleet::import::{CheckedFont, ImportError, Importer, LogoPicture, SharedFamily};
use render_core::design::Brand;
use render_core::text::Family;

use super::*;

/// Accepts any file that doesn't contain `broken`, and reports what it read.
pub(super) struct Reader;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

#[async_trait]
impl Importer for Reader {
    async fn logo(&self, _: Uuid, file: Bytes) -> Result<LogoPicture, ImportError> {
        if file.ends_with(b"broken") {
            return Err(ImportError::Refused("it is broken".into()));
        }
        if file.ends_with(b"again") {
            return Err(Busy.into());
        }
        Ok(LogoPicture { png: [b"our own ", &file[..]].concat().into(), width: 300, height: 100 })
    }

    async fn font(&self, _: Uuid, file: Bytes) -> Result<CheckedFont, ImportError> {
        // The fake font format: `wOF2`, the weight in hundreds, the family.
        let said = String::from_utf8_lossy(&file[4..]).into_owned();
        if said == "broken" {
            return Err(ImportError::Refused("it is broken".into()));
        }
        if said == "again" {
            return Err(Busy.into());
        }
        let (weight, family) = said.split_at(1);
        Ok(CheckedFont { weight: weight.parse::<u16>().unwrap() * 100, family: family.into(), sfnt: file })
    }

    fn face(&self, _: &str, _: u16) -> Option<Bytes> {
        None
    }

    fn families(&self) -> Vec<SharedFamily> {
        let family = |name: &str, built_in| SharedFamily { name: name.into(), weights: vec![400, 700], built_in };
        vec![family("Manrope", true), family("House Sans", false)]
    }
}

impl Service {
    async fn json(&self, method: &str, path: &str, body: &Value) -> Answer {
        self.send(self.request(method, path, body.to_string())).await
    }

    async fn kit(&self, body: &Value) -> Value {
        let answer = self.json("POST", "/api/brands", body).await;
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        let kit = answer.json()["brand"].take();
        assert_eq!(answer.header("location"), path_to(&kit));
        kit
    }

    async fn font(&self, said: &str) -> Answer {
        let (kind, body) = uploads::multipart("b", &[("file", format!("wOF2{said}").as_bytes())]);
        let mut request = self.request("POST", "/api/uploads", body);
        request.headers_mut().insert("content-type", kind.parse().unwrap());
        self.send(request).await
    }

    pub(super) async fn delete(&self, path: &str) -> Answer {
        self.send(self.request("DELETE", path, Body::empty())).await
    }

    /// Returns the account's own families from the font list.
    async fn own_fonts(&self) -> Vec<Value> {
        let fonts = self.get("/api/fonts").await.json();
        let all = fonts["fonts"].as_array().unwrap();
        assert_eq!(fonts["count"], all.len());
        all.iter().filter(|f| f["source"] == "account").cloned().collect()
    }
}

fn path_to(kit: &Value) -> String {
    format!("/api/brands/{}", kit["id"].as_str().unwrap())
}

fn acme() -> Value {
    json!({
        "name": "Acme", "colors": {"primary": "#0A5F38"}, "fonts": {"heading": "manrope"}, "handle": "@acme",
        "url": "https://acme.example/", "visualStyle": "minimal", "tone": "warm",
    })
}

#[tokio::test]
async fn a_kit_is_made_read_replaced_and_deleted() {
    let s = Service::rich();
    let kit = s.kit(&acme()).await;
    let want = json!({
        "id": kit["id"], "name": "Acme", "isDefault": false,
        "colors": {"primary": "#0a5f38", "secondary": null, "accent": null, "background": null, "text": null},
        "fonts": {"heading": "Manrope", "body": null}, "logoUrl": null, "logoDarkUrl": null, "tone": "warm",
        "handle": "@acme", "url": "https://acme.example/", "visualStyle": "minimal", "footer": null,
        "createdAt": kit["createdAt"], "updatedAt": kit["createdAt"],
    });
    assert_eq!(kit, want);
    assert!(Millis::parse(kit["createdAt"].as_str().unwrap()).is_some());
    let second = s.kit(&json!({"name": "Second"})).await;
    assert_eq!(s.get("/api/brands").await.json(), json!({"brands": [kit, second], "count": 2, "warnings": []}));
    assert_eq!(s.get(&path_to(&kit)).await.json()["brand"], kit);

    let replaced = s.json("PUT", &path_to(&kit), &json!({"name": "Acme 2", "footer": false, "nme": 1})).await.json();
    let brand = &replaced["brand"];
    assert_eq!((&brand["name"], &brand["footer"], &brand["handle"]), (&json!("Acme 2"), &json!(false), &Value::Null));
    assert_eq!(brand["createdAt"], kit["createdAt"]);
    assert_eq!(replaced["warnings"][0]["code"], "unknown_field");
    assert_eq!(s.get(&path_to(&kit)).await.json()["brand"], *brand);

    let deleted = s.delete(&path_to(&kit)).await;
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
    deleted.carries_limits();
    for method in ["GET", "DELETE"] {
        let gone = s.send(s.request(method, &path_to(&kit), Body::empty())).await;
        assert_eq!(gone.error(), (404, "brand_not_found".into()));
    }
    assert_eq!(s.json("PUT", &path_to(&kit), &acme()).await.error(), (404, "brand_not_found".into()));
    assert_eq!(s.get("/api/brands").await.json()["count"], 1);
}

#[tokio::test]
async fn there_is_one_default_and_a_most_of_kits() {
    let s = Service::rich();
    let with = |name: &str, default: bool| json!({"name": name, "isDefault": default});
    let defaults = async || -> Vec<String> {
        let kits = s.get("/api/brands").await.json()["brands"].take();
        let marked = kits.as_array().unwrap().iter().filter(|k| k["isDefault"] == true);
        marked.map(|k| k["name"].as_str().unwrap().to_owned()).collect()
    };
    let a = s.kit(&with("a", true)).await;
    assert_eq!(a["isDefault"], true);
    let b = s.kit(&with("b", true)).await;
    assert_eq!(defaults().await, ["b"]);
    s.json("PUT", &path_to(&a), &with("a", true)).await;
    assert_eq!(defaults().await, ["a"]);
    s.json("PUT", &path_to(&b), &with("b", false)).await;
    assert_eq!(defaults().await, ["a"]);
    s.kit(&with("c", false)).await;
    let full = s.json("POST", "/api/brands", &with("d", false)).await;
    assert_eq!(
        (full.error(), &full.json()["details"][0]["code"]),
        ((400, "validation_failed".into()), &json!("too_many_brands"))
    );
    s.delete(&path_to(&a)).await;
    assert!(defaults().await.is_empty());
    s.kit(&with("d", true)).await;
    assert_eq!(defaults().await, ["d"]);
}

#[tokio::test]
async fn one_idempotency_key_makes_one_kit() {
    let s = Service::rich();
    let under = async |key: &str, body: &Value| {
        let mut request = s.request("POST", "/api/brands", body.to_string());
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        s.send(request).await
    };
    s.font("4Acme Sans").await;
    let body = json!({"name": "A", "fonts": {"body": "acme sans"}, "isDefault": true, "colour": 1});
    let first = under("k", &body).await;
    assert_eq!((first.status, &first.json()["warnings"][0]["code"]), (201, &json!("unknown_field")));
    // The stored response stays the same, whatever happens to the kit and the files it uses.
    let path = first.header("location").to_owned();
    s.json("PUT", &path, &json!({"name": "B"})).await;
    s.app.store.forget(Millis::now().plus_seconds(24 * 3600 - 60)).unwrap();
    s.delete(&path).await;
    let again = under("k", &body).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (201, "true"));
    assert_eq!((again.json(), again.header("location")), (first.json(), path.as_str()));
    assert_eq!(under("k", &json!({"name": "C"})).await.error(), (409, "idempotency_conflict".into()));
    assert_eq!(s.create_under("k", &text()).await.error(), (409, "idempotency_conflict".into()));
    assert_eq!(s.get("/api/brands").await.json()["count"], 0);
    // After a day, the idempotency key is free again.
    s.app.store.forget(Millis::now().plus_seconds(24 * 3600 + 1)).unwrap();
    assert!(under("k", &json!({"name": "C"})).await.header("idempotent-replayed").is_empty());
}

#[tokio::test]
async fn logos_are_decoded_and_served_by_signed_urls() {
    let s = Service::rich();
    let kit = s.kit(&acme()).await;
    let put = async |query: &str, file: &[u8]| {
        s.send(s.request("PUT", &format!("{}/logo{query}", path_to(&kit)), file.to_vec())).await
    };
    let light = put("", PNG).await;
    assert_eq!(light.status, 200, "{}", String::from_utf8_lossy(&light.body));
    let shown = light.json()["brand"].take();
    assert_eq!(shown["logoDarkUrl"], Value::Null);
    let image = s.get(path_of(&shown["logoUrl"])).await;
    assert_eq!((image.status, image.header("content-type")), (200, "image/png"));
    assert_eq!(image.body, [b"our own ", PNG].concat(), "what was sent is not served");
    let unsigned = path_of(&shown["logoUrl"]).split('?').next().unwrap().to_owned();
    assert_eq!(s.get(&unsigned).await.error(), (403, "signature_invalid".into()));
    let none = path_of(&json!(s.app.signer.url(&format!("logos/{}.png", "0".repeat(64)), Millis::now()))).to_owned();
    assert_eq!(s.get(&none).await.error(), (404, "not_found".into()));

    assert_eq!(put("?variant=dark", b"<svg/>").await.status, 200);
    // Sending a kit back as it was read keeps everything; `null` removes a logo.
    let mut body = s.get(&path_to(&kit)).await.json()["brand"].take();
    let kept = s.json("PUT", &path_to(&kit), &body).await.json();
    assert_eq!(kept["warnings"], json!([]));
    assert!(kept["brand"]["logoUrl"].is_string() && kept["brand"]["logoDarkUrl"].is_string());
    body["logoUrl"] = Value::Null;
    let without = s.json("PUT", &path_to(&kit), &body).await.json();
    assert!(without["brand"]["logoUrl"].is_null() && without["brand"]["logoDarkUrl"].is_string());
    body["logoUrl"] = json!("https://example.org/logo.png");
    let ignored = s.json("PUT", &path_to(&kit), &body).await.json();
    assert!(ignored["brand"]["logoUrl"].is_null(), "no logo is fetched");
    assert_eq!(ignored["warnings"][0]["code"], "unknown_field");

    let large = [PNG, &vec![0; render_core::limits::LOGO_BYTES]].concat();
    for (query, file, error) in [
        ("", &b"plain text"[..], (415, "unsupported_media_type")),
        ("", b"", (415, "unsupported_media_type")),
        ("", b"%PDF-1.7", (415, "unsupported_media_type")),
        ("?variant=blue", PNG, (400, "validation_failed")),
        ("", &[PNG, b"broken"].concat(), (400, "logo_invalid")),
        ("", &[PNG, b"again"].concat(), (503, "busy")),
        ("", &large, (413, "body_too_large")),
    ] {
        assert_eq!(put(query, file).await.error(), (error.0, error.1.to_owned()), "{query}");
    }
}

#[tokio::test]
async fn fonts_are_kept_while_a_kit_names_them() {
    let s = Service::rich();
    let sent = s.font("4Acme Sans").await;
    assert_eq!(sent.status, 201, "{}", String::from_utf8_lossy(&sent.body));
    let upload = sent.json()["upload"].take();
    assert_eq!(
        (&upload["mimeType"], &upload["font"]),
        (&json!("font/woff2"), &json!({"family": "Acme Sans", "weight": 400}))
    );
    s.font("7Acme Sans").await;
    s.font("4Other").await;
    // A font with the same family and weight replaces it.
    s.font("7Acme Sans").await;
    let own = s.own_fonts().await;
    assert_eq!(own.len(), 2);
    assert_eq!((&own[0]["family"], &own[0]["weights"]), (&json!("Acme Sans"), &json!([400, 700])));
    assert!(own[0]["expiresAt"].is_string());
    let fonts = s.get("/api/fonts").await.json();
    let sources: Vec<&str> = fonts["fonts"].as_array().unwrap().iter().map(|f| f["source"].as_str().unwrap()).collect();
    assert_eq!(sources, ["built-in", "service", "account", "account"]);

    let kit = s.kit(&json!({"name": "A", "fonts": {"heading": "ACME SANS", "body": "House Sans"}})).await;
    assert_eq!(kit["fonts"], json!({"heading": "Acme Sans", "body": "House Sans"}));
    let tomorrow = Millis::now().plus_seconds(24 * 3600 + 1);
    s.app.store.forget(tomorrow).unwrap();
    let faces = s.app.store.faces(s.account, tomorrow).unwrap();
    assert!(faces.len() == 2 && faces.iter().all(|f| f.family == "Acme Sans"), "{faces:?}");
    s.delete(&path_to(&kit)).await;
    assert_eq!(s.app.store.faces(s.account, tomorrow).unwrap(), []);
    s.app.store.forget(tomorrow).unwrap();
    assert!(s.own_fonts().await.is_empty());

    for (said, detail) in [("broken", "font_invalid"), ("4manrope", "font_invalid")] {
        let refused = s.font(said).await;
        assert_eq!(
            (refused.error(), &refused.json()["details"][0]["code"]),
            ((400, "validation_failed".into()), &json!(detail))
        );
    }
    for n in 0..render_core::limits::ACCOUNT_FACES {
        assert_eq!(s.font(&format!("4Family {n}")).await.status, 201);
    }
    let full = s.font("4One too many").await;
    assert_eq!(
        (full.error(), &full.json()["details"][0]["code"]),
        ((400, "validation_failed".into()), &json!("too_many_fonts"))
    );
    assert_eq!(s.font("4Family 0").await.status, 201, "in the place of its like");
    let unknown = s.json("POST", "/api/brands", &json!({"name": "A", "fonts": {"heading": "Famly 1"}})).await;
    assert!(unknown.json()["message"].as_str().unwrap().contains("Family 1"), "{}", unknown.json());
    // A font can't be the input of a generation.
    let id = s.font("4Family 0").await.json()["upload"]["id"].take();
    let of_font = json!({"inputType": "pdf", "fileId": id, "outputFormats": ["instagram_post"]});
    assert_eq!(s.create(&of_font).await.error(), (400, "validation_failed".into()));
}

#[tokio::test]
async fn a_generation_is_made_with_the_kit_as_it_stood() {
    let s = Service::rich();
    s.font("4Acme Sans").await;
    let mut body = acme();
    body["fonts"] = json!({"heading": "Acme Sans", "body": "Manrope"});
    let kit = s.kit(&body).await;
    s.send(s.request("PUT", &format!("{}/logo", path_to(&kit)), PNG.to_vec())).await;
    let id = kit["id"].as_str().unwrap();
    let branded = json!({
        "inputType": "text", "inputContent": "A fox.", "outputFormats": ["instagram_post"], "brandId": id,
    });
    let made = s.create_under("k", &branded).await;
    assert_eq!(made.status, 202, "{}", String::from_utf8_lossy(&made.body));
    let generation = made.json()["generation"].take();
    assert_eq!((&generation["brandId"], &generation["visualStyle"]), (&json!(id), &json!("minimal")));
    let mut bold = branded.clone();
    bold["visualStyle"] = json!("bold");
    assert_eq!(s.create(&bold).await.json()["generation"]["visualStyle"], "bold");
    s.create(&text()).await;
    s.delete(&path_to(&kit)).await;

    let (claim, job) = s.claim().unwrap();
    let Job::Plan(plan) = &job else { panic!("{job:?}") };
    assert_eq!(plan.style.as_deref(), Some("minimal"));
    let stored = s.app.blobs.get_blob(&plan.brand.unwrap()).await.unwrap();
    let brand = Brand::decode(&stored).unwrap();
    assert_eq!((brand.name.as_str(), brand.tone.as_deref(), brand.footer), ("Acme", Some("warm"), true));
    assert_eq!((brand.handle.as_deref(), brand.url.as_deref()), (Some("@acme"), Some("acme.example")));
    assert_eq!((brand.heading, brand.body), (Some(Family::OwnHeading), Some(Family::Manrope)));
    let face = BlobId(brand.faces[0].key.0);
    assert_eq!(s.app.blobs.get_blob(&face).await.unwrap(), b"wOF24Acme Sans".as_slice());
    let logo = brand.logo.unwrap();
    assert_eq!((logo.width, logo.height), (300, 100));
    assert_eq!(s.app.blobs.get_blob(&BlobId(logo.key.0)).await.unwrap(), [b"our own ", PNG].concat());
    s.app.store.report(claim, &planned(plan.formats.clone()), Millis::now()).unwrap();
    let renders = std::iter::from_fn(|| s.claim()).filter_map(|(_, job)| match job {
        Job::Render(render) => Some(render.brand),
        Job::Plan(_) => None,
    });
    assert_eq!(renders.collect::<Vec<_>>(), [plan.brand]);

    // The kit is deleted: a request that was accepted before gets its stored response, and a new one gets 404.
    let again = s.create_under("k", &branded).await;
    assert_eq!((again.status, again.json()), (202, made.json()));
    assert_eq!(s.create(&branded).await.error(), (404, "brand_not_found".into()));
    let listed = s.get(&format!("/api/generations?brandId={id}")).await.json();
    assert_eq!(listed["generations"].as_array().unwrap().len(), 2);
    let mut wrong = branded;
    wrong["brandId"] = json!("acme");
    let refused = s.create(&wrong).await;
    assert_eq!(
        (refused.error(), &refused.json()["details"][0]["field"]),
        ((400, "validation_failed".into()), &json!("brandId"))
    );
}

#[tokio::test]
async fn kits_of_others_are_not_there_and_scopes_hold() {
    let s = Service::rich();
    let kit = s.kit(&acme()).await;
    s.font("4Acme Sans").await;
    let (_, key) = new_account(&s.app, Plan::Pro, 100);
    let own = s.key.clone();
    let other = Service { key, ..s };
    let absent = format!("/api/brands/{}", Uuid::now_v7());
    for (method, tail, body) in [
        ("GET", "", String::new()),
        ("PUT", "", acme().to_string()),
        ("DELETE", "", String::new()),
        ("PUT", "/logo", "<svg/>".into()),
    ] {
        let foreign = other.send(other.request(method, &format!("{}{tail}", path_to(&kit)), body.clone())).await;
        let none = other.send(other.request(method, &format!("{absent}{tail}"), body)).await;
        assert_eq!(foreign.error(), (404, "brand_not_found".into()), "{method} {tail}");
        assert_eq!((foreign.error(), &foreign.json()["message"]), (none.error(), &none.json()["message"]));
    }
    for path in ["/api/brands/x", "/api/brands/..%2f", "/api/brands/%00", "/api/brands/%ff"] {
        assert_eq!(other.get(path).await.error(), (404, "brand_not_found".into()), "{path}");
    }
    assert_eq!(other.get("/api/brands").await.json()["count"], 0);
    assert!(other.own_fonts().await.is_empty());
    let named = other.json("POST", "/api/brands", &json!({"name": "A", "fonts": {"body": "Acme Sans"}})).await;
    assert_eq!(named.error(), (400, "validation_failed".into()));
    let branded = json!({
        "inputType": "text", "inputContent": "A fox.", "outputFormats": ["instagram_post"], "brandId": kit["id"],
    });
    assert_eq!(other.create(&branded).await.error(), (404, "brand_not_found".into()));

    let (_, key) =
        other.app.store.create_key(other.account, "reads", Scopes::of(&[Scope::BrandsRead]), Millis(0)).unwrap();
    let reads = Service { key: key.reveal().to_owned(), ..other };
    assert_eq!((reads.get("/api/brands").await.status, reads.get("/api/fonts").await.status), (200, 200));
    for (method, path) in [
        ("POST", "/api/brands".to_owned()),
        ("PUT", path_to(&kit)),
        ("DELETE", path_to(&kit)),
        ("PUT", format!("{}/logo", path_to(&kit))),
        ("POST", "/api/uploads".to_owned()),
    ] {
        let refused = reads.json(method, &path, &acme()).await;
        assert_eq!(refused.error(), (403, "insufficient_scope".into()), "{method} {path}");
    }
    let (_, key) =
        reads.app.store.create_key(reads.account, "writes", Scopes::of(&[Scope::BrandsWrite]), Millis(0)).unwrap();
    let writes = Service { key: key.reveal().to_owned(), ..reads };
    assert_eq!(writes.get("/api/brands").await.error(), (403, "insufficient_scope".into()));
    assert_eq!(writes.font("4Mine").await.status, 201);
    let (kind, body) = uploads::multipart("b", &[("file", b"%PDF-1.7")]);
    let mut pdf = writes.request("POST", "/api/uploads", body);
    pdf.headers_mut().insert("content-type", kind.parse().unwrap());
    assert_eq!(writes.send(pdf).await.error(), (403, "insufficient_scope".into()));
    assert_eq!(Service { key: own, ..writes }.get(&path_to(&kit)).await.status, 200);
}
