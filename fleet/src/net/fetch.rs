//! A page or a picture, from its URL to its bytes.

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

/// Who asks. Many servers turn away what doesn't look like a browser's beginning.
const AGENT: &str = concat!("Mozilla/5.0 (compatible; Vivid/", env!("CARGO_PKG_VERSION"), ")");
/// What is liked best.
const ACCEPTED: &str =
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/pdf;q=0.7,*/*;q=0.1";
/// Likewise, of pictures.
const ACCEPTED_PICTURES: &str = "image/webp,image/avif,image/jpeg,image/png,image/gif;q=0.5";

/// Why nothing was fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL, or one that it leads to, may not be fetched.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The name has no address, or nobody could be asked; why, is for the log.
    #[error("the host's name could not be found")]
    Unresolved(String),
    /// No address of the host could be connected to.
    #[error("the host could not be connected to ({0})")]
    Unreachable(String),
    /// The host is not who it should be, or speaks no TLS that is safe.
    #[error("no safe connection could be made ({0})")]
    Tls(String),
    /// The answer is no HTTP, or ended too early.
    #[error("the host's answer could not be read ({0})")]
    Http(#[from] hyper::Error),
    /// The answer's headers are too many or too long.
    #[error("the headers of the host's answer are too large")]
    Headers,
    /// The answer is an error.
    #[error("the host answered with status {0}")]
    Status(u16),
    /// A redirect that names no URL.
    #[error("the host redirects to something that is not a URL")]
    Redirect,
    /// A redirect to where it came from.
    #[error("the host redirects in a circle")]
    Loop,
    /// More redirects than are followed.
    #[error("the host redirects more than {0} times")]
    Redirects(usize),
    /// Nothing came for too long, before the body.
    #[error("the host took too long to answer")]
    TimedOut,
    /// The body comes too slowly, or takes too long.
    #[error("the host sends the page too slowly")]
    TooSlow,
    /// The body, unpacked, has more bytes than this.
    #[error("the page is larger than {0} bytes")]
    TooLarge(usize),
    /// The body is packed in a way that nobody asked for.
    #[error("the page is packed as {0:?}, which was not asked for")]
    Packing(String),
    /// The body can't be unpacked.
    #[error("the page can't be unpacked ({0})")]
    Packed(String),
    /// Not a kind that is wanted.
    #[error("it leads to {0}, which is not what was asked for or is not read")]
    Type(String),
}

impl FetchError {
    /// The contract's code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Refused(_) => "url_not_allowed",
            Self::TooLarge(_) => "url_too_large",
            Self::Type(_) => "url_unsupported_type",
            _ => "url_fetch_failed",
        }
    }

    /// Whether trying again may help.
    pub fn retry(&self) -> bool {
        match self {
            Self::Unresolved(_) | Self::Unreachable(_) | Self::TimedOut => true,
            Self::Http(e) => !e.is_parse(),
            // Too early, too many, and faults of the host's own.
            Self::Status(status) => matches!(status, 408 | 425 | 429 | 500..),
            _ => false,
        }
    }
}

/// Ceilings of a fetch.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// From the first look-up to the last byte, redirects included.
    pub total: Duration,
    /// Looking a name up; and connecting, TLS included, to any of a host's addresses.
    pub connect: Duration,
    /// From the request to the answer's headers.
    pub answer: Duration,
    /// Between two pieces of a body; and how long a body may come more slowly than `slowest`.
    pub silence: Duration,
    /// Bytes a second that a body must have on average.
    pub slowest: f64,
    /// Bytes of a page, packed and unpacked.
    pub page_bytes: usize,
    /// Bytes of a PDF or another file.
    pub file_bytes: usize,
    /// Bytes of a picture.
    pub picture_bytes: usize,
    /// Redirects that are followed.
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
    /// The most bytes of what is of this kind.
    fn bytes(&self, kind: Kind) -> usize {
        match kind {
            Kind::Html | Kind::Text => self.page_bytes,
            Kind::Pdf | Kind::File => self.file_bytes,
            Kind::Picture => self.picture_bytes,
        }
    }
}

/// What a [`Fetcher`] or a [`Poster`](super::Poster) is made of.
pub struct Parts {
    /// What may be fetched.
    pub guard: Guard,
    /// Looks names up.
    pub resolver: Arc<dyn Resolver>,
    /// Connects.
    pub dialler: Arc<dyn Dialler>,
    /// Whose certificates count.
    pub roots: RootCertStore,
    /// Ceilings.
    pub limits: Limits,
}

impl Parts {
    /// The network as it is.
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

/// What was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// Where it was found, after all redirects.
    pub url: String,
    /// What it is.
    pub kind: Kind,
    /// What the server calls it: its `Content-Type` without parameters.
    pub media: Option<String>,
    /// The character set that the server names.
    pub charset: Option<String>,
    /// The bytes, unpacked.
    pub body: Bytes,
}

/// Fetches pages.
pub struct Fetcher {
    connector: Connector,
    limits: Limits,
}

/// What came of one request.
enum Hop {
    Fetched(Fetched),
    Redirect(String),
    /// A page that consists of a redirect.
    Refresh(Fetched, String),
}

impl Fetcher {
    /// A fetcher of these parts.
    pub fn new(parts: Parts) -> Self {
        let Parts { guard, resolver, dialler, roots, limits } = parts;
        Self { connector: Connector::new(guard, resolver, dialler, roots, limits.connect), limits }
    }

    /// Fetches `url`, where it is of one of the kinds in `wanted`.
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
            // Without cookies, the same question has the same answer.
            if visited.iter().any(|v| v.url == next.url) {
                // A page that loads itself again is all there is.
                return page.ok_or(FetchError::Loop);
            }
            target = next;
        }
    }

    /// One request to one host.
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

    /// The body of a good answer.
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
        // What isn't announced may be any of what is wanted.
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

/// A `Location` as a reference to a URL. Its bytes beyond ASCII are UTF-8 or, where they are not, what the server expects to
/// be asked for: each stands for itself, escaped, as browsers send it.
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

/// What a server said, short and without control characters.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}
