//! Conditional and range requests: answers without a body if the client's copy is current, and with part of the body if
//! the client asks for a range (RFC 9110, sections 13 and 14).

use std::ops::Range;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, RANGE};
use axum::http::{HeaderMap, HeaderName};

/// The validators that distinguish one version of a resource from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// The entity tag: a strong one, including its quotation marks.
    pub tag: String,
    /// The modification time in whole seconds, if known.
    pub modified: Option<SystemTime>,
}

/// The part of a body that a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The whole body.
    Whole,
    /// These bytes. The range is not empty and lies within the body.
    Bytes(Range<u64>),
    /// A range that lies beyond the end of the body.
    Beyond,
}

impl Version {
    /// Creates validators from a tag (without quotation marks) and a modification time.
    pub fn new(tag: &str, modified: Option<SystemTime>) -> Self {
        // HTTP dates have a resolution of one second.
        let whole =
            |t: SystemTime| UNIX_EPOCH + Duration::from_secs(t.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs()));
        Self { tag: format!("\"{tag}\""), modified: modified.map(whole) }
    }

    /// Whether the client's copy is current.
    pub fn is_had(&self, headers: &HeaderMap) -> bool {
        if headers.contains_key(IF_NONE_MATCH) {
            let lines = headers.get_all(IF_NONE_MATCH).iter().filter_map(|v| v.to_str().ok());
            let mut tags = lines.flat_map(|line| line.split(',')).map(str::trim);
            return tags.any(|t| t == "*" || t.strip_prefix("W/").unwrap_or(t) == self.tag);
        }
        let since = text(headers, &IF_MODIFIED_SINCE).and_then(|d| httpdate::parse_http_date(d).ok());
        self.modified.zip(since).is_some_and(|(modified, since)| modified <= since)
    }

    /// Returns the part that the client asks for, of a body with this many bytes. An unreadable range and a request for
    /// several ranges count as the whole body.
    pub fn part(&self, headers: &HeaderMap, bytes: u64) -> Part {
        let Some(range) = text(headers, &RANGE) else { return Part::Whole };
        let of_another = match text(headers, &IF_RANGE) {
            Some(tag) if tag.starts_with(['"', 'W']) && tag.contains('"') => tag != self.tag,
            Some(date) => self.modified.is_none() || httpdate::parse_http_date(date).ok() != self.modified,
            None => headers.contains_key(IF_RANGE),
        };
        if of_another { Part::Whole } else { wanted(range, bytes).unwrap_or(Part::Whole) }
    }
}

/// Returns the value of a header that occurs exactly once.
fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    values.next().filter(|_| values.next().is_none())?.to_str().ok()
}

fn wanted(range: &str, bytes: u64) -> Option<Part> {
    let (unit, set) = range.split_once('=')?;
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return None;
    }
    let (first, last) = set.trim().split_once('-')?;
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        // The number does not fit in 64 bits, so it lies beyond any end.
        is_number.then(|| digits.parse().unwrap_or(u64::MAX))
    };
    let range = match (first, last) {
        ("", last) => bytes.saturating_sub(number(last)?)..bytes,
        (first, "") => number(first)?..bytes,
        (first, last) => {
            let (first, last): (u64, u64) = (number(first)?, number(last)?);
            if first > last {
                return None;
            }
            first..bytes.min(last.saturating_add(1))
        }
    };
    Some(if range.is_empty() { Part::Beyond } else { Part::Bytes(range) })
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn headers(of: &[(HeaderName, &str)]) -> HeaderMap {
        of.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    /// The example of RFC 9110, section 5.6.7, plus half a second.
    fn version() -> Version {
        Version::new("a1", Some(UNIX_EPOCH + Duration::from_millis(784_111_777_500)))
    }

    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
    const BEFORE: &str = "Sun, 06 Nov 1994 08:49:36 GMT";

    #[test]
    fn what_is_had_is_known_by_its_tag_or_else_its_date() {
        let had = |of: &[(HeaderName, &str)]| version().is_had(&headers(of));
        assert!(!had(&[]));
        for tags in ["\"a1\"", "W/\"a1\"", "\"b\", \"a1\"", "*"] {
            assert!(had(&[(IF_NONE_MATCH, tags)]), "{tags}");
        }
        assert!(!had(&[(IF_NONE_MATCH, "\"b\""), (IF_MODIFIED_SINCE, DATE)]), "the tag goes before the date");
        assert!(had(&[(IF_MODIFIED_SINCE, DATE)]));
        assert!(!had(&[(IF_MODIFIED_SINCE, BEFORE)]));
        assert!(!had(&[(IF_MODIFIED_SINCE, "yesterday")]));
        assert!(!Version::new("a1", None).is_had(&headers(&[(IF_MODIFIED_SINCE, DATE)])));
    }

    #[test]
    fn a_part_is_one_range_of_bytes() {
        let part = |range: &str| version().part(&headers(&[(RANGE, range)]), 100);
        assert_eq!(part("bytes=0-9"), Part::Bytes(0..10));
        assert_eq!(part("Bytes=90-"), Part::Bytes(90..100));
        assert_eq!(part("bytes=90-4000"), Part::Bytes(90..100));
        assert_eq!(part("bytes=-10"), Part::Bytes(90..100));
        assert_eq!(part("bytes=-1000"), Part::Bytes(0..100));
        assert_eq!(part("bytes=0-99999999999999999999999"), Part::Bytes(0..100));
        for beyond in ["bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(part(beyond), Part::Beyond, "{beyond}");
        }
        for odd in ["bytes=9-0", "bytes=0-1,3-4", "bytes=-", "bytes=a-b", "items=0-1", "0-1", "bytes=+1-2", ""] {
            assert_eq!(part(odd), Part::Whole, "{odd}");
        }
        let twice = headers(&[(RANGE, "bytes=0-1")]);
        let mut twice_told = twice.clone();
        twice_told.append(RANGE, HeaderValue::from_static("bytes=5-6"));
        assert_eq!(version().part(&twice_told, 100), Part::Whole);
    }

    #[test]
    fn a_part_of_another_version_is_all_of_this_one() {
        let part = |of: &str| version().part(&headers(&[(RANGE, "bytes=0-9"), (IF_RANGE, of)]), 100);
        for same in ["\"a1\"", DATE] {
            assert_eq!(part(same), Part::Bytes(0..10), "{same}");
        }
        for other in ["\"b\"", "W/\"a1\"", BEFORE, "Sun, 06 Nov 1994 08:49:38 GMT", "nonsense", "Wed"] {
            assert_eq!(part(other), Part::Whole, "{other}");
        }
    }

    proptest! {
        #[test]
        fn a_part_is_within(range in "(bytes=)?[0-9,-]{0,12}", bytes in 0u64..1000) {
            if let Part::Bytes(part) = version().part(&headers(&[(RANGE, &range)]), bytes) {
                prop_assert!(part.start < part.end && part.end <= bytes);
            }
        }
    }
}
