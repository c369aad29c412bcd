//! All metrics of the coordinator, by name.
#![allow(clippy::cast_precision_loss, reason = "a gauge is a float; counts stay far below 2^53")]

use std::borrow::Cow;
use std::time::Duration;

use metrics::{SharedString, counter, gauge, histogram};

use crate::clock::Millis;

/// Values of the labels of counters that alerts watch.
#[derive(Debug, Clone, Copy)]
pub struct Labels<'a> {
    /// Why jobs are enqueued again.
    pub retry_reasons: &'a [&'static str],
    /// Kinds of stored objects that can be damaged.
    pub object_kinds: &'a [&'static str],
    /// How damage is found.
    pub found_by: &'a [&'static str],
    /// Statuses that end a generation.
    pub final_statuses: &'a [&'static str],
}

/// Initializes the counters that alerts watch to 0. Otherwise a counter appears only with its first event, and
/// Prometheus sees no increase. Called once, after the recorder is installed.
pub fn begin(labels: Labels<'_>) {
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
    for reason in labels.retry_reasons.iter().copied() {
        counter!("vivid_jobs_put_up_again_total", "reason" => reason).increment(0);
    }
    for kind in labels.object_kinds.iter().copied() {
        for found in labels.found_by.iter().copied() {
            counter!("vivid_store_damaged_total", "kind" => kind, "found" => found).increment(0);
        }
    }
    for outcome in ["written", "failed"] {
        counter!("vivid_exports_total", "outcome" => outcome).increment(0);
    }
    for status in labels.final_statuses.iter().copied() {
        counter!("vivid_generations_finished_total", "status" => status).increment(0);
    }
}

/// Sets the number of workers, their total capacity in jobs, and the jobs that they run.
pub fn fleet(workers: usize, slots: u64, busy: u64) {
    gauge!("vivid_fleet_workers").set(workers as f64);
    gauge!("vivid_fleet_slots").set(slots as f64);
    gauge!("vivid_fleet_busy").set(busy as f64);
}

/// Sets whether the queue's server is reachable and prepared.
pub fn queue_connected(is_there: bool) {
    gauge!("vivid_queue_connected").set(f64::from(u8::from(is_there)));
}

/// Records a flush that wrote `commits` commits to the disk.
pub fn flushed(took: Duration, commits: usize) {
    histogram!("vivid_state_flush_seconds").record(took);
    counter!("vivid_state_commits_total").increment(commits as u64);
}

/// Sets the size of the commit journal in bytes.
pub fn journal_bytes(bytes: u64) {
    gauge!("vivid_journal_bytes").set(bytes as f64);
}

/// Sets the number of accounts whose balance differs from their ledger in the last audit.
pub fn unbalanced(accounts: usize) {
    gauge!("vivid_unbalanced_accounts").set(accounts as f64);
}

/// Sets the number of waiting jobs of a class.
pub fn jobs_waiting(class: &'static str, jobs: usize) {
    gauge!("vivid_jobs_waiting", "class" => class).set(jobs as f64);
}

/// Sets how long the oldest job has waited.
pub fn oldest_waiting(age: Duration) {
    gauge!("vivid_jobs_oldest_waiting_seconds").set(age.as_secs_f64());
}

/// Sets the number of jobs that workers hold.
pub fn jobs_in_progress(jobs: u64) {
    gauge!("vivid_jobs_in_progress").set(jobs as f64);
}

/// Sets the number of generations, the bytes of text that a search of the lists scans, and the bytes of the database on
/// the disk.
pub fn state_sizes(generations: u64, text_bytes: u64, disk_bytes: u64) {
    gauge!("vivid_state_generations").set(generations as f64);
    gauge!("vivid_state_index_text_bytes").set(text_bytes as f64);
    gauge!("vivid_state_disk_bytes").set(disk_bytes as f64);
}

/// Records an export of the state.
pub fn exported(took: Duration, bytes: u64) {
    counter!("vivid_exports_total", "outcome" => "written").increment(1);
    histogram!("vivid_export_seconds").record(took);
    gauge!("vivid_export_bytes").set(bytes as f64);
}

/// Sets the time of the newest export.
pub fn exported_at(at: Millis) {
    gauge!("vivid_export_timestamp_seconds").set(at.seconds() as f64);
}

/// Records a failed export of the state.
pub fn export_failed() {
    counter!("vivid_exports_total", "outcome" => "failed").increment(1);
}

/// Sets the result of a health check.
pub fn checked(name: &'static str, failed: bool) {
    gauge!("vivid_health_failed", "check" => name).set(f64::from(u8::from(failed)));
}

/// Records a request that was refused by a rate limit.
pub fn rate_limited(class: &'static str) {
    counter!("vivid_http_rate_limited_total", "class" => class).increment(1);
}

/// Records a movement of credits.
pub fn credits_moved(movement: &'static str, amount: u64) {
    counter!("vivid_credits_total", "movement" => movement).increment(amount);
}

/// Sets the number of accepted outputs that aren't finished.
pub fn backlog(outputs: i64) {
    gauge!("vivid_backlog_outputs").set(outputs as f64);
}

/// Records that a generation reached a terminal status, and the time since its acceptance.
pub fn generation_finished(status: &'static str, milliseconds: i64) {
    counter!("vivid_generations_finished_total", "status" => status).increment(1);
    let took = Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0));
    histogram!("vivid_generation_seconds").record(took);
}

/// Records an accepted generation.
pub fn generation_accepted(outputs: u32) {
    counter!("vivid_generations_accepted_total").increment(1);
    counter!("vivid_outputs_accepted_total").increment(u64::from(outputs));
}

/// Records a retry of a generation.
pub fn generation_retried() {
    counter!("vivid_generations_retried_total").increment(1);
}

/// Records outcomes of edits: `proposed`, `unchanged` and `clarified` responses; `executed`, `failed` and `restored`
/// outputs.
pub fn edited(outcome: &'static str, count: u32) {
    counter!("vivid_edits_total", "outcome" => outcome).increment(u64::from(count));
}

/// Records a request for a bundle of a generation's images, which was `made` or had been `kept`.
pub fn export_served(format: &'static str, outcome: &'static str) {
    counter!("vivid_generation_exports_total", "format" => format, "outcome" => outcome).increment(1);
}

/// Records how long a bundle took to make.
pub fn export_made(format: &'static str, took: Duration) {
    histogram!("vivid_generation_export_seconds", "format" => format).record(took);
}

/// Records how long the proposal of an edit took.
pub fn edit_proposed(took: Duration) {
    histogram!("vivid_edit_proposal_seconds").record(took);
}

/// Records a request that was refused because the account's storage quota is used up.
pub fn storage_refused() {
    counter!("vivid_storage_refused_total").increment(1);
}

/// Records a correction of an account's storage.
pub fn storage_corrected() {
    counter!("vivid_storage_corrections_total").increment(1);
}

/// Records the removal of objects that nothing shows any more.
pub fn objects_swept(objects: usize) {
    counter!("vivid_swept_objects_total").increment(objects as u64);
}

/// Records a damaged or missing object.
pub fn object_damaged(kind: &'static str, found: &'static str) {
    counter!("vivid_store_damaged_total", "kind" => kind, "found" => found).increment(1);
}

/// Records a repaired image.
pub fn image_repaired() {
    counter!("vivid_store_repaired_total").increment(1);
}

/// Sets the numbers of images being repaired and of images whose repair failed.
pub fn repairs(under_way: u64, failed: u64) {
    gauge!("vivid_store_repairs", "state" => "under_way").set(under_way as f64);
    gauge!("vivid_store_repairs", "state" => "failed").set(failed as f64);
}

/// Records objects and bytes that the scrub read.
pub fn scrubbed(objects: u64, bytes: u64) {
    counter!("vivid_scrub_objects_total").increment(objects);
    counter!("vivid_scrub_bytes_total").increment(bytes);
}

/// Sets the period of the scrub, and when its last pass ended or, before that, when the first one started.
pub fn scrub_passes(period: Duration, since: Millis) {
    gauge!("vivid_scrub_period_seconds").set(period.as_secs_f64());
    gauge!("vivid_scrub_timestamp_seconds").set(since.seconds() as f64);
}

/// Records an event stream that was opened (+1) or closed (-1).
pub fn event_streams(change: f64) {
    gauge!("vivid_event_streams").increment(change);
}

/// Records a started job that was enqueued again.
pub fn job_enqueued_again(reason: &'static str) {
    counter!("vivid_jobs_put_up_again_total", "reason" => reason).increment(1);
}

/// Records a job that was given up after its last claim.
pub fn job_given_up() {
    counter!("vivid_jobs_given_up_total").increment(1);
}

/// Records open jobs that were neither waiting nor leased, and were enqueued again.
pub fn jobs_reconciled(jobs: usize) {
    counter!("vivid_jobs_reconciled_total").increment(jobs as u64);
}

/// Records the response to a request, by its rate class and route pattern.
pub fn answered(class: &'static str, route: Cow<'static, str>, status: u16, took: Duration) {
    let route = SharedString::from(route);
    let labels = [("class", class.into()), ("route", route.clone()), ("status", status.to_string().into())];
    counter!("vivid_http_requests_total", &labels).increment(1);
    histogram!("vivid_http_request_seconds", "class" => class, "route" => route).record(took);
}

/// Records an attempt to deliver a webhook.
pub fn webhook_attempted(outcome: &'static str, took: Duration) {
    counter!("vivid_webhook_attempts_total", "outcome" => outcome).increment(1);
    histogram!("vivid_webhook_attempt_seconds").record(took);
}

/// Records a webhook delivery that was given up.
pub fn webhook_given_up() {
    counter!("vivid_webhook_deliveries_given_up_total").increment(1);
}

/// Sets the number of waiting webhook deliveries, and the age of the oldest.
pub fn webhooks_waiting(deliveries: usize, oldest: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "a gauge is a float; counts stay far below 2^53")]
    gauge!("vivid_webhook_deliveries_waiting").set(deliveries as f64);
    gauge!("vivid_webhook_oldest_seconds").set(oldest.as_secs_f64());
}

/// Sets the bytes of request bodies held now.
pub fn body_bytes(bytes: u64) {
    gauge!("vivid_http_body_bytes").set(bytes as f64);
}

/// Records a request body that did not fit into the byte budget.
pub fn body_refused() {
    counter!("vivid_http_bodies_refused_total").increment(1);
}

/// Records a connection that is being served.
pub fn connection_opened() {
    gauge!("vivid_http_connections").increment(1.0);
}

/// Records the end of such a connection.
pub fn connection_closed() {
    gauge!("vivid_http_connections").decrement(1.0);
}

/// Records a connection that was refused.
pub fn connection_refused() {
    counter!("vivid_http_connections_refused_total").increment(1);
}
