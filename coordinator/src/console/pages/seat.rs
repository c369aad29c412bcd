//! Authenticates visitors of pages. A visitor who is not logged in is redirected to the login page and returns
//! afterwards.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Redirect, Response};

use crate::access::{Asked, Scoped};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::ApiError;
use crate::state::Visitor;

/// A logged-in member of an active account.
pub(super) struct Seat {
    visitor: Visitor,
    /// The CSRF token that the page's module sends with its requests.
    pub csrf_token: String,
}

/// Why a visitor gets no page.
pub(super) enum Unseated {
    /// The visitor is not logged in. Holds the path to return to after login.
    SignIn(String),
    /// The visitor is logged in but may not see the page.
    Refused(ApiError),
}

impl Seat {
    /// Returns the visitor as a caller of the API with this scope.
    pub fn caller<S>(&self) -> Scoped<S> {
        Scoped::from(self.visitor.clone())
    }

    /// Returns the visitor as the sender of requests about keys and members.
    pub fn asked(&self) -> Asked {
        let by = format!("member {}", self.member.id);
        Asked { account: self.account_id, plan: self.account.plan, by, is_operator: false }
    }

    /// Checks that the visitor is staff. For others, the page does not exist.
    ///
    /// # Errors
    /// [`ApiError::NotFound`].
    pub fn need_staff(&self) -> Result<(), ApiError> {
        if self.member.admin { Ok(()) } else { Err(ApiError::NotFound) }
    }
}

impl Deref for Seat {
    type Target = Visitor;

    fn deref(&self) -> &Visitor {
        &self.visitor
    }
}

impl IntoResponse for Unseated {
    fn into_response(self) -> Response {
        match self {
            Self::SignIn(to) => Redirect::to(&to).into_response(),
            Self::Refused(error) => error.into_response(),
        }
    }
}

impl FromRequestParts<Arc<App>> for Seat {
    type Rejection = Unseated;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Unseated> {
        let now = Millis::now();
        let visitor = match app.console.token(&parts.headers) {
            Ok(Some(token)) => app.store.visitor(&token, now).map_err(|e| Unseated::Refused(e.into()))?,
            Ok(None) | Err(_) => None,
        };
        let Some(visitor) = visitor else {
            let asked = parts.uri.path_and_query().map_or("/", |asked| asked.as_str());
            let next: String = url::form_urlencoded::byte_serialize(asked.as_bytes()).collect();
            let again = if asked == "/" { String::new() } else { format!("?next={next}") };
            return Err(Unseated::SignIn(format!("{}/login{again}", app.console.prefix())));
        };
        if !visitor.account.active {
            return Err(Unseated::Refused(ApiError::AccountDeactivated));
        }
        app.store.session_used(&visitor.session, now);
        let csrf_token = app.console.csrf_token(&visitor.session);
        Ok(Self { visitor, csrf_token })
    }
}
