//! `GET /admin/fleet`: lists the workers and the queued work.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use fleet::presence::{Fleet, Presence};
use serde::Serialize;
use uuid::Uuid;

use crate::app::{App, Here, Work};
use crate::clock::Millis;
use crate::http::error::ApiError;
use crate::queued::class_name;
use crate::state::{AtWork, StateError, Store};

/// Current and recent work of each worker, by worker name.
#[derive(Debug, Default)]
pub(crate) struct Doings {
    drawn: HashMap<String, u32>,
    jobs: HashMap<String, Vec<JobView>>,
}

impl Doings {
    /// Reads the current work from the state.
    ///
    /// # Errors
    /// [`StateError`].
    pub async fn read(store: &Store) -> Result<Self, StateError> {
        let now = Millis::now();
        let mut jobs: HashMap<_, Vec<_>> = HashMap::new();
        for at_work in store.run(Store::at_work).await? {
            jobs.entry(at_work.worker.clone()).or_default().push(JobView::of(&at_work, now));
        }
        Ok(Self { drawn: store.drawn_lately(now), jobs })
    }

    /// Returns a worker's number of images in the last minute and its current jobs.
    fn of(&self, worker: &str) -> (u32, Vec<JobView>) {
        (self.drawn.get(worker).copied().unwrap_or(0), self.jobs.get(worker).cloned().unwrap_or_default())
    }
}

/// A job that a worker has claimed. The worker is processing it, or starts as soon as a slot is free.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct JobView {
    job_id: Uuid,
    generation_id: Uuid,
    class: &'static str,
    /// The place of the image that is rendered, from 0; absent for a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<u32>,
    /// The number of the claim. The last one allowed is [`fleet::protocol::MAX_CLAIMS`].
    claim: u32,
    /// Seconds since the claim; absent if an older version granted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    for_s: Option<i64>,
}

impl JobView {
    fn of(at_work: &AtWork, now: Millis) -> Self {
        let AtWork { job, generation, class, place, claim, since, .. } = *at_work;
        let for_s = (since.0 > 0).then(|| (now.0 - since.0).max(0) / 1_000);
        Self { job_id: job, generation_id: generation, class: class_name(class), output: place, claim, for_s }
    }
}

/// JSON view of the workers of this process.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HereView {
    slots: usize,
    busy: usize,
    devices: Vec<String>,
    images_last_minute: u32,
    jobs: Vec<JobView>,
}

impl HereView {
    /// Builds the view of their current state.
    fn of(work: &Work, doings: &Doings) -> Option<Self> {
        let Here { name, slots, busy, devices } = work.here.as_ref()?;
        let (images_last_minute, jobs) = doings.of(name);
        Some(Self {
            slots: *slots,
            busy: busy.load(Ordering::Relaxed),
            devices: devices.clone(),
            images_last_minute,
            jobs,
        })
    }
}

/// The fleet view: workers and queued work.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetView {
    /// The workers of the coordinator's own process, if it has any.
    here: Option<HereView>,
    /// Workers on other machines.
    workers: Vec<WorkerView>,
    /// The number of workers on other machines.
    count: usize,
    /// Number of jobs that they can process at once.
    slots: u32,
    /// Number of slots in use.
    busy: u32,
    queue: Vec<ClassView>,
    /// Age of the oldest ticket in the queue, in seconds.
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
    /// The worker restarts when its memory exceeds this limit.
    #[serde(rename = "memoryLimitMiB", skip_serializing_if = "Option::is_none")]
    memory_limit_mib: Option<u32>,
    /// The latest protocol version that the worker supports.
    protocol: u8,
    images_last_minute: u32,
    /// The worker's jobs, oldest claim first.
    jobs: Vec<JobView>,
    /// The worker finishes its jobs and claims no more.
    stopping: bool,
}

/// Number of queued jobs of one class.
#[derive(Debug, Serialize)]
struct ClassView {
    class: &'static str,
    waiting: usize,
}

pub(super) async fn read(State(app): State<Arc<App>>) -> Result<Json<FleetView>, ApiError> {
    Ok(Json(FleetView::of(&app.work, &Doings::read(&app.store).await?)))
}

impl FleetView {
    /// Builds the view of the current state.
    pub fn of(work: &Work, doings: &Doings) -> Self {
        let workers = work.fleet.iter().flat_map(Fleet::workers);
        let workers: Vec<_> = workers.map(|presence| WorkerView::of(presence, doings)).collect();
        let classes = work.queued.depths().into_iter();
        Self {
            here: HereView::of(work, doings),
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
    fn of(presence: Presence, doings: &Doings) -> Self {
        let Presence { id, worker, busy, memory_mib, stopping, memory_limit_mib, protocol } = presence;
        let (images_last_minute, jobs) = doings.of(&worker.name);
        // The worker's own report is up to a second old, but its claims are current.
        let claimed = u32::try_from(jobs.len()).unwrap_or(u32::MAX).min(worker.slots);
        Self {
            id,
            images_last_minute,
            jobs,
            name: worker.name,
            version: worker.version,
            devices: worker.devices,
            cores: worker.cores,
            slots: worker.slots,
            busy: busy.max(claimed),
            memory_mib,
            memory_limit_mib: (memory_limit_mib > 0).then_some(memory_limit_mib),
            protocol,
            stopping,
        }
    }
}
