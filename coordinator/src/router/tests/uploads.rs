//! Tests of uploads.

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;

use super::*;
use crate::state::Upload;

const PDF: &[u8] = b"%PDF-1.7\nnot much of one";

/// Builds a multipart body from parts (name, bytes). Returns its content type and bytes.
pub(super) fn multipart(boundary: &str, parts: &[(&str, &[u8])]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    for (name, bytes) in parts {
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"a.pdf\"\r\n\
             Content-Type: application/pdf\r\n\r\n"
        );
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}

impl Service {
    async fn upload(&self, key: Option<&str>, boundary: &str, parts: &[(&str, &[u8])]) -> Answer {
        let (kind, body) = multipart(boundary, parts);
        let mut request = self.request("POST", "/api/uploads", body);
        request.headers_mut().insert("content-type", kind.parse().unwrap());
        if let Some(key) = key {
            request.headers_mut().insert("idempotency-key", key.parse().unwrap());
        }
        self.send(request).await
    }
}

#[tokio::test]
async fn a_pdf_is_kept_for_its_account() {
    let s = Service::rich();
    let answer = s.upload(None, "b", &[("note", b"ignored"), ("file", PDF)]).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
    let upload = &answer.json()["upload"];
    assert_eq!((&upload["bytes"], &upload["mimeType"]), (&json!(PDF.len()), &json!("application/pdf")));
    assert!(Millis::parse(upload["expiresAt"].as_str().unwrap()).unwrap() > Millis::now());
    let id: Uuid = upload["id"].as_str().unwrap().parse().unwrap();
    let kept = s.app.store.upload(s.account, id).unwrap().unwrap();
    assert_eq!(s.app.blobs.get_blob(&kept.blob).await.unwrap(), PDF);
    assert_eq!(s.app.store.upload(Uuid::now_v7(), id).unwrap(), None, "another account's is none");
    // An upload is deleted one day after it expires.
    s.app.store.forget(kept.expires.plus_seconds(24 * 3600 - 1)).unwrap();
    assert!(s.app.store.upload(s.account, id).unwrap().is_some());
    s.app.store.forget(kept.expires.plus_seconds(24 * 3600)).unwrap();
    assert_eq!(s.app.store.upload(s.account, id).unwrap(), None);
}

#[tokio::test]
async fn files_of_other_kinds_are_kept_under_their_media_type() {
    let s = Service::rich();
    let upload = async |name: &str, file: &[u8]| {
        let (kind, body) = multipart("b", &[("file", file)]);
        let body = String::from_utf8(body)
            .unwrap()
            .replace("a.pdf", name)
            .replace("application/pdf", "application/octet-stream");
        let mut request = s.request("POST", "/api/uploads", body);
        request.headers_mut().insert("content-type", kind.parse().unwrap());
        s.send(request).await
    };
    for (name, file, media) in [
        ("ports.csv", "port,range\nBrest,6\n", "text/csv"),
        ("tides.md", "# Tides", "text/markdown"),
        ("true.txt", "true words", "text/plain"),
        ("tides.htm", "<p>Tides", "text/html"),
    ] {
        let answer = upload(name, file.as_bytes()).await;
        assert_eq!(answer.json()["upload"]["mimeType"], media, "{}", String::from_utf8_lossy(&answer.body));
        let id = &answer.json()["upload"]["id"];
        let made = s.create(&json!({"inputType": "pdf", "fileId": id, "outputFormats": ["instagram_post"]})).await;
        assert_eq!((made.status, &made.json()["generation"]["inputType"]), (202, &json!("pdf")));
    }
    let refused = upload("tides.doc", b"{\\rtf1 Tides}").await;
    assert_eq!(refused.error(), (415, "unsupported_media_type".into()));
    let message = refused.json()["message"].as_str().unwrap().to_owned();
    assert!(message.contains("DOCX") && message.contains("EPUB"), "{message}");
}

#[tokio::test]
async fn one_idempotency_key_keeps_one_file() {
    let s = Service::rich();
    let first = s.upload(Some("k"), "one", &[("file", PDF)]).await;
    let again = s.upload(Some("k"), "two", &[("file", PDF)]).await;
    assert_eq!((again.status, again.header("idempotent-replayed")), (201, "true"));
    assert_eq!(first.json(), again.json());
    let other = s.upload(Some("k"), "one", &[("file", b"%PDF-1.4 another")]).await;
    assert_eq!(other.error(), (409, "idempotency_conflict".into()));
    assert_eq!(s.create_under("k", &text()).await.error(), (409, "idempotency_conflict".into()));
}

#[tokio::test]
async fn what_is_no_upload_is_refused_in_the_contract_s_shape() {
    let s = Service::rich();
    let large = vec![b'%'; render_core::limits::PDF_BYTES + 1];
    for (parts, error) in [
        (&[("file", b"no PDF, as its name says".as_slice())][..], (415, "unsupported_media_type")),
        (&[("file", b"")], (400, "validation_failed")),
        (&[("file", b" \n")], (400, "validation_failed")),
        (&[("other", PDF)], (400, "validation_failed")),
        (&[("file", PDF), ("file", PDF)], (400, "validation_failed")),
        (&[], (400, "validation_failed")),
        (&[("file", &large)], (413, "body_too_large")),
    ] {
        let answer = s.upload(None, "b", parts).await;
        assert_eq!(answer.error(), (error.0, error.1.to_owned()));
    }
    let json = s.send(s.request("POST", "/api/uploads", "{}")).await;
    assert_eq!(json.error(), (415, "unsupported_media_type".into()));
    let mut broken = s.request("POST", "/api/uploads", "--b\r\nContent-Disp");
    broken.headers_mut().insert("content-type", "multipart/form-data; boundary=b".parse().unwrap());
    assert_eq!(s.send(broken).await.error(), (400, "validation_failed".into()));
    let mut keyless = s.request("POST", "/api/uploads", "");
    keyless.headers_mut().remove("x-api-key");
    assert_eq!(s.send(keyless).await.error(), (401, "api_key_missing".into()));
}

#[tokio::test]
async fn a_generation_is_made_of_an_upload_while_it_is_kept() {
    let s = Service::rich();
    let uploaded = s.upload(None, "b", &[("file", PDF)]).await.json();
    let id = uploaded["upload"]["id"].as_str().unwrap().to_owned();
    let body = |id: &str| json!({"inputType": "pdf", "fileId": id, "outputFormats": ["instagram_post"]});
    let made = s.create(&body(&id)).await;
    assert_eq!(made.status, 202, "{}", String::from_utf8_lossy(&made.body));
    let generation = &made.json()["generation"];
    assert_eq!((&generation["inputType"], &generation["inputUrl"]), (&json!("pdf"), &Value::Null));
    // The same file sent inline gets the same seed.
    let file = json!({"inputType": "pdf", "outputFormats": ["instagram_post"], "inputFile": BASE64.encode(PDF)});
    assert_eq!(s.create(&file).await.json()["generation"]["seed"], generation["seed"]);
    let nobodys = Uuid::now_v7().to_string();
    assert_eq!(s.create(&body(&nobodys)).await.error(), (404, "upload_not_found".into()));
    let kept = s.app.store.upload(s.account, id.parse().unwrap()).unwrap().unwrap();
    let past = Upload { id: Uuid::now_v7(), expires: Millis(1), ..kept };
    s.app.store.keep_upload(s.account, &past, None, None).unwrap();
    assert_eq!(s.create(&body(&past.id.to_string())).await.error(), (410, "upload_expired".into()));
}

#[tokio::test]
async fn a_text_may_be_written_in_escapes_up_to_its_limit() {
    let s = Service::rich();
    let create = async |text: &str, rest: &str| {
        let body = format!(
            "{{\"inputType\": \"text\", \"outputFormats\": [\"instagram_post\"], {rest} \"inputContent\": \"{text}\"}}"
        );
        s.send(s.request("POST", "/api/generations", body)).await
    };
    for (escape, chars) in [("\\u00e9", 1), ("\\ud83d\\ude00", 1), ("\\u0041\\n", 2)] {
        let all = escape.repeat(200_000 / chars);
        let made = create(&all, "").await;
        assert_eq!(made.status, 202, "{escape}: {}", String::from_utf8_lossy(&made.body));
        let long = create(&format!("{all}{escape}"), "").await;
        assert_eq!(long.error(), (400, "validation_failed".into()));
        assert_eq!(long.json()["details"][0]["code"], "content_too_long");
    }
    // Everything else stays the same.
    let all = "\\ud83d\\ude00".repeat(200_000);
    assert_eq!(create(&all, "\"title\": \"a\", \"title\": \"b\",").await.error(), (400, "invalid_json".into()));
    let deep = format!("\"x\": {}1{},", "[".repeat(200), "]".repeat(200));
    assert_eq!(create(&all, &deep).await.error(), (400, "invalid_json".into()));
    assert_eq!(create(&format!("{all}\\ud83d"), "").await.error(), (400, "invalid_json".into()));
    let rest = format!("\"x\": \"{}\",", "x".repeat(1 << 20));
    assert_eq!(create(&all, &rest).await.error(), (413, "body_too_large".into()));
    let estimate =
        format!("{{\"inputType\": \"text\", \"outputFormats\": [\"instagram_post\"], \"inputContent\": \"{all}\"}}");
    let estimate = s.send(s.request("POST", "/api/generations/estimate", estimate)).await;
    assert_eq!(estimate.error(), (503, "no_workers".into()), "read whole");
}

#[tokio::test]
async fn only_a_body_with_a_file_may_be_large() {
    let s = Service::rich();
    let large = "A".repeat(1 << 20);
    let text = json!({"inputType": "text", "inputContent": large, "outputFormats": ["instagram_post"]});
    assert_eq!(s.create(&text).await.error(), (413, "body_too_large".into()));
    let file = [PDF, large.as_bytes()].concat();
    let pdf = json!({"inputType": "pdf", "inputFile": BASE64.encode(file), "outputFormats": ["instagram_post"]});
    assert_eq!(s.create(&pdf).await.status, 202);
}
