//! `GET /console/api/faces/:family`: returns a font file, so that the browser can show specimens.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use crate::access::Active;
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::ApiError;

/// The requested weight. The nearest available weight is returned.
#[derive(Deserialize)]
pub(super) struct Asked {
    weight: Option<u16>,
}

/// Returns a font of the service or of the account.
pub(super) async fn read(
    State(app): State<Arc<App>>,
    visitor: Active,
    family: Result<Path<String>, PathRejection>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let Path(family) = family.map_err(|_| ApiError::NotFound)?;
    let (account, weight) = (visitor.account_id, asked.weight.unwrap_or(400));
    let mut faces = app.store.run(move |store| store.faces(account, Millis::now())).await?;
    faces.retain(|face| face.family.eq_ignore_ascii_case(&family));
    let bytes = match faces.iter().min_by_key(|face| face.weight.abs_diff(weight)) {
        Some(face) => app.blobs.get_blob(&face.blob).await?,
        None => {
            let importer = Arc::clone(app.importer.as_ref().ok_or(ApiError::NoWorkers)?);
            let found = tokio::task::spawn_blocking(move || importer.face(&family, weight)).await;
            found.map_err(|_| ApiError::Internal)?.ok_or(ApiError::NotFound)?
        }
    };
    let mut response = Body::from(bytes).into_response();
    let said = response.headers_mut();
    said.insert(header::CONTENT_TYPE, HeaderValue::from_static("font/ttf"));
    said.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    said.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400"));
    Ok(response)
}
