//! The queue in this process.
