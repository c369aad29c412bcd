//! Reading the query of a list.

use axum::extract::Query;
use axum::http::Uri;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::error::{ApiError, Detail};
use crate::clock::Millis;
use crate::state::{Filter, InputType, Status};

const LIMIT: usize = 20;
const LIMIT_MAX: usize = 100;
/// Characters of a search.
const QUERY_CHARS: usize = 200;
/// First byte of a cursor: what follows is the id of the last generation of a page, or the number of its last entry.
const CURSOR_VERSION: u8 = 1;

/// Which generations, and which page of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Which generations.
    pub filter: Filter,
    /// Those after this one.
    pub after: Option<Uuid>,
    /// How many.
    pub limit: usize,
}

/// Which page of a list without filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page<C = Uuid> {
    /// What comes after this one.
    pub after: Option<C>,
    /// How many.
    pub limit: usize,
}

/// What an answer says of the page that it holds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// How many may stand on it.
    #[schema(minimum = 1, maximum = 100, examples(20))]
    limit: usize,
    /// Whether more come after it.
    has_more: bool,
    /// The `cursor` of the next page; `null` on the last one.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl Pagination {
    /// Of a page that ends with `last`.
    pub fn new(limit: usize, has_more: bool, last: Option<Uuid>) -> Self {
        Self { limit, has_more, next_cursor: last.filter(|_| has_more).map(cursor) }
    }

    /// Of a page that ends with the entry of number `last`.
    pub fn numbered(limit: usize, has_more: bool, last: Option<u64>) -> Self {
        Self { limit, has_more, next_cursor: last.filter(|_| has_more).map(number_cursor) }
    }
}

/// Reads the query of a list without filters. Other parameters are ignored.
///
/// # Errors
/// [`ApiError::Invalid`], [`ApiError::InvalidCursor`].
pub fn read_page(uri: &Uri) -> Result<Page, ApiError> {
    read_page_after(uri, read_cursor)
}

/// The same, of a list whose entries are numbered.
///
/// # Errors
/// As [`read_page`].
pub fn read_numbered_page(uri: &Uri) -> Result<Page<u64>, ApiError> {
    read_page_after(uri, read_number_cursor)
}

fn read_page_after<C>(uri: &Uri, read: impl Fn(&str) -> Option<C>) -> Result<Page<C>, ApiError> {
    let mut page = Page { after: None, limit: LIMIT };
    for (name, value) in &pairs(uri)? {
        match name.as_str() {
            "limit" => {
                let told = |message| ApiError::Invalid(vec![Detail::new("limit", "invalid_value", message)]);
                page.limit = read_limit(value).map_err(told)?;
            }
            "cursor" => page.after = Some(read(value).ok_or(ApiError::InvalidCursor)?),
            _ => {}
        }
    }
    Ok(page)
}

/// The names and values of a query.
///
/// # Errors
/// [`ApiError::Invalid`].
pub fn pairs(uri: &Uri) -> Result<Vec<(String, String)>, ApiError> {
    let unreadable = || Detail::new("query", "invalid_value", "The query can't be read.");
    let read = Query::<Vec<(String, String)>>::try_from_uri(uri);
    read.map(|Query(pairs)| pairs).map_err(|_| ApiError::Invalid(vec![unreadable()]))
}

fn read_limit(value: &str) -> Result<usize, &'static str> {
    let limit = value.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    limit.ok_or("limit must be a whole number from 1 to 100.")
}

/// Reads a query. Parameters that are not known are ignored.
///
/// # Errors
/// [`ApiError::Invalid`] with every fault, [`ApiError::InvalidCursor`].
pub fn read(uri: &Uri) -> Result<Listing, ApiError> {
    let pairs = pairs(uri)?;
    let mut listing = Listing { filter: Filter::default(), after: None, limit: LIMIT };
    let (mut faults, mut cursor_is_ours) = (Vec::new(), true);
    for (name, value) in &pairs {
        let mut invalid = |message: &str| faults.push(Detail::new(name.as_str(), "invalid_value", message));
        let filter = &mut listing.filter;
        match name.as_str() {
            "limit" => match read_limit(value) {
                Ok(limit) => listing.limit = limit,
                Err(why) => invalid(why),
            },
            "cursor" => {
                listing.after = read_cursor(value);
                cursor_is_ours = listing.after.is_some();
            }
            "status" => match Status::from_name(value) {
                Some(status) => filter.status = Some(status),
                None => invalid("status must be one of pending, processing, completed, partial, failed, cancelled."),
            },
            "inputType" => match value.as_str() {
                "text" => filter.input_type = Some(InputType::Text),
                "url" => filter.input_type = Some(InputType::Url),
                "idea" => filter.input_type = Some(InputType::Idea),
                "pdf" => filter.input_type = Some(InputType::Pdf),
                _ => invalid("inputType must be one of text, url, pdf, idea."),
            },
            "brandId" => match value.parse() {
                Ok(brand) => filter.brand = Some(brand),
                Err(_) => invalid("brandId must be a UUID."),
            },
            "createdAfter" | "createdBefore" => match (Millis::parse(value), name.as_str()) {
                (Some(time), "createdAfter") => filter.created_after = Some(time),
                (Some(time), _) => filter.created_before = Some(time),
                (None, _) => invalid("It must be an RFC 3339 time, such as 2026-01-31T00:00:00Z."),
            },
            "q" if value.chars().count() > QUERY_CHARS => invalid("q has at most 200 characters."),
            "q" => filter.query = Some(value.trim().to_owned()).filter(|q| !q.is_empty()),
            _ => {}
        }
    }
    if !faults.is_empty() {
        return Err(ApiError::Invalid(faults));
    }
    if cursor_is_ours { Ok(listing) } else { Err(ApiError::InvalidCursor) }
}

/// The cursor of the page after the entry of number `last`.
fn number_cursor(last: u64) -> String {
    let mut bytes = vec![CURSOR_VERSION];
    bytes.extend_from_slice(&last.to_be_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

fn read_number_cursor(text: &str) -> Option<u64> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (CURSOR_VERSION, number) = bytes.split_first().map(|(v, n)| (*v, n))? else { return None };
    number.try_into().ok().map(u64::from_be_bytes)
}

/// The cursor of the page after the generation `last`.
pub fn cursor(last: Uuid) -> String {
    let mut bytes = vec![CURSOR_VERSION];
    bytes.extend_from_slice(last.as_bytes());
    URL_SAFE_NO_PAD.encode(bytes)
}

fn read_cursor(text: &str) -> Option<Uuid> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (CURSOR_VERSION, id) = bytes.split_first().map(|(v, id)| (*v, id))? else { return None };
    Uuid::from_slice(id).ok().filter(|id| id.get_version_num() == 7)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn query(q: &str) -> Result<Listing, ApiError> {
        read(&format!("/api/generations?{q}").parse().unwrap())
    }

    #[test]
    fn everything_is_read() {
        let listing = query(
            "limit=5&status=partial&inputType=text&brandId=00000000-0000-0000-0000-000000000000\
             &createdAfter=1970-01-01T00:00:01Z&createdBefore=1970-01-01T01:00:02%2B01:00&q=%20two+words&x=y",
        )
        .unwrap();
        let filter = Filter {
            status: Some(Status::Partial),
            input_type: Some(InputType::Text),
            brand: Some(Uuid::nil()),
            created_after: Some(Millis(1000)),
            created_before: Some(Millis(2000)),
            query: Some("two words".into()),
        };
        assert_eq!(listing, Listing { filter, after: None, limit: 5 });
        assert_eq!(query("inputType=pdf").unwrap().filter.input_type, Some(InputType::Pdf));
        assert_eq!(query("").unwrap().limit, 20);
    }

    #[test]
    fn a_page_without_filters_is_read() {
        let page = |q: &str| read_page(&format!("/api/webhooks/7/deliveries?{q}").parse().unwrap());
        let last = Uuid::now_v7();
        assert_eq!(page("status=x").unwrap(), Page { after: None, limit: 20 });
        let cursor = cursor(last);
        assert_eq!(page(&format!("limit=100&cursor={cursor}")).unwrap(), Page { after: Some(last), limit: 100 });
        assert_eq!(page("cursor=x"), Err(ApiError::InvalidCursor));
        assert!(matches!(page("limit=0"), Err(ApiError::Invalid(_))));
        let pagination = |more| serde_json::to_value(Pagination::new(1, more, Some(last))).unwrap();
        assert_eq!(pagination(true), serde_json::json!({"limit": 1, "hasMore": true, "nextCursor": cursor}));
        assert_eq!(pagination(false)["nextCursor"], serde_json::Value::Null);
    }

    #[test]
    fn every_fault_is_named() {
        let Err(ApiError::Invalid(details)) = query("limit=0&status=done&inputType=x&brandId=x&createdAfter=x") else {
            panic!()
        };
        let fields: Vec<_> = details.iter().map(|d| d.field.as_str()).collect();
        assert_eq!(fields, ["limit", "status", "inputType", "brandId", "createdAfter"]);
        for wrong in ["limit=101", "limit=-1", "limit=x", "limit=", &format!("q={}", "x".repeat(201))] {
            assert!(query(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_cursor_reads_back(ms in 0u64..1 << 47, rest in any::<u128>()) {
            let id = uuid::Builder::from_unix_timestamp_millis(ms, &rest.to_be_bytes()[..10].try_into().unwrap());
            let id = id.into_uuid();
            prop_assert_eq!(query(&format!("cursor={}", cursor(id))).unwrap().after, Some(id));
        }

        #[test]
        fn what_is_no_cursor_is_refused(text in "[A-Za-z0-9_-]{0,40}") {
            let read = query(&format!("cursor={text}"));
            prop_assert!(read == Err(ApiError::InvalidCursor) || read.unwrap().after.map(cursor) == Some(text));
        }
    }
}
