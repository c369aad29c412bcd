//! Keys can't be recovered (I14) from the data folder or from the most verbose log.

use std::path::Path;

use serde_json::{Value, json};

use super::UNHURRIED;
use crate::people::{PASSWORD, Seat, found};
use crate::service::{Client, Service, exchange};

/// Collects every file below a folder.
fn files(folder: &Path, found: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push((path.display().to_string(), std::fs::read(&path).unwrap()));
        }
    }
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|w| w == text.as_bytes())
}

/// Whether the bytes contain something that looks like a key. Random bytes never have the prefix followed by so many
/// matching characters.
fn holds_a_key(bytes: &[u8]) -> bool {
    bytes.windows(3 + 12).any(|w| w.starts_with(b"vd_") && w[3..].iter().all(u8::is_ascii_alphanumeric))
}

#[tokio::test]
async fn i14_keys_are_neither_on_the_disk_nor_in_the_log() {
    let data = tempfile::tempdir().unwrap();
    let ann = found(&data, &[("ann@example.org", 0)]).remove(0);
    let service = Service::start(data.path(), &[&UNHURRIED[..], &["--log", "trace", "--workers", "1"]].concat());
    let seat = Seat::first(&service, &ann).await;
    let keyed = Client::new(&service.base, &ann.key);
    let mut secrets =
        vec![ann.key.clone(), ann.link.clone(), PASSWORD.into(), seat.csrf.clone(), service.key.clone().unwrap()];
    secrets.push(seat.cookie.split_once('=').unwrap().1.to_owned());

    // A successful generation, a failed one, and invalid keys of every kind.
    let text = json!({"inputType": "text", "inputContent": "Cool the room.", "outputFormats": ["ad_mpu"]});
    keyed.completed(&text).await;
    let empty = json!({"inputType": "url", "inputUrl": "http://127.0.0.1:9/", "outputFormats": ["ad_mpu"]});
    assert_eq!(keyed.post("/api/generations", &empty).await.status, 400);
    let broken = "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n%PDF-1.7 broken\r\n--b--\r\n";
    let upload = keyed.request("POST", "/api/uploads").header("Content-Type", "multipart/form-data; boundary=b");
    let upload = keyed.send(upload.body(broken)).await.unwrap().json()["upload"].take();
    let pdf = json!({"inputType": "pdf", "fileId": upload["id"], "outputFormats": ["ad_mpu"]});
    let failed = keyed.create(&pdf).await;
    assert_eq!(keyed.finished(failed["id"].as_str().unwrap()).await["status"], "failed");
    let typo = format!("{}{}", &ann.key[..42], if ann.key.ends_with('a') { 'b' } else { 'a' });
    for wrong in [&typo, &ann.key[..40]] {
        assert_eq!(keyed.with_key(wrong).get("/api/brands").await.status, 401);
    }
    let head = format!("Host: x\r\nX-API-Key: {}\r\n", ann.key);
    for request in [
        format!("GET /api/brands HTTP/1.1\r\n{head}{head}Connection: close\r\n\r\n"),
        format!("POST /api/generations HTTP/1.1\r\n{head}Content-Length: nonsense\r\n\r\n"),
        format!("GET /api/{} HTTP/1.1\r\n{head}Connection: close\r\n\r\n", "x".repeat(20_000)),
    ] {
        let answer = exchange(service.address(), request.as_bytes()).unwrap();
        assert!(answer.starts_with("HTTP/1.1 4"), "{answer:.200}");
    }
    assert_eq!(keyed.post("/console/api/session", &json!({"email": ann.email, "password": ann.key})).await.status, 401);

    // A key that is rotated and revoked.
    let made = seat.send("POST", "/console/api/keys", &json!({"name": "a shop's own"})).await.json();
    let path = format!("/console/api/keys/{}", made["key"]["id"].as_str().unwrap());
    let rotated = seat.send("POST", &format!("{path}/rotate"), &json!({"graceSeconds": 60})).await.json();
    for secret in [&made["secret"], &rotated["secret"]] {
        let secret = secret.as_str().unwrap();
        assert_eq!(keyed.with_key(secret).get("/api/brands").await.status, 200);
        secrets.push(secret.to_owned());
    }
    assert_eq!(seat.send("DELETE", &path, &Value::Null).await.status, 204);
    assert_eq!(keyed.with_key(made["secret"].as_str().unwrap()).get("/api/brands").await.status, 401);

    let (ended, log) = service.stop_and_tell();
    assert!(ended.success());
    let log = log.join("\n").into_bytes();
    let mut places = vec![("the log".to_owned(), log)];
    files(data.path(), &mut places);
    // Proves that the search works: it finds text that is present.
    assert!(holds(&places[0].1, "/api/brands") && holds(&places[0].1, "TRACE"));
    assert!(places.iter().any(|(_, bytes)| holds(bytes, "a shop's own")));
    for (place, bytes) in &places {
        for secret in &secrets {
            let (first, second) = secret.split_at(secret.len() / 2);
            assert!(!holds(bytes, first) && !holds(bytes, second), "{place} holds of {secret}");
        }
        assert!(!holds_a_key(bytes), "{place} holds a key");
    }
}
