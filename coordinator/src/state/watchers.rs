//! Wakes the tasks that watch a generation. Only commits that change the generation wake them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;
use uuid::Uuid;

use super::Store;

/// The watched generations.
#[derive(Debug, Default)]
pub(super) struct Watchers(Mutex<HashMap<Uuid, watch::Sender<()>>>);

impl Watchers {
    fn with<T>(&self, f: impl FnOnce(&mut HashMap<Uuid, watch::Sender<()>>) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A subscription to changes of a generation. It ends when dropped.
pub struct Watch {
    store: Store,
    generation: Uuid,
    /// `Some` until this is dropped.
    news: Option<watch::Receiver<()>>,
}

impl Watch {
    /// Waits for a change since the watch was created or since the last call. Several changes count as one.
    pub async fn news(&mut self) {
        let news = self.news.as_mut().expect("it is there until this is dropped");
        news.changed().await.expect("its sender lives as long as this does");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let news = self.news.take();
        self.store.shared.watchers.with(|all| {
            // Drop the receiver under the lock: if several watches end at once, the last one sees a count of zero.
            drop(news);
            if all.get(&self.generation).is_some_and(|sender| sender.receiver_count() == 0) {
                all.remove(&self.generation);
            }
        });
    }
}

impl Store {
    /// Subscribes to changes of a generation from now on.
    pub fn watch(&self, generation: Uuid) -> Watch {
        let news =
            self.shared.watchers.with(|all| all.entry(generation).or_insert_with(|| watch::channel(()).0).subscribe());
        Watch { store: self.clone(), generation, news: Some(news) }
    }

    /// Wakes everyone who watches the generation.
    pub(super) fn tell(&self, generation: Uuid) {
        self.shared.watchers.with(|all| {
            if let Some(sender) = all.get(&generation) {
                sender.send_replace(());
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn those_who_wait_are_told_once_and_leave_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let (mut a, mut b, mut c) = (store.watch(one), store.watch(one), store.watch(other));
        store.tell(one);
        store.tell(one);
        assert!(a.news().now_or_never().is_some() && b.news().now_or_never().is_some());
        assert!(a.news().now_or_never().is_none(), "told already");
        assert!(c.news().now_or_never().is_none(), "of another");
        drop((a, c));
        store.tell(one);
        assert!(b.news().now_or_never().is_some());
        drop(b);
        assert!(store.shared.watchers.with(|all| all.is_empty()));
    }
}
