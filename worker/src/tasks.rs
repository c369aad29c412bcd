//! What the sandbox's children do for a worker. Every executable that runs workers passes them to
//! [`fleet::sandbox::enter`].

use fleet::sandbox::Task;

/// All of them.
pub const TASKS: &[Task] = &[];
