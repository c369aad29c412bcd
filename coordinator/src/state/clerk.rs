//! Commits of jobs, one after the other. Hundreds of workers claim and report at once; each in a thread of its own they would
//! hand the database's one lock to each other, which takes longer than the work under it. One thread takes them as they
//! come and goes on to the next while those before wait for the disk.

use std::sync::mpsc::{Sender, channel};

use tokio::sync::oneshot;

use super::{StateError, Store};

type Errand = Box<dyn FnOnce() + Send>;

/// The door to the clerk's thread, which ends with it.
#[derive(Debug, Clone)]
pub(super) struct Clerk {
    errands: Sender<Errand>,
}

impl Clerk {
    pub(super) fn start() -> Result<Self, StateError> {
        let (errands, waiting) = channel::<Errand>();
        std::thread::Builder::new()
            .name("clerk".into())
            .spawn(move || {
                for errand in waiting {
                    // What it left undone is told by whoever waits for its answer; the next one is served all the same.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(errand));
                }
            })
            .map_err(|e| StateError::Storage(e.to_string()))?;
        Ok(Self { errands })
    }
}

/// Tells what came of a commit.
pub type Reply<T> = Box<dyn FnOnce(Result<T, StateError>) + Send>;

impl Store {
    /// Runs a commit in the clerk's thread and returns when it is on the disk. It goes on to its end even if the caller stops
    /// waiting.
    ///
    /// # Errors
    /// Those of the commit.
    pub async fn in_line<T: Send + 'static>(
        &self,
        commit: impl FnOnce(&Self, Reply<T>) + Send + 'static,
    ) -> Result<T, StateError> {
        let (told, answer) = oneshot::channel();
        let (store, span) = (self.clone(), tracing::Span::current());
        let errand = move || {
            // Whoever no longer waits does not need to know.
            span.in_scope(|| commit(&store, Box::new(move |result| drop(told.send(result)))));
        };
        let lost = || StateError::Storage("a task of the state ended".into());
        self.shared.clerk.errands.send(Box::new(errand)).map_err(|_| lost())?;
        answer.await.unwrap_or_else(|_| Err(lost()))
    }
}

/// What a commit comes to, of one that tells it.
pub(super) fn wait<T: Send + 'static>(commit: impl FnOnce(Reply<T>)) -> Result<T, StateError> {
    let (told, answer) = channel();
    commit(Box::new(move |result| drop(told.send(result))));
    answer.recv().unwrap_or_else(|_| Err(StateError::Storage("a task of the state ended".into())))
}
