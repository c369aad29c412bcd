//! `POST /console/api/generations/:id/input`: returns the input of a generation, so that a similar one can be created.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fleet::illustrated::Illustrated;
use fleet::protocol::BlobId;
use render_core::format::Resolution;
use render_core::limits::{IMAGES_BYTES, PDF_BYTES};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::access::Active;
use crate::api::{received, uploads};
use crate::app::App;
use crate::clock::Millis;
use crate::http::error::{ApiError, Missing};
use crate::http::names;
use crate::http::path::{Id, kind};
use crate::state::{Generation, Given};

/// Returns the fields of a creation that contain its input. A file is returned as a new upload.
pub(super) async fn input(
    State(app): State<Arc<App>>,
    visitor: Active,
    Id(id, ..): Id<kind::Generation>,
) -> Result<Json<Value>, ApiError> {
    let account = visitor.account_id;
    let generation = first(&app, account, id).await?;
    Ok(Json(Value::Object(made_of(&app, account, &generation).await?)))
}

/// Returns the complete creation request that would make the same generation, as the initial state of the create page.
pub(super) async fn beginning(app: &App, account: Uuid, id: Uuid) -> Result<Value, ApiError> {
    let generation = generation(app, account, id).await?;
    let mut fields = made_of(app, account, &first(app, account, id).await?).await?;
    let request = generation.request;
    let counts: Map<String, Value> =
        request.formats.iter().filter_map(|(id, slides)| Some((id.clone(), (*slides)?.into()))).collect();
    let asked = json!({
        "outputFormats": request.formats.iter().map(|(id, _)| id).collect::<Vec<_>>(),
        "carouselCounts": counts,
        "brandId": request.brand,
        "visualStyle": request.style,
        "resolution": request.resolution.name(),
        "exactSize": request.resolution == Resolution::Exact,
        "seed": request.seed,
        "imageFormat": request.image_format.name(),
        "audience": generation.wishes.audience,
        "goal": generation.wishes.goal,
        "tone": generation.wishes.tone,
        "useExactContent": generation.exact,
    });
    if let Value::Object(asked) = asked {
        fields.extend(asked);
    }
    Ok(Value::Object(fields))
}

async fn generation(app: &App, account: Uuid, id: Uuid) -> Result<Generation, ApiError> {
    let found = app.store.run(move |store| store.generation(account, id)).await?;
    found.map(|snapshot| snapshot.generation).ok_or(ApiError::Missing(Missing::Generation))
}

/// Returns the generation itself or, for a derived generation, the original one that has the input.
async fn first(app: &App, account: Uuid, id: Uuid) -> Result<Generation, ApiError> {
    let mut found = generation(app, account, id).await?;
    while let Some(parent) = found.parent {
        found = generation(app, account, parent).await.map_err(|error| match error {
            ApiError::Missing(_) => ApiError::InputExpired,
            error => error,
        })?;
    }
    Ok(found)
}

fn damaged(why: String) -> ApiError {
    tracing::error!(why, "decoding a stored input with pictures failed");
    ApiError::Internal
}

async fn made_of(app: &App, account: Uuid, generation: &Generation) -> Result<Map<String, Value>, ApiError> {
    let request = &generation.request;
    let mut fields = Map::new();
    fields.insert("inputType".into(), names::input_type(request.given.input_type()).into());
    let (is_file, kept) = (request.given.file_kind(), generation.input_deleted.is_none());
    let (is_outlined, is_packed) =
        (matches!(request.given, Given::Outlined(_) | Given::Remade(_)), request.given.plain() != &request.given);
    let address = match request.given.plain() {
        Given::Url(url) | Given::PdfUrl(url) => Some(url),
        _ if !kept => return Err(ApiError::InputExpired),
        _ => None,
    };
    fields.extend(address.map(|url| ("inputUrl".to_owned(), url.clone().into())));
    if address.is_none() || is_outlined && kept {
        let most = if is_packed { PDF_BYTES + IMAGES_BYTES } else { PDF_BYTES } as u64;
        let _working = match is_file.is_some() || is_packed {
            true => Some(app.bodies.working(account, most).await.map_err(received::fault)?),
            false => None,
        };
        let mut stored = app.blobs.get_blob(&request.input).await?;
        let mut blob = request.input;
        if is_packed {
            // The create form does not support pictures, so only the content is returned.
            let whole = Illustrated::unpack(&stored).map_err(damaged)?;
            if is_outlined {
                let outline = whole.outline.into_iter().map(|(id, pages)| json!({"formatId": id, "pages": pages}));
                fields.insert("outline".into(), outline.collect());
            }
            stored = whole.input;
            blob = BlobId::of(&stored);
            if is_file.is_some() {
                app.blobs.put_blob(stored.clone()).await?;
            }
        }
        if let Some(kind) = is_file {
            let bytes = stored.len() as u64;
            let upload = uploads::keep_file(app, account, blob, bytes, kind, Millis::now()).await?;
            fields.insert("fileId".into(), upload.to_string().into());
            fields.insert("fileName".into(), "The file of before".into());
        } else if address.is_none() {
            fields.insert("inputContent".into(), String::from_utf8_lossy(&stored).into_owned().into());
        }
    }
    if let Some(language) = &request.language {
        fields.insert("language".into(), language.clone().into());
    }
    if let Some(title) = &request.title {
        fields.insert("title".into(), title.clone().into());
    }
    Ok(fields)
}
