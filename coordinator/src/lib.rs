//! Vivid's coordinator: serves the API, owns the state.

mod access;
pub mod accounts;
pub mod admin;
pub mod api;
pub mod app;
pub mod balance;
pub mod bodies;
pub mod budget;
pub mod clock;
pub mod command;
pub mod config;
pub mod console;
pub mod credits;
pub mod emails;
pub mod exports;
pub mod health;
pub mod http;
pub mod integrity;
pub mod keys;
pub mod limits;
pub mod metrics;
pub mod passwords;
pub mod queued;
pub mod router;
pub mod scrub;
pub mod serve;
pub mod services;
pub mod state;
pub mod throttle;
pub mod tokens;
#[cfg(feature = "otlp")]
pub mod traces;
pub mod urls;
pub mod words;
