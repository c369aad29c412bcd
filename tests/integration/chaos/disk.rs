//! The disk fills up: nothing more is accepted, everything stays readable, and the service recovers once there is room.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::fleet::or_passed_over;
use super::{create, settled, small, tell};
use crate::e2e::UNHURRIED;
use crate::service::{Client, Service};

/// An in-memory disk of this many MiB. Dropping it unmounts it.
struct Disk(PathBuf);

impl Disk {
    /// Returns `None` if this process may not mount, or fails if `REQUIRE_DISK` is set.
    fn of(mib: u32, at: &Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={mib}m"), "tmpfs"]).arg(at);
        let mounted = mount.output().is_ok_and(|said| said.status.success());
        assert!(mounted || std::env::var_os("REQUIRE_DISK").is_none(), "no disk can be mounted");
        mounted.then(|| Self(at.to_owned()))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // A lazy unmount takes effect as soon as nothing uses the disk.
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[tokio::test]
async fn a_full_disk_refuses_work_and_recovers_by_itself() {
    let (folder, store) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let Some(_disk) = or_passed_over("disk that may be mounted", Disk::of(96, folder.path())) else { return };
    let began = Instant::now();
    // Images are stored elsewhere, because they require twice this disk's size as free space.
    let settings = [&["--store", store.path().to_str().unwrap()][..], &UNHURRIED].concat();
    let mut service = Service::start(&folder.path().join("data"), &settings);
    let client = service.client();
    let before = create(&client, 0..5).await;
    settled(&client, &before).await;

    let ballast = folder.path().join("data/state/ballast");
    while !ballast.exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no space is set aside");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }

    // Fills the disk to the last byte while jobs are in progress.
    let at_hand = create(&client, 5..10).await;
    let filler = folder.path().join("filler");
    let _ = std::fs::write(&filler, vec![0; 96 << 20]);
    let mut refused = 0;
    for n in 0..10 {
        let answer = client.post("/api/generations", &small(100 + n)).await;
        assert_eq!(answer.error(503, "unavailable"), "storage_unavailable");
        refused += 1;
        for path in ["/api/generations", "/api/credits/balance", "/api/formats"] {
            assert_eq!(client.get(path).await.status, 200, "{path} on a full disk");
        }
        let read = client.generation(&before[0]).await;
        assert_eq!(client.get(read["outputs"][0]["imageUrl"].as_str().unwrap()).await.status, 200);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(!service.has_ended(), "it is there");
    // A process that is killed then restarts and serves reads.
    let key = service.key.clone().unwrap();
    service.kill();
    let mut service = Service::start_unready(&folder.path().join("data"), &settings);
    let client = Client::new(&service.base, &key);
    assert_eq!(client.get("/readyz").await.status, 503, "it can't take work");
    assert_eq!(client.post("/api/generations", &small(150)).await.error(503, "unavailable"), "storage_unavailable");
    for id in before.iter().chain(&at_hand) {
        assert_eq!(client.generation(id).await["id"].as_str(), Some(id.as_str()), "what was accepted is there");
    }
    assert!(!service.has_ended(), "it stays");
    std::fs::remove_file(&filler).unwrap();
    let freed = Instant::now();
    while client.post("/api/generations", &small(200)).await.status != 202 {
        assert!(freed.elapsed() < Duration::from_secs(30), "it does not recover");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let back = freed.elapsed();
    let ends = settled(&client, &[before, at_hand].concat()).await;
    assert_eq!(ends.failed + ends.partial, 0, "what was at hand has waited: {ends}");
    assert!(service.stop().success());
    tell("disk full", began, &format!("{refused} refused, back after {back:.1?}, {ends}"));
}
