//! Authenticates requests by their session cookie.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};

use super::Asked;
use crate::accounts::Role;
use crate::app::{App, MalformedCookie};
use crate::budget::Holder;
use crate::clock::Millis;
use crate::http::error::ApiError;
use crate::limits::Subject;
use crate::state::Visitor;

/// Returns the member and session that the cookie identifies, or `None` without a cookie.
///
/// # Errors
/// [`ApiError::SessionInvalid`]. Also [`ApiError::OriginNotAllowed`] and [`ApiError::CsrfTokenInvalid`] for requests
/// that may change something.
pub fn read(request: &Request, app: &App, now: Millis) -> Result<Option<Visitor>, ApiError> {
    let (console, headers) = (&app.console, request.headers());
    let token = console.token(headers).map_err(|MalformedCookie| ApiError::SessionInvalid)?;
    let Some(token) = token else { return Ok(None) };
    let visitor = app.store.visitor(&token, now)?.ok_or(ApiError::SessionInvalid)?;
    if !request.method().is_safe() {
        check_origin(app, headers, request.uri())?;
        if !console.has_csrf_token(&visitor.session, headers) {
            return Err(ApiError::CsrfTokenInvalid);
        }
    }
    Ok(Some(visitor))
}

/// Rejects requests that a browser marks as coming from another site. Other clients send no such headers.
///
/// # Errors
/// [`ApiError::OriginNotAllowed`].
pub fn check_origin(app: &App, headers: &HeaderMap, uri: &Uri) -> Result<(), ApiError> {
    if app.console.is_from_own_page(headers, uri) { Ok(()) } else { Err(ApiError::OriginNotAllowed) }
}

/// The authentication result for a request. It is computed once per request.
#[derive(Debug, Clone)]
pub struct Presence(Result<Arc<Visitor>, ApiError>);

impl Presence {
    /// Authenticates the request from its headers.
    pub fn read(request: &Request, app: &App, now: Millis) -> Self {
        Self(read(request, app, now).and_then(|visitor| visitor.map(Arc::new).ok_or(ApiError::SessionMissing)))
    }

    /// The subject whose rate limit window counts the request; `None` without a session.
    pub fn subject(&self) -> Option<Subject> {
        self.0.as_ref().ok().map(|visitor| Subject::Sessions(visitor.account_id))
    }

    /// The holder whose share of the byte budget pays for the request's body.
    pub fn holder(&self) -> Holder {
        self.0.as_ref().map_or(Holder::Strangers, |visitor| Holder::Account(visitor.account_id))
    }

    /// Records that the session was used.
    pub fn used(&self, app: &App, now: Millis) {
        if let Ok(visitor) = &self.0 {
            app.store.session_used(&visitor.session, now);
        }
    }
}

/// The client address whose rate limit window counts a login request. An extension of login requests.
#[derive(Debug, Clone, Copy)]
pub struct Sender(pub Subject);

/// A member with a session who is staff, that is, operates the service.
#[derive(Debug, Clone)]
pub struct Staff;

/// A member with a session. Its account may be deactivated.
#[derive(Debug, Clone)]
pub struct Present(Arc<Visitor>);

/// A member with a session, of an active account.
#[derive(Debug, Clone)]
pub struct Active(Present);

/// An active member who is a holder of the account.
#[derive(Debug, Clone)]
pub struct Holding(Active);

impl Active {
    /// Returns the member's account, with the member as the sender of the request.
    pub(crate) fn asked(&self) -> Asked {
        Asked {
            account: self.account_id,
            plan: self.account.plan,
            by: format!("member {}", self.member.id),
            is_operator: false,
        }
    }
}

impl Deref for Present {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.0
    }
}

impl Deref for Active {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.0
    }
}

impl Deref for Holding {
    type Target = Active;

    fn deref(&self) -> &Active {
        &self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Present {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let Presence(visitor) = parts.extensions.get::<Presence>().ok_or(ApiError::Internal)?;
        Ok(Self(Arc::clone(visitor.as_ref().map_err(Clone::clone)?)))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Active {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let present = Present::from_request_parts(parts, state).await?;
        if present.account.active { Ok(Self(present)) } else { Err(ApiError::AccountDeactivated) }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Holding {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let active = Active::from_request_parts(parts, state).await?;
        if active.member.role == Role::Holder { Ok(Self(active)) } else { Err(ApiError::RoleRequired) }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Staff {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let active = Active::from_request_parts(parts, state).await?;
        if active.member.admin { Ok(Self) } else { Err(ApiError::RoleRequired) }
    }
}
