//! The parent's side: passes inputs to children and reports how they ended.

use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitStatus;
use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::Child;
use uuid::Uuid;

use super::wire::{self, Request, Status};
use super::{Limits, SandboxError, start};
use crate::fair_semaphore::{AccountLimits, FairSemaphore};

/// Bytes to keep of a child's standard error.
const SAID: usize = 4 << 10;

/// Runs tasks in children of this executable. Clones share the limit of concurrent children and the child kept ready.
///
/// A `Sandbox` belongs to the runtime that it first runs on. Dropping a run kills its child.
#[derive(Debug, Clone)]
pub struct Sandbox {
    inner: Arc<Inner>,
    /// The account that the runs are for.
    account: Uuid,
}

#[derive(Debug)]
struct Inner {
    program: PathBuf,
    permits: FairSemaphore,
    /// A child that waits for a request. It starts while the previous one works.
    ready: Mutex<Option<Child>>,
}

impl Sandbox {
    /// Runs at most `at_once` children concurrently. Further runs wait; the wait does not count against their limits.
    ///
    /// # Errors
    /// The platform can't determine the path of this executable.
    pub fn new(at_once: usize) -> std::io::Result<Self> {
        Ok(Self::of(start::own_program()?, at_once))
    }

    /// Like [`Sandbox::new`], with another executable that calls [`super::enter`].
    pub fn of(program: PathBuf, at_once: usize) -> Self {
        let permits = FairSemaphore::new(at_once, AccountLimits::all_but_one(at_once));
        Self { inner: Arc::new(Inner { program, permits, ready: Mutex::new(None) }), account: Uuid::nil() }
    }

    /// Returns a sandbox for runs of this account. Accounts share the children fairly, and no account may use all of
    /// them if there is more than one. Runs without an account belong to the service itself.
    #[must_use]
    pub fn of_account(&self, account: Uuid) -> Self {
        Self { account, ..self.clone() }
    }

    /// Runs `task` on `input` in a child and returns its answer.
    ///
    /// # Errors
    /// [`SandboxError`]. In every case the child has exited or been killed by then.
    pub async fn run(&self, task: &'static str, input: Bytes, limits: Limits) -> Result<Vec<u8>, SandboxError> {
        let request = Request::new(task, limits, input.len())
            .ok_or_else(|| SandboxError::Start("the task's name is too long".into()))?;
        let permit = self.inner.permits.acquire(self.account).await.map_err(|e| SandboxError::Start(e.to_string()))?;
        let result = self.in_child(task, request, &input, limits).await;
        drop(permit);
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
        // At the timeout the child is dropped, which kills it.
        tokio::time::timeout(limits.wall, converse(&mut child, &head, input, limits.answer))
            .await
            .unwrap_or(Err(SandboxError::TimedOut))
    }

    /// Takes the child that is ready, or starts one, and starts another for the next run.
    async fn take(&self) -> std::io::Result<Child> {
        let ready = self.inner.ready.lock().take();
        // The child may have been killed while it waited.
        let ready = ready.and_then(|mut child| matches!(child.try_wait(), Ok(None)).then_some(child));
        let child = match ready {
            Some(child) => child,
            None => start::start(self.inner.program.clone()).await?,
        };
        let this = Arc::downgrade(&self.inner);
        let program = self.inner.program.clone();
        tokio::spawn(async move {
            // If starting fails, the next run starts a child itself and reports the error.
            let (Ok(child), Some(inner)) = (start::start(program).await, this.upgrade()) else { return };
            inner.ready.lock().get_or_insert(child);
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
        // A child that exits early breaks the pipe. Its exit status says more than the write error.
        let written = async {
            stdin.write_all(head).await?;
            stdin.write_all(input).await
        };
        let _ = written.await;
        drop(stdin);
        answer(&mut stdout, ceiling).await
    };
    let (mut talk, mut said) = (pin!(talk), pin!(read_start(stderr)));
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
        Err(Broken::Garbled) => Err(SandboxError::Crashed("its answer is malformed".into())),
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

/// Why reading the answer failed.
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
    // The buffer grows with the bytes that arrive, not with the announced length.
    from.take(length as u64).read_to_end(&mut bytes).await.map_err(|_| Broken::Ended)?;
    if bytes.len() < length { Err(Broken::Ended) } else { Ok((status, bytes)) }
}

/// Returns the beginning of the output. Reads and discards the rest, so that the child never blocks on writing.
async fn read_start(mut from: impl AsyncRead + Unpin) -> String {
    let mut kept = Vec::new();
    let mut part = [0; 1 << 10];
    while let Ok(n @ 1..) = from.read(&mut part).await {
        kept.extend(part[..n].iter().take(SAID.saturating_sub(kept.len())));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

fn why_ended(status: ExitStatus, said: &str) -> SandboxError {
    // The standard library prints this when an allocation fails, before it aborts.
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
