//! Tests of storage quotas and of how they are reported.

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use futures::TryStreamExt;

use super::uploads::multipart;
use super::*;
use crate::accounts::StorageQuotas;

const MIB: u64 = 1 << 20;
const QUOTA: u64 = 8 * MIB;
const DAY_S: u64 = 24 * 3600;

impl Service {
    /// Starts a service where a free account may store this many bytes and other plans are unlimited.
    fn with_free_account() -> Self {
        let mut s = Self::rich();
        s.app.store.limit_storage(StorageQuotas { free: QUOTA, ..StorageQuotas::default() });
        (s.account, s.key) = new_account(&s.app, Plan::Free, 1_000_000);
        s
    }

    /// Creates a generation from a PDF without text. A kibibyte of it makes each PDF unique.
    async fn create_of_pdf(&self, n: u32, bytes: usize) -> Answer {
        let mut file = format!("%PDF-1.7\n{n}").into_bytes();
        file.resize(bytes, b' ');
        let body = json!({"inputType": "pdf", "inputFile": BASE64.encode(file), "outputFormats": ["instagram_post"]});
        self.create(&body).await
    }

    async fn storage_used(&self) -> u64 {
        self.get("/api/credits/balance").await.json()["storage"]["usedBytes"].as_u64().unwrap()
    }

    /// Fails every queued job permanently.
    fn fail_all(&self) {
        while let Some((claim, _)) = self.claim() {
            let verdict = self.app.store.report(claim, &fault("pdf_no_text"), Millis::now()).unwrap();
            assert_eq!(verdict, Verdict::Accepted);
        }
    }

    /// Simulates the cleanup of blobs that nothing references any more.
    fn sweep(&self) {
        let store = &self.app.store;
        let gone: Vec<_> = store.unreferenced(&[], usize::MAX).unwrap().into_iter().map(|(key, _)| key).collect();
        store.uncount(&gone).unwrap();
    }

    /// Returns the total size of the object store in bytes.
    async fn lying(&self) -> u64 {
        let blobs: HashMap<_, _> = self.app.blobs.blobs().try_collect().await.unwrap();
        blobs.values().map(|standing| standing.bytes).sum()
    }
}

/// Regression test: a free account could store 600 MB in 9 seconds, because failed PDFs kept their inputs while the
/// credits were refunded.
#[tokio::test]
async fn i18_a_free_account_can_store_no_more_than_its_quota_and_gets_it_back_after_a_day() {
    let s = Service::with_free_account();
    let mut accepted = 0;
    let refused = loop {
        let answer = s.create_of_pdf(accepted, 600_000).await;
        if answer.status != 202 {
            break answer;
        }
        s.fail_all();
        accepted += 1;
        assert!(accepted < 20, "{} bytes are stored", s.lying().await);
    };
    assert_eq!(refused.error(), (413, "storage_quota".into()));
    assert_eq!((refused.json()["error"].clone(), s.check_money()), (json!("storage_quota"), 1_000_000));
    assert!(accepted >= 10, "{accepted}");
    let full = s.lying().await;
    assert!(full <= QUOTA, "{full}");
    // Once the quota is used up, nothing more is stored: neither other files nor uploads, even with concurrent
    // requests.
    let tries = (0..12).map(async |n| {
        let (kind, body) = multipart("b", &[("file", &[b"%PDF-1.7\n", vec![n; 1_300_000].as_slice()].concat())]);
        let mut request = s.request("POST", "/api/uploads", body);
        request.headers_mut().insert("content-type", kind.parse().unwrap());
        let upload = s.send(request).await;
        (upload.error(), s.create_of_pdf(100 + u32::from(n), 900_000).await.error())
    });
    for (upload, creation) in futures::future::join_all(tries).await {
        assert_eq!((upload.0, creation.0), (413, 413));
    }
    assert_eq!(s.lying().await, full);
    // A file that is already stored needs room only for its image, and there is enough.
    assert_eq!(s.create_of_pdf(0, 600_000).await.status, 202);
    s.fail_all();
    assert_eq!(s.lying().await, full);
    // After a day the inputs of failed generations are deleted, and the account can create again.
    let later = Millis::now().plus_seconds(DAY_S + 1);
    let store = &s.app.store;
    assert!(store.delete_failed_inputs(later.minus_seconds(DAY_S), 1_000, later).unwrap() >= accepted as usize);
    assert!(store.gc_roots().unwrap().blobs.is_empty(), "all of them can be removed");
    assert_eq!(s.create_of_pdf(998, 600_000).await.status, 413, "they are not removed yet");
    s.sweep();
    assert_eq!(s.storage_used().await, 0);
    let made = s.create_of_pdf(999, 600_000).await;
    assert_eq!(made.status, 202);
}

#[tokio::test]
async fn i18_what_is_refused_for_credits_is_not_stored() {
    let s = Service::with_free_account();
    let mut poor = Service { key: String::new(), account: Uuid::nil(), ..s };
    (poor.account, poor.key) = new_account(&poor.app, Plan::Free, 5);
    for n in 0..5 {
        assert_eq!(poor.create_of_pdf(n, 500_000).await.error(), (402, "insufficient_credits".into()));
    }
    assert_eq!((poor.lying().await, poor.storage_used().await), (0, 0));
}

#[tokio::test]
async fn i18_the_same_file_counts_once_and_until_it_is_removed() {
    let s = Service::with_free_account();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let made = s.create_of_pdf(1, 500_000).await;
        ids.push(made.json()["generation"]["id"].as_str().unwrap().to_owned());
    }
    s.work(|_| false).await;
    // The test's worker reports no sizes: documents, pages and thumbnails are measured later.
    let image = 5;
    let used = s.app.store.storage(s.account).unwrap();
    assert_eq!(used.pending_pixels, 0);
    assert_eq!(used.bytes, 500_000 + 3 * image);
    for (left, id) in (0..3).rev().zip(&ids) {
        let gone = s.send(s.request("DELETE", &format!("/api/generations/{id}"), Body::empty())).await;
        assert_eq!(gone.status, 204);
        assert_eq!(s.storage_used().await, 500_000 + left * image, "images go at once");
    }
    s.sweep();
    assert_eq!(s.storage_used().await, 0);
}

/// Regression test: creating and deleting in a loop filled the disk, because the quota was returned immediately but the
/// file was deleted a day later.
#[tokio::test]
async fn i18_deleting_makes_no_room_before_the_file_is_gone() {
    let s = Service::with_free_account();
    let mut refused = false;
    for n in 0..20 {
        let made = s.create_of_pdf(n, 1_500_000).await;
        if made.status == 413 {
            refused = true;
            break;
        }
        s.fail_all();
        let id = made.json()["generation"]["id"].as_str().unwrap().to_owned();
        assert_eq!(s.send(s.request("DELETE", &format!("/api/generations/{id}"), Body::empty())).await.status, 204);
    }
    assert!(refused && s.lying().await <= QUOTA, "{} bytes are stored", s.lying().await);
}

/// Regression test: clients that disconnect between the file and the response filled the disk, too.
#[tokio::test]
async fn i18_what_a_request_stored_that_was_cut_off_counts() {
    let s = Service::with_free_account();
    let body = |n: u8| multipart("b", &[("file", &[b"%PDF-1.7\n", vec![n; 1_300_000].as_slice()].concat())]);
    for n in 0..20 {
        let (kind, body) = body(n);
        let mut request = s.request("POST", "/api/uploads", body);
        request.headers_mut().insert("content-type", kind.parse().unwrap());
        // The request is dropped as soon as the file is stored, wherever the request is at that point.
        let before = s.lying().await;
        tokio::select! {
            biased;
            _ = s.send(request) => {}
            () = async { while s.lying().await == before { tokio::task::yield_now().await; } } => {}
        }
    }
    assert!(s.lying().await <= QUOTA, "{} bytes are stored", s.lying().await);
    assert!(s.storage_used().await >= s.lying().await);
}

#[tokio::test]
async fn i18_the_balance_shows_storage_and_tokens() {
    let s = Service::with_free_account();
    let shown = s.get("/api/credits/balance").await.json();
    assert_eq!(shown["storage"], json!({"usedBytes": 0, "quotaBytes": QUOTA}));
    assert_eq!(shown["languageModel"], json!({"tokensToday": 0, "dailyTokens": null}));
    s.app.store.limit_tokens(5_000, 1_000);
    s.app.store.settle_tokens(s.account, None, 70, Millis::now()).unwrap();
    s.create_of_pdf(1, 500_000).await;
    let shown = s.get("/api/credits/balance").await.json();
    assert!(shown["storage"]["usedBytes"].as_u64().unwrap() > 500_000 + MIB / 2, "room for its image is reserved");
    assert_eq!(shown["languageModel"], json!({"tokensToday": 70, "dailyTokens": 5_000}));
    let (account, key) = new_account(&s.app, Plan::Pro, 0);
    let other = Service { account, key, ..s };
    assert_eq!(other.get("/api/credits/balance").await.json()["storage"], json!({"usedBytes": 0, "quotaBytes": null}));
}

#[tokio::test]
async fn i18_a_retry_without_its_input_is_refused() {
    let s = Service::with_free_account();
    let made = s.create_of_pdf(1, 1_000).await.json();
    let id = made["generation"]["id"].as_str().unwrap();
    s.fail_all();
    let retry = format!("/api/generations/{id}/retry");
    assert_eq!(s.send(s.request("POST", &retry, "")).await.status, 200, "within the day");
    s.fail_all();
    let later = Millis::now().plus_seconds(DAY_S + 1);
    s.app.store.delete_failed_inputs(later.minus_seconds(DAY_S), 10, later).unwrap();
    assert_eq!(s.send(s.request("POST", &retry, "")).await.error(), (410, "input_expired".into()));
}
