//! The console: pages for the members of an account, and under `/console/api` what they are made of beside the public API, as
//! JSON for these pages alone: sessions, keys, members, small pictures, and the service itself for those who run it.
//!
//! A session is a cookie. What changes something wants the session's token in `X-CSRF-Token` beside it, and no origin but
//! the service's own.

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

/// Where it is served.
pub const PATH: &str = "/console/api";

const CSRF_TOKEN: HeaderName = HeaderName::from_static("x-csrf-token");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Every path below [`PATH`].
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

/// Whether a POST to this path opens a session, or sets what opens one.
pub fn is_login(path: &str) -> bool {
    path.strip_prefix(PATH).is_some_and(|rest| ["/session", "/password"].contains(&rest))
}

/// How sessions show themselves, and what guards them.
#[derive(Debug)]
pub struct Console {
    /// Hashes passwords.
    pub hasher: Hasher,
    /// How fast they are guessed.
    pub(crate) throttle: Throttle,
    /// The origin of the service's pages; without one, whatever host a request was sent to.
    origin: Option<String>,
    /// Whether cookies are for HTTPS alone.
    secure: bool,
    /// The path that the service is reached under, where it is not a host's own.
    prefix: String,
    csrf_key: [u8; 32],
    /// Makes the cookies of browsers that members have signed in with.
    familiar_key: [u8; 32],
}

impl Console {
    /// For a service that clients reach at `base`, which is surely how browsers name it where it `is_public`. Tokens are
    /// made with what `secret` gives.
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

    /// What stands before every path of a page: nothing, or the path that the service is reached under.
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// The cookie's name. Browsers take one of `__Host-` from the host itself alone, and over HTTPS.
    fn cookie_name(&self) -> &'static str {
        if self.secure { "__Host-vivid" } else { "vivid" }
    }

    /// The session's token among the cookies of a request, where there is one.
    ///
    /// # Errors
    /// [`ApiError::SessionInvalid`] for what no token can be, and for two of them.
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

    /// The header that gives a browser its session, or takes it away.
    fn cookie(&self, token: Option<&Token>) -> HeaderValue {
        let (value, age) = token.map_or(("", 0), |token| (token.reveal(), ABSOLUTE_S));
        let secure = if self.secure { "; Secure" } else { "" };
        let name = self.cookie_name();
        let cookie = format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}");
        let mut cookie = HeaderValue::from_str(&cookie).expect("base64url is visible ASCII");
        cookie.set_sensitive(true);
        cookie
    }

    /// What requests of a session that change something prove by that a page of the service sent them.
    fn csrf_token(&self, session: &Session) -> String {
        hex::encode(self.csrf_mac(session).finalize().into_bytes())
    }

    fn csrf_mac(&self, session: &Session) -> HmacSha256 {
        let mut mac = hmac(&self.csrf_key);
        mac.update(session.id.as_bytes());
        mac
    }

    /// # Errors
    /// [`ApiError::CsrfTokenInvalid`].
    fn check_csrf(&self, session: &Session, headers: &HeaderMap) -> Result<(), ApiError> {
        let sent = headers.get(CSRF_TOKEN).and_then(|token| hex::decode(token).ok());
        // Compares in constant time.
        let right = sent.is_some_and(|token| self.csrf_mac(session).verify_slice(&token).is_ok());
        if right { Ok(()) } else { Err(ApiError::CsrfTokenInvalid) }
    }

    /// Refuses what a browser says to send from elsewhere. What is no browser says nothing of it.
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
        // The host that the browser was told to go to; a page of another host can't say so of itself.
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

/// The origin of a URL as browsers write it: scheme, host, and a port that isn't the scheme's own.
fn origin_of(url: &str) -> String {
    let url = url.to_ascii_lowercase();
    let Some((scheme, rest)) = url.split_once("://") else { return url };
    let host = rest.split('/').next().unwrap_or_default();
    let own_port = if scheme == "https" { ":443" } else { ":80" };
    format!("{scheme}://{}", host.strip_suffix(own_port).unwrap_or(host))
}

/// The path of a URL, without a slash at its end.
fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map(|at| rest[at..].trim_end_matches('/').to_owned()).unwrap_or_default()
}

impl From<HashError> for ApiError {
    fn from(e: HashError) -> Self {
        match e {
            HashError::Busy => Self::QueueFull,
            HashError::Failed(why) => {
                tracing::error!(why, "a password can't be hashed");
                Self::Internal
            }
        }
    }
}

/// A JSON object, as the body of a request that anybody may send.
async fn fields(headers: &HeaderMap, body: axum::body::Body) -> Result<Map<String, Value>, ApiError> {
    json::parse(&json::read_body_of_stranger(headers, body).await?)
}

/// The id in a path; what is none names nothing.
fn id_of(id: Result<Path<String>, PathRejection>, nothing: ApiError) -> Result<Uuid, ApiError> {
    id.ok().and_then(|Path(id)| id.parse().ok()).ok_or(nothing)
}

#[cfg(test)]
mod tests;
