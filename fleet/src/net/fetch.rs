//! Fetches a page, file or picture from its URL.

use bytes::Bytes;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HOST, HeaderName, LOCATION, USER_AGENT};
use hyper::{Request, Response};
use tokio::time::timeout;

use super::body::{self, Packing};
use super::connect::{Answered, Connector, ask, asked_for};
use super::error::FetchError;
use super::kind::{self, Announced, Kind};
use super::limits::Limits;
use super::parts::Parts;
use super::refresh;
use super::refusal::{Refusal, Target};

/// The `User-Agent`. Many servers refuse one that does not begin like a browser's.
const AGENT: &str = concat!("Mozilla/5.0 (compatible; Vivid/", env!("CARGO_PKG_VERSION"), ")");
/// The `Accept` header for pages and files.
const ACCEPTED: &str =
    "text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.8,application/pdf;q=0.7,*/*;q=0.1";
/// The `Accept` header for pictures.
const ACCEPTED_PICTURES: &str = "image/webp,image/avif,image/jpeg,image/png,image/gif;q=0.5";

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
