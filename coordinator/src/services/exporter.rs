//! `GET /metrics` for Prometheus, on a separate address.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use fleet::process::BUCKETS_S;
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::integrity::{Found, KINDS};
use crate::metrics::{self, Labels};
use crate::serve;
use crate::state::{Setback, Status};

/// Interval between aggregations of recorded values.
const UPKEEP: Duration = Duration::from_secs(5);

/// Starts to record metrics, and serves them until `stop` is cancelled.
///
/// # Errors
/// Another recorder is installed, or the address can't be listened on.
pub(super) async fn start(address: SocketAddr, stop: &CancellationToken) -> anyhow::Result<JoinHandle<()>> {
    let handle = install().context("can't record metrics")?;
    worker::metrics::describe();
    let listener = serve::listen(address).with_context(|| format!("can't listen on {address}"))?;
    tracing::info!(address = %listener.local_addr()?, "serving metrics");
    tokio::spawn(keep(handle.clone(), stop.clone()));
    Ok(tokio::spawn(serve::serve(listener, router(handle), stop.clone())))
}

/// Installs the metrics recorder of the process, and starts the counters that alerts watch at 0.
///
/// # Errors
/// [`BuildError`] if a recorder is already installed.
fn install() -> Result<PrometheusHandle, BuildError> {
    let recorder = PrometheusBuilder::new().set_buckets(&BUCKETS_S)?.build_recorder();
    let handle = recorder.handle();
    ::metrics::set_global_recorder(recorder)?;
    let final_statuses: Vec<&'static str> =
        Status::ALL.into_iter().filter(|status| status.is_terminal()).map(Status::name).collect();
    metrics::begin(Labels {
        retry_reasons: &Setback::ALL.map(Setback::name),
        object_kinds: &KINDS,
        found_by: &Found::ALL.map(Found::name),
        final_statuses: &final_statuses,
    });
    Ok(handle)
}

/// Returns the router of the metrics page.
fn router(handle: PrometheusHandle) -> Router {
    let page = move || {
        let text = handle.render();
        async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text) }
    };
    Router::new().route("/metrics", get(page))
}

/// Aggregates recorded values periodically, until `stop` is cancelled.
async fn keep(handle: PrometheusHandle, stop: CancellationToken) {
    let mut tick = tokio::time::interval(UPKEEP);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            _ = tick.tick() => handle.run_upkeep(),
        }
    }
}
