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
use crate::api::error::ApiError;
use crate::clock::Millis;
use crate::dispatch::{Queued, class_name};
use crate::state::{AtWork, StateError, Store};

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
    /// How many workers there are, those of this process being one.
    pub fn count(&self) -> usize {
        self.fleet.as_ref().map_or(0, |fleet| fleet.workers().len()) + usize::from(self.here.is_some())
    }

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

/// What workers do and did, by what they call themselves.
#[derive(Debug, Default)]
pub(crate) struct Doings {
    drawn: HashMap<String, u32>,
    jobs: HashMap<String, Vec<JobView>>,
}

impl Doings {
    /// As the state knows it now.
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

    /// Images of the last minute, and jobs at hand.
    fn of(&self, worker: &str) -> (u32, Vec<JobView>) {
        (self.drawn.get(worker).copied().unwrap_or(0), self.jobs.get(worker).cloned().unwrap_or_default())
    }
}

/// A job that a worker has claimed: it works on it, or will as soon as a slot is free.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct JobView {
    job_id: Uuid,
    generation_id: Uuid,
    class: &'static str,
    /// The place of the image that is drawn, from 0; none for a plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<u32>,
    /// Which claim this is; the last one is [`fleet::protocol::MAX_CLAIMS`].
    claim: u32,
    /// Seconds since it was claimed; none where an older version granted it.
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

/// The workers of this process, as they are shown.
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
    /// What they do now.
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

/// Who works, and what waits.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FleetView {
    /// The workers of the coordinator's own process, where it has any.
    here: Option<HereView>,
    /// Those on other machines.
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
    /// Beyond so much it begins anew.
    #[serde(rename = "memoryLimitMiB", skip_serializing_if = "Option::is_none")]
    memory_limit_mib: Option<u32>,
    /// The version of the protocol that it speaks at best.
    protocol: u8,
    images_last_minute: u32,
    /// What it has, the oldest claim first.
    jobs: Vec<JobView>,
    /// It finishes what it has and takes no more.
    stopping: bool,
}

/// What waits of a class.
#[derive(Debug, Serialize)]
struct ClassView {
    class: &'static str,
    waiting: usize,
}

pub(super) async fn read(State(app): State<Arc<App>>) -> Result<Json<FleetView>, ApiError> {
    Ok(Json(FleetView::of(&app.work, &Doings::read(&app.store).await?)))
}

impl FleetView {
    /// How things stand now.
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
        // Its own word is up to a second old, and its claims are not.
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
