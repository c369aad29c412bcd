//! `GET /api/generations/:id/events`: streams the progress of a generation as Server-Sent Events.
//!
//! Events are computed from the current state when the client reads them, so a slow client costs no memory: the
//! progress that it missed arrives as one event. Event numbers are stored in the state, so any process can continue a
//! stream after `Last-Event-ID`.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use super::spec::params::{GenerationId, LastEventId};
use super::view;
use crate::access::{Authorised, Scoped, scope};
use crate::app::{App, StreamPlace};
use crate::clock::Millis;
use crate::http::error::{self, ApiError, Missing};
use crate::http::names;
use crate::http::path::{Id, kind};
use crate::state::{End, Look, Output, Snapshot, StateError, Watch};

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Tells proxies not to buffer the stream.
const BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// Interval between comments while nothing happens, so that intermediaries don't close the connection as idle.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// Interval between two checks of the generation while no notification arrives, and between two checks of the key.
const LOOK_EVERY: Duration = Duration::from_secs(15);

/// The state of a running generation: the data of the event `progress`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The generation.
    pub generation_id: Uuid,
    /// `pending` or `processing`.
    pub status: &'static str,
    /// Percentage from 0 to 100.
    pub progress: u32,
    /// The current stage.
    pub stage: view::Stage,
}

/// Follow a generation
///
/// Streams Server-Sent Events while the generation runs: `progress`, `output`, and at the end one of `completed`,
/// `partial`, `failed` or `cancelled`. If you reconnect to a stream that has already sent everything, the response is
/// 204, which stops clients that reconnect automatically.
#[utoipa::path(
    get,
    path = "/api/generations/{id}/events",
    operation_id = "followGeneration",
    tag = "Generations",
    security(("apiKey" = ["generations:read"])),
    params(GenerationId, LastEventId),
    responses(
        (status = 200, description = "The events.", body = names::StreamEvent, content_type = "text/event-stream"),
        (status = 204, description = "The stream has already sent every event."),
    ),
    extensions(("x-codes" = json!(["generation_not_found", "too_many_streams", "shutting_down", "validation_failed"]))),
)]
pub async fn stream(
    State(app): State<Arc<App>>,
    caller: Scoped<scope::GenerationsRead>,
    Id(id, ..): Id<kind::Generation>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if app.stopping.is_cancelled() {
        return Err(ApiError::ShuttingDown);
    }
    // An id that is not one of our numbers is ignored, as the Server-Sent Events specification requires.
    let after = headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok()?.parse().ok()).unwrap_or(0);
    let mut follower = Follower {
        app: Arc::clone(&app),
        _place: app.streams.take(caller.account_id).map_err(ApiError::TooManyStreams)?,
        // Subscribe before the first read, so that no notification is missed in between.
        watch: app.store.watch(id),
        caller: Authorised::clone(&caller),
        id,
        after,
        waiting: VecDeque::new(),
        ended: false,
    };
    let look = follower.look().await?.ok_or(ApiError::Missing(Missing::Generation))?;
    follower.take(look);
    if follower.ended && follower.waiting.is_empty() {
        return Ok(error::nothing_left());
    }
    let events = futures::stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    let mut response = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response();
    response.headers_mut().insert(BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

/// An event to send.
enum News {
    /// An output is ready: event number, place, record.
    Landed(u32, u32, Box<Output>),
    /// The generation's state changed.
    Stands(u32),
}

/// The state of one stream.
struct Follower {
    app: Arc<App>,
    _place: StreamPlace,
    watch: Watch,
    caller: Authorised,
    id: Uuid,
    /// Number of the last event that was sent or is queued.
    after: u32,
    waiting: VecDeque<(News, Arc<Snapshot>)>,
    /// Whether the queued events are the last ones.
    ended: bool,
}

impl Follower {
    /// Waits for the next event.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if self.app.stopping.is_cancelled() {
                return None;
            }
            if let Some((news, snapshot)) = self.waiting.pop_front() {
                return Some(self.event(&news, &snapshot));
            }
            if self.ended {
                return None;
            }
            tokio::select! {
                () = self.app.stopping.cancelled() => return None,
                () = self.watch.news() => {}
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            match self.look().await {
                Ok(Some(look)) => self.take(look),
                // The generation was deleted, or the key is no longer valid.
                Ok(None) => return None,
                Err(e) => {
                    tracing::error!(error = %e, "an event stream ended early");
                    return None;
                }
            }
        }
    }

    /// Reads the generation's current state, if the caller may still see it.
    async fn look(&self) -> Result<Option<Look>, StateError> {
        let (caller, id, after) = (self.caller.clone(), self.id, self.after);
        let look = move |store: &crate::state::Store| {
            if caller.stands(store)? { store.look(caller.account_id, id, after) } else { Ok(None) }
        };
        self.app.store.run(look).await
    }

    /// Queues the events that the new state implies.
    fn take(&mut self, look: Look) {
        let snapshot = Arc::new(look.snapshot);
        for (number, place, output) in look.landed {
            self.waiting.push_back((News::Landed(number, place, Box::new(output)), Arc::clone(&snapshot)));
        }
        self.ended = snapshot.generation.status.is_terminal();
        if look.told != self.after {
            self.waiting.push_back((News::Stands(look.told), snapshot));
        }
        self.after = look.told;
    }

    fn event(&self, news: &News, snapshot: &Snapshot) -> Event {
        let (app, now) = (&self.app, Millis::now());
        let generation = &snapshot.generation;
        let (number, name, data) = match news {
            News::Landed(number, place, output) => {
                let shown = match &output.end {
                    Some(End::Ready(image)) => json!(view::output(*place, output, image, snapshot, app, now)),
                    _ => json!(null),
                };
                (number, "output", shown.to_string())
            }
            News::Stands(number) if generation.status.is_terminal() => {
                let shown = json!({ "generation": view::generation(snapshot, app, now) });
                (number, generation.status.name(), shown.to_string())
            }
            News::Stands(number) => {
                let (progress, stage) = view::progress(generation);
                let (generation_id, status) = (generation.id, generation.status.name());
                let shown = Progress { generation_id, status, progress, stage };
                (number, "progress", serde_json::to_string(&shown).expect("numbers and names make JSON"))
            }
        };
        Event::default().id(number.to_string()).event(name).data(data)
    }
}
