//! Tests of exports: built once, stored, rebuilt, rejected. A fake exporter records its pages in the file.

use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use bytes::Bytes;
use fleet::export::{ExportPages, Exporter};

use super::*;
use crate::accounts::StorageQuotas;

/// A fake exporter: instead of a PDF it writes a counter and the formats of its pages, after a delay.
#[derive(Default)]
pub struct Binder(AtomicUsize);

#[async_trait]
impl Exporter for Binder {
    async fn pdf(&self, pages: ExportPages) -> Result<Bytes, Failure> {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let made = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        let formats: Vec<&str> = pages.pages.iter().map(|page| page.format.as_str()).collect();
        Ok(Bytes::from(format!("%PDF {made} {:?} {:?} {}", pages.title, pages.language, formats.join(","))))
    }
}

impl Service {
    /// Creates a finished generation of a carousel and a post, in which the images at these places failed.
    async fn exportable(&self, fails: impl Fn(usize) -> bool) -> String {
        let body = carousel_and_visual();
        let made = self.create(&body).await;
        self.work(fails).await;
        made.json()["generation"]["id"].as_str().unwrap().to_owned()
    }

    async fn export(&self, id: &str, query: &str) -> Answer {
        self.get(&format!("/api/generations/{id}/export?{query}")).await
    }
}

/// Returns the URL of an export without its signature.
fn address(export: &Value) -> String {
    export["url"].as_str().unwrap().split('?').next().unwrap().to_owned()
}

fn entries(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut entries = Vec::new();
    for i in 0..archive.len() {
        let mut file = archive.by_index(i).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        entries.push((file.name().unwrap().into_owned(), bytes));
    }
    entries
}

#[tokio::test]
async fn a_pdf_is_made_once_and_kept() {
    let s = Service::rich();
    let id = s.exportable(|_| false).await;
    let money = s.check_money();
    let answer = s.export(&id, "format=pdf&formatId=linkedin_carousel").await.json();
    assert_eq!(
        (&answer["format"], &answer["formatId"], &answer["pages"]),
        (&json!("pdf"), &json!("linkedin_carousel"), &json!(2))
    );
    let file = s.get(path_of(&answer["url"])).await;
    let expected = "%PDF 1 Some(\"Fox\") Some(\"en\") linkedin_carousel,linkedin_carousel";
    assert_eq!((file.status, String::from_utf8_lossy(&file.body).as_ref()), (200, expected));
    assert_eq!(answer["bytes"], file.body.len());
    assert_eq!(file.header("content-type"), "application/pdf");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"linkedin_carousel.pdf\"");
    let rows = || s.app.store.unreferenced(&[], 100).unwrap().len();
    assert_eq!((s.check_money(), rows()), (money, 0), "free, and referred to");
    let used = s.app.store.storage(s.account).unwrap().bytes;
    let again = s.export(&id, "format=pdf&formatId=linkedin_carousel").await.json();
    assert_eq!(s.app.store.storage(s.account).unwrap().bytes, used);
    assert_eq!(address(&again), address(&answer));
    let all = s.export(&id, "format=pdf").await.json();
    assert_eq!((&all["formatId"], &all["pages"]), (&Value::Null, &json!(3)));
    assert!(all["url"].as_str().unwrap().contains("/images.pdf?"), "{all}");
    assert_eq!(s.app.store.storage(s.account).unwrap().bytes, used + all["bytes"].as_u64().unwrap());
    // A key of another account finds nothing; neither does a modified URL.
    let (_, other) = new_account(&s.app, Plan::Pro, 0);
    let theirs =
        Service { _folder: tempfile::tempdir().unwrap(), app: Arc::clone(&s.app), account: s.account, key: other };
    assert_eq!(theirs.export(&id, "format=pdf").await.error(), (404, "generation_not_found".into()));
    assert_eq!(s.get(&path_of(&all["url"]).replace("images.pdf", "pictures.pdf")).await.error().0, 403);
}

#[tokio::test]
async fn two_requests_at_once_make_one_file() {
    let s = Service::rich();
    let id = s.exportable(|_| false).await;
    let answers = futures::future::join_all((0..6).map(|_| s.export(&id, "format=pdf"))).await;
    assert!(answers.iter().all(|answer| answer.status == 200));
    // Every build has other bytes and therefore another URL.
    let urls: HashSet<String> = answers.iter().map(|answer| address(&answer.json())).collect();
    assert_eq!(urls.len(), 1);
}

#[tokio::test]
async fn an_archive_holds_the_images_in_order_and_what_they_say() {
    let s = Service::rich();
    let id = s.exportable(|at| at == 1).await;
    let answer = s.export(&id, "format=zip").await.json();
    assert_eq!(answer["pages"], 2, "one failed");
    let file = s.get(path_of(&answer["url"])).await;
    assert_eq!(file.header("content-type"), "application/zip");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"images.zip\"");
    let found = entries(&file.body);
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["01-linkedin_carousel.png", "03-instagram_post.png", "alt-texts.txt"]);
    assert_eq!(found[0].1, b"image");
    let texts = String::from_utf8(found[2].1.clone()).unwrap();
    assert_eq!(texts, "01-linkedin_carousel.png\nA fox.\n\n03-instagram_post.png\nA fox.\n");
    let one = s.export(&id, "format=zip&formatId=instagram_post").await.json();
    let one = entries(&s.get(path_of(&one["url"])).await.body);
    assert_eq!(one[0].0, "03-instagram_post.png");
    // Another generation with the same content shares the file.
    let twin = s.exportable(|at| at == 1).await;
    let twin = s.export(&twin, "format=zip").await.json();
    assert_eq!(s.get(path_of(&twin["url"])).await.body, file.body);
}

#[tokio::test]
async fn what_is_wrong_is_refused() {
    let s = Service::rich();
    let made = s.create(&text()).await;
    let id = made.json()["generation"]["id"].as_str().unwrap().to_owned();
    assert_eq!(s.export(&id, "format=pdf").await.error(), (409, "not_exportable".into()));
    s.work(|_| true).await;
    assert_eq!(s.export(&id, "format=zip").await.error(), (409, "not_exportable".into()), "nothing was drawn");
    let id = s.exportable(|_| false).await;
    for (query, status, code) in [
        ("", 400, "validation_failed"),
        ("format=docx", 400, "validation_failed"),
        ("format=PDF", 400, "validation_failed"),
        ("format=pdf&formatId=quote_card", 404, "format_not_found"),
        ("format=pdf&formatId=", 404, "format_not_found"),
    ] {
        assert_eq!(s.export(&id, query).await.error(), (status, code.into()), "{query}");
    }
    assert_eq!(s.export(&Uuid::now_v7().to_string(), "format=pdf").await.error(), (404, "generation_not_found".into()));
    assert_eq!(s.export("x", "format=pdf").await.error(), (404, "generation_not_found".into()));
}

#[tokio::test]
async fn a_file_goes_with_its_generation_and_heals() {
    let s = Service::rich();
    let id = s.exportable(|_| false).await;
    let answer = s.export(&id, "format=zip").await.json();
    let path = path_of(&answer["url"]).to_owned();
    let blob = path.split('/').nth(4).unwrap().parse::<BlobId>().unwrap();
    // The file is lost from the object store: the next request builds it again.
    assert!(s.app.blobs.delete_blob(&blob, std::time::SystemTime::now() + Duration::from_secs(9)).await.unwrap());
    assert_eq!(s.get(&path).await.status, 404);
    assert_eq!(s.export(&id, "format=zip").await.status, 200);
    assert_eq!(s.get(&path).await.status, 200);
    assert_eq!(s.send(s.request("DELETE", &format!("/api/generations/{id}"), Body::empty())).await.status, 204);
    assert_eq!(s.get(&path).await.error(), (404, "not_found".into()));
    assert_eq!(s.export(&id, "format=zip").await.error(), (404, "generation_not_found".into()));
}

#[tokio::test]
async fn i18_exports_need_room() {
    let s = Service::rich();
    let id = s.exportable(|_| false).await;
    s.app.store.limit_storage(StorageQuotas { pro: 1, ..StorageQuotas::default() });
    assert_eq!(s.export(&id, "format=pdf").await.error(), (413, "storage_quota".into()));
}
