//! Exports spans to an OpenTelemetry collector, in builds with the feature `otlp`: by OTLP over HTTP, configured by
//! OpenTelemetry's standard environment variables (such as `OTEL_EXPORTER_OTLP_ENDPOINT`).

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use tracing::Subscriber;
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::registry::LookupSpan;

/// Service name of the spans, unless `OTEL_SERVICE_NAME` is set.
const NAME: &str = "vivid";
/// Variables that enable the export of spans. One of them is enough.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/// Sends spans in batches from a separate thread.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Starts the export if the environment names a collector. Call it outside of any async runtime, because its client
    /// blocks.
    ///
    /// # Errors
    /// [`ExporterBuildError`] if the environment's configuration is invalid.
    pub fn start() -> Result<Option<Self>, ExporterBuildError> {
        if ENDPOINTS.iter().all(|name| std::env::var_os(name).is_none_or(|value| value.is_empty())) {
            return Ok(None);
        }
        fleet::tls::choose();
        Ok(Some(Self::over(SpanExporter::builder().with_http().build()?)))
    }

    fn over(exporter: SpanExporter) -> Self {
        let mut resource = Resource::builder();
        if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name(NAME);
        }
        Self(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource.build()).build())
    }

    /// Returns the layer that passes spans to the exporter.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> OpenTelemetryLayer<S, SdkTracer> {
        tracing_opentelemetry::layer().with_tracer(self.0.tracer(NAME))
    }

    /// Sends the remaining spans and stops.
    pub fn end(self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!(%error, "exporting the last spans failed");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use opentelemetry_otlp::WithExportConfig;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn spans_arrive_with_what_they_are_about() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
        let collector = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut got, mut part) = (Vec::new(), [0; 4096]);
            // The body arrives together with the head, or right after it.
            while !got.windows(3).any(|w| w == b"g-1") {
                let read = stream.read(&mut part).unwrap();
                assert!(read > 0, "{}", String::from_utf8_lossy(&got));
                got.extend_from_slice(&part[..read]);
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
            got
        });
        fleet::tls::choose();
        let exporter = SpanExporter::builder().with_http().with_endpoint(endpoint).build().unwrap();
        let traces = Traces::over(exporter);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(traces.layer()), || {
            tracing::info_span!("request", generation = "g-1").in_scope(|| {});
        });
        traces.end();
        let got = String::from_utf8_lossy(&collector.join().unwrap()).into_owned();
        assert!(
            got.starts_with("POST /v1/traces HTTP/1.1") && got.contains("request") && got.contains("vivid"),
            "{got}"
        );
    }
}
