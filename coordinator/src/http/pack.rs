//! Compresses JSON responses and pages (gzip, Brotli) for clients that accept it. Images are already compressed, and event
//! streams are not compressed because events must arrive immediately.
//!
//! A page of the console contains the token of its session, but nothing from the request. The compressed size therefore
//! tells an attacker who makes a browser send requests nothing about the token.

use std::io::Write;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Smallest body in bytes that is compressed. A smaller one fits in one packet anyway.
const LEAST: u64 = 1024;
/// Largest body in bytes that is compressed. No response is larger, and compression needs memory for a second copy.
const MOST: u64 = 32 << 20;
/// Size in bytes from which compression runs on a blocking thread, so that it does not delay other requests.
const HEAVY: usize = 64 << 10;
/// Compression level: a list of 100 generations compresses in a few milliseconds.
const GZIP_LEVEL: u32 = 4;
const BROTLI_LEVEL: u32 = 4;
/// Brotli's window size, as a power of two in bytes.
const BROTLI_WINDOW: u32 = 18;

/// A content encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Packing {
    Gzip,
    Brotli,
}

/// The middleware around the routes.
pub async fn pack(request: Request, next: Next) -> Response {
    let packing = accepted(request.headers());
    let response = next.run(request).await;
    // Applies to HEAD as well: its body is removed later, and its headers must equal those of GET.
    let bytes = response.body().size_hint().exact();
    let is_text = response.headers().get(header::CONTENT_TYPE).is_some_and(|t| is_text(t.as_bytes()));
    let is_packed = response.headers().contains_key(header::CONTENT_ENCODING);
    if !is_text || is_packed || !bytes.is_some_and(|n| (LEAST..=MOST).contains(&n)) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    head.headers.append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    let Some(packing) = packing else { return Response::from_parts(head, body) };
    let bytes = match to_bytes(body, usize::try_from(MOST).unwrap_or(usize::MAX)).await {
        Ok(bytes) => bytes,
        Err(error) => {
            tracing::error!(%error, "reading a response body failed");
            return super::error::ApiError::Internal.into_response();
        }
    };
    let packed = match bytes.len() {
        0..HEAVY => packed(&bytes, packing),
        _ => {
            let whole = bytes.clone();
            tokio::task::spawn_blocking(move || packed(&whole, packing)).await.unwrap_or(None)
        }
    };
    let Some(packed) = packed else { return Response::from_parts(head, Body::from(bytes)) };
    head.headers.remove(header::CONTENT_LENGTH);
    mark(&mut head.headers, packing);
    Response::from_parts(head, Body::from(packed))
}

fn mark(headers: &mut HeaderMap, packing: Packing) {
    let name = match packing {
        Packing::Gzip => "gzip",
        Packing::Brotli => "br",
    };
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    // The bytes differ from those that the strong tag names, but the content is the same, so the tag becomes weak (RFC
    // 9110, section 8.8.3).
    let strong = headers.get(header::ETAG).filter(|t| t.as_bytes().starts_with(b"\""));
    if let Some(weak) = strong.and_then(|t| HeaderValue::from_bytes(&[b"W/", t.as_bytes()].concat()).ok()) {
        headers.insert(header::ETAG, weak);
    }
}

fn is_text(content_type: &[u8]) -> bool {
    let kind = content_type.split(|b| *b == b';').next().unwrap_or_default().trim_ascii();
    let kind = kind.to_ascii_lowercase();
    kind == b"application/json" || kind == b"text/html" || kind.ends_with(b"+json")
}

fn packed(bytes: &Bytes, packing: Packing) -> Option<Vec<u8>> {
    let out = Vec::with_capacity(bytes.len() / 4);
    match packing {
        Packing::Gzip => {
            let mut writer = GzEncoder::new(out, Compression::new(GZIP_LEVEL));
            writer.write_all(bytes).ok()?;
            writer.finish().ok()
        }
        Packing::Brotli => {
            let mut writer = brotli::CompressorWriter::new(out, 4096, BROTLI_LEVEL, BROTLI_WINDOW);
            writer.write_all(bytes).ok()?;
            Some(writer.into_inner())
        }
    }
}

/// Returns the encoding that the client prefers (RFC 9110, section 12.5.3), or the smaller one if it has no preference.
fn accepted(headers: &HeaderMap) -> Option<Packing> {
    let (mut gzip, mut brotli, mut any) = (None, None, None);
    let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|v| v.to_str().ok());
    for item in lines.flat_map(|line| line.split(',')) {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default();
        let quality = parts.find_map(|p| p.strip_prefix("q=").or_else(|| p.strip_prefix("Q=")));
        let quality = quality.map_or(1.0, |q| q.parse::<f32>().unwrap_or(0.0));
        match () {
            () if name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip") => gzip = Some(quality),
            () if name.eq_ignore_ascii_case("br") => brotli = Some(quality),
            () if name == "*" => any = Some(quality),
            () => {}
        }
    }
    let (gzip, brotli) = (gzip.or(any).unwrap_or(0.0), brotli.or(any).unwrap_or(0.0));
    match () {
        () if brotli > 0.0 && brotli >= gzip => Some(Packing::Brotli),
        () if gzip > 0.0 => Some(Packing::Gzip),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    fn asked(value: &str) -> Option<Packing> {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap());
        accepted(&headers)
    }

    #[test]
    fn clients_get_what_they_take() {
        assert_eq!(asked("gzip, deflate, br, zstd"), Some(Packing::Brotli));
        assert_eq!(asked("gzip"), Some(Packing::Gzip));
        assert_eq!(asked("GZip;q=0.8, br; q=0.5"), Some(Packing::Gzip));
        assert_eq!(asked("gzip;q=0, br;q=0"), None);
        assert_eq!(asked("*"), Some(Packing::Brotli));
        assert_eq!(asked("*, br;q=0"), Some(Packing::Gzip));
        for none in ["", "identity", "deflate", "gzip;q=x", "zstd"] {
            assert_eq!(asked(none), None, "{none}");
        }
        assert_eq!(accepted(&HeaderMap::new()), None);
    }

    #[test]
    fn only_json_is_packed() {
        for json in ["application/json", "application/json; charset=utf-8", "Application/Problem+JSON"] {
            assert!(is_text(json.as_bytes()), "{json}");
        }
        for other in ["text/event-stream", "image/png", "application/jsonl", ""] {
            assert!(!is_text(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn a_tag_is_weak_once_the_bytes_are_others() {
        for (tag, marked) in [("\"a\"", "W/\"a\""), ("W/\"a\"", "W/\"a\"")] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ETAG, HeaderValue::from_static(tag));
            mark(&mut headers, Packing::Gzip);
            assert_eq!(headers[header::ETAG], marked);
        }
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_out_whole(bytes in prop::collection::vec(any::<u8>(), 0..5000)) {
            let bytes = Bytes::from(bytes);
            let mut out = Vec::new();
            let gzip = packed(&bytes, Packing::Gzip).unwrap();
            flate2::read::GzDecoder::new(gzip.as_slice()).read_to_end(&mut out).unwrap();
            prop_assert_eq!(&out, &bytes);
            out.clear();
            let brotli = packed(&bytes, Packing::Brotli).unwrap();
            brotli::Decompressor::new(brotli.as_slice(), 4096).read_to_end(&mut out).unwrap();
            prop_assert_eq!(&out, &bytes);
        }
    }
}
