//! Which workers there are, what they are and how much they have to do: each says so every second, and whoever falls
//! silent is gone.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::process;
use crate::protocol::{Message, PROTOCOL_VERSION, Tongue, WireError, decode, encode_as};

/// Between two words of a worker.
const EVERY: Duration = Duration::from_secs(1);
/// Who has said nothing for so long is gone.
const SILENCE: Duration = Duration::from_secs(10);

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

fn subject(prefix: &str) -> String {
    format!("{prefix}.workers")
}

/// Says that a worker is there.
pub struct Announcer {
    client: Client,
    subject: String,
    id: Uuid,
    worker: Introduction,
    busy: Arc<AtomicUsize>,
    tongue: Tongue,
    memory_limit: Option<u64>,
}

impl Announcer {
    /// For this worker, of whose slots `busy` work, in the version that its desk speaks.
    pub fn new(client: Client, prefix: &str, worker: Introduction, busy: Arc<AtomicUsize>, tongue: Tongue) -> Self {
        Self { client, subject: subject(prefix), id: Uuid::now_v7(), worker, busy, tongue, memory_limit: None }
    }

    /// The same, of a worker that holds no more than so many bytes of memory for long.
    #[must_use]
    pub fn with_memory_limit(self, memory_limit: Option<u64>) -> Self {
        Self { memory_limit, ..self }
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
        let busy = u32::try_from(self.busy.load(Ordering::Relaxed)).unwrap_or(u32::MAX).min(self.worker.slots);
        let presence = Presence {
            id: self.id,
            worker: self.worker.clone(),
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
        // A coordinator that has not been heard yet may be of the version before.
        let versions = self.tongue.known().map_or(PROTOCOL_VERSION - 1..=PROTOCOL_VERSION, |known| known..=known);
        for version in versions {
            let Ok(bytes) = encode_as(version, &presence) else { continue };
            if let Err(error) = self.client.publish(self.subject.clone(), bytes.into()).await {
                tracing::debug!(%error, "the coordinator can't be told that this worker is there");
            }
        }
    }
}

fn mib(bytes: u64) -> u32 {
    u32::try_from(bytes >> 20).unwrap_or(u32::MAX)
}

/// The workers that were heard lately. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Fleet {
    heard: Arc<Mutex<HashMap<Uuid, (Presence, Instant)>>>,
    /// How many there are.
    count: Arc<AtomicUsize>,
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
        let mut heard = client.subscribe(subject(prefix)).await?;
        let mut tick = interval(EVERY);
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                _ = tick.tick() => self.forget_silent(),
                Some(letter) = heard.next() => match decode::<Presence>(&letter.payload) {
                    Ok(presence) => self.hear(presence),
                    // It says so in the version before as well.
                    Err(WireError::Version(version)) => tracing::debug!(version, "a worker speaks another version"),
                    Err(error) => tracing::warn!(%error, "a worker says something that can't be understood"),
                },
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

    /// How many there are: kept up to date.
    pub fn count(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.count)
    }

    fn hear(&self, presence: Presence) {
        self.with(|heard| {
            if presence.stopping && presence.busy == 0 {
                if heard.remove(&presence.id).is_some() {
                    tracing::info!(worker = presence.worker.name, "a worker is gone");
                }
            } else {
                let known = heard.insert(presence.id, (presence.clone(), Instant::now()));
                if known.is_none() {
                    let Introduction { name, version, slots, .. } = presence.worker;
                    tracing::info!(worker = name, version, slots, "a worker has come");
                }
            }
        });
    }

    fn forget_silent(&self) {
        self.with(|heard| {
            heard.retain(|_, (presence, at)| {
                let there = at.elapsed() < SILENCE;
                if !there {
                    tracing::warn!(worker = presence.worker.name, "a worker has fallen silent");
                }
                there
            });
        });
    }

    fn with<T>(&self, f: impl FnOnce(&mut HashMap<Uuid, (Presence, Instant)>) -> T) -> T {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let result = f(&mut heard);
        self.count.store(heard.len(), Ordering::Relaxed);
        result
    }
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
        let presence = presence(1, 3, false);
        let bytes = encode(&presence).unwrap();
        assert_eq!(hex::encode(&bytes), format!("06{golden}fb2c0106"));
        assert_eq!(decode::<Presence>(&bytes).as_ref(), Ok(&presence));
        // As version 5 wrote it, and as it is written for that.
        let of_5 = Presence { protocol: 5, ..presence };
        let old = encode_as(5, &of_5).unwrap();
        assert_eq!(hex::encode(&old), format!("05{golden}fb2c0105"));
        assert_eq!(decode::<Presence>(&old), Ok(of_5));
    }

    #[tokio::test(start_paused = true)]
    async fn who_falls_silent_or_stops_is_gone() {
        let fleet = Fleet::default();
        fleet.hear(presence(2, 1, false));
        fleet.hear(presence(1, 0, false));
        assert_eq!(fleet.workers().iter().map(|p| p.worker.name.as_str()).collect::<Vec<_>>(), ["w1", "w2"]);
        assert_eq!((fleet.slots(), fleet.count().load(Ordering::Relaxed)), (8, 2));
        fleet.hear(presence(2, 1, true));
        assert_eq!((fleet.slots(), fleet.workers().len()), (4, 2), "it has something to finish");
        fleet.hear(presence(2, 0, true));
        assert_eq!(fleet.workers().len(), 1);
        tokio::time::advance(SILENCE).await;
        fleet.forget_silent();
        assert_eq!((fleet.slots(), fleet.count().load(Ordering::Relaxed)), (0, 0));
    }

    #[tokio::test]
    async fn a_worker_is_heard_until_it_stops() {
        let Some(server) = Server::start() else { return };
        let (fleet, stop, done) = (Fleet::default(), CancellationToken::new(), CancellationToken::new());
        tokio::spawn(fleet.clone().listen(server.client().await, "t", done.clone()));
        let busy = Arc::new(AtomicUsize::new(1));
        let announcer =
            Announcer::new(server.client().await, "t", worker("w", 2), Arc::clone(&busy), Tongue::default());
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
