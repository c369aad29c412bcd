//! `GET /admin/fleet`: which workers there are, and how much waits for them.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Json;
use axum::extract::State;
use fleet::presence::{Fleet, Presence};
use serde::Serialize;
use uuid::Uuid;

use crate::api::App;
use crate::clock::Millis;
use crate::dispatch::{Queued, class_name};

/// What is shown.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// The workers on other machines, where the queue reaches any.
    pub fleet: Option<Fleet>,
    /// What waits on the queue.
    pub queued: Queued,
    /// The workers of this process, where it has any.
    pub here: Option<Here>,
}

/// The workers of this process.
#[derive(Debug, Clone)]
pub struct Here {
    /// What they are called.
    pub name: String,
    /// Jobs that they can work on at once.
    pub slots: usize,
    /// Those that they do.
    pub busy: Arc<AtomicUsize>,
    /// What they draw on.
    pub devices: Vec<String>,
}

impl Work {
    /// Jobs that are worked on, and that could be, here and elsewhere.
    pub fn load(&self) -> (u64, u64) {
        let there = self.fleet.iter().flat_map(Fleet::workers);
        let (busy, slots) =
            there.fold((0, 0), |(busy, slots), w| (busy + u64::from(w.busy), slots + u64::from(w.worker.slots)));
        let here =
            self.here.as_ref().map_or((0, 0), |here| (here.busy.load(Ordering::Relaxed) as u64, here.slots as u64));
        (busy + here.0, slots + here.1)
    }
}

/// The workers of this process, as they are shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HereView {
    slots: usize,
    busy: usize,
    devices: Vec<String>,
    images_last_minute: u32,
}

impl HereView {
    /// What they do now.
    pub fn of(work: &Work, drawn: &HashMap<String, u32>) -> Option<Self> {
        let Here { name, slots, busy, devices } = work.here.as_ref()?;
        Some(Self {
            slots: *slots,
            busy: busy.load(Ordering::Relaxed),
            devices: devices.clone(),
            images_last_minute: drawn.get(name).copied().unwrap_or(0),
        })
    }
}

/// The workers on other machines, and what waits.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetView {
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
    images_last_minute: u32,
    /// It finishes what it has and takes no more.
    stopping: bool,
}

/// What waits of a class.
#[derive(Debug, Serialize)]
struct ClassView {
    class: &'static str,
    waiting: usize,
}

pub(super) async fn read(State(app): State<Arc<App>>) -> Json<FleetView> {
    Json(FleetView::of(&app.work, &app.store.drawn_lately(Millis::now())))
}

impl FleetView {
    /// How things stand now.
    pub fn of(work: &Work, drawn: &HashMap<String, u32>) -> Self {
        let workers = work.fleet.iter().flat_map(Fleet::workers);
        let workers: Vec<_> = workers.map(|presence| WorkerView::of(presence, drawn)).collect();
        let classes = work.queued.depths().into_iter();
        Self {
            count: workers.len(),
            slots: workers.iter().map(|w| w.slots).sum(),
            busy: workers.iter().map(|w| w.busy).sum(),
            workers,
            queue: classes.map(|(class, waiting)| ClassView { class: class_name(class), waiting }).collect(),
            oldest_s: work.queued.oldest().unwrap_or_default().as_secs(),
        }
    }
}

impl WorkerView {
    fn of(presence: Presence, drawn: &HashMap<String, u32>) -> Self {
        let Presence { id, worker, busy, memory_mib, stopping } = presence;
        Self {
            id,
            images_last_minute: drawn.get(&worker.name).copied().unwrap_or(0),
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
