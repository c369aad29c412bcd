//! The background tasks of the service, and its start and end.

mod audits;
mod dispatch;
mod exporter;
mod first_start;
pub(crate) mod job_service;
mod leftovers;
mod local_model;
mod maintenance;
mod opening;
mod parts;
mod reload;
mod retention;
mod run;
mod standalone;
mod storage;
mod sweeper;
mod watch;
pub mod webhooks;

pub use run::run;
