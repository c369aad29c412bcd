//! Every metric of the coordinator, by name.

use std::time::Duration;

use metrics::{counter, gauge, histogram};

/// A flush wrote `commits` commits to the disk.
pub fn flushed(took: Duration, commits: usize) {
    histogram!("vivid_state_flush_seconds").record(took);
    counter!("vivid_state_commits_total").increment(commits as u64);
}

/// Outputs accepted and not finished.
pub fn backlog(outputs: i64) {
    #[expect(clippy::cast_precision_loss, reason = "a gauge is a float; counts stay far below 2^53")]
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

/// A job lost its worker and was put up again.
pub fn job_put_up_again() {
    counter!("vivid_jobs_put_up_again_total").increment(1);
}

/// A job was given up after its last claim.
pub fn job_given_up() {
    counter!("vivid_jobs_given_up_total").increment(1);
}

/// An open job was neither waiting nor leased, and was put up again.
pub fn jobs_reconciled(jobs: usize) {
    counter!("vivid_jobs_reconciled_total").increment(jobs as u64);
}

/// A request was answered.
pub fn answered(class: &'static str, status: u16, took: Duration) {
    counter!("vivid_http_requests_total", "class" => class, "status" => status.to_string()).increment(1);
    histogram!("vivid_http_request_seconds", "class" => class).record(took);
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
