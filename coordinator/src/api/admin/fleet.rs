//! `GET /admin/fleet`: which workers there are, and how much waits for them.

use axum::{Extension, Json};
use fleet::presence::{Fleet, Presence};
use serde::Serialize;
use uuid::Uuid;

use crate::dispatch::{Queued, class_name};

/// What is shown.
#[derive(Debug, Clone)]
pub struct Work {
    /// The workers on other machines, where the queue reaches any.
    pub fleet: Option<Fleet>,
    /// What waits on the queue.
    pub queued: Queued,
}

/// The workers on other machines, and what waits.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FleetView {
    workers: Vec<WorkerView>,
    /// How many there are.
    count: usize,
    /// Jobs that they can work on at once.
    slots: u32,
    /// Those of them that do.
    busy: u32,
    queue: Vec<ClassView>,
    /// Seconds that the oldest ticket has waited on the queue.
    oldest_s: u64,
}

/// A worker on another machine.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WorkerView {
    id: Uuid,
    name: String,
    version: String,
    devices: Vec<String>,
    cores: u32,
    slots: u32,
    busy: u32,
    #[serde(rename = "memoryMiB")]
    memory_mib: u32,
    /// It finishes what it has and takes no more.
    stopping: bool,
}

/// What waits of a class.
#[derive(Debug, Serialize)]
struct ClassView {
    class: &'static str,
    waiting: usize,
}

pub(super) async fn read(Extension(work): Extension<Work>) -> Json<FleetView> {
    let workers: Vec<_> = work.fleet.iter().flat_map(Fleet::workers).map(WorkerView::of).collect();
    let classes = work.queued.depths().into_iter();
    Json(FleetView {
        count: workers.len(),
        slots: workers.iter().map(|w| w.slots).sum(),
        busy: workers.iter().map(|w| w.busy).sum(),
        workers,
        queue: classes.map(|(class, waiting)| ClassView { class: class_name(class), waiting }).collect(),
        oldest_s: work.queued.oldest().unwrap_or_default().as_secs(),
    })
}

impl WorkerView {
    fn of(presence: Presence) -> Self {
        let Presence { id, worker, busy, memory_mib, stopping } = presence;
        Self {
            id,
            name: worker.name,
            version: worker.version,
            devices: worker.devices,
            cores: worker.cores,
            slots: worker.slots,
            busy,
            memory_mib,
            stopping,
        }
    }
}
