//! `GET /docs`: renders the OpenAPI document as one HTML page without scripts or external resources.

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

/// The font faces embedded in the page, taken from the service's own: family, weight, and name in the stylesheet.
const FACES: [(Family, u16, &str); 4] = [
    (Family::InstrumentSerif, 400, "Instrument Serif"),
    (Family::Geist, 400, "Geist"),
    (Family::Geist, 600, "Geist"),
    (Family::GeistMono, 400, "Geist Mono"),
];

/// The stylesheet with its embedded font faces.
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

/// The page's Content-Security-Policy: it allows this one stylesheet, and no scripts, requests or framing.
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
/// Returns this page: the API reference for people. It needs no network and runs no scripts.
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
            headers(("ETag" = String, description = "Identifies this version of the page.")),
        ),
        (
            status = 304,
            description = "The version in `If-None-Match` is current.",
            headers(("ETag" = String, description = "Identifies this version of the page.")),
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
