//! Operations on an account's API keys, used by holders in the console and by the service's operator.

use axum::Json;
use axum::body::Body;
use axum::extract::Query;
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use render_core::warning::Warning;
use serde::Serialize;
use uuid::Uuid;

use super::Asked;
use super::caller::check_plan;
use crate::accounts::{Scope, Scopes};
use crate::app::App;
use crate::clock::{Day, Millis};
use crate::http::error::{self, ApiError, Conflict, Detail, Missing};
use crate::http::form::Form;
use crate::http::json::Unparsed;
use crate::keys::ApiKey;
use crate::state::{GRACE_S, KeyDay, KeyRecord, USAGE_DAYS};

/// Maximum length of a key's name in characters.
const NAME_CHARS: usize = 100;
/// Default number of days of usage.
const DAYS: u32 = 30;

/// An API key, without its secret.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyView {
    /// The id of the key.
    id: Uuid,
    /// The name that its holder gave the key.
    name: String,
    /// Its last four characters; `null` for a key that was created before the service recorded them.
    ending: Option<String>,
    /// The scopes of the key.
    scopes: Vec<&'static str>,
    /// Whether the key is currently accepted.
    valid: bool,
    /// When the key was created (RFC 3339).
    created_at: String,
    /// When the key was last used (RFC 3339), to the minute.
    last_used_at: Option<String>,
    /// When the key was revoked (RFC 3339).
    revoked_at: Option<String>,
    /// The id of the key that replaced it in a rotation.
    replaced_by: Option<Uuid>,
    /// When the key stops being accepted after a rotation (RFC 3339).
    valid_until: Option<String>,
}

/// An account's keys.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeysAnswer {
    /// The keys, newest first: all valid keys, and the last 100 that ended.
    keys: Vec<KeyView>,
    /// The number of keys.
    count: usize,
}

/// A newly created key.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyMadeAnswer {
    /// The key's record.
    key: KeyView,
    /// The secret of the key. It is returned only once.
    secret: String,
    /// Warnings about the request, such as unknown fields.
    warnings: Vec<Warning>,
}

/// The usage of a key.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsageAnswer {
    /// The UTC days on which the key was used, oldest first.
    usage: Vec<DayView>,
}

/// The usage of a key on one day.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct DayView {
    /// The day, such as `2026-01-31`.
    day: String,
    /// Requests made with the key, not counting rate-limited ones.
    requests: u64,
    /// Generations accepted with the key.
    generations: u64,
    /// Credits charged for those generations, before refunds.
    credits: u64,
}

/// Lists the account's keys.
pub(crate) async fn list(app: &App, asked: &Asked) -> Result<Json<KeysAnswer>, ApiError> {
    let account = asked.account;
    let keys = app.store.run(move |store| store.keys(account)).await?;
    let now = Millis::now();
    let keys: Vec<_> = keys.into_iter().map(|key| view(key, now)).collect();
    Ok(Json(KeysAnswer { count: keys.len(), keys }))
}

/// Creates a key. Returns 201 with the secret, which is shown only once. The plan is checked before the body is read.
pub(crate) async fn create(app: &App, asked: &Asked, headers: &HeaderMap, body: Body) -> Result<Response, ApiError> {
    check_plan(app, asked.plan)?;
    let fields = Unparsed::read(headers, body).await?.fields()?;
    let mut form = Form::new(&fields);
    form.warn_of_unknown("", &fields, &["name", "scopes"]);
    if form.get("name").is_none() {
        form.fault(
            "name",
            "missing_field",
            "Name the key in name, for example after the application that will use it.",
        );
    }
    let (name, scopes) = (form.line("name", NAME_CHARS), form.scopes("scopes"));
    let (faults, warnings) = form.end();
    let name = name.filter(|_| faults.is_empty()).ok_or(ApiError::Invalid(faults))?.to_owned();
    let account = asked.account;
    let made = app.store.run(move |store| store.create_key(account, &name, scopes, Millis::now())).await?;
    tracing::info!(%account, key = %made.0.id, by = asked.by, "an API key was made");
    Ok(shown_once(made, warnings))
}

/// Creates a key that replaces another one. The old key stays valid for a grace period. The plan is checked before the
/// body is read.
pub(crate) async fn rotate(
    app: &App,
    asked: &Asked,
    id: Uuid,
    headers: &HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    check_plan(app, asked.plan)?;
    let fields = Unparsed::read(headers, body).await?.fields()?;
    let account = asked.account;
    let there = app.store.run(move |store| store.key(account, id)).await?;
    there.ok_or(ApiError::Missing(Missing::Key))?;
    let mut form = Form::new(&fields);
    form.warn_of_unknown("", &fields, &["graceSeconds"]);
    let grace_s = form.integer("graceSeconds", GRACE_S).unwrap_or(0);
    let (faults, warnings) = form.end();
    if !faults.is_empty() {
        return Err(ApiError::Invalid(faults));
    }
    let made = app.store.run(move |store| store.rotate_key(account, id, grace_s, Millis::now())).await?;
    let made = made.ok_or(ApiError::Conflict(Conflict::KeyEnded))?;
    tracing::info!(%account, key = %id, to = %made.0.id, by = asked.by, "an API key was rotated");
    Ok(shown_once(made, warnings))
}

/// Revokes a key. Revoking a revoked key changes nothing.
pub(crate) async fn revoke(app: &App, asked: &Asked, id: Uuid) -> Result<Response, ApiError> {
    let account = asked.account;
    let was_there = app.store.run(move |store| store.revoke_key(account, id, Millis::now())).await?;
    if !was_there {
        return Err(ApiError::Missing(Missing::Key));
    }
    tracing::info!(%account, key = %id, by = asked.by, "an API key was revoked");
    Ok(error::nothing_left())
}

/// Returns the daily usage of a key.
pub(crate) async fn usage(app: &App, asked: &Asked, id: Uuid, uri: &Uri) -> Result<Json<UsageAnswer>, ApiError> {
    let (account, days) = (asked.account, days(uri)?);
    let usage = app.store.run(move |store| store.key_usage(account, id, days, Millis::now())).await?;
    let usage = usage.ok_or(ApiError::Missing(Missing::Key))?.into_iter().map(DayView::of).collect();
    Ok(Json(UsageAnswer { usage }))
}

fn days(uri: &Uri) -> Result<u32, ApiError> {
    let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else {
        return Err(ApiError::Invalid(vec![Detail::new("query", "invalid_value", "The query is not valid.")]));
    };
    let Some((_, sent)) = pairs.iter().rfind(|(name, _)| name == "days") else { return Ok(DAYS) };
    sent.parse().ok().filter(|days| (1..=USAGE_DAYS).contains(days)).ok_or_else(|| {
        let message = format!("days must be a whole number from 1 to {USAGE_DAYS}.");
        ApiError::Invalid(vec![Detail::new("days", "invalid_value", message)])
    })
}

fn shown_once((record, key): (KeyRecord, ApiKey), warnings: Vec<Warning>) -> Response {
    let key_view = view(record, Millis::now());
    let answer = KeyMadeAnswer { key: key_view, secret: key.reveal().to_owned(), warnings };
    error::created(&answer)
}

fn view(key: KeyRecord, now: Millis) -> KeyView {
    let text = |at: Option<Millis>| at.map(|at| at.to_string());
    KeyView {
        id: key.id,
        valid: key.is_valid(now),
        scopes: key.scopes.names(),
        created_at: key.created.to_string(),
        last_used_at: text(key.used),
        revoked_at: text(key.revoked),
        replaced_by: key.replaced.map(|replaced| replaced.by),
        valid_until: text(key.replaced.map(|replaced| replaced.until)),
        name: key.name,
        ending: key.ending,
    }
}

impl DayView {
    fn of((day, did): (Day, KeyDay)) -> Self {
        Self { day: day.to_string(), requests: did.requests, generations: did.generations, credits: did.credits }
    }
}

impl Form<'_> {
    /// Reads a list of scopes by name. A missing list means all scopes.
    fn scopes(&mut self, field: &'static str) -> Scopes {
        let Some(value) = self.get(field) else { return Scopes::ALL };
        let names = || Scope::ALL.map(Scope::name).join(", ");
        let Some(items) = value.as_array().filter(|items| !items.is_empty()) else {
            self.fault(field, "invalid_value", format!("{field} must be a list of at least one of {}.", names()));
            return Scopes::ALL;
        };
        let mut scopes = Vec::new();
        for (place, item) in items.iter().enumerate() {
            match item.as_str().and_then(Scope::from_name) {
                Some(scope) => scopes.push(scope),
                None => {
                    let message = format!("A scope must be one of {}.", names());
                    self.fault(format!("{field}[{place}]"), "invalid_value", message);
                }
            }
        }
        Scopes::of(&scopes)
    }
}
