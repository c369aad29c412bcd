//! End-to-end tests: they start the binary and use it over HTTP.

mod accounts;
mod bad_requests;
mod bodies;
mod brands;
mod bucket;
mod crowds;
mod damage;
mod derived;
mod downloads;
mod earlier_edits;
mod edge;
mod edits;
mod estimates;
mod exact;
mod exports;
mod faces;
mod files;
mod fleet;
mod integrity;
mod lifecycle;
mod operators;
pub mod pages;
mod people;
mod pictures;
mod requests;
mod rogue;
mod secrets;
mod slides;
mod tenants;
mod webhooks;
mod words;
mod workers;
mod written;

use serde_json::Value;

use crate::service::{Client, Service};

/// Settings that keep the rate limits from slowing down tests of other features.
pub const UNHURRIED: [&str; 6] = ["--rate-get", "1000000", "--rate-generate", "1000000", "--rate-other", "1000000"];

/// Starts a service on a new folder.
fn fresh(more: &[&str]) -> (tempfile::TempDir, Service, Client) {
    let data = tempfile::tempdir().unwrap();
    let service = Service::start(data.path(), more);
    let client = service.client();
    (data, service, client)
}

/// Returns the codes in a list of warnings or details.
fn codes(of: &Value) -> Vec<&str> {
    of.as_array().expect("a list").iter().map(|w| w["code"].as_str().expect("a code")).collect()
}
