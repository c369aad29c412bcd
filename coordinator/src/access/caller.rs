//! Authentication: the account comes only from the API key, or from the session of one of the account's members.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};

use super::visitor;
use crate::accounts::{Plan, Scope};
use crate::app::App;
use crate::budget::Holder;
use crate::clock::Millis;
use crate::http::error::ApiError;
use crate::keys::ApiKey;
use crate::limits::Subject;
use crate::state::{By, Caller, StateError, Store, Visitor};

const KEY_HEADER: HeaderName = HeaderName::from_static("x-api-key");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The authentication result for a request. It is computed once per request.
#[derive(Debug, Clone)]
pub struct Identity(pub Result<Arc<Caller>, ApiError>);

impl Identity {
    /// Authenticates the request from its headers.
    pub fn read(request: &Request, app: &App, now: Millis) -> Self {
        Self(identify(request, app, now).map(Arc::new))
    }

    /// The subject whose rate limit window counts the request; `None` for an unauthenticated request.
    pub fn subject(&self) -> Option<Subject> {
        let caller = self.0.as_ref().ok()?;
        Some(match caller.by {
            By::Key(_) => Subject::Account(caller.account_id),
            By::Session(_) => Subject::Sessions(caller.account_id),
        })
    }

    /// The holder whose share of the byte budget pays for the request's body.
    pub fn holder(&self) -> Holder {
        self.0.as_ref().map_or(Holder::Strangers, |caller| Holder::Account(caller.account_id))
    }

    /// Records that the key or session was used.
    pub fn used(&self, app: &App, now: Millis) {
        match self.0.as_ref().map(|caller| &caller.by) {
            Ok(By::Key(key)) => app.store.key_used(key, now),
            Ok(By::Session(session)) => app.store.session_used(session, now),
            Err(_) => {}
        }
    }
}

fn identify(request: &Request, app: &App, now: Millis) -> Result<Caller, ApiError> {
    let session = |without: ApiError| {
        let visitor = visitor::read(request, app, now)?;
        visitor.map(Caller::from).ok_or(without)
    };
    let Some(sent) = key_of(request.headers())? else { return session(ApiError::KeyMissing) };
    let Some(key) = ApiKey::parse(sent) else {
        // A proxy in front of the console may add its own bearer token to every request.
        let is_bearer = !request.headers().contains_key(&KEY_HEADER);
        return if is_bearer { session(ApiError::KeyInvalid) } else { Err(ApiError::KeyInvalid) };
    };
    let caller = app.store.caller(key.digest())?.ok_or(ApiError::KeyInvalid)?;
    match &caller.by {
        By::Key(key) if !key.is_valid(now) => return Err(ApiError::KeyRevoked),
        _ => check_plan(app, caller.account.plan)?,
    }
    Ok(caller)
}

/// Returns the API key of a request, if it has one: the value of `X-API-Key` or, without that header, the token of
/// `Authorization: Bearer`. `Authorization` with another scheme is ignored, because proxies use it for their own
/// purposes.
///
/// # Errors
/// [`ApiError::KeyMissing`] for an empty key, [`ApiError::KeyInvalid`] for several keys or for bytes that are not
/// ASCII.
fn key_of(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    if let Some(key) = one_of(headers, &KEY_HEADER)? {
        return if key.is_empty() { Err(ApiError::KeyMissing) } else { Ok(Some(key)) };
    }
    let Some(credentials) = one_of(headers, &header::AUTHORIZATION)? else { return Ok(None) };
    let (scheme, token) = credentials.split_once(' ').unwrap_or((credentials, ""));
    match (scheme.eq_ignore_ascii_case("Bearer"), token.trim()) {
        (false, _) => Ok(None),
        (true, "") => Err(ApiError::KeyMissing),
        (true, token) => Ok(Some(token)),
    }
}

/// Returns the value of a header that may occur at most once.
fn one_of<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, ApiError> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ApiError::KeyInvalid),
        (Some(_), Some(_)) => Err(ApiError::KeyInvalid),
    }
}

/// Checks that accounts on this plan may use API keys.
///
/// # Errors
/// [`ApiError::PlanRequired`].
pub(crate) fn check_plan(app: &App, plan: Plan) -> Result<(), ApiError> {
    if app.key_plans.allow(plan) {
        return Ok(());
    }
    let message = format!("API keys are not part of the plan {}. Change the plan to use them.", plan.name());
    Err(ApiError::PlanRequired(message))
}

/// A caller with a valid key, or with a valid session, of an active account.
#[derive(Debug, Clone)]
pub struct Authorised(Arc<Caller>);

impl Authorised {
    /// Checks that the caller has this scope.
    ///
    /// # Errors
    /// [`ApiError::InsufficientScope`].
    pub fn need(&self, scope: Scope) -> Result<(), ApiError> {
        if self.scopes().allow(scope) { Ok(()) } else { Err(ApiError::InsufficientScope(scope)) }
    }
}

impl Authorised {
    /// Whether the key or session is still valid and the account still active. Long-running requests call this again.
    /// Blocks.
    ///
    /// # Errors
    /// State errors.
    pub fn stands(&self, store: &Store) -> Result<bool, StateError> {
        let now = Millis::now();
        let is_good = match &self.by {
            By::Key(key) => store.key(key.account, key.id)?.is_some_and(|key| key.is_valid(now)),
            By::Session(session) => {
                let sessions = store.sessions(session.account, session.member, now)?;
                sessions.iter().any(|other| other.id == session.id)
            }
        };
        Ok(is_good && store.account(self.account_id)?.is_some_and(|account| account.active))
    }
}

impl Authorised {
    /// Returns a visitor of a page as a caller. The console shows pages only to visitors of active accounts.
    pub(super) fn visiting(visitor: Visitor) -> Self {
        Self(Arc::new(Caller::from(visitor)))
    }
}

impl Deref for Authorised {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Authorised {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let Identity(caller) = parts.extensions.get::<Identity>().ok_or(ApiError::Internal)?;
        let caller = Arc::clone(caller.as_ref().map_err(Clone::clone)?);
        if !caller.account.active {
            return Err(ApiError::AccountDeactivated);
        }
        Ok(Self(caller))
    }
}

/// Returns the client's address: the address of the peer, or what the trusted proxies in between report.
pub fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let is_trusted = |a: &IpAddr| trusted.contains(&a.to_canonical());
    if !is_trusted(&peer) {
        return peer;
    }
    // Each proxy appends the address it saw: the client is the last address that is not a trusted proxy.
    let forwarded = headers.get_all(FORWARDED_FOR).iter().filter_map(|v| v.to_str().ok());
    let addresses: Vec<&str> = forwarded.flat_map(|line| line.split(',')).map(str::trim).collect();
    let mut client = peer;
    for address in addresses.iter().rev() {
        let Ok(address) = address.parse::<IpAddr>() else { break };
        client = address;
        if !is_trusted(&address) {
            break;
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forwarding_headers_count_from_trusted_proxies_only() {
        let ip = |a: &str| a.parse::<IpAddr>().unwrap();
        let client = |peer, forwarded: &[&str], trusted: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in forwarded {
                headers.append(FORWARDED_FOR, line.parse().unwrap());
            }
            client_address(ip(peer), &headers, &trusted.iter().map(|a| ip(a)).collect::<Vec<_>>())
        };
        assert_eq!(client("9.9.9.9", &["1.1.1.1"], &[]), ip("9.9.9.9"));
        assert_eq!(client("9.9.9.9", &["1.1.1.1"], &["10.0.0.1"]), ip("9.9.9.9"));
        assert_eq!(client("10.0.0.1", &["6.6.6.6, 1.1.1.1"], &["10.0.0.1"]), ip("1.1.1.1"), "the last hop's word");
        assert_eq!(client("10.0.0.1", &["1.1.1.1", "10.0.0.2"], &["10.0.0.1", "10.0.0.2"]), ip("1.1.1.1"));
        assert_eq!(client("10.0.0.1", &["nonsense"], &["10.0.0.1"]), ip("10.0.0.1"));
        assert_eq!(client("10.0.0.1", &[], &["10.0.0.1"]), ip("10.0.0.1"));
        assert_eq!(client("::ffff:10.0.0.1", &["1.1.1.1"], &["10.0.0.1"]), ip("1.1.1.1"));
    }
}
