//! The cookies of the console's sessions, and their protection.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::passwords::Hasher;
use crate::state::{ABSOLUTE_S, Session};
use crate::throttle::Throttle;
use crate::tokens::Token;

const CSRF_TOKEN: HeaderName = HeaderName::from_static("x-csrf-token");
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// A session cookie that is no token, or two session cookies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedCookie;

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
    pub(super) secure: bool,
    /// The path prefix under which the service is reached; empty at the root of a host.
    prefix: String,
    csrf_key: [u8; 32],
    /// The key that authenticates the cookies of browsers that members have logged in with.
    pub(super) familiar_key: [u8; 32],
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
    /// [`MalformedCookie`], also for two tokens.
    pub fn token(&self, headers: &HeaderMap) -> Result<Option<Token>, MalformedCookie> {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let mut ours = pairs.filter(|(name, _)| *name == self.cookie_name()).map(|(_, value)| value);
        match (ours.next(), ours.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => Token::parse(value).map(Some).ok_or(MalformedCookie),
            (Some(_), Some(_)) => Err(MalformedCookie),
        }
    }

    /// Builds the header that sets the session cookie, or deletes it.
    pub fn cookie(&self, token: Option<&Token>) -> HeaderValue {
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
    pub fn csrf_token(&self, session: &Session) -> String {
        hex::encode(self.csrf_mac(session).finalize().into_bytes())
    }

    fn csrf_mac(&self, session: &Session) -> HmacSha256 {
        let mut mac = hmac(&self.csrf_key);
        mac.update(session.id.as_bytes());
        mac
    }

    /// Whether a request carries the session's CSRF token.
    pub fn has_csrf_token(&self, session: &Session, headers: &HeaderMap) -> bool {
        let sent = headers.get(CSRF_TOKEN).and_then(|token| hex::decode(token).ok());
        // Compares in constant time.
        sent.is_some_and(|token| self.csrf_mac(session).verify_slice(&token).is_ok())
    }

    /// Whether a request comes from a page of the service: no browser marks it as coming from another site. Clients that
    /// are no browsers send no such headers.
    pub fn is_from_own_page(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let mut sites = headers.get_all(FETCH_SITE).iter();
        let mut origins = headers.get_all(header::ORIGIN).iter();
        sites.all(|site| site == "same-origin")
            && origins.all(|origin| origin.to_str().is_ok_and(|origin| self.is_own(origin, headers, uri)))
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

pub(super) type HmacSha256 = Hmac<Sha256>;

pub(super) fn hmac(key: &[u8; 32]) -> HmacSha256 {
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

#[cfg(test)]
#[path = "console_tests.rs"]
mod tests;
