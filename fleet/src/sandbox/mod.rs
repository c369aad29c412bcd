//! Parses hostile bytes (PDF, fonts, fetched HTML) in a child process of the same executable.
//!
//! A child runs one [`Task`] and exits. Before it reads the input, it drops privileges through kernel limits that it
//! can't raise again: memory and CPU time ([`Limits`]), files and further processes, and on Linux every system call
//! except the few that computation needs. So it can't open sockets or files, whatever the input makes it do. On other
//! Unix systems the limits of `setrlimit` apply as far as the platform supports them (macOS doesn't enforce memory),
//! and system calls aren't filtered. On Windows a child has only its time limit.
//!
//! Every executable that hosts children calls [`enter`] first in `main`, with all tasks that it supports. Unit tests of
//! a library have no `main` of their own: there a constructor (crate `ctor`) calls it, as in this module's tests.

mod child;
mod confine;
mod parent;
mod start;
mod wire;

#[cfg(test)]
mod tests;

use std::time::Duration;

pub use child::enter;
pub use parent::Sandbox;

/// A task for a child: bytes in, bytes out.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// Its name: at most 255 bytes, unique within its executable.
    pub name: &'static str,
    /// Runs the task. An error message is for the sender of the input, and comes back as [`SandboxError::Refused`]. The
    /// task may panic, loop, exhaust memory or overflow the stack: only its child ends. It can't start threads.
    pub run: fn(&[u8]) -> Result<Vec<u8>, String>,
}

/// Limits of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of address space, including the executable.
    pub memory: u64,
    /// Seconds of CPU time.
    pub cpu_s: u64,
    /// Time from the start of the child until its answer is read.
    pub wall: Duration,
    /// Maximum bytes of the answer.
    pub answer: usize,
}

impl Default for Limits {
    /// 512 MiB, 10 s of CPU time, 20 s of wall-clock time, 64 MiB of answer.
    fn default() -> Self {
        Self { memory: 512 << 20, cpu_s: 10, wall: Duration::from_secs(20), answer: 64 << 20 }
    }
}

/// Why a run gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The task refused the input; the text is the reason.
    #[error("{0}")]
    Refused(String),
    /// The task exceeded its wall-clock or CPU time.
    #[error("the sandboxed task exceeded its time limit")]
    TimedOut,
    /// The task exceeded its memory limit.
    #[error("the sandboxed task exceeded its memory limit")]
    OutOfMemory,
    /// The task made a system call that no task needs (a socket, another program) and was killed.
    #[error("the sandboxed task made a forbidden system call")]
    Forbidden,
    /// The task panicked, overflowed the stack or was killed.
    #[error("the sandboxed task crashed: {0}")]
    Crashed(String),
    /// The answer is larger than [`Limits::answer`].
    #[error("the sandboxed task's answer is too large")]
    AnswerTooLarge,
    /// The child could not start or could not drop its privileges. It read nothing of the input.
    #[error("the sandbox did not start: {0}")]
    Start(String),
}
