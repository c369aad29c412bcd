//! The console: web pages for the members of an account. Under `/console/api` it also serves JSON that only these pages
//! use, in addition to the public API: sessions, keys, members, previews, and the service itself for staff.
//!
//! A session is identified by a cookie. Requests that change something must also send the session's token in
//! `X-CSRF-Token` and come from the service's own origin.

mod again;
mod assets;
mod faces;
mod familiar;
mod keys;
mod members;
pub mod pages;
mod password;
mod pictures;
mod samples;
mod service;
mod session;
mod sources;
mod statement;
pub mod visitor;

use std::sync::Arc;

use axum::Router;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use axum::routing::{delete, get, post, put};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Map, Value};
use sha2::Sha256;
use uuid::Uuid;

use crate::api::App;
use crate::api::error::ApiError;
use crate::api::json;
use crate::passwords::{HashError, Hasher};
use crate::state::{ABSOLUTE_S, Session};
use crate::throttle::Throttle;
use crate::tokens::Token;

/// The path prefix of the console's own endpoints.
pub const PATH: &str = "/console/api";

const CSRF_TOKEN: HeaderName = HeaderName::from_static("x-csrf-token");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Builds the router of every path below [`PATH`].
pub fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/session", get(session::read).post(session::log_in).delete(session::log_out))
        .route("/sessions", get(session::list))
        .route("/sessions/{id}", delete(session::end))
        .route("/password", post(password::set_by_link).put(password::change))
        .route("/keys", get(keys::list).post(keys::create))
        .route("/keys/{id}", delete(keys::revoke))
        .route("/keys/{id}/rotate", post(keys::rotate))
        .route("/keys/{id}/usage", get(keys::usage))
        .route("/members", get(members::list).post(members::invite))
        .route("/members/{id}", put(members::change).delete(members::remove))
        .route("/members/{id}/link", post(members::link))
        .route("/faces/{family}", get(faces::read))
        .route("/swatches", get(samples::swatches))
        .route("/samples", post(samples::samples))
        .route("/statement", get(statement::read))
        .route("/pictures/{id}/{version}", get(pictures::read))
        .route("/generations/{id}/input", post(again::input))
        .route("/generations/{id}/sources", get(sources::read))
        .nest("/service", service::router())
}

/// Whether a POST to this path logs in or sets a password.
pub fn is_login(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| ["/session", "/password"].contains(&rest))
}

/// Session cookies and their protection.
#[derive(Debug)]
pub struct Console {
    /// Hashes passwords.
    pub hasher: Hasher,
    /// Limits password guessing.
    pub(crate) throttle: Throttle,
    /// The origin of the service's pages. If `None`, the host of each request is accepted.
    origin: Option<String>,
    /// Whether cookies are restricted to HTTPS.
    secure: bool,
    /// The path prefix under which the service is reached; empty at the root of a host.
    prefix: String,
    csrf_key: [u8; 32],
    /// The key that authenticates the cookies of browsers that members have logged in with.
    familiar_key: [u8; 32],
}

impl Console {
    /// Creates the console of a service that clients reach at `base`. `is_public` means that browsers use exactly this
    /// base URL. Tokens are derived from `secret`.
    pub fn new(base: &str, is_public: bool, secret: &[u8; 32]) -> Self {
        let key = |what: &[u8]| {
            let mut mac = hmac(secret);
            mac.update(what);
            mac.finalize().into_bytes().into()
        };
        Self {
            hasher: Hasher::default(),
            throttle: Throttle::default(),
            origin: is_public.then(|| origin_of(base)),
            secure: base.starts_with("https://"),
            prefix: path_of(base),
            csrf_key: key(b"tokens of console sessions"),
            familiar_key: key(b"browsers that members have signed in with"),
        }
    }

    /// Returns the path prefix under which the service is reached, or an empty string.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns the name of the session cookie. Browsers accept a `__Host-` cookie only over HTTPS and only from the
    /// host itself.
    fn cookie_name(&self) -> &'static str {
        if self.secure { "__Host-vivid" } else { "vivid" }
    }

    /// Returns the session token from a request's cookies, if there is one.
    ///
    /// # Errors
    /// [`ApiError::SessionInvalid`] for a malformed token, and for two tokens.
    fn token(&self, headers: &HeaderMap) -> Result<Option<Token>, ApiError> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let mut ours = pairs.filter(|(name, _)| *name == self.cookie_name()).map(|(_, value)| value);
        match (ours.next(), ours.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => Token::parse(value).map(Some).ok_or(ApiError::SessionInvalid),
            (Some(_), Some(_)) => Err(ApiError::SessionInvalid),
        }
    }

    /// Builds the header that sets the session cookie, or deletes it.
    fn cookie(&self, token: Option<&Token>) -> HeaderValue {
        let (value, age) = token.map_or(("", 0), |token| (token.reveal(), ABSOLUTE_S));
        let secure = if self.secure { "; Secure" } else { "" };
        let name = self.cookie_name();
        let cookie = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
        let mut cookie = HeaderValue::from_str(&cookie).expect("base64url is visible ASCII");
        cookie.set_sensitive(true);
        cookie
    }

    /// Returns the token that proves that a request comes from a page of the service. It is required for requests of a
    /// session that change something.
    fn csrf_token(&self, session: &Session) -> String {
        hex::encode(self.csrf_mac(session).finalize().into_bytes())
    }

    fn csrf_mac(&self, session: &Session) -> HmacSha256 {
        let mut mac = hmac(&self.csrf_key);
        mac.update(session.id.as_bytes());
        mac
    }

    /// Checks the CSRF token of a request.
    ///
    /// # Errors
    /// [`ApiError::CsrfTokenInvalid`].
    fn check_csrf(&self, session: &Session, headers: &HeaderMap) -> Result<(), ApiError> {
        let sent = headers.get(CSRF_TOKEN).and_then(|token| hex::decode(token).ok());
        // Compares in constant time.
        let right = sent.is_some_and(|token| self.csrf_mac(session).verify_slice(&token).is_ok());
        if right { Ok(()) } else { Err(ApiError::CsrfTokenInvalid) }
    }

    /// Rejects requests that a browser marks as coming from another site. Other clients send no such headers.
    ///
    /// # Errors
    /// [`ApiError::OriginNotAllowed`].
    fn check_origin(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), ApiError> {
        let mut sites = headers.get_all(FETCH_SITE).iter();
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let ours = sites.all(|site| site == "same-origin")
            && origins.all(|origin| origin.to_str().is_ok_and(|origin| self.is_own(origin, headers, uri)));
        if ours { Ok(()) } else { Err(ApiError::OriginNotAllowed) }
    }

    fn is_own(&self, origin: &str, headers: &HeaderMap, uri: &Uri) -> bool {
        let origin = origin_of(origin);
        if let Some(own) = &self.origin {
            return origin == *own;
        }
        // The host that the browser requested. A page of another host can't forge this header.
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = host.or_else(|| uri.authority().map(|authority| authority.as_str()));
        let there = origin.split_once("://").map(|(_, host)| host);
        there.zip(host).is_some_and(|(there, host)| there.eq_ignore_ascii_case(host))
    }
}

type HmacSha256 = Hmac<Sha256>;

fn hmac(key: &[u8; 32]) -> HmacSha256 {
    HmacSha256::new_from_slice(key).expect("HMAC takes a key of any length")
}

/// Returns the origin of a URL as browsers write it: scheme, host, and the port if it is not the scheme's default.
fn origin_of(url: &str) -> String {
    let url = url.to_ascii_lowercase();
    let Some((scheme, rest)) = url.split_once("://") else { return url };
    let host = rest.split('/').next().unwrap_or_default();
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    format!("{scheme}://{}", host.strip_suffix(own_port).unwrap_or(host))
}

/// Returns the path of a URL without a trailing slash.
fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map(|at| rest[at..].trim_end_matches('/').to_owned()).unwrap_or_default()
}

impl From<HashError> for ApiError {
    fn from(e: HashError) -> Self {
        match e {
            HashError::Busy => Self::QueueFull,
            HashError::Failed(why) => {
                tracing::error!(why, "hashing a password failed");
                Self::Internal
            }
        }
    }
}

/// Reads the JSON object in the body of an unauthenticated request.
async fn fields(headers: &HeaderMap, body: axum::body::Body) -> Result<Map<String, Value>, ApiError> {
    json::parse(&json::read_body_of_stranger(headers, body).await?)
}

/// Parses the id in a path. Anything that is not a UUID returns the error `nothing`.
fn id_of(id: Result<Path<String>, PathRejection>, nothing: ApiError) -> Result<Uuid, ApiError> {
    id.ok().and_then(|Path(id)| id.parse().ok()).ok_or(nothing)
}

#[cfg(test)]
mod tests;
