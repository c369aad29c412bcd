//! Reads a body within limits, and decompresses it within limits.

use std::io::Read;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use tokio::time::{Instant, timeout};

use super::error::FetchError;
use super::limits::Limits;

/// The accepted encodings. Only one layer of compression is supported.
pub(super) const ACCEPT_ENCODING: &str = "gzip, br";
/// Decompressed bytes per compressed byte above which a body counts as a decompression bomb. Repetitive pages reach
/// about 50.
const RATIO: u64 = 250;
/// Decompressed bytes that never count as a bomb, whatever the ratio.
const HARMLESS: u64 = 1 << 20;
/// Bytes to decompress at a time.
const STEP: usize = 16 << 10;

/// The compression of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Packing {
    /// Not compressed.
    Plain,
    Gzip,
    /// Zlib per the standard; some servers send raw deflate.
    Deflate,
    Brotli,
}

impl Packing {
    /// Parses a `Content-Encoding`; `None` for an unsupported one.
    pub(super) fn read(header: Option<&str>) -> Option<Self> {
        match header.unwrap_or("").trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Some(Self::Plain),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            _ => None,
        }
    }
}

/// Reads `body` as sent, at most `ceiling` bytes.
///
/// # Errors
/// [`FetchError::TooLarge`] as soon as the size is known to exceed it; [`FetchError::TooSlow`] where bytes arrive too
/// slowly; errors of the connection.
pub(super) async fn read(mut body: Incoming, ceiling: usize, limits: &Limits) -> Result<Bytes, FetchError> {
    if body.size_hint().lower() > ceiling as u64 {
        return Err(FetchError::TooLarge(ceiling));
    }
    let began = Instant::now();
    let mut bytes = Vec::new();
    loop {
        let frame = timeout(limits.silence, body.frame()).await.map_err(|_| FetchError::TooSlow)?;
        let Some(frame) = frame else { return Ok(bytes.into()) };
        // Ignore trailers.
        let Ok(data) = frame?.into_data() else { continue };
        if bytes.len() + data.len() > ceiling {
            return Err(FetchError::TooLarge(ceiling));
        }
        bytes.extend_from_slice(&data);
        let past = began.elapsed();
        if past > limits.silence && (bytes.len() as f64) < limits.slowest * past.as_secs_f64() {
            return Err(FetchError::TooSlow);
        }
    }
}

/// Decompresses `bytes` to at most `ceiling` bytes.
///
/// # Errors
/// [`FetchError::TooLarge`] beyond the ceiling, and for a decompression bomb; [`FetchError::Packed`] for invalid data.
pub(super) fn unpack(bytes: Bytes, packing: Packing, ceiling: usize) -> Result<Bytes, FetchError> {
    let packed = bytes.as_ref();
    match packing {
        _ if packed.is_empty() => Ok(bytes),
        Packing::Plain => Ok(bytes),
        Packing::Gzip => drain(flate2::read::MultiGzDecoder::new(packed), packed.len(), ceiling),
        // RFC 1950: the first byte names the method, and the first two bytes, as a number, are a multiple of 31.
        Packing::Deflate => match *packed {
            [a, b, ..] if a & 15 == 8 && (u16::from(a) * 256 + u16::from(b)).is_multiple_of(31) => {
                drain(flate2::read::ZlibDecoder::new(packed), packed.len(), ceiling)
            }
            _ => drain(flate2::read::DeflateDecoder::new(packed), packed.len(), ceiling),
        },
        Packing::Brotli => drain(brotli_decompressor::Decompressor::new(packed, STEP), packed.len(), ceiling),
    }
}

fn drain(mut from: impl Read, packed: usize, ceiling: usize) -> Result<Bytes, FetchError> {
    let mut out = Vec::new();
    let mut step = vec![0; STEP];
    loop {
        let n = from.read(&mut step).map_err(|e| FetchError::Packed(e.to_string()))?;
        if n == 0 {
            return Ok(out.into());
        }
        let (len, packed) = ((out.len() + n) as u64, packed as u64);
        if len > ceiling as u64 || (len > HARMLESS && len > packed.saturating_mul(RATIO)) {
            return Err(FetchError::TooLarge(ceiling));
        }
        out.extend_from_slice(&step[..n]);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Write;

    use flate2::Compression;
    use proptest::prelude::*;

    use super::*;

    pub(in crate::net) fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    fn bare(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    /// "Tides rise and fall. " twelve times and a line break, as the reference encoder compresses it at quality 5.
    const BROTLI: &str = "1bfc0000c46dec7b9663f996e3041504be5a115980994d56dd2a5fcf33401f0917da4a4400";

    fn unpacked(bytes: Vec<u8>, packing: Packing) -> Result<Vec<u8>, FetchError> {
        unpack(bytes.into(), packing, 5 << 20).map(|b| b.to_vec())
    }

    #[test]
    fn what_was_packed_comes_out() {
        let page = "Tides rise and fall. ".repeat(12) + "\n";
        for (packed, packing) in [
            (page.clone().into_bytes(), Packing::Plain),
            (gzip(page.as_bytes()), Packing::Gzip),
            ([gzip(&page.as_bytes()[..50]), gzip(&page.as_bytes()[50..])].concat(), Packing::Gzip),
            (zlib(page.as_bytes()), Packing::Deflate),
            (bare(page.as_bytes()), Packing::Deflate),
            (hex::decode(BROTLI).unwrap(), Packing::Brotli),
        ] {
            assert_eq!(unpacked(packed, packing).unwrap(), page.as_bytes(), "{packing:?}");
        }
    }

    #[test]
    fn bombs_are_not_unpacked() {
        let bomb = gzip(&vec![b'a'; 6 << 20]);
        assert!(bomb.len() < 7_000);
        assert!(matches!(unpacked(bomb, Packing::Gzip), Err(FetchError::TooLarge(_))));
        // Below the ceiling, but above the ratio.
        assert!(matches!(unpacked(gzip(&vec![b'a'; 2 << 20]), Packing::Gzip), Err(FetchError::TooLarge(_))));
        assert!(unpacked(gzip(&vec![b'a'; 1 << 20]), Packing::Gzip).is_ok());
    }

    #[test]
    fn broken_packings_are_told() {
        let packed = gzip(b"Tides rise and fall.");
        for cut in 1..packed.len() {
            let read = unpacked(packed[..cut].to_vec(), Packing::Gzip);
            assert!(matches!(read, Err(FetchError::Packed(_))), "cut at {cut}: {read:?}");
        }
        assert!(matches!(unpacked(b"<html>".to_vec(), Packing::Gzip), Err(FetchError::Packed(_))));
        assert!(matches!(
            unpacked(hex::decode(BROTLI).unwrap()[..9].to_vec(), Packing::Brotli),
            Err(FetchError::Packed(_))
        ));
    }

    #[test]
    fn encodings_are_read_and_none_is_stacked() {
        for (header, packing) in [
            (None, Some(Packing::Plain)),
            (Some("GZIP "), Some(Packing::Gzip)),
            (Some("br"), Some(Packing::Brotli)),
            (Some("deflate"), Some(Packing::Deflate)),
            (Some("gzip, gzip"), None),
            (Some("zstd"), None),
        ] {
            assert_eq!(Packing::read(header), packing, "{header:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_unpack_or_are_broken(mut bytes in proptest::collection::vec(any::<u8>(), 0..400), at in 0_usize..60) {
            for packing in [Packing::Gzip, Packing::Deflate, Packing::Brotli] {
                let _ = unpacked(bytes.clone(), packing);
            }
            // Arbitrary bytes after a valid beginning.
            let mut packed = gzip(b"Tides rise and fall.");
            packed.truncate(at);
            packed.append(&mut bytes);
            let _ = unpacked(packed, Packing::Gzip);
        }
    }
}
