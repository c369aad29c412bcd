//! Tracks which workers exist, their properties and load. Each worker announces itself every second; one that stays
//! silent is removed. It publishes to a subject that contains its identity, `PREFIX.workers.IDENTITY`, so that the
//! server's permissions keep it from announcing others.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use futures::StreamExt;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::process;
use crate::protocol::{Message, NegotiatedVersion, PROTOCOL_VERSION, WireError, decode, encode_as, shown};

/// Interval between presence messages.
const EVERY: Duration = Duration::from_secs(1);
/// A worker that is silent for this long is removed.
const SILENCE: Duration = Duration::from_secs(10);
/// Upper limits for what one worker reports: slots, devices, and bytes of a name.
const SLOTS: u32 = 1_024;
const DEVICES: usize = 64;
const NAME_BYTES: usize = 200;
/// Maximum processes to track per identity.
const OF_ONE: usize = 1_024;
/// Maximum log lines per minute about workers that join and leave.
const LINES: u32 = 300;
const MINUTE: Duration = Duration::from_secs(60);

/// The fixed properties of a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerInfo {
    /// Its name.
    pub name: String,
    /// Its software version.
    pub version: String,
    /// The devices that it renders on.
    pub devices: Vec<String>,
    /// Threads that the machine runs in parallel.
    pub cores: u32,
    /// Jobs that it runs concurrently.
    pub slots: u32,
}

/// A worker's announcement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// Its id, new with each start.
    pub id: Uuid,
    /// Its fixed properties.
    pub worker: WorkerInfo,
    /// Slots that are working on a job.
    pub busy: u32,
    /// MiB of memory that it uses; 0 where the system does not report it.
    pub memory_mib: u32,
    /// Whether it finishes its jobs and takes no more.
    pub stopping: bool,
    /// MiB of memory above which it restarts; 0 for no limit.
    pub memory_limit_mib: u32,
    /// Its own protocol version, whichever one it has negotiated.
    pub protocol: u8,
}

impl Message for Presence {}

/// Returns the subject to which `identity` announces itself.
fn subject(prefix: &str, identity: &str) -> String {
    format!("{prefix}.workers.{identity}")
}

/// Announces a worker.
pub struct Announcer {
    client: Client,
    prefix: String,
    identity: String,
    id: Uuid,
    worker: WorkerInfo,
    busy: Arc<AtomicUsize>,
    negotiated: NegotiatedVersion,
    memory_limit: Option<u64>,
    /// The reason why the worker takes no jobs, while there is one.
    clock: Option<watch::Receiver<Option<String>>>,
}

impl Announcer {
    /// Creates an announcer for this worker, which connects as `identity`
    /// ([`Settings::identity`](crate::nats::Settings::identity) of the client's connection) and uses the protocol
    /// version negotiated with its job service. `busy` counts the slots that are working.
    pub fn new(
        client: Client,
        prefix: &str,
        identity: &str,
        worker: WorkerInfo,
        busy: Arc<AtomicUsize>,
        negotiated: NegotiatedVersion,
    ) -> Self {
        let (prefix, identity) = (prefix.to_owned(), identity.to_owned());
        Self { client, prefix, identity, id: Uuid::now_v7(), worker, busy, negotiated, memory_limit: None, clock: None }
    }

    /// Returns the same announcer for a worker that restarts above this many bytes of memory.
    #[must_use]
    pub fn with_memory_limit(self, memory_limit: Option<u64>) -> Self {
        Self { memory_limit, ..self }
    }

    /// Returns the same announcer for a worker that takes no jobs while the object store refuses its clock
    /// ([`Blobs::clock`](crate::blobs::Blobs::clock)): it then announces 0 slots.
    #[must_use]
    pub fn with_clock(self, clock: watch::Receiver<Option<String>>) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Announces the worker repeatedly. Once `stop` is cancelled and no slot is busy, announces it a last time.
    pub async fn run(self, stop: CancellationToken) {
        let mut tick = interval(EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !(stop.is_cancelled() && self.busy.load(Ordering::Relaxed) == 0) {
            self.announce(stop.is_cancelled()).await;
            tokio::select! {
                _ = tick.tick() => {}
                // Announces the stop at once, so that the coordinator no longer counts on this worker.
                () = stop.cancelled(), if !stop.is_cancelled() => {}
            }
        }
        self.announce(true).await;
    }

    async fn announce(&self, stopping: bool) {
        // A slot may start the next job while the report of the last one is in flight, so `busy` may exceed the slots.
        let refused = self.clock.as_ref().is_some_and(|clock| clock.borrow().is_some());
        let slots = if refused { 0 } else { self.worker.slots };
        let busy = u32::try_from(self.busy.load(Ordering::Relaxed)).unwrap_or(u32::MAX).min(slots);
        let presence = Presence {
            id: self.id,
            worker: WorkerInfo { slots, ..self.worker.clone() },
            busy,
            memory_mib: process::memory().map_or(0, mib),
            stopping,
            memory_limit_mib: self.memory_limit.map_or(0, mib),
            protocol: PROTOCOL_VERSION,
        };
        // Without a connection, messages fill the client's buffer until publishing blocks.
        if self.client.connection_state() != State::Connected {
            return;
        }
        // A coordinator of the previous version can read it once it has answered a claim.
        let Ok(bytes) = encode_as(self.negotiated.version(), &presence) else { return };
        let subject = subject(&self.prefix, &self.identity);
        if let Err(error) = self.client.publish(subject, bytes.into()).await {
            tracing::debug!(%error, "presence message not sent: publish failed");
        }
    }
}

fn mib(bytes: u64) -> u32 {
    u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
}

/// Workers by identity and id, each with the time of its last announcement.
type Heard = HashMap<(String, Uuid), (Presence, Instant)>;

/// The workers that announced themselves recently. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Fleet {
    heard: Arc<Mutex<Heard>>,
    /// How many workers have slots.
    count: Arc<AtomicUsize>,
    /// When the current minute of log lines began, and how many lines it has.
    logged: Arc<Mutex<(Option<Instant>, u32)>>,
}

impl Fleet {
    /// Receives announcements until `stop` is cancelled.
    ///
    /// # Errors
    /// [`async_nats::SubscribeError`] where subscribing fails.
    pub async fn listen(
        self,
        client: Client,
        prefix: &str,
        stop: CancellationToken,
    ) -> Result<(), async_nats::SubscribeError> {
        let mut heard = client.subscribe(subject(prefix, "*")).await?;
        let workers = format!("{prefix}.workers.");
        let mut tick = interval(EVERY);
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                _ = tick.tick() => self.forget_silent(),
                Some(message) = heard.next() => {
                    // Identify the worker by the subject that the message was published to: a worker can make the
                    // server deliver a ticket to any subject.
                    let Some(identity) = message.subject.strip_prefix(workers.as_str()) else { continue };
                    match decode::<Presence>(&message.payload) {
                        Ok(presence) => self.hear(identity, presence),
                        Err(WireError::Version(version)) => tracing::debug!(version, "presence ignored: other version"),
                        Err(error) => tracing::debug!(%error, subject = %message.subject, "presence ignored: unreadable"),
                    }
                }
            }
        }
    }

    /// Returns the present workers, sorted by name.
    pub fn workers(&self) -> Vec<Presence> {
        let mut workers: Vec<_> = self.with(|heard| heard.values().map(|(presence, _)| presence.clone()).collect());
        workers.sort_by(|a, b| a.worker.name.cmp(&b.worker.name).then(a.id.cmp(&b.id)));
        workers
    }

    /// Returns how many jobs all workers that are not stopping can run concurrently.
    pub fn slots(&self) -> usize {
        self.with(|heard| heard.values().filter(|(p, _)| !p.stopping).map(|(p, _)| p.worker.slots as usize).sum())
    }

    /// Returns a live count of the workers that have slots.
    pub fn count(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.count)
    }

    fn hear(&self, identity: &str, presence: Presence) {
        let presence = bounded(identity, presence);
        let key = (identity.to_owned(), presence.id);
        self.with(|heard| {
            if presence.stopping && presence.busy == 0 {
                if heard.remove(&key).is_some() && self.may_log() {
                    tracing::info!(worker = presence.worker.name, "worker left");
                }
                return;
            }
            if !heard.contains_key(&key) {
                if heard.keys().filter(|(theirs, _)| *theirs == key.0).count() >= OF_ONE {
                    tracing::debug!(identity, "worker ignored: too many workers for one identity");
                    return;
                }
                let WorkerInfo { name, version, slots, .. } = &presence.worker;
                if self.may_log() {
                    tracing::info!(worker = name, version, slots, "worker joined");
                }
            }
            heard.insert(key, (presence, Instant::now()));
        });
    }

    /// Returns whether another line may be logged. A compromised worker could otherwise fill the log.
    fn may_log(&self) -> bool {
        let mut logged = self.logged.lock();
        let (began, lines) = &mut *logged;
        if began.is_none_or(|began| began.elapsed() > MINUTE) {
            (*began, *lines) = (Some(Instant::now()), 0);
        }
        *lines = lines.saturating_add(1);
        if *lines == LINES + 1 {
            tracing::warn!("worker log lines suppressed for this minute: too many workers join and leave");
        }
        *lines <= LINES
    }

    fn forget_silent(&self) {
        self.with(|heard| {
            heard.retain(|_, (presence, at)| {
                let there = at.elapsed() < SILENCE;
                if !there {
                    tracing::warn!(worker = presence.worker.name, "worker removed: silent for too long");
                }
                there
            });
        });
    }

    fn with<T>(&self, f: impl FnOnce(&mut Heard) -> T) -> T {
        let mut heard = self.heard.lock();
        let result = f(&mut heard);
        let working = heard.values().filter(|(presence, _)| presence.worker.slots > 0).count();
        self.count.store(working, Ordering::Relaxed);
        result
    }
}

/// Returns a worker's announcement within limits, under a name that contains its identity.
fn bounded(identity: &str, mut presence: Presence) -> Presence {
    let clip = |text: &mut String| text.truncate(text.floor_char_boundary(NAME_BYTES));
    let worker = &mut presence.worker;
    worker.name = shown(Some(identity), &worker.name);
    worker.slots = worker.slots.min(SLOTS);
    worker.devices.truncate(DEVICES);
    [&mut worker.name, &mut worker.version].into_iter().chain(&mut worker.devices).for_each(clip);
    presence.busy = presence.busy.min(worker.slots);
    presence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nats::server::Server;
    use crate::protocol::encode;

    fn worker(name: &str, slots: u32) -> WorkerInfo {
        WorkerInfo { name: name.into(), version: "1".into(), devices: vec!["cpu".into()], cores: 2, slots }
    }

    fn presence(n: u128, busy: u32, stopping: bool) -> Presence {
        Presence {
            id: Uuid::from_u128(n),
            worker: worker(&format!("w{n}"), 4),
            busy,
            memory_mib: 9,
            stopping,
            memory_limit_mib: 300,
            protocol: PROTOCOL_VERSION,
        }
    }

    #[test]
    fn bytes_stay_as_they_are() {
        let golden = concat!("10", "00000000000000000000000000000001", "027731", "0131", "0103637075", "0204030900");
        let presence = Presence { protocol: 7, ..presence(1, 3, false) };
        let bytes = encode(&presence).unwrap();
        assert_eq!(hex::encode(&bytes), format!("0e{golden}fb2c0107"));
        assert_eq!(decode::<Presence>(&bytes).as_ref(), Ok(&presence));
        // As version 13 wrote it, and as this version writes it for version 13.
        let old = encode_as(13, &presence).unwrap();
        assert_eq!(hex::encode(&old), format!("0d{golden}fb2c0107"));
        assert_eq!(decode::<Presence>(&old), Ok(presence));
    }

    #[tokio::test(start_paused = true)]
    async fn who_falls_silent_or_stops_is_gone() {
        let fleet = Fleet::default();
        fleet.hear("w2", presence(2, 1, false));
        fleet.hear("w1", presence(1, 0, false));
        assert_eq!(fleet.workers().iter().map(|p| p.worker.name.as_str()).collect::<Vec<_>>(), ["w1", "w2"]);
        assert_eq!((fleet.slots(), fleet.count().load(Ordering::Relaxed)), (8, 2));
        fleet.hear("w2", presence(2, 1, true));
        assert_eq!((fleet.slots(), fleet.workers().len()), (4, 2), "it has something to finish");
        fleet.hear("w2", presence(2, 0, true));
        assert_eq!(fleet.workers().len(), 1);
        tokio::time::advance(SILENCE).await;
        fleet.forget_silent();
        assert_eq!((fleet.slots(), fleet.count().load(Ordering::Relaxed)), (0, 0));
    }

    /// The server's permissions bind a worker to its subject, and what it publishes there concerns only itself.
    #[tokio::test]
    async fn i19_a_worker_speaks_for_itself_alone() {
        let fleet = Fleet::default();
        fleet.hear("w1", presence(1, 1, false));
        // It announces that the other has left, and takes its name.
        fleet.hear("rogue", presence(1, 0, true));
        fleet.hear("rogue", presence(1, 0, false));
        let names: Vec<_> = fleet.workers().into_iter().map(|w| w.worker.name).collect();
        assert_eq!(names, ["rogue/w1", "w1"]);
        // A worker can't inflate the coordinator's count of workers and slots either.
        let boast = Presence { worker: worker(&"x".repeat(10_000), u32::MAX), ..presence(1, u32::MAX, false) };
        fleet.hear("rogue", boast);
        for n in 0..3_000 {
            fleet.hear("rogue", presence(n, 0, false));
        }
        let workers = fleet.workers();
        assert_eq!(workers.len(), OF_ONE + 1);
        assert!(workers.iter().all(|w| w.worker.slots <= SLOTS && w.worker.name.len() <= NAME_BYTES));
    }

    #[tokio::test]
    async fn a_worker_is_heard_until_it_stops() {
        let Some(server) = Server::start() else { return };
        let (fleet, stop, done) = (Fleet::default(), CancellationToken::new(), CancellationToken::new());
        tokio::spawn(fleet.clone().listen(server.client().await, "t", done.clone()));
        let busy = Arc::new(AtomicUsize::new(1));
        let announcer = Announcer::new(
            server.client().await,
            "t",
            "w",
            worker("w", 2),
            Arc::clone(&busy),
            NegotiatedVersion::default(),
        );
        let announcing = tokio::spawn(announcer.run(stop.clone()));
        let until = async |holds: &dyn Fn(&[Presence]) -> bool| {
            tokio::time::timeout(Duration::from_secs(30), async {
                while !holds(&fleet.workers()) {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            })
            .await
            .unwrap();
        };
        until(&|workers| workers.len() == 1 && workers[0].busy == 1).await;
        stop.cancel();
        until(&|workers| workers.len() == 1 && workers[0].stopping).await;
        busy.store(0, Ordering::Relaxed);
        announcing.await.unwrap();
        until(&|workers| workers.is_empty()).await;
        done.cancel();
    }
}
