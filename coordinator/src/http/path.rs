//! Ids in paths.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, MatchedPath, RawPathParams};
use axum::http::request::Parts;
use uuid::Uuid;

use super::error::{ApiError, Missing};

/// A kind of thing whose ids occur in paths.
pub trait Kind {
    /// The name of the id's parameter. It matters only in paths with several parameters.
    const PARAMETER: &str;
    /// What is missing if the id is not a UUID: nothing has such an id.
    const MISSING: Missing;
}

/// Declares kinds with their parameters.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $parameter:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub enum $name {}

        impl super::Kind for $name {
            const PARAMETER: &str = $parameter;
            const MISSING: super::Missing = super::Missing::$name;
        }
    )*};
}

/// All kinds.
pub mod kind {
    kinds! {
        /// An account.
        Account "id";
        /// A brand kit.
        Brand "id";
        /// A job that was given up.
        DeadLetter "job";
        /// A delivery of a webhook.
        Delivery "deliveryId";
        /// A generation.
        Generation "id";
        /// An API key.
        Key "key";
        /// A member of an account.
        Member "member";
        /// An output of a generation.
        Output "outputId";
        /// A session of a member.
        Session "id";
        /// A webhook.
        Webhook "id";
    }
}

/// The id of a thing of the kind `K` in the path of a request. Rejects everything that is not a UUID with the error for
/// an unknown id. Whether there is such a thing remains to be checked.
#[derive(Debug, Clone, Copy)]
pub struct Id<K>(pub Uuid, pub PhantomData<K>);

impl<K: Kind, S: Send + Sync> FromRequestParts<S> for Id<K> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let missing = || ApiError::Missing(K::MISSING);
        // Fails if a parameter is not UTF-8.
        let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| missing())?;
        let is_only = parameters.iter().count() == 1;
        let named = parameters.iter().find(|(name, _)| is_only || *name == K::PARAMETER);
        let (_, value) = named.ok_or(ApiError::Internal)?;
        value.parse().map(|id| Self(id, PhantomData)).map_err(|_| missing())
    }
}

/// Returns the path of a request as the contract writes it: the route, with every id in its canonical form. Different
/// spellings of an id thus name the same path.
///
/// # Errors
/// [`ApiError::Internal`] if the request has no route, or if a parameter is not UTF-8.
pub async fn canonical(parts: &mut Parts) -> Result<String, ApiError> {
    let route = parts.extensions.get::<MatchedPath>().ok_or(ApiError::Internal)?.as_str().to_owned();
    let parameters = RawPathParams::from_request_parts(parts, &()).await.map_err(|_| ApiError::Internal)?;
    let canonical = |value: &str| value.parse::<Uuid>().map_or_else(|_| value.to_owned(), |id| id.to_string());
    let named = |path: String, (name, value)| path.replace(&format!("{{{name}}}"), &canonical(value));
    Ok(parameters.iter().fold(route, named))
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::extract::Request;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    const A: &str = "0198c0de-0000-7000-8000-00000000000a";
    const B: &str = "0198C0DE-0000-7000-8000-00000000000B";

    /// The error codes and bodies of a router that extracts ids from these paths.
    async fn got(path: &str) -> (u16, String) {
        let one = async |Id(id, ..): Id<kind::Brand>| id.to_string();
        let two = async |Id(a, ..): Id<kind::Generation>, Id(b, ..): Id<kind::Output>| format!("{a} {b}");
        let told = async |request: Request| canonical(&mut request.into_parts().0).await;
        let router = Router::new()
            .route("/one/{any}", get(one))
            .route("/two/{id}/of/{outputId}", get(two))
            .route("/told/{id}/of/{name}/end", get(told));
        let response = router.oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status().as_u16();
        let code = ApiError::in_place_of(&response).map(|error| error.error_code().row().code.to_owned());
        let body = axum::body::to_bytes(response.into_body(), 1000).await.unwrap();
        (status, code.unwrap_or_else(|| String::from_utf8(body.to_vec()).unwrap()))
    }

    #[tokio::test]
    async fn ids_are_parsed_or_unknown() {
        assert_eq!(got(&format!("/one/{A}")).await, (200, A.to_owned()));
        assert_eq!(got(&format!("/two/{A}/of/{B}")).await, (200, format!("{A} {}", B.to_lowercase())));
        for (path, code) in [
            ("/one/7".to_owned(), "brand_not_found"),
            ("/one/%ff".to_owned(), "brand_not_found"),
            (format!("/two/7/of/{B}"), "generation_not_found"),
            ("/two/7/of/7".to_owned(), "generation_not_found"),
            (format!("/two/{A}/of/%ff"), "generation_not_found"),
            (format!("/two/{A}/of/7"), "output_not_found"),
        ] {
            assert_eq!(got(&path).await, (404, code.to_owned()), "{path}");
        }
    }

    #[tokio::test]
    async fn ids_have_one_spelling() {
        let path = format!("/told/{}/of/x%20y/end", B.replace('-', ""));
        assert_eq!(got(&path).await, (200, format!("/told/{}/of/x y/end", B.to_lowercase())));
    }
}
