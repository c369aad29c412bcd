//! Fetches a page, file or picture from its URL.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, LOCATION, USER_AGENT};
use hyper::{Request, Response};
use render_core::limits;
use tokio::time::timeout;
use tokio_rustls::rustls::RootCertStore;

use super::body::{self, Packing};
use super::connect::{Answered, Connector, ask, asked_for};
use super::dial::{self, Dialler, Resolver, SystemResolver, TcpDialler};
use super::guard::Guard;
use super::kind::{self, Announced, Kind};
use super::refresh;
use super::refusal::{Refusal, Target};
use crate::protocol::FailureCode;

/// The `User-Agent`. Many servers refuse one that does not begin like a browser's.
const AGENT: &str = concat!("Mozilla/5.0 (compatible; Vivid/", env!("CARGO_PKG_VERSION"), ")");
/// The `Accept` header for pages and files.
const ACCEPTED: &str =
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/pdf;q=0.7,*/*;q=0.1";
/// The `Accept` header for pictures.
const ACCEPTED_PICTURES: &str = "image/webp,image/avif,image/jpeg,image/png,image/gif;q=0.5";

/// Why a fetch failed.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL, or a redirect target, is not allowed.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The name has no address, or no resolver answered. The reason is only for the log.
    #[error("the host's name could not be resolved")]
    Unresolved(String),
    /// Connecting to every address of the host failed.
    #[error("connecting to the host failed ({0})")]
    Unreachable(String),
    /// The host has no valid certificate, or supports no secure version of TLS.
    #[error("no secure connection could be established ({0})")]
    Tls(String),
    /// The response is not HTTP, or ended too early.
    #[error("the host's answer could not be read ({0})")]
    Http(#[from] hyper::Error),
    /// The response has too many headers, or they are too long.
    #[error("the headers of the host's answer are too large")]
    Headers,
    /// The response is an error.
    #[error("the host answered with status {0}")]
    Status(u16),
    /// A redirect whose location is not a URL.
    #[error("the host redirects to a location that is not a URL")]
    Redirect,
    /// A redirect to a URL that was already visited.
    #[error("the host redirects in a loop")]
    Loop,
    /// More redirects than allowed.
    #[error("the host redirects more than {0} times")]
    Redirects(usize),
    /// The host did not answer in time, before the body.
    #[error("the host did not answer in time")]
    TimedOut,
    /// The body arrives too slowly, or takes too long.
    #[error("the host sends the page too slowly")]
    TooSlow,
    /// The decompressed body exceeds this many bytes.
    #[error("the page is larger than {0} bytes")]
    TooLarge(usize),
    /// The body has an encoding that the request does not accept.
    #[error("the page has the content encoding {0:?}, which is not supported")]
    Packing(String),
    /// The body can't be decompressed.
    #[error("the page can't be decompressed ({0})")]
    Packed(String),
    /// The response is not of a requested kind.
    #[error("the URL leads to content that is not supported ({0})")]
    Type(String),
}

impl FetchError {
    /// Returns the API's error code.
    pub fn code(&self) -> FailureCode {
        match self {
            Self::Refused(_) => FailureCode::UrlNotAllowed,
            Self::TooLarge(_) => FailureCode::UrlTooLarge,
            Self::Type(_) => FailureCode::UrlUnsupportedType,
            _ => FailureCode::UrlFetchFailed,
        }
    }

    /// Returns whether a retry may succeed.
    pub fn retry(&self) -> bool {
        match self {
            Self::Unresolved(_) | Self::Unreachable(_) | Self::TimedOut => true,
            Self::Http(e) => !e.is_parse(),
            // Temporary client errors, and errors of the server.
            Self::Status(status) => matches!(status, 408 | 425 | 429 | 500..),
            _ => false,
        }
    }
}

/// Limits of a fetch.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// From the first name resolution to the last byte, redirects included.
    pub total: Duration,
    /// Resolving a name; and connecting, TLS included, to any of a host's addresses.
    pub connect: Duration,
    /// From the request to the headers of the response.
    pub answer: Duration,
    /// Maximum pause between two pieces of a body; also how long a body may arrive more slowly than `slowest`.
    pub silence: Duration,
    /// Minimum average bytes per second of a body.
    pub slowest: f64,
    /// Maximum bytes of a page, compressed and decompressed.
    pub page_bytes: usize,
    /// Maximum bytes of a PDF or another file.
    pub file_bytes: usize,
    /// Maximum bytes of a picture.
    pub picture_bytes: usize,
    /// Maximum redirects to follow.
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: limits::FETCH_TIME,
            connect: Duration::from_secs(5),
            answer: Duration::from_secs(10),
            silence: Duration::from_secs(4),
            slowest: 1024.0,
            page_bytes: limits::WEB_PAGE_BYTES,
            file_bytes: limits::PDF_BYTES,
            picture_bytes: limits::PHOTO_BYTES,
            redirects: limits::REDIRECTS,
        }
    }
}

impl Limits {
    /// Returns the maximum bytes of this kind.
    fn bytes(&self, kind: Kind) -> usize {
        match kind {
            Kind::Html | Kind::Text => self.page_bytes,
            Kind::Pdf | Kind::File => self.file_bytes,
            Kind::Picture => self.picture_bytes,
        }
    }
}

/// The parts from which a [`Fetcher`] or a [`Poster`](super::Poster) is built.
pub struct Parts {
    /// Decides what may be fetched.
    pub guard: Guard,
    /// Resolves names.
    pub resolver: Arc<dyn Resolver>,
    /// Opens connections.
    pub dialler: Arc<dyn Dialler>,
    /// Trusted root certificates.
    pub roots: RootCertStore,
    /// Limits of time, size and redirects.
    pub limits: Limits,
}

impl Parts {
    /// Returns the parts for the real network.
    pub fn of_the_system(guard: Guard) -> Self {
        Self {
            guard,
            resolver: Arc::new(SystemResolver),
            dialler: Arc::new(TcpDialler),
            roots: dial::roots(),
            limits: Limits::default(),
        }
    }
}

/// A fetched resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Its URL after all redirects.
    pub url: String,
    /// Its kind.
    pub kind: Kind,
    /// The server's `Content-Type` without parameters.
    pub media: Option<String>,
    /// The character set that the server declares.
    pub charset: Option<String>,
    /// The decompressed bytes.
    pub body: Bytes,
}

/// Fetches pages, files and pictures.
pub struct Fetcher {
    connector: Connector,
    limits: Limits,
}

/// The result of one request.
enum Hop {
    Fetched(Fetched),
    Redirect(String),
    /// A page that consists of a redirect.
    Refresh(Fetched, String),
}

impl Fetcher {
    /// Creates a fetcher from these parts.
    pub fn new(parts: Parts) -> Self {
        let Parts { guard, resolver, dialler, roots, limits } = parts;
        Self { connector: Connector::new(guard, resolver, dialler, roots, limits.connect), limits }
    }

    /// Fetches `url`, if it is of one of the kinds in `wanted`.
    ///
    /// # Errors
    /// [`FetchError`].
    pub async fn fetch(&self, url: &str, wanted: &[Kind]) -> Result<Fetched, FetchError> {
        timeout(self.limits.total, self.follow(url, wanted)).await.unwrap_or(Err(FetchError::TooSlow))
    }

    async fn follow(&self, url: &str, wanted: &[Kind]) -> Result<Fetched, FetchError> {
        let mut target = self.connector.guard.judge(url)?;
        let mut visited = Vec::new();
        loop {
            let (location, page) = match self.exchange(&target, wanted).await? {
                Hop::Fetched(fetched) => return Ok(fetched),
                Hop::Redirect(location) => (location, None),
                Hop::Refresh(page, location) => (location, Some(page)),
            };
            if visited.len() >= self.limits.redirects {
                return Err(FetchError::Redirects(self.limits.redirects));
            }
            let next = self.connector.guard.judge_redirect(&target, &location)?;
            visited.push(target);
            // Without cookies, the same request gets the same answer.
            if visited.iter().any(|v| v.url == next.url) {
                // A page that refreshes itself is not a redirect, so it is the result.
                return page.ok_or(FetchError::Loop);
            }
            target = next;
        }
    }

    /// Sends one request to one host.
    async fn exchange(&self, target: &Target, wanted: &[Kind]) -> Result<Hop, FetchError> {
        let stream = self.connector.connect(target).await?;
        let Answered { answer, driver: _driver } = ask(stream, request(target, wanted)?, self.limits.answer).await?;
        let status = answer.status();
        if status.is_redirection()
            && let Some(location) = answer.headers().get(LOCATION)
        {
            return Ok(Hop::Redirect(reference(location.as_bytes())));
        }
        if !status.is_success() {
            return Err(FetchError::Status(status.as_u16()));
        }
        let fetched = self.take(target, answer, wanted).await?;
        let leads = if fetched.kind == Kind::Html { refresh::location(&fetched.body) } else { None };
        Ok(match leads {
            Some(location) => Hop::Refresh(fetched, reference(&location)),
            None => Hop::Fetched(fetched),
        })
    }

    /// Reads the body of a successful response.
    async fn take(&self, target: &Target, answer: Response<Incoming>, wanted: &[Kind]) -> Result<Fetched, FetchError> {
        let content_type = header(&answer, CONTENT_TYPE).map(str::to_owned);
        let announced = kind::announced(content_type.as_deref());
        let unwanted = || FetchError::Type(content_type.as_deref().map_or("of an unknown type".into(), shown));
        match announced {
            Announced::Other => return Err(unwanted()),
            Announced::Kind(kind) if !wanted.contains(&kind) => return Err(unwanted()),
            Announced::Kind(_) | Announced::Nothing => {}
        }
        let encoding = header(&answer, CONTENT_ENCODING).map(str::to_owned);
        let packing = Packing::read(encoding.as_deref())
            .ok_or_else(|| FetchError::Packing(shown(encoding.as_deref().unwrap_or(""))))?;
        // An undeclared kind may be any of those wanted, so the largest ceiling applies.
        let ceiling = match announced {
            Announced::Kind(kind) => self.limits.bytes(kind),
            _ => wanted.iter().map(|kind| self.limits.bytes(*kind)).max().unwrap_or(0),
        };
        let packed = body::read(answer.into_body(), ceiling, &self.limits).await?;
        let unpacked = tokio::task::spawn_blocking(move || body::unpack(packed, packing, ceiling)).await;
        let body = unpacked.map_err(|e| FetchError::Packed(e.to_string()))??;
        let kind = match announced {
            Announced::Kind(kind) => kind,
            _ => kind::sniff(&body).filter(|k| wanted.contains(k)).ok_or_else(unwanted)?,
        };
        if body.len() > self.limits.bytes(kind) {
            return Err(FetchError::TooLarge(self.limits.bytes(kind)));
        }
        let charset = content_type.as_deref().and_then(kind::charset);
        let media = content_type.as_deref().and_then(|t| t.split(';').next()).map(|t| t.trim().to_owned());
        Ok(Fetched { url: target.url().to_owned(), kind, media, charset, body })
    }
}

fn request(target: &Target, wanted: &[Kind]) -> Result<Request<Empty<Bytes>>, FetchError> {
    let (uri, host) = asked_for(target)?;
    let request = Request::get(uri)
        .header(HOST, host)
        .header(USER_AGENT, AGENT)
        .header(ACCEPT, if wanted == [Kind::Picture] { ACCEPTED_PICTURES } else { ACCEPTED })
        .header(ACCEPT_ENCODING, body::ACCEPT_ENCODING)
        .header(hyper::header::CONNECTION, "close");
    Ok(request.body(Empty::new()).map_err(|_| Refusal::Malformed)?)
}

fn header(answer: &Response<Incoming>, name: HeaderName) -> Option<&str> {
    answer.headers().get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
}

/// Converts a `Location` into a URL reference. Bytes beyond ASCII are UTF-8, or else the bytes that the server expects
/// in the next request: each of those is percent-encoded, as browsers do.
fn reference(location: &[u8]) -> String {
    match std::str::from_utf8(location) {
        Ok(text) => text.to_owned(),
        Err(_) => location.iter().fold(String::with_capacity(2 * location.len()), |mut text, byte| {
            match byte.is_ascii() {
                true => text.push(char::from(*byte)),
                false => text.push_str(percent_encoding::percent_encode_byte(*byte)),
            }
            text
        }),
    }
}

/// Returns text from a server, shortened and without control characters.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}
