//! Every metric of the coordinator, by name.
#![allow(clippy::cast_precision_loss, reason = "a gauge is a float; counts stay far below 2^53")]

use std::time::Duration;

use metrics::{SharedString, counter, gauge, histogram};

use crate::clock::Millis;
use crate::integrity::{Found, KINDS};
use crate::state::{Setback, Sizes, Status};

/// Counts that something is to wake somebody for, from 0: what first appears with its first event has not risen, to
/// Prometheus. Done once, after the recorder is installed.
pub fn begin() {
    for name in [
        "vivid_generations_accepted_total",
        "vivid_generations_retried_total",
        "vivid_jobs_given_up_total",
        "vivid_jobs_reconciled_total",
        "vivid_outputs_accepted_total",
        "vivid_store_repaired_total",
        "vivid_scrub_bytes_total",
        "vivid_scrub_objects_total",
        "vivid_storage_corrections_total",
        "vivid_storage_refused_total",
        "vivid_swept_objects_total",
        "vivid_webhook_deliveries_given_up_total",
    ] {
        counter!(name).increment(0);
    }
    for why in Setback::ALL {
        counter!("vivid_jobs_put_up_again_total", "reason" => why.name()).increment(0);
    }
    for (kind, found) in KINDS.into_iter().flat_map(|kind| Found::ALL.map(|found| (kind, found))) {
        counter!("vivid_store_damaged_total", "kind" => kind, "found" => found.name()).increment(0);
    }
    for outcome in ["written", "failed"] {
        counter!("vivid_exports_total", "outcome" => outcome).increment(0);
    }
    for status in Status::ALL.into_iter().filter(|status| status.is_terminal()) {
        counter!("vivid_generations_finished_total", "status" => status.name()).increment(0);
    }
}

/// Workers that are there, jobs that all of them can do at once, and those that they do.
pub fn fleet(workers: usize, slots: u64, busy: u64) {
    gauge!("vivid_fleet_workers").set(workers as f64);
    gauge!("vivid_fleet_slots").set(slots as f64);
    gauge!("vivid_fleet_busy").set(busy as f64);
}

/// Whether the queue's server is there and has what the queue needs.
pub fn queue_connected(is_there: bool) {
    gauge!("vivid_queue_connected").set(f64::from(u8::from(is_there)));
}

/// A flush wrote `commits` commits to the disk.
pub fn flushed(took: Duration, commits: usize) {
    histogram!("vivid_state_flush_seconds").record(took);
    counter!("vivid_state_commits_total").increment(commits as u64);
}

/// Bytes of the commit journal.
pub fn journal_bytes(bytes: u64) {
    gauge!("vivid_journal_bytes").set(bytes as f64);
}

/// Accounts whose balance is not the sum of their ledger, by the last audit.
pub fn unbalanced(accounts: usize) {
    gauge!("vivid_unbalanced_accounts").set(accounts as f64);
}

/// Jobs of a class that wait in the queue.
pub fn jobs_waiting(class: &'static str, jobs: usize) {
    gauge!("vivid_jobs_waiting", "class" => class).set(jobs as f64);
}

/// How long the job has waited that has waited longest.
pub fn oldest_waiting(age: Duration) {
    gauge!("vivid_jobs_oldest_waiting_seconds").set(age.as_secs_f64());
}

/// How much there is of everything.
pub fn sizes(sizes: &Sizes) {
    gauge!("vivid_jobs_in_progress").set(sizes.leases as f64);
    gauge!("vivid_state_generations").set(sizes.generations as f64);
    gauge!("vivid_state_index_text_bytes").set(sizes.text_bytes as f64);
    gauge!("vivid_state_disk_bytes").set(sizes.disk_bytes as f64);
}

/// The state was exported.
pub fn exported(took: Duration, bytes: u64) {
    counter!("vivid_exports_total", "outcome" => "written").increment(1);
    histogram!("vivid_export_seconds").record(took);
    gauge!("vivid_export_bytes").set(bytes as f64);
}

/// The newest export is of this time.
pub fn exported_at(at: Millis) {
    gauge!("vivid_export_timestamp_seconds").set(at.seconds() as f64);
}

/// The state could not be exported.
pub fn export_failed() {
    counter!("vivid_exports_total", "outcome" => "failed").increment(1);
}

/// A check of the service's health.
pub fn checked(name: &'static str, failed: bool) {
    gauge!("vivid_health_failed", "check" => name).set(f64::from(u8::from(failed)));
}

/// A request was refused for its rate.
pub fn rate_limited(class: &'static str) {
    counter!("vivid_http_rate_limited_total", "class" => class).increment(1);
}

/// Credits moved, in the way of this name.
pub fn credits_moved(movement: &'static str, amount: u64) {
    counter!("vivid_credits_total", "movement" => movement).increment(amount);
}

/// Outputs accepted and not finished.
pub fn backlog(outputs: i64) {
    gauge!("vivid_backlog_outputs").set(outputs as f64);
}

/// A generation reached a terminal status, so long after it was accepted.
pub fn generation_finished(status: &'static str, milliseconds: i64) {
    counter!("vivid_generations_finished_total", "status" => status).increment(1);
    let took = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    histogram!("vivid_generation_seconds").record(took);
}

/// A generation was accepted.
pub fn generation_accepted(outputs: u32) {
    counter!("vivid_generations_accepted_total").increment(1);
    counter!("vivid_outputs_accepted_total").increment(u64::from(outputs));
}

/// The failed outputs of a generation are rendered again.
pub fn generation_retried() {
    counter!("vivid_generations_retried_total").increment(1);
}

/// Edits came to this: `proposed`, `unchanged` and `clarified` answers, `executed`, `failed` and `restored` outputs.
pub fn edited(outcome: &'static str, count: u32) {
    counter!("vivid_edits_total", "outcome" => outcome).increment(u64::from(count));
}

/// A file of a generation's images was asked for, and was `made` or had been `kept`.
pub fn export_served(format: &'static str, outcome: &'static str) {
    counter!("vivid_generation_exports_total", "format" => format, "outcome" => outcome).increment(1);
}

/// Such a file was made.
pub fn export_made(format: &'static str, took: Duration) {
    histogram!("vivid_generation_export_seconds", "format" => format).record(took);
}

/// What an edit would do was worked out and shown.
pub fn edit_proposed(took: Duration) {
    histogram!("vivid_edit_proposal_seconds").record(took);
}

/// A request was refused because its account keeps as much as its plan includes.
pub fn storage_refused() {
    counter!("vivid_storage_refused_total").increment(1);
}

/// What an account keeps was counted wrong, and corrected.
pub fn storage_corrected() {
    counter!("vivid_storage_corrections_total").increment(1);
}

/// Objects were removed that nothing shows any more.
pub fn objects_swept(objects: usize) {
    counter!("vivid_swept_objects_total").increment(objects as u64);
}

/// A stored object was found damaged or missing.
pub fn object_damaged(kind: &'static str, found: Found) {
    counter!("vivid_store_damaged_total", "kind" => kind, "found" => found.name()).increment(1);
}

/// A damaged image was rendered again and is served.
pub fn image_repaired() {
    counter!("vivid_store_repaired_total").increment(1);
}

/// Images that are being rendered again because they were damaged, and those for which that failed.
pub fn repairs(under_way: u64, failed: u64) {
    gauge!("vivid_store_repairs", "state" => "under_way").set(under_way as f64);
    gauge!("vivid_store_repairs", "state" => "failed").set(failed as f64);
}

/// The scrub read objects and blobs with so many bytes.
pub fn scrubbed(objects: u64, bytes: u64) {
    counter!("vivid_scrub_objects_total").increment(objects);
    counter!("vivid_scrub_bytes_total").increment(bytes);
}

/// The period of the scrub, and when its last pass ended or, before that, when the first began.
pub fn scrub_passes(period: Duration, since: Millis) {
    gauge!("vivid_scrub_period_seconds").set(period.as_secs_f64());
    gauge!("vivid_scrub_timestamp_seconds").set(since.seconds() as f64);
}

/// A stream of events was opened (+1) or ended (-1).
pub fn event_streams(change: f64) {
    gauge!("vivid_event_streams").increment(change);
}

/// A job was begun and put up again.
pub(crate) fn job_put_up_again(why: Setback) {
    counter!("vivid_jobs_put_up_again_total", "reason" => why.name()).increment(1);
}

/// A job was given up after its last claim.
pub fn job_given_up() {
    counter!("vivid_jobs_given_up_total").increment(1);
}

/// An open job was neither waiting nor leased, and was put up again.
pub fn jobs_reconciled(jobs: usize) {
    counter!("vivid_jobs_reconciled_total").increment(jobs as u64);
}

/// A request of a class of rate limits was answered, by the route of this pattern.
pub fn answered(class: &'static str, route: SharedString, status: u16, took: Duration) {
    let labels = [("class", class.into()), ("route", route.clone()), ("status", status.to_string().into())];
    counter!("vivid_http_requests_total", &labels).increment(1);
    histogram!("vivid_http_request_seconds", "class" => class, "route" => route).record(took);
}

/// A delivery of a webhook was tried.
pub fn webhook_attempted(outcome: &'static str, took: Duration) {
    counter!("vivid_webhook_attempts_total", "outcome" => outcome).increment(1);
    histogram!("vivid_webhook_attempt_seconds").record(took);
}

/// A delivery of a webhook is not tried again, and was not taken.
pub fn webhook_given_up() {
    counter!("vivid_webhook_deliveries_given_up_total").increment(1);
}

/// Deliveries of webhooks that wait, and the age of the oldest.
pub fn webhooks_waiting(deliveries: usize, oldest: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "a gauge is a float; counts stay far below 2^53")]
    gauge!("vivid_webhook_deliveries_waiting").set(deliveries as f64);
    gauge!("vivid_webhook_oldest_seconds").set(oldest.as_secs_f64());
}

/// Bytes of request bodies that are held now.
pub fn body_bytes(bytes: u64) {
    gauge!("vivid_http_body_bytes").set(bytes as f64);
}

/// A request body did not fit into the byte budget.
pub fn body_refused() {
    counter!("vivid_http_bodies_refused_total").increment(1);
}

/// A connection is served.
pub fn connection_opened() {
    gauge!("vivid_http_connections").increment(1.0);
}

/// A connection that was served has ended.
pub fn connection_closed() {
    gauge!("vivid_http_connections").decrement(1.0);
}

/// A connection was one too many.
pub fn connection_refused() {
    counter!("vivid_http_connections_refused_total").increment(1);
}
