//! Parses the query of a request.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Query};
use axum::http::Uri;
use axum::http::request::Parts;
use render_core::warning::{Warning, WarningCode};

use super::error::{ApiError, Detail};
use super::form::{UNKNOWN_FIELDS, nearest};

/// Returns the query parameters in the order in which they were sent.
///
/// # Errors
/// [`ApiError::Invalid`].
pub fn pairs(uri: &Uri) -> Result<Vec<(String, String)>, ApiError> {
    let unreadable = || Detail::new("query", "invalid_value", "The query must consist of name=value pairs.");
    let read = Query::<Vec<(String, String)>>::try_from_uri(uri);
    read.map(|Query(pairs)| pairs).map_err(|_| ApiError::Invalid(vec![unreadable()]))
}

/// Returns warnings about unknown query parameters. `known` lists the parameters of the path.
pub fn warnings(uri: &Uri, known: &[&str]) -> Vec<Warning> {
    let pairs = pairs(uri).unwrap_or_default();
    let unknown = pairs.iter().map(|(name, _)| name.as_str()).filter(|name| !known.contains(name)).take(UNKNOWN_FIELDS);
    let mut warnings: Vec<Warning> = Vec::new();
    for name in unknown {
        let shown: String = name.chars().take(60).collect();
        let hint = nearest(name, known.iter().copied()).map(|n| format!(" Did you mean {n}?")).unwrap_or_default();
        let message = format!("The query parameter {shown:?} is not known and was ignored.{hint}");
        let warning = Warning::new(WarningCode::UnknownField, message);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    warnings
}

/// The query of an operation without query parameters: a warning for every parameter that was sent nevertheless.
#[derive(Debug, Default)]
pub struct NoParameters(pub Vec<Warning>);

impl<S: Send + Sync> FromRequestParts<S> for NoParameters {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(warnings(&parts.uri, &[])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_parameters_are_named_with_the_nearest_known_one() {
        let warned = |query: &str| {
            let uri: Uri = format!("/api/generations?{query}").parse().unwrap();
            let warnings = warnings(&uri, &["limit", "status"]);
            warnings.into_iter().map(|w| w.message).collect::<Vec<_>>()
        };
        assert_eq!(warned("limit=1&status=failed"), Vec::<String>::new());
        assert_eq!(
            warned("stauts=failed&limit=1&page=2&page=3"),
            [
                "The query parameter \"stauts\" is not known and was ignored. Did you mean status?",
                "The query parameter \"page\" is not known and was ignored.",
            ]
        );
        assert_eq!(warned(&(0..99).map(|n| format!("x{n}&")).collect::<String>()).len(), UNKNOWN_FIELDS);
    }
}
