//! The parent's side: hands inputs to children and tells how they ended.

use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;
use uuid::Uuid;

use super::wire::{self, Request, Status};
use super::{Limits, SandboxError, start};
use crate::share::{Each, Share};

/// Bytes that are kept of what a child says on standard error.
const SAID: usize = 4 << 10;

/// Runs tasks in children of this executable. Clones share their number and the one that is kept ready.
///
/// A `Sandbox` belongs to the runtime that it first runs on. A run that is dropped kills its child.
#[derive(Debug, Clone)]
pub struct Sandbox {
    inner: Arc<Inner>,
    /// Whose runs these are.
    account: Uuid,
}

#[derive(Debug)]
struct Inner {
    program: PathBuf,
    places: Share,
    /// A child that waits for a request, started while the one before it was at work.
    ready: Mutex<Option<Child>>,
}

impl Sandbox {
    /// Runs at most `at_once` children at work at once; further runs wait, which their limits don't count.
    ///
    /// # Errors
    /// The platform can't say which executable this is.
    pub fn new(at_once: usize) -> std::io::Result<Self> {
        Ok(Self::of(start::own_program()?, at_once))
    }

    /// As [`Sandbox::new`], with another executable that calls [`super::enter`].
    pub fn of(program: PathBuf, at_once: usize) -> Self {
        let places = Share::new(at_once, Each::all_but_one(at_once));
        Self { inner: Arc::new(Inner { program, places, ready: Mutex::new(None) }), account: Uuid::nil() }
    }

    /// The same for runs of this account: children are shared fairly between accounts, and no account has all of them at
    /// work where there is more than one. Without an account it is the service itself that runs them.
    #[must_use]
    pub fn of_account(&self, account: Uuid) -> Self {
        Self { account, ..self.clone() }
    }

    /// What `task` makes of `input` in a child of its own.
    ///
    /// # Errors
    /// [`SandboxError`]. Whatever happens, the child has ended or is killed by then.
    pub async fn run(&self, task: &'static str, input: Bytes, limits: Limits) -> Result<Vec<u8>, SandboxError> {
        let request = Request::new(task, limits, input.len())
            .ok_or_else(|| SandboxError::Start("the task's name is too long".into()))?;
        let place = self.inner.places.take(self.account).await.map_err(|e| SandboxError::Start(e.to_string()))?;
        let result = self.in_child(task, request, &input, limits).await;
        drop(place);
        result
    }

    async fn in_child(
        &self,
        task: &str,
        request: Request,
        input: &[u8],
        limits: Limits,
    ) -> Result<Vec<u8>, SandboxError> {
        let mut child = self.take().await.map_err(|e| SandboxError::Start(e.to_string()))?;
        let head = [&request.to_bytes()[..], task.as_bytes()].concat();
        // Dropped at the end of its time, the child is killed.
        tokio::time::timeout(limits.wall, converse(&mut child, &head, input, limits.answer))
            .await
            .unwrap_or(Err(SandboxError::TimedOut))
    }

    /// The child that is ready, or a new one; and sees to it that there is one the next time.
    async fn take(&self) -> std::io::Result<Child> {
        let ready = self.inner.ready.lock().ok().and_then(|mut ready| ready.take());
        // It may have been killed while it waited.
        let ready = ready.and_then(|mut child| matches!(child.try_wait(), Ok(None)).then_some(child));
        let child = match ready {
            Some(child) => child,
            None => start::start(self.inner.program.clone()).await?,
        };
        let this = Arc::downgrade(&self.inner);
        let program = self.inner.program.clone();
        tokio::spawn(async move {
            // Where it fails, the next run tries for itself and says why.
            let (Ok(child), Some(inner)) = (start::start(program).await, this.upgrade()) else { return };
            if let Ok(mut ready) = inner.ready.lock() {
                ready.get_or_insert(child);
            }
        });
        Ok(child)
    }
}

async fn converse(child: &mut Child, head: &[u8], input: &[u8], ceiling: usize) -> Result<Vec<u8>, SandboxError> {
    let (Some(mut stdin), Some(mut stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(SandboxError::Start("the child has no pipes".into()));
    };
    let talk = async {
        // A child that ends early breaks the pipe; how it ended says more than that.
        let written = async {
            stdin.write_all(head).await?;
            stdin.write_all(input).await
        };
        let _ = written.await;
        drop(stdin);
        answer(&mut stdout, ceiling).await
    };
    let (mut talk, mut said) = (pin!(talk), pin!(said(stderr)));
    let mut all_said = None;
    let answer = loop {
        tokio::select! {
            answer = &mut talk => break answer,
            said = &mut said, if all_said.is_none() => all_said = Some(said),
        }
    };
    match answer {
        Ok((Status::Done, bytes)) => Ok(bytes),
        Ok((status, bytes)) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Err(match status {
                Status::Refused => SandboxError::Refused(text),
                Status::Unfit => SandboxError::Start(text),
                Status::Panicked | Status::Done => SandboxError::Crashed(text),
            })
        }
        Err(Broken::TooLarge) => Err(SandboxError::AnswerTooLarge),
        Err(Broken::Garbled) => Err(SandboxError::Crashed("it said what is no answer".into())),
        Err(Broken::Ended) => {
            let status = child.wait().await.map_err(|e| SandboxError::Crashed(e.to_string()))?;
            let said = match all_said {
                Some(said) => said,
                None => said.await,
            };
            Err(why_ended(status, &said))
        }
    }
}

/// Why there is no answer.
enum Broken {
    Ended,
    Garbled,
    TooLarge,
}

async fn answer(from: &mut (impl AsyncRead + Unpin), ceiling: usize) -> Result<(Status, Vec<u8>), Broken> {
    let mut head = [0; wire::ANSWER];
    from.read_exact(&mut head).await.map_err(|_| Broken::Ended)?;
    let (status, length) = wire::read_answer_head(&head).ok_or(Broken::Garbled)?;
    let length = usize::try_from(length).ok().filter(|l| *l <= ceiling).ok_or(Broken::TooLarge)?;
    let mut bytes = Vec::new();
    // It grows with what comes, not with what was promised.
    from.take(length as u64).read_to_end(&mut bytes).await.map_err(|_| Broken::Ended)?;
    if bytes.len() < length { Err(Broken::Ended) } else { Ok((status, bytes)) }
}

/// The beginning of what comes until the end; the rest is read and passed over, so that nobody waits to say it.
async fn said(mut from: impl AsyncRead + Unpin) -> String {
    let mut kept = Vec::new();
    let mut part = [0; 1 << 10];
    while let Ok(n @ 1..) = from.read(&mut part).await {
        kept.extend(part[..n].iter().take(SAID.saturating_sub(kept.len())));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

fn why_ended(status: ExitStatus, said: &str) -> SandboxError {
    // The standard library's words where an allocation fails, before it aborts.
    if said.contains("memory allocation of ") {
        return SandboxError::OutOfMemory;
    }
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;

        use rustix::process::Signal;
        let killed_by = |signal: Signal| status.signal() == Some(signal.as_raw());
        if killed_by(Signal::XCPU) {
            return SandboxError::TimedOut;
        }
        if killed_by(Signal::SYS) {
            return SandboxError::Forbidden;
        }
    }
    let said = said.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
    SandboxError::Crashed(format!("{status} {said}").trim_end().to_owned())
}
