//! The write timeout of HTTP/2. A client may read some responses and let others stall, so every response whose next
//! piece isn't read in time is reset, which frees its memory. (In HTTP/1.1 the [socket](super::socket) detects this.)

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::{Instant, sleep};

use super::socket::WRITE_TIME;

tokio::task_local! {
    /// The write timeout of the request that the task handles.
    static PACE: Arc<Pace>;
}

/// Number of checks within the timeout.
const LOOKS: u32 = 3;

/// Tracks when a response last offered a piece that the client has not read yet.
pub struct Pace {
    began: Instant,
    patience: Duration,
    /// Milliseconds from `began` to the offer, or [`NOTHING`].
    offered: AtomicU64,
}

const NOTHING: u64 = u64::MAX;

impl Pace {
    /// Returns the tracker of the task's request, if it is an HTTP/2 request.
    pub fn of_task() -> Option<Arc<Self>> {
        PACE.try_with(Arc::clone).ok()
    }

    /// Records that a piece is ready to be read.
    pub fn offered(&self) {
        let passed = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(NOTHING - 1);
        self.offered.store(passed, Ordering::Relaxed);
    }

    /// Records that the piece was read, because the next one is requested.
    pub fn taken(&self) {
        self.offered.store(NOTHING, Ordering::Relaxed);
    }

    /// Returns once a piece was not read in time.
    async fn stalled(&self) {
        loop {
            sleep(self.patience / LOOKS).await;
            let offered = self.offered.load(Ordering::Relaxed);
            if offered != NOTHING && self.began.elapsed() > Duration::from_millis(offered) + self.patience {
                return;
            }
        }
    }
}

/// Runs the requests of a connection as separate tasks.
#[derive(Clone, Copy)]
pub struct Paced {
    patience: Duration,
}

impl Default for Paced {
    fn default() -> Self {
        Self { patience: WRITE_TIME }
    }
}

impl<F> hyper::rt::Executor<F> for Paced
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, request: F) {
        let (began, patience) = (Instant::now(), self.patience);
        let pace = Arc::new(Pace { began, patience, offered: AtomicU64::new(NOTHING) });
        tokio::spawn(PACE.scope(Arc::clone(&pace), async move {
            tokio::select! {
                () = request => {}
                // Dropping the request resets its stream.
                () = pace.stalled() => tracing::debug!("response reset: the client did not read it"),
            }
        }));
    }
}

#[cfg(test)]
mod tests {
    use hyper::rt::Executor;
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn what_is_not_taken_is_taken_back() {
        let (alive, gone) = oneshot::channel::<()>();
        Paced { patience: Duration::from_millis(20) }.execute(async move {
            Pace::of_task().unwrap().offered();
            std::future::pending::<()>().await;
            drop(alive);
        });
        assert!(gone.await.is_err(), "dropped with the request");
    }

    #[tokio::test]
    async fn what_waits_for_more_to_say_is_not() {
        let patience = Duration::from_millis(1);
        let (more, next) = oneshot::channel();
        let (done, ended) = oneshot::channel();
        Paced { patience }.execute(async move {
            let pace = Pace::of_task().unwrap();
            pace.offered();
            pace.taken();
            done.send(next.await).unwrap();
        });
        sleep(patience * 50).await;
        more.send(7).unwrap();
        assert_eq!(ended.await.unwrap(), Ok(7));
    }
}
