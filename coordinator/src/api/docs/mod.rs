//! `GET /docs`: the document for people, as one page without scripts that needs nothing from anywhere else.

mod example;
mod fields;
mod guide;
mod html;
mod page;
mod tree;

use std::sync::{Arc, LazyLock};

use axum::Extension;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::Response;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use render_core::text::{Family, Fonts};
use sha2::{Digest, Sha256};

use super::spec::{Document, params};

/// The faces that the page is set in, from those that the service carries: family, weight, and what the style calls them.
const FACES: [(Family, u16, &str); 4] = [
    (Family::InstrumentSerif, 400, "Instrument Serif"),
    (Family::Geist, 400, "Geist"),
    (Family::Geist, 600, "Geist"),
    (Family::GeistMono, 400, "Geist Mono"),
];

/// The style with its faces, which are part of it so that the page needs nothing else.
static STYLE: LazyLock<String> = LazyLock::new(|| {
    let fonts = Fonts::new();
    let face = |(family, weight, name): (Family, u16, &str)| {
        let bytes = BASE64_STANDARD.encode(fonts.bytes(fonts.face(family, weight)));
        format!(
            "@font-face{{font-family:\"{name}\";font-weight:{weight};font-display:swap;\
             src:url(data:font/ttf;base64,{bytes})}}\n"
        )
    };
    FACES.map(face).concat() + include_str!("style.css")
});

/// What the page may do: show itself, in this one style. Nothing runs, nothing is fetched, nobody frames it.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; font-src data:; img-src data:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::try_from(policy).expect("base64 makes a header")
});

/// Read the documentation
///
/// This page: the document for people. It needs no network and runs no scripts.
#[utoipa::path(
    get,
    path = "/docs",
    operation_id = "readDocumentation",
    tag = "Service",
    params(params::IfNoneMatch),
    responses(
        (
            status = 200,
            description = "The page.",
            body = String,
            content_type = "text/html; charset=utf-8",
            headers(("ETag" = String, description = "Names this version of it.")),
        ),
        (
            status = 304,
            description = "It is the one that `If-None-Match` names.",
            headers(("ETag" = String, description = "Names this version of it.")),
        ),
    ),
)]
pub async fn read(Extension(document): Extension<Arc<Document>>, headers: HeaderMap) -> Response {
    let page = document.page(|json| page::page(json, &STYLE));
    let mut answer = page.answer(&headers, "text/html; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY.clone());
    let referrer = HeaderName::from_static("referrer-policy");
    answer.headers_mut().insert(referrer, HeaderValue::from_static("no-referrer"));
    answer
}

#[cfg(test)]
mod tests;
