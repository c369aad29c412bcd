//! `GET /metrics` for Prometheus, on a separate address.

use std::time::Duration;

use axum::Router;
use axum::http::header;
use axum::routing::get;
use fleet::process::BUCKETS_S;
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use tokio_util::sync::CancellationToken;

/// Interval between aggregations of recorded values.
const UPKEEP: Duration = Duration::from_secs(5);

/// Installs the metrics recorder of the process.
///
/// # Errors
/// [`BuildError`] if a recorder is already installed.
pub fn install() -> Result<PrometheusHandle, BuildError> {
    let recorder = PrometheusBuilder::new().set_buckets(&BUCKETS_S)?.build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder)?;
    Ok(handle)
}

/// Returns the router of the metrics page.
pub fn router(handle: PrometheusHandle) -> Router {
    let page = move || {
        let text = handle.render();
        async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text) }
    };
    Router::new().route("/metrics", get(page))
}

/// Aggregates recorded values periodically, until `stop` is cancelled.
pub async fn keep(handle: PrometheusHandle, stop: CancellationToken) {
    let mut tick = tokio::time::interval(UPKEEP);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => handle.run_upkeep(),
        }
    }
}
