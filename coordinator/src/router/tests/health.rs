//! Tests of readiness: shutting down, overloaded, or out of disk space.

use std::sync::atomic::{AtomicU64, Ordering};

use fleet::room::Room;

use super::*;
use crate::health::Watch;
use crate::queued::Queued;

#[tokio::test]
async fn nothing_is_accepted_while_stopping_or_swamped() {
    let s = Service::rich();
    let mut body = text();
    body["outputFormats"] = json!(["tiktok_carousel"]);
    body["inputContent"] = json!(foxes(35));
    body["carouselCounts"] = json!({"tiktok_carousel": 35});
    for _ in 0..17 {
        assert_eq!(s.create(&body).await.status, 202);
    }
    let full = s.create(&body).await;
    assert_eq!(full.error(), (503, "queue_full".into()));
    assert!(!full.header("retry-after").is_empty());
    assert_eq!(s.get("/readyz").await.status, 200);
    s.app.stopping.cancel();
    assert_eq!(s.create(&text()).await.error(), (503, "shutting_down".into()));
    assert_eq!(s.get("/readyz").await.error(), (503, "shutting_down".into()));
    assert_eq!(s.get("/healthz").await.status, 200);
}

/// Starts a service whose disk has as many free bytes as `free` says, of which one MiB is reserved.
fn confined(free: &Arc<AtomicU64>) -> (Service, Watch) {
    let told = Arc::clone(free);
    let room = Room::told(move || Ok(told.load(Ordering::Relaxed)), 1 << 20);
    let mut s = Service::rich();
    let folder = s._folder.path().join("confined");
    let store = Store::open_in(&folder, Default::default(), room.clone()).unwrap();
    let app = Arc::get_mut(&mut s.app).expect("nobody else has it yet");
    app.signer = Signer::new("http://h".into(), *store.signing_secret(), 60);
    app.store = store.clone();
    app.blobs = Blobs::memory().with_room(room.clone());
    (s.account, s.key) = new_account(&s.app, Plan::Pro, 1_000);
    let watch = Watch::new(store, s.app.blobs.clone(), vec![("state", room)], None, Queued::default());
    (s, watch)
}

#[tokio::test]
async fn a_full_disk_refuses_writes_gives_reads_and_recovers() {
    let free = Arc::new(AtomicU64::new(1 << 40));
    let (s, mut watch) = confined(&free);
    let made = s.create(&text()).await;
    assert_eq!(made.status, 202);
    let path = format!("/api/generations/{}", made.json()["generation"]["id"].as_str().unwrap());
    watch.round(&s.app.health).await;
    let well = s.get("/readyz").await;
    assert_eq!((well.status, &well.json()["status"]), (200, &json!("ok")));

    free.store(1000, Ordering::Relaxed);
    watch.round(&s.app.health).await;
    let full = s.get("/readyz").await;
    assert_eq!(full.error(), (503, "storage_unavailable".into()));
    let details = full.json()["details"].clone();
    let named: Vec<_> = details.as_array().unwrap().iter().map(|d| d["field"].as_str().unwrap()).collect();
    // The object store passed its last check and is not checked in every round.
    assert_eq!(named, ["state", "disk"]);
    assert!(details.as_array().unwrap().iter().all(|d| d["code"] == "check_failed"), "{details}");
    assert_eq!(s.create(&text()).await.error(), (503, "storage_unavailable".into()));
    assert_eq!((s.get(&path).await.status, s.get("/api/generations?status=pending").await.status), (200, 200));
    assert_eq!(s.get("/api/credits/balance").await.json()["reserved"], 10, "nothing was held for what was refused");

    free.store(1 << 40, Ordering::Relaxed);
    watch.round(&s.app.health).await;
    assert_eq!(s.get("/readyz").await.status, 200);
    assert_eq!(s.create(&text()).await.status, 202);
}
