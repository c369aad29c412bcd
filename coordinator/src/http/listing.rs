//! Parses the query parameters of list requests.

use axum::extract::FromRequestParts;
use axum::http::Uri;
use axum::http::request::Parts;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use render_core::warning::Warning;
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use uuid::Uuid;

use super::error::{ApiError, Detail};
use super::query;
use crate::clock::Millis;
use crate::state::{Filter, InputType, Status};

const LIMIT: usize = 20;
/// Maximum number of entries on a page.
pub(crate) const LIMIT_MAX: usize = 100;
/// Maximum number of characters of a search query.
const QUERY_CHARS: usize = 200;
/// First byte of a cursor. The id of the page's last generation, or the number of its last entry, follows.
const CURSOR_VERSION: u8 = 1;
/// First byte of a cursor of a list with filters. The id of the page's last generation and the digest of the filters
/// follow.
const FILTERED_CURSOR_VERSION: u8 = 2;
/// Size of that digest in bytes.
const FILTER_DIGEST_BYTES: usize = 8;
/// Parameters of a list without filters.
pub(crate) const PAGE_PARAMETERS: [&str; 2] = ["limit", "cursor"];
/// Parameters of the list of generations.
pub(crate) const PARAMETERS: [&str; 9] =
    ["limit", "cursor", "status", "inputType", "brandId", "createdAfter", "createdBefore", "q", "expand"];

/// The forms of content by their names in the query.
const INPUT_TYPES: [(&str, InputType); 5] = [
    ("text", InputType::Text),
    ("url", InputType::Url),
    ("idea", InputType::Idea),
    ("pdf", InputType::Pdf),
    ("pages", InputType::Pages),
];

/// A parsed query for a list of generations.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The filters.
    pub filter: Filter,
    /// The last generation of the previous page.
    pub after: Option<Uuid>,
    /// Maximum number of generations on the page.
    pub limit: usize,
    /// The optional parts to include.
    pub expand: Expand,
    /// Warnings about the query.
    pub warnings: Vec<Warning>,
}

/// The optional parts of the generations in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Expand {
    /// The outputs.
    pub outputs: bool,
    /// All quality measures of the outputs.
    pub quality: bool,
}

impl Expand {
    /// Every part, as in the response for a single generation.
    pub const ALL: Self = Self { outputs: true, quality: true };

    /// Parses a value of `expand`: names separated by commas. `quality` includes `outputs`, whose measures it adds.
    pub fn read(value: &str) -> Option<Self> {
        value.split(',').try_fold(Self::default(), |expand, name| match name.trim() {
            "outputs" => Some(Self { outputs: true, ..expand }),
            "quality" => Some(Self::ALL),
            _ => None,
        })
    }

    /// Returns the union of both.
    pub fn with(self, other: Self) -> Self {
        Self { outputs: self.outputs || other.outputs, quality: self.quality || other.quality }
    }
}

/// A parsed query for a list without filters, whose pages continue after a `C`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<C> {
    /// The last entry of the previous page.
    pub after: Option<C>,
    /// Maximum number of entries on the page.
    pub limit: usize,
    /// Warnings about the query.
    pub warnings: Vec<Warning>,
}

/// What a page of a list continues after.
pub trait Cursor: Sized {
    /// Parses a cursor.
    fn read(text: &str) -> Option<Self>;
}

/// The id of an entry.
impl Cursor for Uuid {
    fn read(text: &str) -> Option<Self> {
        read_cursor(text)
    }
}

/// The number of an entry.
impl Cursor for u64 {
    fn read(text: &str) -> Option<Self> {
        read_number_cursor(text)
    }
}

/// The position of a page in its list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(examples(json!({"limit": 20, "hasMore": false, "nextCursor": null})))]
pub struct Pagination {
    /// Maximum number of entries on a page.
    #[schema(minimum = 1, maximum = 100, examples(20))]
    limit: usize,
    /// Whether there are more pages.
    has_more: bool,
    /// The `cursor` of the next page; `null` on the last one.
    #[schema(required)]
    next_cursor: Option<String>,
}

impl Pagination {
    /// Describes a page that ends with `last`.
    pub fn new(limit: usize, has_more: bool, last: Option<Uuid>) -> Self {
        Self { limit, has_more, next_cursor: last.filter(|_| has_more).map(cursor) }
    }

    /// Describes a page of a list filtered by `filter` that ends with `last`.
    pub fn filtered(limit: usize, has_more: bool, last: Option<Uuid>, filter: &Filter) -> Self {
        let next_cursor = last.filter(|_| has_more).map(|last| filtered_cursor(last, filter));
        Self { limit, has_more, next_cursor }
    }

    /// Describes a page that ends with entry number `last`.
    pub fn numbered(limit: usize, has_more: bool, last: Option<u64>) -> Self {
        Self { limit, has_more, next_cursor: last.filter(|_| has_more).map(number_cursor) }
    }
}

impl<C: Cursor> Page<C> {
    /// Parses the query of a list without filters. Ignores unknown parameters and adds a warning for each.
    ///
    /// # Errors
    /// [`ApiError::Invalid`], [`ApiError::InvalidCursor`].
    fn read(uri: &Uri) -> Result<Self, ApiError> {
        let mut page = Self { after: None, limit: LIMIT, warnings: query::warnings(uri, &PAGE_PARAMETERS) };
        for (name, value) in &query::pairs(uri)? {
            match name.as_str() {
                "limit" => {
                    let told = |message| ApiError::Invalid(vec![Detail::new("limit", "invalid_value", message)]);
                    page.limit = read_limit(value).map_err(told)?;
                }
                "cursor" => page.after = Some(C::read(value).ok_or(ApiError::InvalidCursor(NO_CURSOR))?),
                _ => {}
            }
        }
        Ok(page)
    }
}

impl<C: Cursor, S: Send + Sync> FromRequestParts<S> for Page<C> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::read(&parts.uri)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Listing {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::read(&parts.uri)
    }
}

fn read_limit(value: &str) -> Result<usize, &'static str> {
    let limit = value.parse().ok().filter(|limit| (1..=LIMIT_MAX).contains(limit));
    limit.ok_or("limit must be a whole number from 1 to 100.")
}

/// Message for a cursor that is not from this kind of list.
const NO_CURSOR: &str = "cursor must be the nextCursor of a page of this list. Leave it out for the first page.";
/// Message for a cursor from a list with other filters.
const OTHER_FILTERS: &str = "cursor belongs to a list with other filters. Send the filters of its first page with every page, or leave cursor out.";

impl Listing {
    /// Parses the query of a list of generations. Ignores unknown parameters and adds a warning for each.
    ///
    /// # Errors
    /// [`ApiError::Invalid`] with all faults, [`ApiError::InvalidCursor`].
    fn read(uri: &Uri) -> Result<Self, ApiError> {
        let mut listing = Self {
            filter: Filter::default(),
            after: None,
            limit: LIMIT,
            expand: Expand::default(),
            warnings: query::warnings(uri, &PARAMETERS),
        };
        let pairs = query::pairs(uri)?;
        let (mut faults, mut cursor) = (Vec::new(), None);
        for (name, value) in &pairs {
            let mut invalid = |message: &str| faults.push(Detail::new(name.as_str(), "invalid_value", message));
            let filter = &mut listing.filter;
            match name.as_str() {
                "limit" => match read_limit(value) {
                    Ok(limit) => listing.limit = limit,
                    Err(why) => invalid(why),
                },
                "cursor" => cursor = Some(value),
                "expand" => match Expand::read(value) {
                    Some(more) => listing.expand = listing.expand.with(more),
                    None => invalid("expand must be a list of outputs and quality, such as outputs,quality."),
                },
                "status" => match Status::from_name(value) {
                    Some(status) => filter.status = Some(status),
                    None => {
                        invalid("status must be one of pending, processing, completed, partial, failed, cancelled.")
                    }
                },
                "inputType" => match INPUT_TYPES.into_iter().find(|(name, _)| name == value) {
                    Some((_, given)) => filter.input_type = Some(given),
                    None => invalid("inputType must be one of text, url, pdf, idea, pages."),
                },
                "brandId" => match value.parse() {
                    Ok(brand) => filter.brand = Some(brand),
                    Err(_) => invalid("brandId must be a UUID."),
                },
                "createdAfter" | "createdBefore" => match (Millis::parse(value), name.as_str()) {
                    (Some(time), "createdAfter") => filter.created_after = Some(time),
                    (Some(time), _) => filter.created_before = Some(time),
                    (None, name) => invalid(&format!("{name} must be an RFC 3339 time, such as 2026-01-31T00:00:00Z.")),
                },
                "q" if value.chars().count() > QUERY_CHARS => invalid("q has at most 200 characters."),
                "q" => filter.query = Some(value.trim().to_owned()).filter(|q| !q.is_empty()),
                _ => {}
            }
        }
        if !faults.is_empty() {
            return Err(ApiError::Invalid(faults));
        }
        if let Some(cursor) = cursor {
            listing.after = Some(read_filtered_cursor(cursor, &listing.filter).map_err(ApiError::InvalidCursor)?);
        }
        Ok(listing)
    }
}

/// Returns the cursor of the page after entry number `last`.
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

/// Returns the cursor of the page after the generation `last`.
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

/// Returns the cursor of the page after the generation `last` in a list with this filter.
fn filtered_cursor(last: Uuid, filter: &Filter) -> String {
    let mut bytes = vec![FILTERED_CURSOR_VERSION];
    bytes.extend_from_slice(last.as_bytes());
    bytes.extend_from_slice(&filter_digest(filter));
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the generation in a cursor of a list with this filter, or the message for an invalid cursor.
fn read_filtered_cursor(text: &str, filter: &Filter) -> Result<Uuid, &'static str> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| NO_CURSOR)?;
    let Some((&FILTERED_CURSOR_VERSION, rest)) = bytes.split_first() else { return Err(NO_CURSOR) };
    let (id, digest) = rest.split_at_checked(16).ok_or(NO_CURSOR)?;
    let id = Uuid::from_slice(id).ok().filter(|id| id.get_version_num() == 7).ok_or(NO_CURSOR)?;
    match digest.len() {
        FILTER_DIGEST_BYTES if digest == filter_digest(filter) => Ok(id),
        FILTER_DIGEST_BYTES => Err(OTHER_FILTERS),
        _ => Err(NO_CURSOR),
    }
}

/// Hashes a filter. The digest is stable across restarts and versions of the service.
fn filter_digest(filter: &Filter) -> [u8; FILTER_DIGEST_BYTES] {
    let Filter { status, input_type: given, brand, created_after, created_before, query } = filter;
    let parts = serde_json::json!([
        status.map(Status::name),
        given.and_then(|given| INPUT_TYPES.into_iter().find(|(_, one)| *one == given)).map(|(name, _)| name),
        brand,
        created_after.map(|t| t.0),
        created_before.map(|t| t.0),
        query,
    ]);
    let mut digest = [0; FILTER_DIGEST_BYTES];
    digest.copy_from_slice(&Sha256::digest(parts.to_string())[..FILTER_DIGEST_BYTES]);
    digest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn query(q: &str) -> Result<Listing, ApiError> {
        Listing::read(&format!("/api/generations?{q}").parse().unwrap())
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
        let warning = "The query parameter \"x\" is not known and was ignored.";
        assert_eq!(listing.warnings.iter().map(|w| w.message.as_str()).collect::<Vec<_>>(), [warning]);
        let expand = Expand::default();
        assert_eq!(listing, Listing { filter, after: None, limit: 5, expand, warnings: listing.warnings.clone() });
        assert_eq!(query("inputType=pdf").unwrap().filter.input_type, Some(InputType::Pdf));
        assert_eq!(query("").unwrap().limit, 20);
    }

    #[test]
    fn a_page_without_filters_is_read() {
        let page = |q: &str| Page::<Uuid>::read(&format!("/api/webhooks/7/deliveries?{q}").parse().unwrap());
        let (last, warnings) = (Uuid::now_v7(), Vec::new());
        let cursor = cursor(last);
        let second = Page { after: Some(last), limit: 100, warnings };
        assert_eq!(page(&format!("limit=100&cursor={cursor}")).unwrap(), second);
        assert_eq!(page("cursor=x"), Err(ApiError::InvalidCursor(NO_CURSOR)));
        let first = page("status=x").unwrap();
        assert_eq!((first.after, first.limit, first.warnings.len()), (None, 20, 1));
        assert!(matches!(page("limit=0"), Err(ApiError::Invalid(_))));
        let pagination = |more| serde_json::to_value(Pagination::new(1, more, Some(last))).unwrap();
        assert_eq!(pagination(true), serde_json::json!({"limit": 1, "hasMore": true, "nextCursor": cursor}));
        assert_eq!(pagination(false)["nextCursor"], serde_json::Value::Null);
    }

    #[test]
    fn every_fault_is_named() {
        let wrong = "limit=0&status=done&inputType=x&brandId=x&createdAfter=x&createdBefore=x&expand=pixels";
        let Err(ApiError::Invalid(details)) = query(wrong) else { panic!() };
        let fields: Vec<_> = details.iter().map(|d| d.field.as_str()).collect();
        assert_eq!(fields, ["limit", "status", "inputType", "brandId", "createdAfter", "createdBefore", "expand"]);
        assert!(details.iter().all(|d| d.message.contains(d.field.as_str())), "{details:?}");
        for wrong in ["limit=101", "limit=-1", "limit=x", "limit=", &format!("q={}", "x".repeat(201))] {
            assert!(query(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_cursor_is_good_for_its_own_filters_alone() {
        let id = Uuid::now_v7();
        let filters = [
            "",
            "status=failed",
            "status=partial",
            "inputType=url",
            "brandId=00000000-0000-0000-0000-000000000000",
            "createdAfter=2026-01-31T00:00:00Z",
            "createdBefore=2026-01-31T00:00:00Z",
            "q=fox",
        ];
        for of in filters {
            let cursor = filtered_cursor(id, &query(of).unwrap().filter);
            for sent in filters {
                let read = query(&format!("{sent}&limit=7&expand=outputs&cursor={cursor}"));
                match sent == of {
                    true => assert_eq!(read.unwrap().after, Some(id)),
                    false => assert_eq!(read, Err(ApiError::InvalidCursor(OTHER_FILTERS)), "{of} {sent}"),
                }
            }
        }
        let spelled = filtered_cursor(id, &query("createdAfter=2026-01-31T01:00:00%2B01:00&q=fox").unwrap().filter);
        assert!(query(&format!("q=+fox+&createdAfter=2026-01-31T00:00:00Z&cursor={spelled}")).is_ok());
        // A cursor of a list without filters.
        assert_eq!(query(&format!("cursor={}", cursor(id))), Err(ApiError::InvalidCursor(NO_CURSOR)));
    }

    #[test]
    fn what_is_expanded_is_read() {
        let expand = |q: &str| query(q).unwrap().expand;
        assert_eq!(expand(""), Expand { outputs: false, quality: false });
        assert_eq!(expand("expand=outputs"), Expand { outputs: true, quality: false });
        for both in
            ["expand=quality", "expand=outputs,quality", "expand=quality,%20outputs", "expand=outputs&expand=quality"]
        {
            assert_eq!(expand(both), Expand { outputs: true, quality: true }, "{both}");
        }
        for wrong in ["expand=", "expand=outputs,", "expand=Outputs"] {
            assert!(matches!(query(wrong), Err(ApiError::Invalid(_))), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn a_cursor_reads_back(ms in 0u64..1 << 47, rest in any::<u128>()) {
            let id = uuid::Builder::from_unix_timestamp_millis(ms, &rest.to_be_bytes()[..10].try_into().unwrap());
            let id = id.into_uuid();
            let cursor = filtered_cursor(id, &Filter::default());
            prop_assert_eq!(query(&format!("cursor={cursor}")).unwrap().after, Some(id));
        }

        #[test]
        fn what_is_no_cursor_is_refused(text in "[A-Za-z0-9_-]{0,40}") {
            match query(&format!("cursor={text}")) {
                Ok(read) => prop_assert_eq!(read.after.map(|id| filtered_cursor(id, &read.filter)), Some(text)),
                Err(error) => prop_assert!(matches!(error, ApiError::InvalidCursor(_))),
            }
        }
    }
}
