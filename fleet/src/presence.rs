//! Which workers there are, what they are and how busy they are: each announces itself every second, and one that falls
//! silent is gone. It publishes under a subject that holds its identity, `PREFIX.workers.IDENTITY`, so that permissions of
//! the server keep it from announcing others.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::process;
use crate::protocol::{Message, PROTOCOL_VERSION, Tongue, WireError, decode, encode_as, shown};

/// Interval between presence messages.
const EVERY: Duration = Duration::from_secs(1);
/// A worker that is silent for this long is gone.
const SILENCE: Duration = Duration::from_secs(10);
/// The most that is believed of one worker, whatever it says: slots, devices, and bytes of a name.
const SLOTS: u32 = 1_024;
const DEVICES: usize = 64;
const NAME_BYTES: usize = 200;
/// The most processes that are shown of one identity.
const OF_ONE: usize = 1_024;
/// The most lines of workers that join and leave which are logged in a minute.
const LINES: u32 = 300;
const MINUTE: Duration = Duration::from_secs(60);

/// What a worker is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// What it is called.
    pub name: String,
    /// Its version.
    pub version: String,
    /// What it draws on.
    pub devices: Vec<String>,
    /// Threads that can run at once there.
    pub cores: u32,
    /// Jobs that it works on at once.
    pub slots: u32,
}

/// What a worker says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Presence {
    /// Its id, new with every start.
    pub id: Uuid,
    /// What it is.
    pub worker: Introduction,
    /// Slots that are working on a job.
    pub busy: u32,
    /// MiB of memory that it holds; 0 where the system does not tell.
    pub memory_mib: u32,
    /// It finishes what it has and takes no more.
    pub stopping: bool,
    /// MiB of memory beyond which it begins anew; 0 for any.
    pub memory_limit_mib: u32,
    /// Its own version of the protocol, whichever it speaks.
    pub protocol: u8,
}

impl Message for Presence {}

/// The subject under which `identity` announces itself.
fn subject(prefix: &str, identity: &str) -> String {
    format!("{prefix}.workers.{identity}")
}

/// Says that a worker is there.
pub struct Announcer {
    client: Client,
    prefix: String,
    identity: String,
    id: Uuid,
    worker: Introduction,
    busy: Arc<AtomicUsize>,
    tongue: Tongue,
    memory_limit: Option<u64>,
    /// Says while nothing is taken on, and why.
    clock: Option<watch::Receiver<Option<String>>>,
}

impl Announcer {
    /// For this worker, of whose slots `busy` work, which speaks as `identity`
    /// ([`Settings::identity`](crate::nats::Settings::identity) of the client's connection) in the version that its desk
    /// speaks.
    pub fn new(
        client: Client,
        prefix: &str,
        identity: &str,
        worker: Introduction,
        busy: Arc<AtomicUsize>,
        tongue: Tongue,
    ) -> Self {
        let (prefix, identity) = (prefix.to_owned(), identity.to_owned());
        Self { client, prefix, identity, id: Uuid::now_v7(), worker, busy, tongue, memory_limit: None, clock: None }
    }

    /// The same, of a worker that holds no more than so many bytes of memory for long.
    #[must_use]
    pub fn with_memory_limit(self, memory_limit: Option<u64>) -> Self {
        Self { memory_limit, ..self }
    }

    /// The same, of a worker that takes no jobs while the object store refuses its clock
    /// ([`Blobs::clock`](crate::blobs::Blobs::clock)): it has no slots then.
    #[must_use]
    pub fn with_clock(self, clock: watch::Receiver<Option<String>>) -> Self {
        Self { clock: Some(clock), ..self }
    }

    /// Says so again and again; once more, and for the last time, when `stop` is cancelled and nothing is worked on.
    pub async fn run(self, stop: CancellationToken) {
        let mut tick = interval(EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !(stop.is_cancelled() && self.busy.load(Ordering::Relaxed) == 0) {
            self.say(stop.is_cancelled()).await;
            tokio::select! {
                _ = tick.tick() => {}
                // So that the coordinator counts on it no longer.
                () = stop.cancelled(), if !stop.is_cancelled() => {}
            }
        }
        self.say(true).await;
    }

    async fn say(&self, stopping: bool) {
        // While the report of one is under way, its slot may have the next.
        let refused = self.clock.as_ref().is_some_and(|clock| clock.borrow().is_some());
        let slots = if refused { 0 } else { self.worker.slots };
        let busy = u32::try_from(self.busy.load(Ordering::Relaxed)).unwrap_or(u32::MAX).min(slots);
        let presence = Presence {
            id: self.id,
            worker: Introduction { slots, ..self.worker.clone() },
            busy,
            memory_mib: process::memory().map_or(0, mib),
            stopping,
            memory_limit_mib: self.memory_limit.map_or(0, mib),
            protocol: PROTOCOL_VERSION,
        };
        // Without a connection words pile up until there is no room for another, and then wait.
        if self.client.connection_state() != State::Connected {
            return;
        }
        // A coordinator of the previous version reads it once it has answered a claim.
        let Ok(bytes) = encode_as(self.tongue.spoken(), &presence) else { return };
        let subject = subject(&self.prefix, &self.identity);
        if let Err(error) = self.client.publish(subject, bytes.into()).await {
            tracing::debug!(%error, "the coordinator can't be told that this worker is there");
        }
    }
}

fn mib(bytes: u64) -> u32 {
    u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
}

/// Workers by identity and id, and when each was last heard.
type Heard = HashMap<(String, Uuid), (Presence, Instant)>;

/// The workers that were heard lately. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Fleet {
    heard: Arc<Mutex<Heard>>,
    /// How many there are that have slots.
    count: Arc<AtomicUsize>,
    /// When the current minute of log lines began, and how many there are of it.
    logged: Arc<Mutex<(Option<Instant>, u32)>>,
}

impl Fleet {
    /// Listens until `stop` is cancelled.
    ///
    /// # Errors
    /// [`async_nats::SubscribeError`] where nothing can be listened for.
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
                Some(letter) = heard.next() => {
                    // By the subject it was published under: a worker can have the server send a ticket anywhere.
                    let Some(identity) = letter.subject.strip_prefix(workers.as_str()) else { continue };
                    match decode::<Presence>(&letter.payload) {
                        Ok(presence) => self.hear(identity, presence),
                        Err(WireError::Version(version)) => tracing::debug!(version, "a worker speaks another version"),
                        Err(error) => tracing::debug!(%error, subject = %letter.subject, "unreadable presence message"),
                    }
                }
            }
        }
    }

    /// Those who were heard lately, by name.
    pub fn workers(&self) -> Vec<Presence> {
        let mut workers: Vec<_> = self.with(|heard| heard.values().map(|(presence, _)| presence.clone()).collect());
        workers.sort_by(|a, b| a.worker.name.cmp(&b.worker.name).then(a.id.cmp(&b.id)));
        workers
    }

    /// Jobs that all of them can work on at once.
    pub fn slots(&self) -> usize {
        self.with(|heard| heard.values().filter(|(p, _)| !p.stopping).map(|(p, _)| p.worker.slots as usize).sum())
    }

    /// How many there are that have slots: kept up to date.
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
                    tracing::debug!(identity, "too many workers for one identity; the new one is ignored");
                    return;
                }
                let Introduction { name, version, slots, .. } = &presence.worker;
                if self.may_log() {
                    tracing::info!(worker = name, version, slots, "worker joined");
                }
            }
            heard.insert(key, (presence, Instant::now()));
        });
    }

    /// Whether another line may be logged. A worker that is in wrong hands could otherwise fill the log.
    fn may_log(&self) -> bool {
        let mut logged = self.logged.lock().unwrap_or_else(PoisonError::into_inner);
        let (began, lines) = &mut *logged;
        if began.is_none_or(|began| began.elapsed() > MINUTE) {
            (*began, *lines) = (Some(Instant::now()), 0);
        }
        *lines = lines.saturating_add(1);
        if *lines == LINES + 1 {
            tracing::warn!("workers join and leave too often to log each for this minute");
        }
        *lines <= LINES
    }

    fn forget_silent(&self) {
        self.with(|heard| {
            heard.retain(|_, (presence, at)| {
                let there = at.elapsed() < SILENCE;
                if !there {
                    tracing::warn!(worker = presence.worker.name, "worker silent; it no longer counts");
                }
                there
            });
        });
    }

    fn with<T>(&self, f: impl FnOnce(&mut Heard) -> T) -> T {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let result = f(&mut heard);
        let working = heard.values().filter(|(presence, _)| presence.worker.slots > 0).count();
        self.count.store(working, Ordering::Relaxed);
        result
    }
}

/// What a worker says of itself, within bounds, under a name that is its own.
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

    fn worker(name: &str, slots: u32) -> Introduction {
        Introduction { name: name.into(), version: "1".into(), devices: vec!["cpu".into()], cores: 2, slots }
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
        assert_eq!(hex::encode(&bytes), format!("0d{golden}fb2c0107"));
        assert_eq!(decode::<Presence>(&bytes).as_ref(), Ok(&presence));
        // As version 12 wrote it, and as it is written for that.
        let old = encode_as(12, &presence).unwrap();
        assert_eq!(hex::encode(&old), format!("0c{golden}fb2c0107"));
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

    /// Permissions keep a worker to its subject; what it says there is about itself alone.
    #[tokio::test]
    async fn i19_a_worker_speaks_for_itself_alone() {
        let fleet = Fleet::default();
        fleet.hear("w1", presence(1, 1, false));
        // It says that the other is gone, and takes its name.
        fleet.hear("rogue", presence(1, 0, true));
        fleet.hear("rogue", presence(1, 0, false));
        let names: Vec<_> = fleet.workers().into_iter().map(|w| w.worker.name).collect();
        assert_eq!(names, ["rogue/w1", "w1"]);
        // Nor does it make the coordinator believe in any number of workers and slots.
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
        let announcer =
            Announcer::new(server.client().await, "t", "w", worker("w", 2), Arc::clone(&busy), Tongue::default());
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
