//! Vivid's coordinator: serves the API, owns the state.

pub mod accounts;
pub mod api;
pub mod balance;
pub mod clock;
pub mod command;
pub mod config;
pub mod console;
pub mod credits;
pub mod dispatch;
pub mod emails;
pub mod exporter;
pub mod failpoint;
pub mod keys;
pub mod limits;
pub mod meters;
pub mod passwords;
pub mod reports;
pub mod serve;
#[cfg(feature = "standalone")]
pub mod standalone;
pub mod state;
pub mod sweeper;
pub mod tokens;
pub mod urls;
pub mod webhooks;
