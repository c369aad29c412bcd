//! The names of the worker's metrics.

use metrics::{Unit, counter, describe_counter, describe_gauge, describe_histogram};

/// Seconds of one stage, by `job` (`plan`, `render`) and `stage`.
pub const STAGE_SECONDS: &str = "vivid_worker_stage_seconds";
/// Seconds from a claim to its report, by `job`.
pub const JOB_SECONDS: &str = "vivid_worker_job_seconds";
/// Jobs by `job` and `outcome`: `done`, `failed`, `lost` (the claim was revoked), `refused` (the coordinator refused
/// the report), `unreported` (the coordinator did not answer).
pub const JOBS: &str = "vivid_worker_jobs_total";
/// Claims by `answer`: `granted`, `refused`, `none`.
pub const CLAIMS: &str = "vivid_worker_claims_total";
/// Panics caught in a stage, by `job` and `stage`.
pub const PANICS: &str = "vivid_worker_panics_total";
/// Objects deleted because the job of their claim did not succeed.
pub const SWEPT: &str = "vivid_worker_swept_objects_total";
/// Pictures rendered at full size, by `device` (`cpu` or a device's name).
pub const DRAWN: &str = "vivid_worker_pictures_total";
/// Events of a device, by `device` and `event`: `lost`, `remade`, `given_up` (the CPU renders from then on), `declined`
/// (the CPU rendered one picture that was too much for the device).
pub const DEVICE_EVENTS: &str = "vivid_worker_device_events_total";
/// Fetches from the web, by `what` (`page`, or `picture`: a page's lead picture) and `outcome`: `fetched`, the code of
/// the failure, or `timed_out` (the worker stopped waiting for a picture).
pub const FETCHES: &str = "vivid_worker_fetches_total";
/// Sets of pages that a language model was asked to write, by `outcome`: `written`, `mended` (after its faults were
/// returned to it), `salvaged` (parts were left out), `translated`, `invalid`, or why there was no answer (`timed_out`,
/// `unreachable`, `rate_limited`, `budget`, `resting` …).
pub const COPY: &str = "vivid_worker_copy_total";
/// Seconds that a language model spent on a set of pages.
pub const COPY_SECONDS: &str = "vivid_worker_copy_seconds";
/// Tokens of answered calls of the language model, by `of`: `prompts` or `answers`.
pub const MODEL_TOKENS: &str = "vivid_worker_model_tokens_total";
/// Price of these tokens in millionths of a US dollar, if prices are configured.
pub const MODEL_MICRO_USD: &str = "vivid_worker_model_cost_micro_usd_total";
/// Blobs that a job tried to read and that are damaged or missing.
pub const DAMAGED: &str = "vivid_worker_damaged_blobs_total";
/// Loops that are working on a job.
pub const BUSY: &str = "vivid_worker_busy_loops";

/// 1 while the object store refuses this machine's clock and the worker claims no jobs; else 0.
pub const CLOCK_REFUSED: &str = "vivid_worker_clock_refused";

/// The outcomes of a job.
const ENDS: [&str; 5] = ["done", "failed", "lost", "refused", "unreported"];
/// The events of a device.
pub const DEVICE_EVENT_NAMES: [&str; 4] = ["lost", "remade", "given_up", "declined"];

/// Describes the metrics, and sets the counters that alerts watch to zero: to Prometheus, a counter that appears with
/// its first event has not risen. Call it once, after the recorder is installed.
pub fn describe() {
    describe_histogram!(STAGE_SECONDS, Unit::Seconds, "time of one stage of a job");
    describe_histogram!(JOB_SECONDS, Unit::Seconds, "time from a claim to its report");
    describe_counter!(JOBS, "jobs by outcome");
    describe_counter!(CLAIMS, "claims by the coordinator's answer");
    describe_counter!(PANICS, "panics caught in a stage");
    describe_counter!(SWEPT, "objects deleted because the job of their claim did not succeed");
    describe_counter!(DRAWN, "pictures drawn at full size");
    describe_counter!(DEVICE_EVENTS, "events of a device");
    describe_counter!(FETCHES, "fetches from the web by outcome");
    describe_counter!(COPY, "sets of pages that a language model was asked to write");
    describe_histogram!(COPY_SECONDS, Unit::Seconds, "time that a language model spent on a set of pages");
    describe_counter!(MODEL_TOKENS, "tokens of answered calls of the language model");
    describe_counter!(MODEL_MICRO_USD, "price of these tokens in millionths of a US dollar");
    describe_counter!(DAMAGED, "blobs that are damaged or missing");
    describe_gauge!(CLOCK_REFUSED, "1 while the object store refuses this machine's clock");
    describe_gauge!(BUSY, "loops that are working on a job");
    for (job, outcome) in ["plan", "render"].into_iter().flat_map(|job| ENDS.map(|end| (job, end))) {
        counter!(JOBS, "job" => job, "outcome" => outcome).increment(0);
    }
    for answer in ["granted", "refused", "none"] {
        counter!(CLAIMS, "answer" => answer).increment(0);
    }
    counter!(SWEPT).increment(0);
    counter!(DAMAGED).increment(0);
}
