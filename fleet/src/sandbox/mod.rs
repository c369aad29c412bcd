//! Hostile bytes (PDF, fonts, fetched HTML) are read in a child process of the same executable.
//!
//! A child does one [`Task`] and ends. Before it reads the input it gives up what it doesn't need, by limits of the
//! kernel that it can't raise again: memory and processor time ([`Limits`]), files and further processes, and on Linux
//! every system call but the few that computing takes, so no sockets and no files, whatever the input makes it do. Where
//! there is no Linux the limits of `setrlimit` hold as far as the platform knows them (macOS doesn't enforce memory),
//! and system calls aren't filtered; on Windows a child has its time limit alone.
//!
//! Every executable that hosts children calls [`enter`] first thing in `main`, with all tasks it can do. Unit tests of a
//! library have no `main` of their own: there a constructor (crate `ctor`) calls it, as in this module's tests.

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

/// Something a child can do: bytes in, bytes out.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// What the parent calls it: at most 255 bytes, unlike the others of its executable.
    pub name: &'static str,
    /// Does it. An error is for the input's sender to read and comes back as [`SandboxError::Refused`]. It may panic,
    /// loop, exhaust memory or overflow the stack: only its child ends. It can't start threads.
    pub run: fn(&[u8]) -> Result<Vec<u8>, String>,
}

/// What one run may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of address space, the executable's own included.
    pub memory: u64,
    /// Seconds of processor time.
    pub cpu_s: u64,
    /// From the start of the child until its answer is read.
    pub wall: Duration,
    /// Bytes of the answer.
    pub answer: usize,
}

impl Default for Limits {
    /// 512 MiB, 10 s of the processor, 20 s by the clock, 64 MiB of answer.
    fn default() -> Self {
        Self { memory: 512 << 20, cpu_s: 10, wall: Duration::from_secs(20), answer: 64 << 20 }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The task refused the input, and says why.
    #[error("{0}")]
    Refused(String),
    /// Its time is up: by the clock, or the processor's.
    #[error("it took too long")]
    TimedOut,
    /// It asked for more memory than it may have.
    #[error("it took too much memory")]
    OutOfMemory,
    /// It tried what no task does (a socket, another program) and was killed.
    #[error("it tried what is forbidden")]
    Forbidden,
    /// It panicked, overflowed the stack or was killed.
    #[error("it broke: {0}")]
    Crashed(String),
    /// The answer is larger than [`Limits::answer`].
    #[error("its answer is too large")]
    AnswerTooLarge,
    /// No child could be started, or it could not give up its rights. Nothing of the input was read.
    #[error("no sandbox could be started: {0}")]
    Start(String),
}
