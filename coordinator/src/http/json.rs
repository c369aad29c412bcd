//! Strict parsing of JSON bodies: a UTF-8 object without duplicate keys.

use std::cell::Cell;
use std::fmt;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, header};
use futures::StreamExt;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::error::ApiError;

/// Maximum size of a body in bytes.
pub const BODY_BYTES: usize = 1 << 20;
/// Maximum size in bytes of a body that contains a file in base64.
pub const FILE_BODY_BYTES: usize = 36 << 20;
/// Bytes beyond the limit that are read and discarded, so that the sender can still read the error response.
pub(crate) const DROPPED_BYTES: usize = 16 << 20;
/// Maximum number of values in a body.
const VALUES: usize = 100_000;
/// Time limit for receiving a body.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(10);
/// Maximum size in bytes of a body sent without a key or a session: an e-mail address and a password.
pub(crate) const STRANGERS_BODY_BYTES: usize = 64 << 10;

/// A JSON body whose size and media type are checked, but which is not parsed yet.
#[derive(Debug)]
pub struct Unparsed(Bytes);

impl Unparsed {
    /// Reads a body with these headers.
    ///
    /// # Errors
    /// [`ApiError::UnsupportedMediaType`], [`ApiError::BodyTooLarge`], [`ApiError::BodyTimeout`].
    pub async fn read(headers: &HeaderMap, body: Body) -> Result<Self, ApiError> {
        read(headers, body, BODY_BYTES).await.map(Self)
    }

    /// Parses the body.
    ///
    /// # Errors
    /// [`ApiError::InvalidJson`].
    pub fn fields(&self) -> Result<Map<String, Value>, ApiError> {
        parse(&self.0)
    }

    /// Returns the bytes of the body.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl<S: Send + Sync> FromRequest<S> for Unparsed {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (head, body) = request.into_parts();
        Self::read(&head.headers, body).await
    }
}

/// The object in a JSON body.
#[derive(Debug)]
pub struct Fields(pub Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        Unparsed::from_request(request, state).await?.fields().map(Self)
    }
}

/// The object in an optional JSON body. An empty body needs no `Content-Type` and stands for an empty object.
#[derive(Debug)]
pub struct OptionalFields(pub Map<String, Value>);

impl<S: Send + Sync> FromRequest<S> for OptionalFields {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (head, body) = request.into_parts();
        let body = read_bytes(body, BODY_BYTES, BODY_TIME).await?;
        if body.is_empty() {
            return Ok(Self(Map::new()));
        }
        check_type(&head.headers)?;
        parse(&body).map(Self)
    }
}

/// Reads the JSON object in the body of an unauthenticated request.
///
/// # Errors
/// The same as [`Unparsed::read`] and [`parse`].
pub async fn fields_of_stranger(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, ApiError> {
    parse(&read(headers, body, STRANGERS_BODY_BYTES).await?)
}

/// Reads a body of any media type, of at most `most` bytes.
///
/// # Errors
/// [`ApiError::BodyTooLarge`], [`ApiError::BodyTimeout`].
pub async fn read_bytes(body: Body, most: usize, time: Duration) -> Result<Bytes, ApiError> {
    let read = tokio::time::timeout(time, collect(body, most)).await.map_err(|_| ApiError::BodyTimeout)??;
    read.ok_or(ApiError::BodyTooLarge(most))
}

async fn read(headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, ApiError> {
    let read = tokio::time::timeout(BODY_TIME, collect(body, most)).await.map_err(|_| ApiError::BodyTimeout)??;
    check_type(headers)?;
    read.ok_or(ApiError::BodyTooLarge(most))
}

/// Collects the body. Returns `None` if it has more than `most` bytes.
async fn collect(body: Body, most: usize) -> Result<Option<Bytes>, ApiError> {
    let mut stream = body.into_data_stream();
    let (mut kept, mut seen) = (Vec::new(), 0);
    while let Some(part) = stream.next().await {
        let part = part.map_err(|_| broken_off())?;
        seen += part.len();
        if seen <= most {
            kept.extend_from_slice(&part);
        } else if seen > most + DROPPED_BYTES {
            break;
        }
    }
    Ok((seen <= most).then(|| kept.into()))
}

/// The error for a body that ends too early.
pub(crate) fn broken_off() -> ApiError {
    ApiError::InvalidJson("it ended before it was complete".into())
}

/// Checks that the headers declare the body as JSON in UTF-8.
///
/// # Errors
/// [`ApiError::UnsupportedMediaType`].
pub(crate) fn check_type(headers: &HeaderMap) -> Result<(), ApiError> {
    let wrong = |why: &str| Err(ApiError::UnsupportedMediaType(why.into()));
    if headers.get(header::CONTENT_ENCODING).is_some_and(|e| e != "identity") {
        return wrong("Send the body uncompressed, without Content-Encoding.");
    }
    let said = headers.get(header::CONTENT_TYPE).and_then(|t| t.to_str().ok()).unwrap_or_default();
    let (kind, parameters) = said.split_once(';').unwrap_or((said, ""));
    let charset =
        parameters.split(';').find_map(|p| p.trim().split_once('=').filter(|(n, _)| n.eq_ignore_ascii_case("charset")));
    if !kind.trim().eq_ignore_ascii_case("application/json") {
        return wrong("Send the body as JSON, with Content-Type: application/json.");
    }
    if charset.is_some_and(|(_, c)| !c.trim_matches('"').eq_ignore_ascii_case("utf-8")) {
        return wrong("Send the body in UTF-8.");
    }
    Ok(())
}

/// Parses a JSON object.
///
/// # Errors
/// [`ApiError::InvalidJson`].
pub fn parse(body: &[u8]) -> Result<Map<String, Value>, ApiError> {
    let invalid = |why: String| ApiError::InvalidJson(why);
    if body.starts_with(b"\xef\xbb\xbf") {
        return Err(invalid("it begins with a byte order mark".into()));
    }
    let text = std::str::from_utf8(body).map_err(|e| invalid(format!("byte {} is not UTF-8", e.valid_up_to())))?;
    let mut reader = serde_json::Deserializer::from_str(text);
    let left = Cell::new(VALUES);
    let value = Strict(&left).deserialize(&mut reader).and_then(|v| reader.end().map(|()| v));
    match value.map_err(|e| invalid(e.to_string()))? {
        Value::Object(map) => Ok(map),
        _ => Err(invalid("it is not an object".into())),
    }
}

/// Deserializes any value. Rejects duplicate keys in an object, and counts down the number of values still allowed: a
/// parsed value takes many times the memory of its text.
#[derive(Clone, Copy)]
struct Strict<'a>(&'a Cell<usize>);

impl Strict<'_> {
    fn count<E: Error>(self) -> Result<(), E> {
        let left = self.0.get().checked_sub(1).ok_or_else(|| Error::custom("it holds too many values"))?;
        self.0.set(left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, v: bool) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_i64<E: Error>(self, v: i64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_u64<E: Error>(self, v: u64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_f64<E: Error>(self, v: f64) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_str<E: Error>(self, v: &str) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_string<E: Error>(self, v: String) -> Result<Value, E> {
        Ok(v.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(self)? {
            self.count()?;
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            self.count()?;
            let value = map.next_value_seed(self)?;
            if object.contains_key(&key) {
                let shown: String = key.chars().take(40).collect();
                return Err(Error::custom(format_args!("the key {shown:?} stands twice")));
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_objects_in_utf8_without_repeated_keys() {
        assert_eq!(parse(br#"{"a": [1, {"b": null}]}"#).unwrap()["a"][1]["b"], Value::Null);
        let deep = |n: usize| format!("{}1{}", "{\"a\":".repeat(n), "}".repeat(n)).into_bytes();
        assert!(parse(&deep(100)).is_ok());
        for wrong in [
            b"".as_slice(),
            b"{",
            br#"{"a": 1"#,
            b"\xef\xbb\xbf{}",
            b"{\"a\": \"\xff\"}",
            br#"{"a": NaN}"#,
            br#"{"a": "\ud800"}"#,
            br#"{"a": 1, "a": 2}"#,
            br#"{"a": {"b": 1, "b": 1}}"#,
            br#"[{"b": 1, "b": 1}]"#,
            b"[]",
            b"\"{}\"",
            b"{} {}",
            b"{\"a\": 1e999}",
            format!("{{\"a\": [0{}]}}", ",0".repeat(VALUES)).as_bytes(),
            &deep(129),
            &deep(100_000),
        ] {
            assert!(matches!(parse(wrong), Err(ApiError::InvalidJson(_))), "{:?}", String::from_utf8_lossy(wrong));
        }
    }

    #[test]
    fn only_json_as_it_is() {
        let check = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().unwrap());
            }
            check_type(&headers).is_ok()
        };
        assert!(check(&[("content-type", "application/json")]));
        assert!(check(&[("content-type", "Application/JSON; charset=\"UTF-8\"")]));
        assert!(check(&[("content-type", "application/json"), ("content-encoding", "identity")]));
        assert!(!check(&[]));
        assert!(!check(&[("content-type", "text/plain")]));
        assert!(!check(&[("content-type", "application/json; charset=latin1")]));
        assert!(!check(&[("content-type", "application/json"), ("content-encoding", "gzip")]));
    }

    proptest! {
        #[test]
        fn anything_may_be_parsed(body in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&body);
        }

        #[test]
        fn what_it_reads_is_what_serde_json_reads(key in "[a-z]{1,4}", n in any::<i64>(), text in "\\PC*") {
            let body = serde_json::json!({ key: [n, text, true, null] });
            prop_assert_eq!(Value::Object(parse(body.to_string().as_bytes()).unwrap()), body);
        }
    }
}
