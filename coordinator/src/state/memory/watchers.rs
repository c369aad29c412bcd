//! Wakes the tasks that watch a generation. Only commits that change the generation wake them.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::watch;
use uuid::Uuid;

/// The watched generations. Clones share them.
#[derive(Debug, Clone, Default)]
pub(in crate::state) struct Watchers(Arc<Mutex<HashMap<Uuid, watch::Sender<()>>>>);

impl Watchers {
    /// Subscribes to changes of a generation from now on.
    pub(in crate::state) fn watch(&self, generation: Uuid) -> Watch {
        let news = self.with(|all| all.entry(generation).or_insert_with(|| watch::channel(()).0).subscribe());
        Watch { watchers: self.clone(), generation, news: Some(news) }
    }

    /// Wakes everyone who watches the generation.
    pub(in crate::state) fn tell(&self, generation: Uuid) {
        self.with(|all| {
            if let Some(sender) = all.get(&generation) {
                sender.send_replace(());
            }
        });
    }

    fn with<T>(&self, f: impl FnOnce(&mut HashMap<Uuid, watch::Sender<()>>) -> T) -> T {
        f(&mut self.0.lock())
    }
}

/// A subscription to changes of a generation. It ends when dropped.
pub struct Watch {
    watchers: Watchers,
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
        self.watchers.with(|all| {
            // Drop the receiver under the lock: if several watches end at once, the last one sees a count of zero.
            drop(news);
            if all.get(&self.generation).is_some_and(|sender| sender.receiver_count() == 0) {
                all.remove(&self.generation);
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
        let watchers = Watchers::default();
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let (mut a, mut b, mut c) = (watchers.watch(one), watchers.watch(one), watchers.watch(other));
        watchers.tell(one);
        watchers.tell(one);
        assert!(a.news().now_or_never().is_some() && b.news().now_or_never().is_some());
        assert!(a.news().now_or_never().is_none(), "told already");
        assert!(c.news().now_or_never().is_none(), "of another");
        drop((a, c));
        watchers.tell(one);
        assert!(b.news().now_or_never().is_some());
        drop(b);
        assert!(watchers.with(|all| all.is_empty()));
    }
}
