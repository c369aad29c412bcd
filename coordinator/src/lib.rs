//! Vivid's coordinator: serves the API, owns the state.

pub mod accounts;
pub mod api;
pub mod clock;
pub mod config;
pub mod credits;
pub mod dispatch;
pub mod exporter;
pub mod failpoint;
pub mod keys;
pub mod limits;
pub mod meters;
pub mod reports;
pub mod serve;
#[cfg(feature = "standalone")]
pub mod standalone;
pub mod state;
pub mod sweeper;
pub mod urls;
