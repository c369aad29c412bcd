//! `/console/api/session` and `/sessions`: logs in and out, and lists and ends sessions.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;
use uuid::Uuid;

use crate::access::{Active, Present, Sender, check_origin, membership};
use crate::app::App;
use crate::clock::Millis;
use crate::emails::{self, Email};
use crate::http::error::{self, ApiError, Missing};
use crate::http::form::Form;
use crate::http::json;
use crate::http::path::{Id, kind};
use crate::limits::Rate;
use crate::passwords::Password;
use crate::state::{LoggedIn, Session, Visitor};
use crate::throttle::Client;
use crate::tokens::Token;

/// The logged-in member and what its pages need.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionAnswer {
    /// The member.
    member: membership::MemberView,
    /// Its account.
    account: AccountView,
    /// The session.
    session: SessionView,
    /// The token for the header `X-CSRF-Token` of requests that change something.
    csrf_token: String,
}

/// The account of a member.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountView {
    /// The id of the account.
    id: Uuid,
    /// The name of the account.
    name: String,
    /// The name of the account's plan.
    plan: &'static str,
    /// Whether the account is active.
    active: bool,
}

/// A session.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionView {
    /// The id of the session.
    id: Uuid,
    /// Whether it is the session of this request.
    current: bool,
    /// The `User-Agent` of the client that logged in, cut to 200 bytes.
    user_agent: String,
    /// When the session started (RFC 3339).
    created_at: String,
    /// When it was last used (RFC 3339), to the minute.
    last_seen_at: String,
    /// When the session ends if it is not used again (RFC 3339).
    expires_at: String,
}

/// A member's sessions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SessionsAnswer {
    /// The sessions, newest first.
    sessions: Vec<SessionView>,
    /// The number of sessions.
    count: usize,
}

/// Logs in: exchanges an e-mail address and a password for a session cookie. Neither the response nor its timing
/// reveals whether the address or the password is wrong.
pub async fn log_in(
    State(app): State<Arc<App>>,
    Extension(Sender(address)): Extension<Sender>,
    uri: Uri,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, ApiError> {
    check_origin(&app, &headers, &uri)?;
    let fields = json::fields_of_stranger(&headers, body).await?;
    let (email, password) = credentials(&fields)?;
    let counted = emails::counted_as(email);
    let familiar = app.console.familiar(&headers, counted);
    let client = familiar.map_or(Client::Unknown(address), Client::Familiar);
    if let Some(refused) = throttled(&app, counted, client).await {
        return Ok(refused);
    }
    let Some(password) = Password::given(password) else { return Err(ApiError::CredentialsInvalid) };
    let member = match Email::parse(email) {
        Some(email) => app.store.run(move |store| store.member_by_email(&email)).await?,
        None => None,
    };
    let kept = member.as_ref().and_then(|member| member.usable_password());
    let right = app.console.hasher.matches(password, kept).await?;
    let Some(member) = member.filter(|_| right) else { return Err(ApiError::CredentialsInvalid) };
    if let Client::Unknown(_) = client {
        app.console.throttle.was_right(counted);
    }
    let mut response = begin(&app, member, &headers).await?;
    if familiar.is_none()
        && let Some(cookie) = app.console.familiar_cookie(counted)
    {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Returns the logged-in member.
pub async fn read(State(app): State<Arc<App>>, visitor: Active) -> Json<SessionAnswer> {
    Json(answer(&app, &visitor))
}

/// Ends the session of this request.
pub async fn log_out(State(app): State<Arc<App>>, visitor: Present) -> Result<Response, ApiError> {
    let (account, member, id) = (visitor.account_id, visitor.member.id, visitor.session.id);
    app.store.run(move |store| store.end_session(account, member, id, Millis::now())).await?;
    let mut response = error::nothing_left();
    response.headers_mut().insert(header::SET_COOKIE, app.console.cookie(None));
    Ok(response)
}

/// Lists the member's sessions.
pub async fn list(State(app): State<Arc<App>>, visitor: Active) -> Result<Response, ApiError> {
    let (account, member) = (visitor.account_id, visitor.member.id);
    let sessions = app.store.run(move |store| store.sessions(account, member, Millis::now())).await?;
    let sessions: Vec<_> = sessions.iter().map(|session| view(session, visitor.session.id)).collect();
    Ok(Json(SessionsAnswer { count: sessions.len(), sessions }).into_response())
}

/// Ends one of the member's sessions.
pub async fn end(
    State(app): State<Arc<App>>,
    visitor: Active,
    Id(id, ..): Id<kind::Session>,
) -> Result<Response, ApiError> {
    let (account, member) = (visitor.account_id, visitor.member.id);
    let was_there = app.store.run(move |store| store.end_session(account, member, id, Millis::now())).await?;
    if was_there { Ok(error::nothing_left()) } else { Err(ApiError::Missing(Missing::Session)) }
}

fn credentials(fields: &serde_json::Map<String, serde_json::Value>) -> Result<(&str, &str), ApiError> {
    let mut form = Form::new(fields);
    let (email, password) = (form.wanted("email"), form.wanted("password"));
    let (faults, _) = form.end();
    email.zip(password).filter(|_| faults.is_empty()).ok_or(ApiError::Invalid(faults))
}

/// Counts a password attempt of `client` for `member` and waits as long as the throttle requires. Returns the error
/// response if there were too many attempts.
pub(super) async fn throttled(app: &App, member: [u8; 16], client: Client) -> Option<Response> {
    let now = Millis::now();
    let rate: Rate = match app.console.throttle.admit(&app.limiter, member, client, now) {
        Ok(wait) => {
            tokio::time::sleep(wait).await;
            return None;
        }
        Err(rate) => rate,
    };
    let mut response = ApiError::RateLimited(rate.wait_s(now)).into_response();
    response.extensions_mut().insert(rate);
    Some(response)
}

/// Starts a session of a member whose password was correct.
pub(super) async fn begin(app: &App, member: crate::state::Member, headers: &HeaderMap) -> Result<Response, ApiError> {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default().to_owned();
    match app.store.run(move |store| store.begin_session(&member, &agent, Millis::now())).await? {
        LoggedIn::Begun(visitor, token) => Ok(begun(app, &visitor, &token)),
        LoggedIn::Changed => Err(ApiError::CredentialsInvalid),
        LoggedIn::Deactivated => Err(ApiError::AccountDeactivated),
    }
}

fn begun(app: &App, visitor: &Visitor, token: &Token) -> Response {
    let mut response = error::created(&answer(app, visitor));
    response.headers_mut().insert(header::SET_COOKIE, app.console.cookie(Some(token)));
    response
}

fn answer(app: &App, visitor: &Visitor) -> SessionAnswer {
    let Visitor { account_id, account, member, session } = visitor;
    SessionAnswer {
        member: membership::view(member),
        account: AccountView {
            id: *account_id,
            name: account.name.clone(),
            plan: account.plan.name(),
            active: account.active,
        },
        session: view(session, session.id),
        csrf_token: app.console.csrf_token(session),
    }
}

/// Builds the JSON view of a session. `current` is the session of this request.
pub(super) fn view(session: &Session, current: Uuid) -> SessionView {
    SessionView {
        id: session.id,
        current: session.id == current,
        user_agent: session.agent.clone(),
        created_at: session.created.to_string(),
        last_seen_at: session.seen.to_string(),
        expires_at: session.expires().to_string(),
    }
}
